"""What changed between two pictures of a screen.

Pixels are compared four bytes at a time at full resolution, which is faster than scaling down first. The fourth byte
means nothing on a screen (an X server leaves there what it likes), so a difference that is only there is none.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_STRIP_ROWS = 64
_SAMPLED_ROWS = 16
_COLOUR_BITS = np.uint32(0x00FFFFFF)

Words = NDArray[np.uint32]
Mask = NDArray[np.bool_]


def same_pixels(before: Pixels, after: Pixels) -> bool:
    """Say whether two pictures look the same. Stops at the first strip of rows that does not."""
    if before is after:
        return True
    return before.shape == after.shape and _first_changed_row(_words(before), _words(after)) is None


def changed_box(before: Pixels, after: Pixels) -> Box | None:
    """Give the smallest box around everything that changed, or None when nothing did.

    Pictures of different sizes differ everywhere.
    """
    if before is after:
        return None
    if before.shape != after.shape:
        return Box(0, 0, int(after.shape[1]), int(after.shape[0]))
    old, new = _words(before), _words(after)
    top = _first_changed_row(old, new)
    if top is None:
        return None
    below = _first_changed_row(old[top:][::-1], new[top:][::-1]) or 0
    bottom = old.shape[0] - below
    columns = np.flatnonzero(_differs(old[top:bottom], new[top:bottom]).any(axis=0))
    return Box(int(columns[0]), top, int(columns[-1]) + 1, bottom)


def changed_boxes(before: Pixels, after: Pixels, *, join_px: int = 4, ignored: Sequence[Box] = ()) -> list[Box]:
    """Give the boxes of what changed, from top to bottom, tight around the changed pixels.

    Changes at most `join_px` apart belong to one box. What lies in an ignored box did not change.
    """
    outer = changed_box(before, after)
    if outer is None:
        return []
    if before.shape != after.shape:
        return [outer]
    part = (slice(outer.y1, outer.y2), slice(outer.x1, outer.x2))
    mask = _differs(_words(before)[part], _words(after)[part])
    for box in ignored:
        common = box.intersection(outer)
        if common is not None:
            inner = common.moved(-outer.x1, -outer.y1)
            mask[inner.y1 : inner.y2, inner.x1 : inner.x2] = False
    return [box.moved(outer.x1, outer.y1) for box in _components(mask, join_px)]


def changed_beyond(before: Pixels, after: Pixels, size: tuple[int, int], *, ignored: Sequence[Box] = ()) -> bool:
    """Say whether any box of `changed_boxes` is wider or higher than a size. Large changes are told without drawing up
    all boxes."""
    outer = changed_box(before, after)
    if outer is None or before.shape != after.shape:
        return outer is not None
    if not any(box.intersection(outer) is not None for box in ignored):
        part = (slice(outer.y1, outer.y2, _SAMPLED_ROWS), slice(outer.x1, outer.x2))
        if _has_run(_differs(_words(before)[part], _words(after)[part]), size[0] + 1):
            return True
    boxes = changed_boxes(before, after, ignored=ignored)
    return any(box.width > size[0] or box.height > size[1] for box in boxes)


def plainly_changed_share(before: Pixels, after: Pixels, *, levels: int = 40) -> float:
    """The share of pixels of which a colour changed by more than so many levels: not the tint of a hovered row."""
    outer = changed_box(before, after)
    if outer is None:
        return 0.0
    if before.shape != after.shape:
        return 1.0
    part = (slice(outer.y1, outer.y2), slice(outer.x1, outer.x2), slice(0, 3))
    difference = np.maximum(before[part], after[part]) - np.minimum(before[part], after[part])
    plain = (difference > levels).any(axis=2)
    height, width = int(before.shape[0]), int(before.shape[1])
    return int(np.count_nonzero(plain)) / (height * width)


def changed_pixels(before: Pixels, after: Pixels, *, outside: Sequence[Box]) -> int:
    """How many pixels changed outside some boxes. Pictures of different sizes differ everywhere."""
    if before.shape != after.shape:
        return int(after.shape[0] * after.shape[1])
    mask = _differs(_words(before), _words(after))
    for box in outside:
        inner = box.clamped(int(after.shape[1]), int(after.shape[0]))
        if inner is not None:
            mask[inner.y1 : inner.y2, inner.x1 : inner.x2] = False
    return int(np.count_nonzero(mask))


def _components(mask: Mask, join_px: int) -> list[Box]:
    # Each pixel grows by half the distance, so that close ones touch; a border keeps the growth symmetric, which makes
    # the tight box exactly the grown one less the growth.
    grow = (join_px + 1) // 2
    padded = np.pad(mask.view(np.uint8), grow)
    grown = cv2.dilate(padded, np.ones((2 * grow + 1, 2 * grow + 1), np.uint8))
    _, _, stats, _ = cv2.connectedComponentsWithStats(grown)
    boxes = [
        Box(int(x), int(y), int(x + width - 2 * grow), int(y + height - 2 * grow))
        for x, y, width, height, _ in stats[1:]
    ]
    return sorted(boxes, key=lambda box: (box.y1, box.x1))


def _has_run(mask: Mask, length: int) -> bool:
    """Whether so many pixels side by side are set in any row."""
    width = mask.shape[1] - length + 1
    if width <= 0:
        return False
    run = mask[:, :width].copy()
    for step in range(1, length):
        run &= mask[:, step : step + width]
    return bool(run.any())


def _first_changed_row(old: Words, new: Words) -> int | None:
    for start in range(0, old.shape[0], _STRIP_ROWS):
        strip = slice(start, start + _STRIP_ROWS)
        if not np.array_equal(old[strip], new[strip]):
            rows = np.flatnonzero(_differs(old[strip], new[strip]).any(axis=1))
            if rows.size:
                return start + int(rows[0])
    return None


def _differs(old: Words, new: Words) -> Mask:
    mask: Mask = ((old ^ new) & _COLOUR_BITS) != 0
    return mask


def _words(pixels: Pixels) -> Words:
    return np.ascontiguousarray(pixels).view(np.uint32)[:, :, 0]
