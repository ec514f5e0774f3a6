"""Symbols at the ends of a line: icons, chevrons and discs that stand beside a text and are none of its letters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]


def without_symbols(part: Mask) -> list[tuple[int, int, int, int]]:
    """The text of a line and the symbols beside it, in pixels of the line."""
    height, width = part.shape
    whole = [(0, 0, width, height)]
    if width < 2.2 * height or height < 10:
        return whole
    found = runs(np.asarray(part.any(axis=0)))
    if len(found) < 2:
        return whole
    space = max(4, round(0.28 * height))
    symbols: list[tuple[int, int, int, int]] = []
    first, last = 0, len(found)
    if found[1][0] - found[0][1] >= space and _is_symbol(part, found[0], (found[1][0], found[-1][1])):
        symbols.append(_shrunk(part, found[0]))
        first = 1
    rest = (found[first][0], found[-2][1])
    if first < len(found) - 1 and found[-1][0] - found[-2][1] >= space and _is_symbol(part, found[-1], rest):
        symbols.append(_shrunk(part, found[-1]))
        last -= 1
    return [_shrunk(part, (found[first][0], found[last - 1][1])), *symbols] if symbols else whole


def _is_symbol(part: Mask, run: tuple[int, int], text: tuple[int, int]) -> bool:
    rows = part[:, text[0] : text[1]].sum(axis=1)
    if not rows.any():
        return False
    top = int(np.flatnonzero(rows >= 0.35 * rows.max())[0])
    baseline = int(np.flatnonzero(rows >= 0.2 * rows.max())[-1])  # of round letters little ink lies on it
    capital, deepest = (int(row) for row in np.flatnonzero(rows)[[0, -1]])
    mine = np.flatnonzero(part[:, run[0] : run[1]].any(axis=1))
    width, height = run[1] - run[0], int(mine[-1] - mine[0]) + 1
    if mine[0] >= capital and mine[-1] <= deepest:
        return False
    ratio = width / max(1, height)
    beyond = mine[0] <= min(top - 1, capital) and mine[-1] >= baseline + 2
    if 0.6 <= ratio <= 1.5 and height >= 8 and beyond and height >= 1.25 * (baseline - capital + 1):
        return True
    tall = height >= 1.2 * (baseline - capital + 1) and mine[0] <= capital and mine[-1] >= baseline
    return tall and 0.85 <= ratio <= 1.18  # a disc; an accented capital is slimmer


def _shrunk(part: Mask, run: tuple[int, int]) -> tuple[int, int, int, int]:
    rows = np.flatnonzero(part[:, run[0] : run[1]].any(axis=1))
    return (run[0], int(rows[0]), run[1], int(rows[-1]) + 1)


def runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where a row of flags is on: (first, one past last)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], flags.astype(bool), [False])).astype(np.int8)))
    return [(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]
