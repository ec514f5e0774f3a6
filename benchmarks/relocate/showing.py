"""Whether a change shows on a picture: a bench that asks about what nobody can see asks nothing."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

SEEN_LEVELS = 6.0
"""A control that was switched off must look it: by so many levels of grey in the middle."""
SEEN_PIXELS, PIXEL_LEVELS = 12, 24
"""Something that was renamed or taken away must show: so many pixels changed by so many levels."""
_BESIDE_PX = 4


def shows(before: bytes, after: bytes, box: list[int]) -> bool:
    """Whether two pictures of one page differ in a box or right beside it."""
    x1, y1, x2, y2 = max(0, box[0] - _BESIDE_PX), max(0, box[1] - _BESIDE_PX), box[2] + _BESIDE_PX, box[3] + _BESIDE_PX
    one, two = (
        cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_COLOR)[y1:y2, x1:x2].astype(np.int16)
        for picture in (before, after)
    )
    return int((np.abs(one - two).max(axis=2) > PIXEL_LEVELS).sum()) >= SEEN_PIXELS


def differs(one: Any, two: Any) -> bool:
    """Whether a control looks another: its grey pictures, None where it does not show."""
    return two is not None and (one.shape != two.shape or float(np.abs(one - two).mean()) > SEEN_LEVELS)
