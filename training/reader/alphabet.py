"""What the reader can say, and the one spelling it uses where screens have several."""

from __future__ import annotations

import re

CHARACTERS = (
    " 0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    "àâäæçèéêëîïôöœùûüÿñÀÂÄÆÇÈÉÊËÎÏÔÖŒÙÛÜŸÑ"
    "áíóúìòãõåøßÁÍÓÚÅØ"
    "«»€£§°²³µ·•–—…“”×÷±½¼¾→←↑↓✓©®™№ªº¿¡"
)
CLASSES = ["", *CHARACTERS]
"""Class 0 is the blank of CTC."""
INDEX = {character: index for index, character in enumerate(CLASSES) if character}

_SAME = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "\u00a0": " ", "\u202f": " ", "\u2009": " ", "\u2011": "-",
                       "✔": "✓", "−": "-", "‐": "-"})  # fmt: skip
_SPACES = re.compile(r"\s+")


def canonical(text: str) -> str:
    """The text as the reader writes it: one apostrophe, one space, no-break spaces as spaces."""
    return _SPACES.sub(" ", text.translate(_SAME)).strip()


def readable(text: str) -> bool:
    """Whether the reader has a letter for every character."""
    return all(character in INDEX for character in text)
