"""Whether anything is painted in a place where something was detected."""

from __future__ import annotations

import numpy as np

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_LEVELS = 12
"""By which a pixel differs from most of the place, in any colour."""
_RIM_PX = 2
"""How far beyond its box the frame of a thing is looked for."""


def is_painted(pixels: Pixels, box: Box) -> bool:
    """Whether something is painted in the upper and the lower half of a box, and in the left and the right one: what
    reaches into one of them only belongs to its neighbour."""
    height, width = pixels.shape[:2]
    around = box.padded(_RIM_PX).clamped(int(width), int(height))
    if around is None:
        return False
    part = pixels[around.y1 : around.y2, around.x1 : around.x2, :3].astype(np.int16)
    ink = (np.abs(part - np.median(part, axis=(0, 1))) > _LEVELS).any(axis=2)
    middle, centre = (around.height + 1) // 2, (around.width + 1) // 2
    return bool(ink[:middle].any() and ink[-middle:].any() and ink[:, :centre].any() and ink[:, -centre:].any())
