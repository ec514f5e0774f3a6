"""Whether something is painted between two things of one line: then the one does not name the other."""

from __future__ import annotations

import numpy as np

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_PAINTED = 40
"""Grey levels by which a column of pixels differs from itself or from the gap around it."""
_LEAST_PX = 2
_LETTERS_PX = 3
"""How far letters may reach beyond the box that was read."""


def stands_between(pixels: Pixels, thing: Box, text: Box, *, sign_px: int = 0) -> bool:
    """Whether something stands apart from a thing in the gap before a text, seen or not by whoever names things. What
    touches the thing belongs to it: its shadow, the rest of a switch. A lone sign no wider and no higher than `sign_px`
    counts for nothing."""
    is_left = thing.x2 <= text.x1
    first, last = (thing.x2, text.x1) if is_left else (text.x2, thing.x1)
    top, bottom = max(0, thing.y1, text.y1), min(thing.y2, text.y2)
    gap = pixels[top : max(top, bottom), max(0, first) : max(0, last), :3]
    if gap.shape[1] <= _LETTERS_PX + _LEAST_PX or gap.shape[0] < _LEAST_PX:
        return False
    grey = gap.astype(np.int16).mean(axis=2)
    painted = np.abs(grey - np.median(grey)) > _PAINTED
    from_thing = (painted if is_left else painted[:, ::-1])[:, :-_LETTERS_PX]
    empty = np.flatnonzero(~from_thing.any(axis=0))
    apart = from_thing[:, empty[0] :] if empty.size else from_thing[:, :0]
    across, down = np.flatnonzero(apart.any(axis=0)), np.flatnonzero(apart.any(axis=1))
    if across.size < _LEAST_PX:
        return False
    return max(int(np.ptp(across)), int(np.ptp(down))) >= sign_px
