"""A line of text as its reader wants it: ink on paper, whatever the theme, at one height.

Paper becomes 0 and ink 1, so that dark and light themes, buttons and selections look the same. The paper is the level
most pixels have; ink is what lies furthest from it. Small text is enlarged twice at most: what is small stays small, so
that a line of capitals can be told from one of small letters.
"""

from __future__ import annotations

from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels

Ink = NDArray[np.float32]

HEIGHT_PX = 32
MOST_ENLARGED = 2.0
SQUEEZE = 0.85
"""Letters are read as well when they are a little slimmer, and that much faster."""
MIN_WIDTH_PX = 8
MAX_WIDTH_PX = 3600
FAINT = 24
"""Levels between ink and paper below which grey is not trusted to show the text: red on green may vanish in it."""


def grey_line(line: Pixels) -> Pixels:
    """One channel that shows the text: grey, or the colour in which ink and paper differ where grey does not."""
    if line.ndim == 2 or 0 in line.shape:
        return line if line.ndim == 2 else line[:, :, 0]
    grey = cast(Pixels, cv2.cvtColor(np.ascontiguousarray(line[:, :, :3]), cv2.COLOR_BGR2GRAY))
    low, high, _, _ = cv2.minMaxLoc(grey)
    if high - low >= FAINT:
        return grey
    spans = [int(np.ptp(line[:, :, channel])) for channel in range(3)]
    best = int(np.argmax(spans))
    return np.ascontiguousarray(line[:, :, best]) if spans[best] > 2 * (high - low) else grey


def as_ink(grey: Pixels, stretch: float = 1.0) -> Ink:
    """The line at the reader's height: paper 0, ink 1. `stretch` widens it, for training."""
    rows, columns = grey.shape
    if rows < 1 or columns < 1:
        return np.zeros((HEIGHT_PX, MIN_WIDTH_PX), np.float32)
    scale = min(HEIGHT_PX / rows, MOST_ENLARGED)
    tall = min(HEIGHT_PX, max(1, round(rows * scale)))
    wide = min(MAX_WIDTH_PX, max(MIN_WIDTH_PX, round(columns * scale * SQUEEZE * stretch)))
    how = cv2.INTER_LINEAR if scale >= 1 else cv2.INTER_AREA
    sized = cast(Pixels, cv2.resize(grey, (wide, tall), interpolation=how))
    paper, reach = _levels(sized)
    canvas = np.zeros((HEIGHT_PX, wide), np.float32)
    top = (HEIGHT_PX - tall) // 2
    room = canvas[top : top + tall]
    np.subtract(sized, paper, out=room, dtype=np.float32)
    room *= np.float32(1 / reach)
    np.clip(room, -0.6, 1.2, out=room)
    return canvas


def _levels(sized: Pixels) -> tuple[float, float]:
    """The paper's level, and how far the ink lies from it: negative where ink is darker."""
    tall, wide = sized.shape
    edge = max(1, tall // 7)
    inner = sized[edge : tall - edge, 4:-4] if wide > 24 and tall > 3 * edge else sized
    counts = np.bincount(inner.ravel() >> 2, minlength=64)
    paper = 4.0 * int(counts.argmax()) + 1.5
    running = np.cumsum(counts)
    total = int(running[-1])
    low = 4.0 * int(np.searchsorted(running, 0.015 * total))
    high = 4.0 * int(np.searchsorted(running, 0.985 * total)) + 3
    darker, lighter = paper - low, high - paper
    return paper, max(lighter, 12.0) if lighter > darker else -max(darker, 12.0)
