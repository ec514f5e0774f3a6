"""Many small hashes of a screen's structure, of which one is enough to know it again.

One hash of everything changes with the first control that another theme or zoom shows differently. So the labels of a
screen are taken in threes: one, its neighbour to the right or below, and that one's neighbour. Such a three stays as
long as its own three labels are read and stand together, whatever happens elsewhere; and two screens that are not the
same have hardly ever one in common, but for the bars that all pages of an application share. Threes that lie wholly in
such a bar, at the top or the left, count only where a page has too few of its own.

They are a part of the signature in the document (`components.hashes`), for whoever keeps screens where things are found
by equality only; the product itself compares likeness (`layout_likeness`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.geometry import BBox

BAR_TOP, BAR_LEFT = 0.1, 0.15
"""The part of a screen, from the top and from the left, where bars stand."""
ENOUGH = 90
"""So many threes of its own tell a page from the others of its application."""
MOST = 400
_BESIDE, _BELOW = "→", "↓"


def structure_hashes(labels: Sequence[tuple[str, BBox]]) -> list[str]:
    """The hashes of all threes, sorted. `labels` are shapes of words with their places, in reading order."""
    if not labels:
        return []
    names = [name for name, _ in labels]
    boxes = np.array([box for _, box in labels], np.int64)
    steps = _steps(names, boxes)
    own = _is_own(boxes)
    inside, anywhere = set(), set()
    for first in range(len(labels)):
        for way, second in steps[first]:
            for further, third in steps[second]:
                words = f"{names[first]}{way}{names[second]}{further}{names[third]}"
                anywhere.add(words)
                if own[first] or own[second] or own[third]:
                    inside.add(words)
    kept = inside if len(inside) >= ENOUGH else anywhere
    return sorted(hashlib.blake2b(words.encode(), digest_size=8).hexdigest() for words in kept)[:MOST]


def is_in_bar(bbox: BBox, right: int, bottom: int) -> bool:
    """Whether something stands where bars do, on a screen that is used up to there."""
    x1, y1, x2, y2 = bbox
    return y1 + y2 < 2 * BAR_TOP * bottom or x1 + x2 < 2 * BAR_LEFT * right


def _is_own(boxes: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which labels stand where a page has its own, outside of bars."""
    middle = (boxes[:, :2] + boxes[:, 2:]) / 2
    own: NDArray[np.bool_] = (middle[:, 1] >= BAR_TOP * boxes[:, 3].max()) & (
        middle[:, 0] >= BAR_LEFT * boxes[:, 2].max()
    )
    return own


def _steps(names: Sequence[str], boxes: NDArray[np.int64]) -> list[list[tuple[str, int]]]:
    """Of every label the nearest other word to its right, and below it."""
    x1, y1, x2, y2 = boxes.T
    high = y2 - y1
    level = np.minimum(y2[:, None], y2) - np.maximum(y1[:, None], y1)
    level_enough = level > 0.5 * np.minimum(high[:, None], high)
    upright = np.minimum(x2[:, None], x2) - np.maximum(x1[:, None], x1)
    words = np.array(names)
    other = words[:, None] != words
    right, down = x1 - x2[:, None], y1 - y2[:, None]
    far = np.iinfo(np.int64).max
    beside = np.where(other & level_enough & (right >= -2), right, far)
    below = np.where(other & (upright > 0) & (down >= -2), down, far)
    steps: list[list[tuple[str, int]]] = [[] for _ in names]
    for way, distance in ((_BESIDE, beside), (_BELOW, below)):
        nearest = distance.argmin(axis=1)
        there = distance[np.arange(len(names)), nearest] < far
        for index in np.flatnonzero(there).tolist():
            steps[index].append((way, int(nearest[index])))
    return steps
