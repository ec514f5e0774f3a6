"""Small pictures of candidates: the left end, the whole and the right end of each, against its own ground."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

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
_MANY_PX, _TOO_MANY_PX = 40_000, 8_000_000
"""From so many pixels on a picture is made small by sums over its parts, which is faster, as long as sums hold them."""


def looks_of(scene: Scene, boxes: Boxes) -> Looks:
    """Small grey pictures against their own ground."""
    margin, most = max(2, round(0.25 * scene.unit)), round(3 * scene.unit)
    around = np.concatenate([np.maximum(boxes[:, :2] - margin, 0), boxes[:, 2:] + margin], axis=1).tolist()
    looks = scene.work.of_places("look", scene.image, [Box(*box) for box in around], [most] * len(around), _look)
    return np.array(looks, np.float32).reshape(len(boxes), *LOOK_SHAPE)


def _look(most: int, crop: Pixels) -> Looks:
    """A view against the level that is usual in it."""
    view = _view(crop, most)
    levels = np.sort(view[:, VIEW_PX : 3 * VIEW_PX], axis=None)
    middle = len(levels) // 2
    return _against(int(levels[middle - 1]) + int(levels[middle]))[view]


@lru_cache(maxsize=1024)
def _against(twice_ground: int) -> Looks:
    """What each grey level is against a ground."""
    levels = np.arange(256, dtype=np.float32) - np.float32(twice_ground / 2)
    return np.asarray(np.clip(levels / np.float32(96.0), -2, 2), np.float32)


def _view(crop: Pixels, most: int) -> Pixels:
    """Left end, the whole, right end."""
    grey = cast(Pixels, cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY))
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
        view[:, start:end] = _small(part, end - start)
    return view


def _small(grey: Pixels, wide: int) -> Pixels:
    """The mean level of each of its parts."""
    if not _MANY_PX <= grey.size < _TOO_MANY_PX:
        return np.asarray(cv2.resize(grey, (wide, VIEW_PX), interpolation=cv2.INTER_AREA), np.uint8)
    sums = np.asarray(cv2.integral(grey), np.int64)
    rows, columns = (np.linspace(0, size, parts + 1) for size, parts in zip(grey.shape, (VIEW_PX, wide), strict=True))
    down = _between(sums, rows)
    totals = np.diff(np.diff(_between(np.ascontiguousarray(down.T), columns), axis=0), axis=1).T
    return np.rint(totals * (VIEW_PX * wide / grey.size)).astype(np.uint8)


def _between(sums: NDArray[np.float64] | NDArray[np.int64], places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows of running sums at places that may lie between two of them."""
    low = np.minimum(places.astype(np.intp), len(sums) - 2)
    share = (places - low)[:, None]
    return np.asarray(sums[low] * (1 - share) + sums[low + 1] * share, np.float64)
