"""What typing drew: letters, the dots of a hidden password, or only a caret. Told from the pixels that changed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rpa_vision.detection.components import components
from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box

CARET_PX = 3
LINE_PX = 60
"""Higher than this at a scale of 1, a change is no line of text."""
_BLOCK_CARET_PX = (24, 48)
_REPAINTED = 0.8
"""Letters change a part of their box; a highlight, a block caret or a pressed button change nearly all of it."""


def written(before: Frame, after: Frame | None) -> list[Box]:
    """Where something was drawn that is more than a caret, largest first; only in the windows that are in front."""
    if after is None or before.pixels.shape != after.pixels.shape:
        return []
    windows = [Box.of(frame.window.geometry) for frame in (before, after) if frame.window and frame.window.geometry]
    boxes = [
        box
        for box in changed_boxes(before.pixels, after.pixels, join_px=14)
        if not _is_caret(before, after, box) and (not windows or any(box.intersection(each) for each in windows))
    ]
    return sorted(boxes, key=lambda box: -box.area)


def shows_letters(before: Frame, after: Frame, inside: Box) -> bool:
    """Within that box something like a line of letters appeared: ink on paper, no outline and no repainting."""
    where = inside.clamped(after.width, after.height)
    if where is None:
        return False
    changed = _differs(before, after, where)
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if columns.size <= CARET_PX:
        return False
    tight = changed[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    height, width = tight.shape
    if not 5 <= height <= LINE_PX * scale_of(after) or float(tight.mean()) > _REPAINTED:
        return False
    inner = tight[height // 4 : height - height // 4, width // 8 : width - width // 8]
    return bool(inner.any())


def shows_bullets(pixels: Pixels, changed: Box) -> bool:
    """What was drawn is a row of equal dots, not of letters. One lone dot at half height counts."""
    box = changed.padded(2, 2).clamped(int(pixels.shape[1]), int(pixels.shape[0]))
    if box is None or box.height > LINE_PX:
        return False
    part = pixels[box.y1 : box.y2, box.x1 : box.x2, :3].astype(np.int16).sum(axis=2)
    off = np.abs(part - np.median(part))
    if off.max() < 60:
        return False
    ink = (off > 0.45 * off.max()).astype(np.uint8)
    _, stats = components(ink)
    rows = [(x, y, w, h, area) for x, y, w, h, area in stats[1:].tolist() if area >= 4 and not (w <= CARET_PX < h)]
    if not rows:
        return False
    widths, heights = (np.array([row[at] for row in rows], dtype=float) for at in (2, 3))
    middles = np.array([y + h / 2 for _, y, _, h, _ in rows])
    round_ones = bool((np.abs(widths - heights) <= 2).all()) and float(heights.max()) <= 14
    equal = float(np.ptp(heights)) <= 1.5 and float(np.ptp(widths)) <= 1.5 and float(np.ptp(middles)) <= 1.5
    if not (round_ones and equal):
        return False
    if len(rows) == 1:
        return min(rows[0][2], rows[0][3]) >= 4 and _are_filled(rows, 0.68)
    # « ana » is as round and as equal as three dots, but its letters have holes and differ from each other.
    return _are_filled(rows, 0.62) or _are_alike(ink, rows)


def hides_its_text(inside: Pixels) -> bool:
    """What stands in a field is two dots or more, whatever a reader makes of them."""
    part = inside[:, :, :3].astype(np.int16).sum(axis=2)
    off = np.abs(part - np.median(part))
    if off.max() < 60:
        return False
    ink = off > 0.45 * off.max()
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    box = Box(int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
    return box.width >= 1.5 * box.height and shows_bullets(inside, box)  # a lone disc may be a symbol


def scale_of(frame: Frame) -> float:
    """How much larger than usual things are drawn on a screen of that size."""
    return max(1.0, frame.height / 1080)


def _are_filled(rows: Sequence[tuple[int, int, int, int, int]], least: float) -> bool:
    return all(area >= least * w * h for _, _, w, h, area in rows)


def _are_alike(ink: Pixels, rows: Sequence[tuple[int, int, int, int, int]]) -> bool:
    """The same mark again and again, such as asterisks."""
    width, height = min(row[2] for row in rows), min(row[3] for row in rows)
    first, *others = (ink[y : y + height, x : x + width] for x, y, *_ in rows)
    return all(float((first != other).mean()) <= 0.2 for other in others)


def _is_caret(before: Frame, after: Frame, box: Box) -> bool:
    """A thin line, or a small block of one colour both before and after: the caret of a terminal."""
    if box.width <= CARET_PX:
        return True
    width, height = (scale_of(after) * size for size in _BLOCK_CARET_PX)
    if box.width > width or box.height > height:
        return False
    return all(_is_flat(frame.pixels[box.y1 : box.y2, box.x1 : box.x2, :3]) for frame in (before, after))


def _is_flat(part: Pixels) -> bool:
    return int(np.ptp(part.reshape(-1, part.shape[2]), axis=0).max()) <= 24


def _differs(before: Frame, after: Frame, box: Box) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    where = (slice(box.y1, box.y2), slice(box.x1, box.x2), slice(0, 3))
    mask: np.ndarray[tuple[int, int], np.dtype[np.bool_]] = (before.pixels[where] != after.pixels[where]).any(axis=2)
    return mask
