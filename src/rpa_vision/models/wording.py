"""How words are compared: without accents, case, kinds of spaces and quotes, because readers mix these up first."""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache

_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "«": '"', "»": '"', "–": "-", "—": "-", "…": "..."})
_LETTERS_A_DOUBT = 8
"""Readers say how sure they are of a whole line: with every so many letters, that much doubt is added."""
_EVEN_ODDS = 0.5
_LIGATURES = str.maketrans({"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ß": "ss"})


@lru_cache(maxsize=16_384)  # the same labels come back on every screen
def folded(text: str) -> str:
    """Lower case, no accents, single spaces, plain quotes and dashes."""
    plain = unicodedata.normalize("NFKD", text.translate(_LIGATURES).translate(_QUOTES))
    kept = "".join(char for char in plain if not unicodedata.combining(char))
    return " ".join(kept.casefold().split())


def squeezed(text: str) -> str:
    """Folded, and without any spaces: « 1 050,78 € » and « 1050,78€ » are the same."""
    return folded(text).replace(" ", "")


def is_sure(text: str, confidence: float, least: float) -> bool:
    """Say whether a text was read surely enough, where `least` is asked of a short one.

    One letter in a hundred may be doubtful in a long sentence as in a short word, but of the sentence as a whole that
    makes many a doubt: it is read surely for what it is as long as it is right more often than not.
    """
    asked = math.pow(least, max(1.0, len(squeezed(text)) / _LETTERS_A_DOUBT))
    return confidence >= max(_EVEN_ODDS, asked)


def title_words(title: str) -> frozenset[str]:
    """The words of a window title that may name a screen: folded, without numbers and punctuation."""
    return frozenset(word for word in re.findall(r"[a-z]{2,}", folded(title)))


def shape(text: str) -> str:
    """Folded, with every number written as one 0: « Facture FAC-2026-00012 » and any other invoice are the same."""
    return re.sub(r"\d+", "0", folded(text))
