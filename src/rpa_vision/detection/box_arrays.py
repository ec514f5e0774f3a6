"""Many boxes at once, as rows of numbers: what they share and which points lie in them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.geometry import Box

Boxes = NDArray[np.int64]


def array_of(boxes: Iterable[Box]) -> Boxes:
    """One row for each."""
    return np.array([box.bbox for box in boxes], np.int64).reshape(-1, 4)


def overlaps(one: Boxes, other: Boxes) -> NDArray[np.float32]:
    """Intersection over union of each with each."""
    if not len(one) or not len(other):
        return np.zeros((len(one), len(other)), np.float32)
    a, b = one.astype(np.float32), other.astype(np.float32)
    wide = np.minimum(a[:, None, 2], b[None, :, 2]) - np.maximum(a[:, None, 0], b[None, :, 0])
    high = np.minimum(a[:, None, 3], b[None, :, 3]) - np.maximum(a[:, None, 1], b[None, :, 1])
    common = np.clip(wide, 0, None) * np.clip(high, 0, None)
    areas = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    others = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    shares: NDArray[np.float32] = common / np.maximum(areas[:, None] + others[None] - common, 1)
    return shares


def paired(one: Boxes, other: Boxes) -> NDArray[np.float32]:
    """Intersection over union, row by row."""
    low, high = np.maximum(one[:, :2], other[:, :2]), np.minimum(one[:, 2:], other[:, 2:])
    common = np.clip(high - low, 0, None).prod(axis=1)
    areas = (one[:, 2:] - one[:, :2]).prod(axis=1) + (other[:, 2:] - other[:, :2]).prod(axis=1)
    return np.asarray(common / np.maximum(areas - common, 1), np.float32)


def inside(x: NDArray[np.int64], y: NDArray[np.int64], boxes: Boxes) -> NDArray[np.bool_]:
    """Points × boxes."""
    across = (boxes[None, :, 0] <= x[:, None]) & (x[:, None] < boxes[None, :, 2])
    down = (boxes[None, :, 1] <= y[:, None]) & (y[:, None] < boxes[None, :, 3])
    return np.asarray(across & down, np.bool_)


def enclosed(boxes: Boxes, others: Boxes) -> NDArray[np.bool_]:
    """Boxes × others: which lie wholly in which."""
    low = (others[None, :, :2] <= boxes[:, None, :2]).all(axis=2)
    return np.asarray(low & (others[None, :, 2:] >= boxes[:, None, 2:]).all(axis=2), np.bool_)
