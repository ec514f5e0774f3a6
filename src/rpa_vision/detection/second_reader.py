"""Two readers that err in different places: where they agree on a line, it is right far more often than either alone.

The first reader is fast and reads everything. What decides something (the label that is about to be clicked, the row
an amount is taken from) is read again by a slower one of another make. A symbol beside the text that only the second
takes for a sign is not held against the first. How far each kind of agreement is trusted was set on a
thousand lines of held-out kits, `unseen` by judgement; see docs/models/reader.md.
"""

from __future__ import annotations

import unicodedata
from typing import Final, Literal

Agreement = Literal["same", "alike", "different", "unseen"]

TRUST: Final[dict[Agreement, float]] = {"same": 12.0, "alike": 0.15, "different": 0.15, "unseen": 0.5}
"""By what the odds that the first reader is right are multiplied."""
_FOLDED = str.maketrans({"’": "'", "‘": "'", "´": "'", "–": "-", "—": "-", "−": "-", "‐": "-", "“": '"', "”": '"',
                         "№": "N°", "º": "°", "✔": "✓"})  # fmt: skip
_SYMBOLS = "•·●○■□☐☑☒▲▼▶◀★☆⚠✓✕✖→←↑↓|=»«><"
"""What icons beside a text are taken for."""


def agreement(first: str, second: str) -> Agreement:
    """How far two readings of one line agree."""
    one, other = without_spaces(first), without_spaces(second)
    if not other:
        return "same" if not one else "unseen"
    if one == other or (one and one == other.strip(_SYMBOLS)):
        return "same"
    return "alike" if plain(one) == plain(other) else "different"


def without_spaces(text: str) -> str:
    """The text without what readers write differently though they mean the same: spaces, kinds of quotes and dashes."""
    return "".join(unicodedata.normalize("NFC", text).translate(_FOLDED).replace("…", "...").split())


def plain(text: str) -> str:
    """The text without case and accents, too."""
    apart = unicodedata.normalize("NFD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))
