"""Short rules that were joined to a line of text: carets, the edges of a table's cell, dividers between tabs.

Long ones are taken away before lines are looked for (`line_finder.find_ink`). A short one stands apart from the letters
and reaches above *and* below them; an l at the end of a line of small letters is a stroke from top to bottom, too, but
stands on their foot.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Part = tuple[int, int, int, int]

LOW_PX = 12
"""Lines lower than this have no rule beside them that was not seen as one."""
RULE_PX = 4
"""The widest rule, with its edges."""
THROUGH = 0.9
"""The share of a line's height, or of its width, that a rule covers."""
LOWER = 0.8
"""How high a text is at most, in heights of the rule beside it."""
BEYOND_PX = 2
"""How far a rule reaches above and below the text beside it."""
MUCH_LOWER = 0.58
"""How high a text is where it does not: at the top of its cell. Small letters are higher than that beside an l."""
APART = 0.5
"""The gap on both sides of a divider, in heights of the text: a bar among words has less, a space."""


def without_rules(ink: Mask) -> list[Part]:
    """The texts of a line without the rules at its edges and between them, in pixels of the line."""
    height, width = ink.shape
    whole = [(0, 0, width, height)]
    if height < LOW_PX or width < LOW_PX:
        return whole
    columns, rows = _shares(ink, 0), _shares(ink, 1)
    top, bottom = _ruled_off(rows), height - _ruled_off(rows[::-1])
    if top or bottom < height:
        columns = _shares(ink[top:bottom], 0)
    elif columns.max() < THROUGH:
        return whole
    rules = _rules(ink[top:bottom], columns)
    if not rules and not top and bottom == height:
        return whole
    starts = [0, *(end for _, end in rules)]
    ends = [*(start for start, _ in rules), width]
    parts = [_close_around(ink, start, end, top, bottom) for start, end in zip(starts, ends, strict=True)]
    return [part for part in parts if part is not None] or whole


def _shares(ink: Mask, side: int) -> NDArray[np.float32]:
    """How much of each column (0) or row (1) is ink."""
    return np.asarray(cv2.reduce(ink, side, cv2.REDUCE_AVG, dtype=cv2.CV_32F), np.float32).ravel()


def _ruled_off(shares: NDArray[np.float32]) -> int:
    """How many rows a rule at the near edge takes, up to the paper behind it; none without a rule."""
    near = shares[: RULE_PX + 1].tolist()
    gap = near.index(0.0) if 0.0 in near else 0
    return gap if gap and max(near[:gap]) >= THROUGH else 0


def _rules(ink: Mask, shares: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Where upright rules stand: those at the ends of the line, and dividers far from everything within it."""
    strokes = _strokes(shares)
    first, last = _height(ink, strokes)
    gap = round(APART * (last - first))
    rules = [
        (start, end)
        for start, end in strokes
        if start == 0
        or end == len(shares)
        or not (shares[max(0, start - gap) : start].any() or shares[end : end + gap].any())
    ]
    first, last = _height(ink, rules)
    between = first >= BEYOND_PX and last <= len(ink) - BEYOND_PX
    return rules if 0 < last - first <= (LOWER if between else MUCH_LOWER) * len(ink) else []


def _strokes(shares: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Slim strokes from top to bottom with paper on both sides."""
    found: list[tuple[int, int]] = []
    for at in np.flatnonzero(shares >= THROUGH).tolist():
        start, end = at - _inked(shares[:at][::-1]), at + _inked(shares[at:])
        if end - start <= RULE_PX and (not found or start >= found[-1][1]):
            found.append((start, end))
    return found


def _inked(shares: NDArray[np.float32]) -> int:
    """How many of the next columns hold ink, up to the first that holds none."""
    near = shares[: RULE_PX + 1] > 0
    return len(near) if near.all() else int(near.argmin())


def _height(ink: Mask, rules: list[tuple[int, int]]) -> tuple[int, int]:
    """The first row of all that is no rule, and one past the last."""
    edges = [0, *(edge for rule in rules for edge in rule), ink.shape[1]]
    rest = np.zeros(len(ink), bool)
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        rest |= ink[:, start:end].any(axis=1)
    inked = np.flatnonzero(rest)
    return (int(inked[0]), int(inked[-1]) + 1) if inked.size else (0, 0)


def _close_around(ink: Mask, x1: int, x2: int, y1: int, y2: int) -> Part | None:
    """The box of the ink in a part; where the line ends it stays, a letter may have been given back there."""
    inked = ink[y1:y2, x1:x2]
    columns, rows = np.flatnonzero(inked.any(axis=0)), np.flatnonzero(inked.any(axis=1))
    if not columns.size:
        return None
    start = x1 + int(columns[0]) if x1 else 0
    end = x1 + int(columns[-1]) + 1 if x2 < ink.shape[1] else x2
    return (start, y1 + int(rows[0]), end, y1 + int(rows[-1]) + 1)
