"""A frame: the pixels of a screen at one instant, with what else was true at that instant. Lives in memory only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.window import WindowContext

Pixels = NDArray[np.uint8]
"""Height × width × 4, blue-green-red-unused: what the screen gives, so that nothing is copied to compare frames."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Pixels and the moments (monotonic seconds) between which they were taken."""

    pixels: Pixels
    began_s: float
    ended_s: float
    pointer: Point | None = None
    window: WindowContext | None = None
    painted_s: float | None = None
    """When the first of what is new on it was painted, where the screen tells."""
    covered: tuple[Box, ...] = ()
    """What was painted over because it may show a secret."""

    @property
    def width(self) -> int:
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        return int(self.pixels.shape[0])

    @property
    def bgr(self) -> Pixels:
        """The three colour planes, a contiguous copy for OpenCV."""
        return np.ascontiguousarray(self.pixels[:, :, :3])
