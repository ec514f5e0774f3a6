"""Other ways of finding a box again, for comparison: the same place, and template matching at one scale and at five."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

Point = tuple[int, int]
Rival = Callable[[Any, list[int], Any], Point | None]
"""(picture before, box, picture after) → where to click, or None to refuse."""

ACCEPTED = 0.8
"""The correlation from which on template tools usually take a match."""
FIVE_SCALES = (0.8, 0.9, 1.0, 1.25, 1.5)


def same_position(before: Any, box: list[int], after: Any) -> Point | None:
    """Click where it was."""
    x, y = (box[0] + box[2]) // 2, (box[1] + box[3]) // 2
    return (x, y) if y < after.shape[0] and x < after.shape[1] else None


def template_one_scale(before: Any, box: list[int], after: Any) -> Point | None:
    """The best match of the recorded picture."""
    return _best(before, box, after, (1.0,))


def template_five_scales(before: Any, box: list[int], after: Any) -> Point | None:
    """The best match of the recorded picture at five sizes."""
    return _best(before, box, after, FIVE_SCALES)


def _best(before: Any, box: list[int], after: Any, scales: tuple[float, ...]) -> Point | None:
    picture = cv2.cvtColor(np.ascontiguousarray(before[box[1] : box[3], box[0] : box[2], :3]), cv2.COLOR_BGR2GRAY)
    screen = cv2.cvtColor(np.ascontiguousarray(after[:, :, :3]), cv2.COLOR_BGR2GRAY)
    found: tuple[float, Point] | None = None
    for scale in scales:
        part = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale != 1 else picture
        height, width = part.shape
        if min(height, width) < 4 or height > screen.shape[0] or width > screen.shape[1] or part.std() < 1:
            continue
        _, score, _, (x, y) = cv2.minMaxLoc(cv2.matchTemplate(screen, part, cv2.TM_CCOEFF_NORMED))
        if found is None or score > found[0]:
            found = (score, (x + width // 2, y + height // 2))
    return found[1] if found is not None and found[0] >= ACCEPTED else None


RIVALS: dict[str, Rival] = {
    "same position": same_position,
    "template, 1 scale": template_one_scale,
    "template, 5 scales": template_five_scales,
}
