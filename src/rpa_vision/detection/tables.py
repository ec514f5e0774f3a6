"""Tables by alignment: rows of text whose edges line up with those of the row above.

A text that reaches over what most other rows keep apart says nothing about where columns begin: it is the cells of two
columns run together, or something written across them. It is told as a bridge and never as a cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from rpa_vision.detection.words import has_digit
from rpa_vision.models.geometry import Box

Span = tuple[int, int]

MIN_ROWS = 3
MIN_COLUMNS = 3
ALIGNED_PX = 5


class TextBox(NamedTuple):  # of these two a screen makes hundreds, and tuples are made three times as fast
    """A piece of text that may be a cell. `panel` says in which part of the screen it lies."""

    box: Box
    text: str
    panel: int = -1
    is_control: bool = False
    """A button, which may stand in a row but makes none."""


class CellPlace(NamedTuple):
    """Where in which table a text stands; row 0 is the header where there is one."""

    table: int
    row: int
    column: int
    is_header: bool
    column_title: str


@dataclass(frozen=True, slots=True)
class Bridge:
    """A text over columns that the other rows keep apart."""

    row: int
    columns: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its rows (boxes) and the place of each text in it (by its index in what was given)."""

    box: Box
    rows: tuple[Box, ...]
    has_header: bool
    cells: dict[int, CellPlace]
    columns: tuple[Span, ...] = ()
    bridges: dict[int, Bridge] = field(default_factory=dict)
    """Texts over several columns, which are cells of none."""


def find_tables(texts: list[TextBox]) -> list[Table]:
    """Tables of at least three rows and columns, from top to bottom."""
    tables: list[Table] = []
    for panel in sorted({text.panel for text in texts}):
        members = [index for index, text in enumerate(texts) if text.panel == panel]
        block: list[list[int]] = []
        for row in _rows(texts, members):
            if block and not _continues(texts, block, row):
                _finish(texts, block, tables)
                block = []
            if block or len(row) >= MIN_COLUMNS:
                block.append(row)
        _finish(texts, block, tables)
    return tables


def _rows(texts: list[TextBox], members: list[int]) -> list[list[int]]:
    """Texts at one height, left to right."""
    rows: list[list[int]] = []
    for index in sorted(members, key=lambda i: (texts[i].box.y1 + texts[i].box.y2, texts[i].box.x1)):
        box = texts[index].box
        if rows:
            last = texts[rows[-1][0]].box
            if abs((box.y1 + box.y2) - (last.y1 + last.y2)) <= min(box.height, last.height):
                rows[-1].append(index)
                continue
        rows.append([index])
    for row in rows:
        row.sort(key=lambda i: texts[i].box.x1)
    return rows


def _continues(texts: list[TextBox], block: list[list[int]], row: list[int]) -> bool:
    above = texts[block[-1][0]].box
    here = texts[row[0]].box
    pitch = 4.2 * max(above.height, here.height)
    if len(block) > 1:
        before = texts[block[-2][0]].box
        pitch = min(pitch, 1.8 * (above.center[1] - before.center[1]) + 6)
    if here.center[1] - above.center[1] > pitch or len(row) < 2 or all(texts[i].is_control for i in row):
        return False
    known = [texts[i].box for earlier in block[-4:] for i in earlier]
    sides = {(box.x1, box.x2) for box in known}
    aligned = sum(_is_aligned(texts[i].box, sides) for i in row)
    return aligned >= max(2, 0.6 * len(row))


def _is_aligned(box: Box, sides: Iterable[tuple[int, int]]) -> bool:
    """With one of them at its left, at its right or in its middle."""
    left, right = box.x1, box.x2
    for start, end in sides:
        if -ALIGNED_PX <= start - left <= ALIGNED_PX or -ALIGNED_PX <= end - right <= ALIGNED_PX:
            return True
        if -2 * ALIGNED_PX <= start + end - left - right <= 2 * ALIGNED_PX:
            return True
    return False


def _finish(texts: list[TextBox], block: list[list[int]], tables: list[Table]) -> None:
    if len(block) < MIN_ROWS:
        return
    across = _bridging(texts, block)
    columns = _columns([texts[i].box for row in block for i in row if i not in across])
    if len(columns) < MIN_COLUMNS:
        return
    header = not any(has_digit(texts[i].text) for i in block[0]) and any(
        has_digit(texts[i].text) for row in block[1:3] for i in row
    )
    named = [i for i in block[0] if i not in across] if header else []
    titles = {_column_of(columns, texts[i].box): texts[i].text for i in named}
    number = len(tables)
    cells: dict[int, CellPlace] = {}
    bridges: dict[int, Bridge] = {}
    for row_index, row in enumerate(block):
        for i in row:
            if i in across:
                bridges[i] = Bridge(row_index, _columns_under(columns, texts[i].box))
                continue
            column = _column_of(columns, texts[i].box)
            cells[i] = CellPlace(number, row_index, column, header and row_index == 0, titles.get(column, ""))
    left, right = min(c[0] for c in columns), max(c[1] for c in columns)
    rows = []
    for row in block:
        tops, bottoms = [texts[i].box.y1 for i in row], [texts[i].box.y2 for i in row]
        rows.append(Box(left, min(tops), right, max(bottoms)))
    box = Box(left, rows[0].y1, right, rows[-1].y2)
    tables.append(Table(box, tuple(rows), header, cells, tuple(columns), bridges))


def _bridging(texts: list[TextBox], block: list[list[int]]) -> set[int]:
    """Texts over a place where most other rows that say something there have two texts or more."""
    order = [i for row in block for i in row]
    starts, ends = np.array([(texts[i].box.x1, texts[i].box.x2) for i in order], np.int32).T
    shared = np.minimum(ends[:, None], ends) - np.maximum(starts[:, None], starts)
    lies_in = (2 * shared > ends - starts).astype(np.int32)
    first = np.cumsum([0, *(len(row) for row in block[:-1])])
    inside = np.add.reduceat(lies_in, first, axis=1)  # of each text, how many of each row lie over or under it
    inside[np.arange(len(order)), np.repeat(np.arange(len(block)), [len(row) for row in block])] = 0
    apart, whole = (inside >= 2).sum(axis=1), (inside == 1).sum(axis=1)
    return {order[at] for at in np.flatnonzero((apart >= 2) & (apart > whole)).tolist()}


def _columns_under(columns: list[Span], box: Box) -> tuple[int, ...]:
    return tuple(index for index, (x1, x2) in enumerate(columns) if min(x2, box.x2) - max(x1, box.x1) > ALIGNED_PX) or (
        _column_of(columns, box),
    )


def _columns(boxes: list[Box]) -> list[Span]:
    """Ranges of x that hold text, merged where they overlap."""
    columns: list[Span] = []
    for start, end in sorted((box.x1, box.x2) for box in boxes):
        if columns and start < columns[-1][1] - 2:
            columns[-1] = (columns[-1][0], max(columns[-1][1], end))
        else:
            columns.append((start, end))
    return columns


def _column_of(columns: list[Span], box: Box) -> int:
    """The column it shares most with, the first of equals."""
    left, right = box.x1, box.x2
    best, most = 0, -(10**9)
    for index, (start, end) in enumerate(columns):
        shared = (end if end < right else right) - (start if start > left else left)
        if shared > most:
            best, most = index, shared
    return best
