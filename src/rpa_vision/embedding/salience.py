"""Which parts of a screen say what it is.

The same screen shows other rows and other values tomorrow. What is in front (a dialog) says most, labels say what
screen it is, and the cells of a table and the values of fields say little. A table is told by geometry alone: at least
three columns that line up over at least four rows; its first row names the columns and is no content.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import PerceptionLevel
from rpa_vision.models.ui_element import FIELD_TYPES as FIELD_TYPES
from rpa_vision.models.ui_element import UIElement

MIN_TABLE_COLUMNS = 3
MIN_TABLE_ROWS = 4
ALIGNED_PX = 4


@dataclass(frozen=True, slots=True)
class TextGroups:
    """The texts of a screen by how much they say about which screen it is."""

    front: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    content: tuple[str, ...] = ()


def front_of(elements: Sequence[UIElement]) -> Box | None:
    """The dialog one has to answer first: of several the smallest, which lies on the others."""
    dialogs = [Box.of(element.bbox) for element in elements if element.type == "dialog"]
    return min(dialogs, key=lambda box: (box.area, box), default=None)


def group_texts(perception: PerceptionLevel, elements: Sequence[UIElement]) -> TextGroups:
    """Tell labels from content. Texts without a place are labels: there is nothing to tell them by."""
    lines = perception.text_lines
    if not lines:
        return TextGroups(labels=perception.detected_text)
    boxes = [Box.of(line.bbox) for line in lines]
    fields = [Box.of(element.bbox) for element in elements if element.type in FIELD_TYPES]
    front = front_of(elements)
    in_table = _table_content(boxes)
    groups: dict[str, list[str]] = {"front": [], "labels": [], "content": []}
    for index, (line, box) in enumerate(zip(lines, boxes, strict=True)):
        varies = index in in_table or any(one.contains(box.center) for one in fields)
        in_front = front is not None and front.contains(box.center)
        groups["content" if varies else "front" if in_front else "labels"].append(line.text)
    return TextGroups(*(tuple(groups[name]) for name in ("front", "labels", "content")))


def _table_content(boxes: Sequence[Box]) -> set[int]:
    """The lines in the rows of a table, without its first row."""
    row_of = _rows(boxes)
    aligned = _aligned(boxes)
    content: set[int] = set()
    for row in range(int(row_of.max()) + 1):
        members = row_of == row
        if members.sum() < MIN_TABLE_COLUMNS:
            continue
        below = aligned[members].any(axis=0) & (row_of > row)
        columns_shared = np.bincount(row_of[below], minlength=row + 1)
        alike = np.flatnonzero(columns_shared >= MIN_TABLE_COLUMNS)
        if alike.size >= MIN_TABLE_ROWS - 1:
            content.update(int(index) for index in np.flatnonzero(below & np.isin(row_of, alike)))
    return content


def _rows(boxes: Sequence[Box]) -> NDArray[np.int64]:
    """For each line the number of its row, counted from the top."""
    row_of = np.zeros(len(boxes), np.int64)
    row, bottom = -1, 0
    for index in sorted(range(len(boxes)), key=lambda index: (boxes[index].center[1], boxes[index].x1)):
        if row < 0 or boxes[index].center[1] >= bottom:
            row, bottom = row + 1, boxes[index].y2
        row_of[index] = row
    return row_of


def _aligned(boxes: Sequence[Box]) -> NDArray[np.bool_]:
    """Which lines could be cells of one column: they share their left edge, their right edge or their middle."""
    edges = np.array([(box.x1, box.x2, box.center[0]) for box in boxes])
    aligned: NDArray[np.bool_] = (np.abs(edges[:, None, :] - edges[None, :, :]) <= ALIGNED_PX).any(axis=2)
    return aligned
