"""Part a line where its paper changes: a badge or a chip beside a text, or around it, holds a text of its own.

A badge is higher than its letters, so it reaches to the top and the bottom of the line it was joined to. The rows right
inside of these edges meet hardly a letter there: they show the papers, and where they change.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

BELOW_TOP_PX, ABOVE_BOTTOM_PX = 1, 3
"""The rows that are looked at. An edge lies where the picture differs from the pixel above: below it, so to speak."""
OUTSIDE_PX = 3
ALIKE = 8
"""Levels within which two places are the same paper."""
OTHER = 24
"""Levels that make another paper."""
LEAST = 1.3
"""The narrowest badge, in heights of its line: top and bottom of a large C are two dark rows, too."""
EVEN, HALF = 0.8, 0.4
"""The share of a row that is paper, and that of the other: tails of letters may reach into one of them."""
LOWEST_PX = 12
SOFT_PX = 2
"""How wide the edge of a badge is."""

Levels = NDArray[np.int16]


def part_papers(image: Pixels, ink: NDArray[np.uint8], line: Box) -> list[Box]:
    """The line's parts on each paper, close around their letters; the line itself where there is one paper only."""
    if image.ndim != 3 or line.height < LOWEST_PX or line.width < LEAST * line.height:
        return [line]
    left, right = max(0, line.x1 - OUTSIDE_PX), min(image.shape[1], line.x2 + OUTSIDE_PX)
    top, bottom, middle = line.y1 + BELOW_TOP_PX, line.y2 - ABOVE_BOTTOM_PX, (line.y1 + line.y2) // 2
    upper = image[top, left:right].astype(np.int16)
    page = upper[0]
    other = np.abs(upper - page).max(axis=1) > OTHER
    if np.count_nonzero(other) < LEAST * line.height:
        return [line]
    lower, between = image[bottom, left:right].astype(np.int16), image[middle, left:right].astype(np.int16)
    beyond = [image[row, left:right].astype(np.int16) for row in _beyond(line, image.shape[0])]
    found = _badges(upper, lower, other, LEAST * line.height)
    badges = [_widened(between, badge, upper) for badge in found if _ends(upper, badge, beyond)]
    if not badges or not _is_page(upper, lower, page, badges):
        return [line]
    return _cut(ink, line, [(left + start, left + end) for start, end in badges]) or [line]


def _badges(upper: Levels, lower: Levels, other: NDArray[np.bool_], least: float) -> list[tuple[int, int]]:
    """Runs of one other paper, seen in both rows."""
    ends = np.flatnonzero(np.diff(np.concatenate(([False], other, [False])).astype(np.int8))).tolist()
    found = []
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        if end - start >= least:
            paper = np.median(upper[start:end], axis=0)
            shares = [float((np.abs(row[start:end] - paper).max(axis=1) <= ALIKE).mean()) for row in (upper, lower)]
            if _are_paper(shares):
                found.append((start, end))
    return found


def _beyond(line: Box, height: int) -> tuple[int, int]:
    """The rows just outside of a line."""
    return max(0, line.y1 - SOFT_PX), min(height - 1, line.y2 + 1)


def _ends(upper: Levels, badge: tuple[int, int], beyond: list[Levels]) -> bool:
    """Whether the badge is no higher than the line: a selected row or a panel is, and its text has no outline in it."""
    start, end = badge
    paper = np.median(upper[start:end], axis=0)
    return all(float(np.abs(np.median(row[start:end], axis=0) - paper).max()) > ALIKE for row in beyond)


def _widened(between: Levels, badge: tuple[int, int], upper: Levels) -> tuple[int, int]:
    """A badge with round ends is widest in the middle."""
    start, end = badge
    paper = np.median(upper[start:end], axis=0)
    same = np.abs(between - paper).max(axis=1) <= ALIKE
    while start > 0 and same[start - 1]:
        start -= 1
    while end < len(same) and same[end]:
        end += 1
    return start, end


def _is_page(upper: Levels, lower: Levels, page: Levels, badges: list[tuple[int, int]]) -> bool:
    """Whether the rows show the page's paper everywhere else: among letters they would not."""
    outside = np.ones(len(upper), bool)
    for start, end in badges:
        outside[max(0, start - SOFT_PX) : end + SOFT_PX] = False
    rows = (upper, lower) if outside.any() else ()
    shares = [float((np.abs(row[outside] - page).max(axis=1) <= ALIKE).mean()) for row in rows]
    return not shares or _are_paper(shares)


def _are_paper(shares: list[float]) -> bool:
    return max(shares) >= EVEN and min(shares) >= HALF


def _cut(ink: NDArray[np.uint8], line: Box, badges: list[tuple[int, int]]) -> list[Box]:
    """The inside of each badge, and what is left of the line between them."""
    parts, at = [], line.x1
    for start, end in badges:
        parts.append(_close_around(ink, at, line.y1, start - SOFT_PX, line.y2))
        inside = Box(max(start + SOFT_PX, line.x1), line.y1 + SOFT_PX, min(end - 1, line.x2), line.y2 - SOFT_PX)
        parts.append(_letters(ink, inside))
        at = end + SOFT_PX
    parts.append(_close_around(ink, at, line.y1, line.x2, line.y2))
    return [part for part in parts if part is not None]


def _letters(ink: NDArray[np.uint8], inside: Box) -> Box | None:
    """The box of the letters in a badge: all reach into its middle, the ends of its round sides do not."""
    quarter = inside.height // 4
    found = _close_around(ink, inside.x1, inside.y1 + quarter, inside.x2, inside.y2 - quarter)
    if found is None:
        return None
    corner = min(quarter, found.width // 3)
    whole = _close_around(ink, found.x1 + corner, inside.y1, found.x2 - corner, inside.y2)
    return found if whole is None else Box(found.x1, whole.y1, found.x2, whole.y2)


def _close_around(ink: NDArray[np.uint8], x1: int, y1: int, x2: int, y2: int) -> Box | None:
    """The box of the ink in a part."""
    inked = ink[y1:y2, x1 : max(x1, x2)]
    columns, rows = np.flatnonzero(inked.any(axis=0)), np.flatnonzero(inked.any(axis=1))
    if not columns.size:
        return None
    return Box(x1 + int(columns[0]), y1 + int(rows[0]), x1 + int(columns[-1]) + 1, y1 + int(rows[-1]) + 1)
