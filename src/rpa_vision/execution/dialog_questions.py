"""Is this the question that was answered in the demonstrations? Title and buttons alone say nothing: all dialogs of an
application are called « Confirmation » and have « Oui » and « Non ».

What was always said must be said again, in the same words or in words of the same meaning; where demonstrations
differed, and for numbers and names, anything may stand. A sentence nobody was shown is another question. Doubt is no.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from rpa_vision.execution.grave_words import is_grave
from rpa_vision.execution.strategies.lexicon import gist, same_meaning
from rpa_vision.graph.dialog_words import DIALOG_SAYS
from rpa_vision.graph.vocabulary import misread_as, same_words
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import WorkflowNode

_SENTENCE_WORDS = 3
_MISSING = 0.2
"""The share of what was always said that may be unreadable."""
_QUOTED = re.compile(r"«[^»]{1,80}»|“[^”]{1,80}”|\"[^\"]{1,80}\"")
_ELIDED = re.compile(r"\b(?:[cdjlmnst]|qu)['’](?=\w)", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+|[.?!:]")
_DEED = "="
_COUNTS = frozenset({"tout", "tous", "toute", "toutes", "all", "every", "chaque", "each", "pas", "ne", "non", "not",
                     "no", "never", "jamais", "sans", "without", "aucun", "aucune", "none", "any", "encore", "again",
                     "autre", "autres", "other", "others"})  # fmt: skip
"""Small words that make another question of a sentence."""


@dataclass(frozen=True, slots=True)
class _Word:
    spelled: str
    meaning: str
    """The word, folded, or what it means where it names a deed."""
    is_name: bool
    """It may be a value: written large within a sentence."""

    @property
    def weighs(self) -> bool:
        """Whether another one in its place would make another question."""
        return _weighs(self.meaning)


@dataclass(frozen=True, slots=True)
class Question:
    """What the dialog of a screen asks, as far as it is known."""

    always: frozenset[str]
    """What every demonstration said."""
    known: Mapping[str, str]
    """What any of them said, as it was spelled and as it was meant."""
    slots: frozenset[tuple[str, str]]
    """Between which words that stay others changed."""
    sentences: tuple[frozenset[str], ...]
    """What weighs in each sentence, where it is not known which of them stood in the dialog."""
    lines: tuple[str, ...]
    """What may stand there as it is."""
    optional: bool
    """Some demonstrations of the screen had no dialog."""

    def objection(self, message: Sequence[str], everything: Sequence[str]) -> str | None:
        """Why a dialog that says this is not the one, or None. `everything` are the message and the controls."""
        seen = {word.meaning for line in chunks(everything) for word in self._read(line)}
        missing = [word for word in self.always if word not in seen and not _near(word, seen)]
        if any(map(_weighs, missing)) or len(missing) > _MISSING * len(self.always):
            return f"it does not say « {missing[0].removeprefix(_DEED)} »"
        return next((f"« {chunk} » was not asked before" for chunk in chunks(message) if self._is_new(chunk)), None)

    def strange(self, message: Sequence[str]) -> str | None:
        """A sentence of a dialog with a deed or another word that counts and that nobody was shown, or None."""
        return next(
            (
                chunk
                for chunk in chunks(message)
                if is_sentence(chunk) and any(word.weighs and not self._was_said(word) for word in self._read(chunk))
            ),
            None,
        )

    def _is_new(self, chunk: str) -> bool:
        """Whether a text says something that was not said before, and that counts."""
        if any(same_words(chunk, line) or same_meaning(chunk, line) for line in self.lines):
            return False
        words = self._read(chunk)
        weighty = {word.meaning for word in words if word.weighs}
        if self.sentences and not any(weighty <= own for own in self.sentences):
            return True
        new = [word for at, word in enumerate(words) if not self._is_known(word, words, at)]
        return any(word.weighs for word in new) or (bool(new) and is_sentence(chunk))

    def _is_known(self, word: _Word, words: Sequence[_Word], at: int) -> bool:
        if self._was_said(word) or _near(word.meaning, self.known.values()):
            return True
        return not word.weighs and (word.is_name or _around(words, at, self.always) in self.slots)

    def _was_said(self, word: _Word) -> bool:
        return word.meaning in self.known.values()

    def _read(self, chunk: str) -> list[_Word]:
        """The words; those that were read as one, in two or with a letter for another are put right."""
        made: list[_Word] = []
        for word in _words(chunk):
            if self._was_said(word) or word.weighs:
                made.append(word)
                continue
            pair = next((one for one in _halves(word.spelled) if all(half in self.known for half in one)), ())
            whole = made[-1].spelled + word.spelled if made else ""
            meant = next((one for one in self.known if misread_as(word.spelled, one)), None)
            if pair:
                made += map(self._known_word, pair)
            elif whole in self.known:
                made[-1] = self._known_word(whole)
            else:
                made.append(word if meant is None else self._known_word(meant))
        return made

    def _known_word(self, spelled: str) -> _Word:
        return _Word(spelled, self.known[spelled], is_name=False)


def question_of(node: WorkflowNode, own: Sequence[str]) -> Question:
    """What the dialog of a node asks. `own` is what only screens with a dialog say."""
    said = node.metadata.get(DIALOG_SAYS)
    if isinstance(said, list | tuple) and said:
        return asked_by([str(text) for text in said])
    return _guessed(node, own)


def asked_by(messages: Sequence[str]) -> Question:
    """The question of demonstrations, each of them the lines of its dialog."""
    told = _put_right(
        [[word for chunk in chunks(text.split("\n")) for word in _words(chunk)] for text in messages if text]
    )
    each = [{word.meaning for word in words} for words in told]
    if len(told) > 1:
        always = frozenset.intersection(*map(frozenset, each))
    else:
        always = frozenset(word.meaning for words in told for word in words if word.weighs or not word.is_name)
    slots = frozenset(
        _around(words, at, always)
        for words in (told if len(told) > 1 else ())
        for at, word in enumerate(words)
        if word.meaning not in always
    )
    known = {word.spelled: word.meaning for words in told for word in words}
    return Question(always, known, slots, (), (), optional=any(not text for text in messages))


def _put_right(told: list[list[_Word]]) -> list[list[_Word]]:
    """Words that one demonstration alone has, and that are those of others badly read, are theirs."""
    counted = Counter(spelled for words in told for spelled in {word.spelled for word in words})
    often = {word.spelled: word for words in told for word in words if counted[word.spelled] > 1}

    def right(word: _Word) -> _Word:
        meant = (
            next((one for one in often if misread_as(word.spelled, one)), None) if counted[word.spelled] == 1 else None
        )
        return word if meant is None else often[meant]

    return [list(map(right, words)) for words in told]


def _guessed(node: WorkflowNode, own: Sequence[str]) -> Question:
    """From a workflow that was learned before questions were kept: whatever sentences its screen said."""
    template = node.screen_template
    said = [text for text in (*template.stable_texts, *template.occasional_texts) if is_sentence(text)]
    always = {word.meaning for text in own if is_sentence(text) for word in _words(text) if not word.is_name}
    known = {word.spelled: word.meaning for text in (*said, *own) for word in _words(text)}
    titles = {word.meaning for text in own for word in _words(text) if word.weighs}
    sentences = tuple(frozenset(titles | {word.meaning for word in _words(text) if word.weighs}) for text in said)
    return Question(
        frozenset(always),
        known,
        frozenset(),
        (frozenset(titles), *sentences),
        (*template.stable_texts, *template.occasional_texts),
        optional=True,
    )


def is_sentence(text: str) -> bool:
    """Say whether a text tells or asks something, and is no mere label."""
    return "?" in text or len(re.findall(r"[^\W\d_]{2,}", text)) >= _SENTENCE_WORDS


def chunks(lines: Iterable[str]) -> list[str]:
    """The sentences and labels of a dialog: a sentence may run over several lines."""
    made: list[str] = []
    for line in lines:
        runs_on = made and not made[-1].rstrip().endswith((".", "?", "!", ":")) and is_sentence(made[-1])
        if runs_on or (made and line[:1].islower()):
            made[-1] += f" {line}"
        else:
            made.append(line)
    return made


def _words(chunk: str) -> list[_Word]:
    said = _ELIDED.sub("", _QUOTED.sub(" ", chunk))
    made: list[_Word] = []
    begins, shouts = True, chunk.isupper()
    for word in _WORD.findall(said):
        if not word[0].isalnum():
            begins = True
            continue
        meaning = gist(word)[0] if not any(char.isdigit() for char in word) else ""
        if meaning and (len(word) > 2 or meaning in _COUNTS):
            made.append(_Word(folded(word), meaning, is_name=word[0].isupper() and not begins and not shouts))
        begins = False
    return made


def _around(words: Sequence[_Word], at: int, always: frozenset[str]) -> tuple[str, str]:
    """The words that stay before and behind a place."""
    before = next((word.meaning for word in reversed(words[:at]) if word.meaning in always), "")
    return before, next((word.meaning for word in words[at + 1 :] if word.meaning in always), "")


def _halves(word: str) -> list[tuple[str, str]]:
    return [(word[:at], word[at:]) for at in range(2, len(word) - 1)]


@lru_cache(maxsize=4096)
def _weighs(meaning: str) -> bool:
    return meaning.startswith(_DEED) or meaning in _COUNTS or is_grave(meaning)


def _near(word: str, others: Iterable[str]) -> bool:
    """Whether a word may be one of the others badly read. Deeds are not: « valider » and « validée » are two."""
    if word.startswith(_DEED) or word in _COUNTS:
        return False
    return any(_misread(word, other) for other in others if not other.startswith(_DEED) and other not in _COUNTS)


def _misread(one: str, other: str) -> bool:
    if misread_as(one, other):
        return True
    if len(one) != len(other) or len(one) < 4:
        return False
    return Levenshtein.distance(one, other, score_cutoff=2) <= (1 if len(one) < 10 else 2)
