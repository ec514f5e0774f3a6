"""How well lines were read: characters, accents, whole lines; spaces do not count."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz.distance import Levenshtein

_SAME = str.maketrans({"’": "'", "‘": "'", "✔": "✓", "−": "-", "‐": "-", "\u2011": "-", "º": "°"})


def squeezed(text: str) -> str:
    """The text without what does not count: spaces, kinds of apostrophes, three dots or one ellipsis."""
    plain = unicodedata.normalize("NFC", text).translate(_SAME).replace("…", "...")
    return "".join(plain.split())


@dataclass(frozen=True)
class Score:
    """Shares, between 0 and 1, of errors and of what is right."""

    lines: int
    exact: float
    character_errors: float
    accents: int
    accents_right: float

    def row(self) -> dict[str, float]:
        return {"lines": self.lines, "exact_pct": round(100 * self.exact, 2), "cer_pct": round(100 * self.character_errors, 3),
                "accents": self.accents, "accents_right_pct": round(100 * self.accents_right, 2)}  # fmt: skip


def score(pairs: Sequence[tuple[str, str]]) -> Score:
    """Of pairs of truth and reading."""
    exact = errors = characters = accents = right = 0
    for true, read in ((squeezed(a), squeezed(b)) for a, b in pairs):
        exact += true == read
        characters += len(true)
        edits = Levenshtein.editops(true, read)
        errors += len(edits)
        wrong = {edit.src_pos for edit in edits if edit.tag != "insert"}
        for position, char in enumerate(true):
            if char.isalpha() and not char.isascii():
                accents += 1
                right += position not in wrong
    return Score(len(pairs), exact / max(1, len(pairs)), errors / max(1, characters), accents, right / max(1, accents))
