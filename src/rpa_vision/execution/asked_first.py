"""Dialogs that come before a deed: the question whether it is to be done. Until it is answered, nothing is.

A question mark proves nothing. « Commande envoyée. Continuer vos achats ? » and « Voulez-vous imprimer le reçu ? » come
afterwards. What comes before asks for the very deed that the control is called, or whether one is sure, and beside that
it warns at most. In doubt it came afterwards: then nothing is done a second time.
"""

from __future__ import annotations

import re
from typing import Final

from rpa_vision.execution.strategies.lexicon import deeds_in, gist
from rpa_vision.models.wording import folded

_TOLD_AS_DONE: Final = re.compile(
    r"\b(?:a|ont) (?:bien )?ete\b|\b(?:has|have|had|was|were) (?:been )?[a-z]+(?:ed|en|nt)\b|effectue|reussi|succes"
    r"|success|termine|\bdone\b|complete|en cours|\bmerci\b|\bthank"
    r"|\b(?:est|sont) (?:maintenant |now )?(?![a-z]*[ai]bles?\b)[a-z]+(?:ee?s?|is?|us?)\b"
)
"""How a dialog tells that something was done, before it asks what comes next, folded."""
_ONCE_MORE: Final = re.compile(
    r"\b(?:autres?|encore|nouveau|nouvelle|nouveaux|suivante?s?|another|again|next|new|more|aussi|also|recu|receipt)\b"
)
_WARNS: Final = re.compile(r"irreversible|definiti|annule|permanent|undone|\bcannot\b|\bne (?:peut|pourra|pourrez)\b")
_IS_SURE: Final = re.compile(
    r"(?:etes[- ]vous (?:bien |vraiment )?sure?s?(?: de vouloir continuer)?|voulez[- ]vous vraiment continuer"
    r"|are you (?:really )?sure(?: (?:that )?you want to (?:continue|proceed))?|do you really want to continue) ?\?"
)
_SENTENCE: Final = re.compile(r"[^.!?]*(?:[.!?](?!\s|$)[^.!?]*)*[.!?]?")
_VARIABLE: Final = re.compile(r"\$\{[^}]*\}")
_WORD: Final = re.compile("[a-z]{2,}")


def literal(label: str | None) -> str:
    """What a label says itself, without the values that are filled in."""
    return _VARIABLE.sub(" ", label or "").strip()


def asks_first(said: str, label: str | None) -> bool:
    """Whether a dialog, by what it says line by line, asks whether what the control is called is to be done."""
    text = " ".join(folded(said).split())
    deeds, wanted = deeds_in(literal(label)), set(_WORD.findall(folded(literal(label))))
    if not wanted or _TOLD_AS_DONE.search(text) or any(word.endswith(" done") for word in gist(said)):
        return False
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(text) if _WORD.search(sentence)]
    questions = [sentence for sentence in sentences if sentence.endswith("?")]
    if not questions or not all(sentence in questions or _WARNS.search(sentence) for sentence in sentences):
        return False
    return all(_is_about(question, deeds, wanted) for question in questions)


def _is_about(question: str, deeds: frozenset[str], wanted: set[str]) -> bool:
    """A label in the words of a deed names it in any words of the same meaning; another must be said as it is."""
    if _ONCE_MORE.search(question):
        return False
    asked = deeds_in(question)
    if _IS_SURE.search(question):
        return asked <= deeds | deeds_in("confirmer")
    if deeds:
        return deeds <= asked <= deeds | deeds_in("confirmer")
    return wanted <= set(_WORD.findall(question))
