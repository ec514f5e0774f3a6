"""The words of a screen, and which of them all screens of a kind share."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from rapidfuzz.distance import Levenshtein

from rpa_vision.embedding.salience import group_texts
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState, TextLine
from rpa_vision.models.variables import literal
from rpa_vision.models.wording import folded, is_sure, squeezed

_MIN_LENGTH = 2
_SURE_READING = 0.8
_FIRST = 3
"""Of so many screens texts are taken that all must show: on the first, one may have been misread."""
_SMALLEST_WINDOW_PX = 64
_LONG_TEXT = 12
_LOOK_ALIKES = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o"})
"""Signs no reader can tell apart in some fonts; every other letter makes another word."""
_MEANINGFUL_SIGNS = frozenset("+-<>%±*/&#@€$£")
_LEADS_ON, _LEADS_BACK = frozenset("+>›→▶"), frozenset("-−<‹←◀")
"""Signs before words that make opposites of them: « + Dose » and « - Dose »."""
_MIN_RESEMBLING = 6
_CONFUSED = tuple(map(frozenset, ("iltfj", "oceadq", "nmhru", "uvwy", "sz", "bhk", "gqy", "rt", "pn")))
"""Letters that tired readers take for one another."""


def window_in_front(state: ScreenState) -> ScreenState:
    """The screen without what lies outside of the active window, where it is known which place that takes.

    What stands in other windows says nothing about where one is.
    """
    if state.window.geometry is None:
        return state
    place = Box.of(state.window.geometry)
    if min(place.width, place.height) < _SMALLEST_WINDOW_PX:
        return state
    lines = tuple(line for line in state.perception.text_lines if place.contains(Box.of(line.bbox).center))
    elements = tuple(element for element in state.ui_elements if place.contains(element.center))
    perception = state.perception.model_copy(update={"text_lines": lines})
    return state.model_copy(update={"perception": perception, "ui_elements": elements})


def surely_read(state: ScreenState) -> ScreenState:
    """The screen without lines that were hardly read: drawings taken for words, which read otherwise tomorrow."""
    lines = tuple(line for line in state.perception.text_lines if is_sure(line.text, line.confidence, _SURE_READING))
    if not lines:
        return state
    return state.model_copy(update={"perception": state.perception.model_copy(update={"text_lines": lines})})


def words_of(state: ScreenState) -> list[str]:
    """The texts of a screen as they are read, from top to bottom, without single characters."""
    lines = in_reading_order(state.perception.text_lines)
    return [line.text for line in lines if len(squeezed(line.text)) >= _MIN_LENGTH]


def in_reading_order(lines: Sequence[TextLine]) -> list[TextLine]:
    """Row by row, each from left to right; an accent that makes a word higher does not make it a row of its own."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: line.bbox[1] + line.bbox[3]):
        middle = (line.bbox[1] + line.bbox[3]) / 2
        if rows and rows[-1][0].bbox[1] <= middle < rows[-1][0].bbox[3]:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [line for row in rows for line in sorted(row, key=lambda line: line.bbox[0])]


def naming_words(state: ScreenState) -> list[str]:
    """The texts that say which screen this is: no cells of tables, no values of fields, nothing with numbers."""
    return [text for text in screen_words(state) if not any(char.isdigit() for char in text)]


def screen_words(state: ScreenState) -> list[str]:
    """The texts of a screen that are neither cells of a table nor values of fields."""
    groups = group_texts(state.perception, state.ui_elements)
    return [text for text in (*groups.front, *groups.labels) if len(squeezed(text)) >= _MIN_LENGTH]


def templated(text: str, values: Mapping[str, str]) -> str:
    """The text as a template in which the values of all variables are named, longest values first."""
    for name, value in values.items():
        if value and squeezed(text) == squeezed(value):
            return f"${{{name}}}"
    pieces: list[tuple[str, bool]] = [(text, False)]
    for name, value in sorted(values.items(), key=lambda item: (-len(item[1]), item[0])):
        if len(value) < 3:
            continue
        pieces = [
            part
            for piece, is_variable in pieces
            for part in ([(piece, True)] if is_variable else _split_at(piece, value, f"${{{name}}}"))
        ]
    return "".join(piece if is_variable else literal(piece) for piece, is_variable in pieces)


def _split_at(text: str, value: str, placeholder: str) -> list[tuple[str, bool]]:
    before, found, after = text.partition(value)
    if not found:
        return [(text, False)]
    return [(before, False), (placeholder, True), *_split_at(after, value, placeholder)]


def contains(texts: Iterable[str], wanted: str) -> bool:
    """Say whether a text is among those read."""
    return any(same_words(text, wanted) for text in texts)


def resembles_any(texts: Iterable[str], wanted: str) -> bool:
    """Say whether a text is among those read, or one that differs by a letter. For scores only, never for decisions."""
    target = letters(wanted)
    choices = [letters(text) for text in texts]
    if target in choices:
        return bool(target)
    if len(target) < _MIN_RESEMBLING or any(char.isdigit() for char in target):
        return False
    return any(Levenshtein.distance(target, choice, score_cutoff=1) <= 1 for choice in choices)


def said_in_parts(texts: Iterable[str], wanted: str) -> bool:
    """Say whether a text stands there in two pieces: in a narrower place its line is broken. For scores only."""
    words = wanted.split()
    said = {letters(text) for text in texts}
    halves = ((" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words)))
    return any(letters(one) in said and letters(other) in said for one, other in halves)


def may_contain(texts: Iterable[str], wanted: str) -> bool:
    """Say whether a text could be among those read or a part of them, however badly read: any letter may be wrong."""
    target = squeezed(wanted)
    forgiven = 0 if len(target) <= 3 else 2 if len(target) >= _LONG_TEXT else 1
    return any(
        (len(target) >= 3 and target in choice)
        or Levenshtein.distance(target, choice, score_cutoff=forgiven) <= forgiven
        for choice in map(squeezed, texts)
    )


def same_words(said: str, wanted: str) -> bool:
    """Say whether a text is the wanted one: « Girard » is not « Giraud », « Groupe A+ » is not « Groupe A- ».

    Accents, case, spaces and quotes are not compared, nor what no reader can tell apart (I and l, O and 0) in words
    without digits, nor an icon before them that was read as some sign, unless that makes the opposite of it.
    """
    one, other = letters(said), letters(wanted)
    if are_opposite(said, wanted):
        return False
    if one == other:
        return bool(one)
    if not one or _as_seen(one) != _as_seen(other):
        return False
    return not any(char.isdigit() for char in said + wanted)


def are_opposite(said: str, wanted: str) -> bool:
    """Say whether the signs that two texts begin with make opposites of them: « + Dose » and « - Dose »."""
    signs = {text.strip()[:1] for text in (folded(said), folded(wanted))}
    return not signs.isdisjoint(_LEADS_ON) and not signs.isdisjoint(_LEADS_BACK)


@lru_cache(maxsize=65_536)
def _as_seen(word: str) -> str:
    return word.translate(_LOOK_ALIKES)


def misread_as(said: str, wanted: str) -> bool:
    """Say whether a text may be the other one badly read. For learning only, where the other readings outvote it.

    Look-alike letters are swapped, one letter inside is lost or too many; never a digit, never a beginning or an end
    that is not there: « Désactiver » is no misread « Activer », nor « Validée » a misread « Valider ».
    """
    if same_words(said, wanted):
        return True
    one, other = letters(said), letters(wanted)
    shorter, longer = sorted((len(one), len(other)))
    if shorter < _MIN_RESEMBLING or any(char.isdigit() for char in one + other):
        return False
    edits = Levenshtein.editops(one, other)
    if len(edits) != 1:
        return False
    (edit,) = edits
    if edit.tag == "replace":
        swapped = {one[edit.src_pos], other[edit.dest_pos]}
        return any(swapped <= group for group in _CONFUSED)
    return 0 < (edit.dest_pos if edit.tag == "insert" else edit.src_pos) < longer - 1


def outvoted(text: str, missing: Sequence[Iterable[str]], *, of: int) -> bool:
    """Say whether those of `of` screens that do not say a text say it badly read, and most screens say it as it is."""
    return 2 * len(missing) < of and all(any(misread_as(said, text) for said in texts) for texts in missing)


@lru_cache(maxsize=16_384)  # the same labels come back on every screen
def letters(text: str) -> str:
    """What a text says, without spaces and punctuation; signs that mean something stay, but for one at the beginning,
    where an icon or an arrow is read as any sign."""
    bare = squeezed(text)
    if any(char.isdigit() for char in bare):
        return bare
    plain = "".join(char for char in bare if char.isalpha() or char in _MEANINGFUL_SIGNS)
    return plain.lstrip("".join(_MEANINGFUL_SIGNS)) or plain or bare


def stands_in(line: str, wanted: str) -> bool:
    """Say whether a text is part of a line, as whole words and whole numbers: 50,00 does not stand in 1 250,00."""
    chars = squeezed(wanted)
    if not chars:
        return False
    before = r"(?<!\d)(?<!\d[ .,])" if chars[0].isdigit() else r"(?<![^\W_])" if chars[0].isalpha() else ""
    after = r"(?!\d)(?![.,]\d)(?! \d{3}(?!\d))" if chars[-1].isdigit() else r"(?![^\W_])" if chars[-1].isalpha() else ""
    return re.search(before + r"\s*".join(map(re.escape, chars)) + after, folded(line)) is not None


class Words:
    """The texts of a screen, to be asked for many."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._texts = tuple(texts)
        self._letters = frozenset(map(letters, self._texts))

    @classmethod
    def in_front(cls, screen: ObservedScreen) -> Words:
        """Those of the window in front."""
        return cls(words_of(window_in_front(screen.state)))

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def hold(self, wanted: str) -> bool:
        """Say whether a text is among them, as `contains` does."""
        target = letters(wanted)
        return bool(target) and (target in self._letters or contains(self._texts, wanted))


def stable_texts(
    screens: Sequence[ObservedScreen],
    variable_values: Sequence[Mapping[str, str]],
    shown: Sequence[Words] | None = None,
) -> tuple[str, ...]:
    """The texts that every screen shows in the window in front, whatever the variables were, as most of them have it:
    on one of them a text may have been misread. `shown` is what each of them shows there, where that is known."""
    first = [text for screen in screens[:_FIRST] for text in naming_words(surely_read(window_in_front(screen.state)))]
    each = [Words.in_front(screen) for screen in screens] if shown is None else shown
    changing = {squeezed(value) for values in variable_values for value in values.values() if value}
    kept = {
        letters(text): text
        for text in reversed(dict.fromkeys(first))
        if not any(value in squeezed(text) for value in changing)
        and outvoted(text, [words for words in each if not words.hold(text)], of=len(each))
    }
    return tuple(reversed(kept.values()))
