"""Small pictures of candidates: the left end, the whole and the right end of each, against its own ground."""

from __future__ import annotations

from functools import partial

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.detection.box_arrays import Boxes
from rpa_vision.detection.scene import Scene
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

Looks = NDArray[np.float32]
VIEW_PX = 16
LOOK_SHAPE = (1, VIEW_PX, 4 * VIEW_PX)
"""Left end, the whole (twice as wide), right end, side by side."""


def looks_of(scene: Scene, boxes: Boxes) -> Looks:
    """Small grey pictures against their own ground."""
    margin, most = max(2, round(0.25 * scene.unit)), round(3 * scene.unit)
    looks = np.empty((len(boxes), *LOOK_SHAPE), np.float32)
    look = partial(_look, most)
    for index, (x1, y1, x2, y2) in enumerate(boxes.tolist()):
        around = Box(max(0, x1 - margin), max(0, y1 - margin), x2 + margin, y2 + margin)
        looks[index, 0] = scene.work.of_place("look", scene.image, around, most, look)
    return looks


def _look(most: int, crop: Pixels) -> Looks:
    """A view against the level that is usual in it."""
    view = _view(crop, most)
    ground = np.float32(np.median(view[:, VIEW_PX : 3 * VIEW_PX]))
    return np.asarray(np.clip((view - ground) / np.float32(96.0), -2, 2), np.float32)


def _view(crop: Pixels, most: int) -> Pixels:
    """Left end, the whole, right end."""
    grey = cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY)
    high, wide = grey.shape
    side = min(high, most, wide)
    top = (high - side) // 2
    view = np.empty((VIEW_PX, 4 * VIEW_PX), np.uint8)
    parts = (
        (grey[top : top + side, :side], 0, VIEW_PX),
        (grey, VIEW_PX, 3 * VIEW_PX),
        (grey[top : top + side, wide - side :], 3 * VIEW_PX, 4 * VIEW_PX),
    )
    for part, start, end in parts:
        view[:, start:end] = cv2.resize(part, (end - start, VIEW_PX), interpolation=cv2.INTER_AREA)
    return view
