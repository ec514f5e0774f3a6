"""Does the picture show where something ends? A field is a frame, a line under it or a ground of its own.

A net takes what it often sees beside buttons for what usually stands there: a question in a dialog for a field to write
in. But nobody could tell where to write into mere words: where neither the upper nor the lower end of a place is seen,
it is no field.
"""

from __future__ import annotations

import cv2

from rpa_vision.detection.scene import Scene
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_CLOSE_PX = 3
SEEN = 3
"""Grey levels from one row to the next beyond which there is an edge; a pale field on a white page differs by 4."""
ALONG = 0.7
"""The share of a side that must show it: words have gaps."""


def shows_field(scene: Scene, box: Box) -> bool:
    """Whether an edge runs along the upper or the lower side of a box, or near it."""
    reach = max(6, round(0.6 * scene.unit))
    return any(_shows_rule(scene, box, y, reach) for y in (box.y1, box.y2))


def shows_edge(scene: Scene, box: Box) -> bool:
    """Whether an edge runs along the upper or the lower side of a box itself."""
    return any(_shows_rule(scene, box, y, _CLOSE_PX) for y in (box.y1, box.y2))


def _shows_rule(scene: Scene, box: Box, y: int, reach: int) -> bool:
    band = Box(box.x1, y - reach, box.x2, y + reach + 1).clamped(scene.width, scene.height)
    if band is None or band.height < 2:
        return True  # at the end of the screen nothing can be seen of it, and nothing is held against it
    return scene.work.of_place("rule", scene.image, band, None, _is_ruled)


def _is_ruled(crop: Pixels) -> bool:
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    steps = cv2.absdiff(grey[1:], grey[:-1])
    return bool(((steps > SEEN).mean(axis=1) >= ALONG).any())
