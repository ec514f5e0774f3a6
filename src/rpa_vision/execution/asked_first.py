"""Dialogs that come before a deed: the question whether it is to be done. Until it is answered, nothing is.

A question mark proves nothing. « Commande envoyée. Continuer vos achats ? » comes afterwards, and so does « Envoyer une
copie au client ? ». What comes before asks for the very deed the control is called, and for it first: what follows is
what it is done to. Besides it warns at most. In doubt it came afterwards: then nothing is done a second time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rpa_vision.execution.strategies.lexicon import deeds_in, gist
from rpa_vision.models.wording import folded

_DONE: Final = re.compile(
    r"(?<!it)(?:é|ée|és|ées)\b|[a-z]{3}ed\b|\b(?:done|success|succ[eè]s|merci|thank|réussi|fini)|en cours",
    re.IGNORECASE,
)
"""What a title says of something that was done, or goes on."""
_WARNS: Final = re.compile(
    r"irrevers|irremed|definiti|permanent|perdu|undone|undo\b|\bcannot\b|\bcan't\b|\bwill not be able\b"
    r"|\bne (?:peut|peuvent|pourra|pourrez)\b"
)
_ANNOUNCES: Final = re.compile(r"^(?:vous (?:allez|etes sur le point d[e'])|you are about to|this will) ?")
_LEAD_IN: Final = re.compile(
    r"(?:(?:voulez|souhaitez|desirez|confirmez)[- ]vous|etes[- ]vous (?:bien |vraiment )?sure?s? de(?: vouloir)?"
    r"|do you (?:really )?(?:want|wish) to|would you like to|are you (?:really )?sure(?: that)?(?: you want to)?"
    r"|confirmer|confirm|vraiment|bien|really|la|le|les|l'|ce|cet|cette|ces|votre|vos|de|d'|the|this|these|that|your"
    r")\b ?"
)
"""What a question begins with, over and over, before it names the deed."""
_IS_SURE: Final = re.compile(
    r"(?:etes[- ]vous (?:bien |vraiment )?sure?s?(?: de vouloir continuer)?|voulez[- ]vous vraiment continuer"
    r"|are you (?:really )?sure(?: (?:that )?you want to (?:continue|proceed))?|do you really want to continue) ?\?$"
)
_GOES_ON: Final = re.compile(
    r"(?:(?:(?:voulez|souhaitez)[- ]vous|do you want to|would you like to) )?(?:continuer|poursuivre|continue|proceed)"
    r" ?\?$"
)
_SOMETHING_ELSE: Final = re.compile(
    r"\b(?:un|une|des|an|comme|modele|copies?|copy|template|duplicata|rappels?|egalement|aussi|also"
    r"|par (?:courriel|mail)|e-?mails?|autres?|encore|nouveaux?|nouvelles?|suivante?s?|another|again|next|new|more"
    r"|recu|receipt)\b|\ba (?!la\b|l'|tous\b|toutes\b)"
)
"""What it is done to was not there before, or it is done once more."""
_SENTENCE_ENDS: Final = re.compile(r"(?<=[.!?])\s+")
_VARIABLE: Final = re.compile(r"\$\{[^}]*\}")
_WORD: Final = re.compile("[a-z]{2,}")


def literal(label: str | None) -> str:
    """What a label says itself, without the values that are filled in."""
    return _VARIABLE.sub(" ", label or "").strip()


def asks_first(said: str, label: str | None) -> bool:
    """Whether a dialog, by what it says line by line, asks whether what the control is called is to be done."""
    own = folded(literal(label))
    if not _WORD.search(own):
        return False
    sentences = list(_sentences(said))
    questions = [sentence for sentence in sentences if sentence[-1].endswith("?")]
    told = [" ".join(sentence) for sentence in sentences if sentence not in questions]
    announced = any(_ANNOUNCES.match(one) and _names(_ANNOUNCES.sub("", one), own) for one in map(folded, told))
    if not questions or not all(_WARNS.search(folded(one)) or _ANNOUNCES.match(folded(one)) for one in told):
        return False
    return all(_is_about(question, own, announced=announced) for question in questions)


def _sentences(said: str) -> Iterator[list[str]]:
    """Sentences, each with the lines it stands in: a title has no full stop, and stands in the first of them."""
    lines: list[str] = []
    for line in said.splitlines():
        *ended, rest = _SENTENCE_ENDS.split(line.strip())
        for part in (*ended, rest) if rest.endswith((".", "!", "?")) else ended:
            yield [*lines, part]
            lines = []
        if rest and not rest.endswith((".", "!", "?")):
            lines.append(rest)
    if lines:
        yield lines


def _is_about(lines: list[str], own: str, *, announced: bool) -> bool:
    """A question in one or several lines, below a title or not, that asks for the deed first."""
    for first in range(len(lines)):
        title, question = " ".join(lines[:first]), folded(" ".join(lines[first:]))
        if any(word.endswith(" done") for word in gist(title)) or _DONE.search(title):
            return False
        if _IS_SURE.fullmatch(question) or (announced and _GOES_ON.fullmatch(question)):
            return True
        if _names(question, own) and not _SOMETHING_ELSE.search(question):
            return True
    return False


def _names(text: str, own: str) -> bool:
    """Whether a text begins with the deed of a label, in whatever words mean it, or with the label's own first word."""
    rest = text.lstrip()
    while (lead := _LEAD_IN.match(rest)) is not None and lead.end() > 0:
        rest = rest[lead.end() :]
    first, deeds = _WORD.match(rest), deeds_in(own)
    if first is None:
        return deeds == deeds_in("confirmer") and not _WORD.search(rest)
    return first[0] == own.split()[0] or (bool(deeds) and deeds_in(first[0]) == deeds)
