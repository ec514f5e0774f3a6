"""Whether something is painted as it was, only fainter: mixed with the colour behind it, as what is disabled often is.

Every colour is drawn towards one and the same, by the same share. Another theme paints otherwise: it changes colours
one by one, and keeps words readable.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.imaging.outlines import edges_of
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_AROUND_PX = 4
_SAME_OUTLINES = 0.9
_SAME_MIX = 0.93
_NOT_BEHIND = 24.0
"""How far the colour it is drawn towards may be from the one around it."""
_LITTLE_TO_SEE = 12.0
_FADED = 0.75
_READABLE = 4.5
"""The contrast that words must have to be read easily (WCAG 2.2, 1.4.3), which what is disabled need not have."""
_EDGE_OF_PIXELS = 3


def is_faded(then: Pixels, screen: Pixels, box: Box) -> bool:
    """Whether something is painted much fainter than it was recorded, so that it is hard to read."""
    share = visible_share(then, screen, box)
    return share is not None and share <= _FADED and _contrast(screen[box.y1 : box.y2, box.x1 : box.x2]) < _READABLE


def visible_share(then: Pixels, screen: Pixels, box: Box) -> float | None:
    """By how much of its strength something recorded is painted in a place, from 0 to 1; None where it is not the same
    picture, or not the same mixed with what lies behind it."""
    height, width = then.shape[:2]
    around = Box(box.x1 - _AROUND_PX, box.y1 - _AROUND_PX, box.x2 + _AROUND_PX, box.y2 + _AROUND_PX).clamped(
        int(screen.shape[1]), int(screen.shape[0])
    )
    if around is None or around.width < width or around.height < height or min(width, height) < 2 * _AROUND_PX:
        return None
    part = np.ascontiguousarray(screen[around.y1 : around.y2, around.x1 : around.x2, :3])
    picture = np.ascontiguousarray(then[:, :, :3])
    grey, recorded = (edges_of(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY)) for one in (part, picture))
    _, alike, _, (x, y) = cv2.minMaxLoc(
        cv2.matchTemplate(grey, np.ascontiguousarray(recorded[1:-1, 1:-1]), cv2.TM_CCOEFF_NORMED)
    )
    if alike < _SAME_OUTLINES:
        return None
    x, y = max(0, x - 1), max(0, y - 1)
    now = part[y : y + height, x : x + width]
    if now.shape != picture.shape:
        return None
    return _mixed(picture.reshape(-1, 3).astype(np.float64), now.reshape(-1, 3).astype(np.float64), _rim(part))


def _mixed(then: NDArray[np.float64], now: NDArray[np.float64], behind: NDArray[np.float64]) -> float | None:
    """The share s for which now = s · then + (1 − s) · behind."""
    off_then, off_now = then - then.mean(axis=0), now - now.mean(axis=0)
    spread = float((off_then**2).sum())
    if spread <= _LITTLE_TO_SEE**2 * off_then.size:
        return None
    share = float((off_then * off_now).sum()) / spread
    left = float(((off_now - share * off_then) ** 2).sum())
    if not 0.0 < share < 1.0 or left > (1.0 - _SAME_MIX) * float((off_now**2).sum()):
        return None
    towards = (now.mean(axis=0) - share * then.mean(axis=0)) / (1.0 - share)
    return share if share > 0.95 or float(np.abs(towards - behind).max()) <= _NOT_BEHIND else None


def _contrast(part: Pixels) -> float:
    """That of the darkest and the lightest of its colours, as WCAG has it; single pixels do not count."""
    colours = part[:, :, 2::-1].reshape(-1, 3) / 255.0
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    dark, light = np.percentile(linear @ np.array([0.2126, 0.7152, 0.0722]), [_EDGE_OF_PIXELS, 100 - _EDGE_OF_PIXELS])
    return float((light + 0.05) / (dark + 0.05))


def _rim(part: NDArray[np.uint8]) -> NDArray[np.float64]:
    """The colour around it."""
    edge = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    return np.asarray(np.median(edge, axis=0), np.float64)
