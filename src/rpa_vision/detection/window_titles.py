"""The title of a window is known from the desktop: what its title bar says need not be guessed from pixels.

Title bars are the hardest text on a screen: small letters with a shadow on shaded paper. A line at the top of a window
that is its title but for a few letters is its title. Digits are never put right, nor a whole word or its end: what
differs there is another title (« Dossier A » and « B », « Dupont » and « Dupond »). Where two lines may be it, none is.
"""

from __future__ import annotations

from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.window import WindowContext
from rpa_vision.models.wording import squeezed

BAR_PX = 72
"""How far from the upper edge of its window a title stands at most, inside or, in a frame, above it."""
LETTERS_A_SLIP = 10
"""One letter in so many may be misread."""


def with_known_title(lines: Sequence[TextLine], window: WindowContext) -> tuple[TextLine, ...]:
    """The lines, with the title of the window as the desktop tells it."""
    wanted = squeezed(window.title)
    if window.geometry is None or len(wanted) < LETTERS_A_SLIP:
        return tuple(lines)
    left, top, right, _ = window.geometry
    bar = Box(left, top - BAR_PX, right, top + BAR_PX)
    near = [line for line in lines if bar.contains(Box.of(line.bbox).center)]
    known = [line for line in near if squeezed(line.text) == wanted or _is_misread(line.text, window.title)]
    if len(known) != 1:
        return tuple(lines)
    return tuple(line.model_copy(update={"text": window.title}) if line is known[0] else line for line in lines)


def _is_misread(said: str, wanted: str) -> bool:
    """A few letters differ, none of them a digit, a whole word, or the last letter of one."""
    one, other = squeezed(said), squeezed(wanted)
    slips = len(other) // LETTERS_A_SLIP
    if _digits(one) != _digits(other) or Levenshtein.distance(one, other, score_cutoff=slips) > slips:
        return False
    theirs, ours = said.split(), wanted.split()
    if len(theirs) != len(ours):
        return True  # a space was read or overlooked
    differing = [(a, b) for a, b in zip(theirs, ours, strict=True) if a != b and any(char.isalnum() for char in a + b)]
    return all(min(len(a), len(b)) > 1 and squeezed(a)[-1:] == squeezed(b)[-1:] for a, b in differing)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isdigit())
