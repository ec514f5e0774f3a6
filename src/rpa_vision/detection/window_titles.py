"""The title of a window is known from the desktop: what its title bar says need not be guessed from pixels.

Title bars are the hardest text on a screen: small letters with a shadow on shaded paper. A line at the top of a window
that is its title but for a few letters is its title. Digits are never put right: what differs in one is another title.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.window import WindowContext
from rpa_vision.models.wording import squeezed

BAR_PX = 72
"""How far from the upper edge of its window a title stands at most, inside or, in a frame, above it."""
LEAST_LETTERS = 6
LETTERS_A_SLIP = 10
"""One letter in so many may be misread."""


def with_known_title(lines: Sequence[TextLine], window: WindowContext) -> tuple[TextLine, ...]:
    """The lines, with the title of the window as the desktop tells it."""
    wanted = squeezed(window.title)
    if window.geometry is None or len(wanted) < LEAST_LETTERS:
        return tuple(lines)
    top = window.geometry[1]
    return tuple(
        line.model_copy(update={"text": window.title})
        if abs(line.bbox[1] - top) <= BAR_PX and line.text != window.title and _is_misread(squeezed(line.text), wanted)
        else line
        for line in lines
    )


def _is_misread(said: str, wanted: str) -> bool:
    slips = max(1, len(wanted) // LETTERS_A_SLIP)
    if _digits(said) != _digits(wanted):
        return False
    return Levenshtein.distance(said, wanted, score_cutoff=slips) <= slips


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())
