"""The same element, next time: a hash of where it belongs, what it says and roughly where it is."""

from __future__ import annotations

import hashlib
import re

from rpa_vision.detection.words import fold, without_numbers

GRID_PX = 50
_APART = re.compile(r"\s[-–—|·]\s")


def stable_id(app_name: str, title: str, role: str, label: str, bbox: tuple[int, int, int, int]) -> str:
    """Application, normalised title, role, normalised label, box rounded to 50 pixels (L2-4)."""
    rounded = tuple(GRID_PX * round(value / GRID_PX) for value in bbox)
    words = "|".join((fold(app_name), normalised_title(title), role, fold(label), str(rounded)))
    return hashlib.blake2b(words.encode(), digest_size=12).hexdigest()


def normalised_title(title: str) -> str:
    """A window title without what changes: numbers, and the mark of an unsaved document."""
    parts = [without_numbers(part.lstrip("*• ")) for part in _APART.split(title)]
    return " - ".join(part for part in parts if part)


def stability_confidence(label: str, label_confidence: float) -> float:
    """How far the identity can be trusted: a name that was read well carries it, a bare place does not."""
    return round(0.35 + 0.6 * label_confidence, 4) if fold(label) else 0.3
