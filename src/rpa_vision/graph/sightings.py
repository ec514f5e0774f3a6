"""Which values a screen shows, and by which words each of them can be found again.

A value stands beside or under its label (« Montant : 1 250,00 € »), in a field with a name, or in the cell of a table
under a header. Learning collects all of them; a run reads one. Both do it here, so that a run reads what was learned.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.graph.vocabulary import same_words, window_in_front
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded, squeezed

_CAPTION_TYPES = frozenset({"label", "cell", "heading"})
_VALUE_TYPES = frozenset({"label", "cell", "heading", "link"})
_MAX_GAP_HEIGHTS = 14.0
_MAX_DROP_HEIGHTS = 1.6


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a list: what stands under which header, and the element that does."""

    cells: dict[str, UIElement] = field(default_factory=dict)
    elements: tuple[UIElement, ...] = ()
    top: int = 0

    def says(self, header: str) -> str | None:
        """The text of a cell; None where the row has none under this header."""
        found = self.cell(header)
        return found.label if found is not None else None

    def cell(self, header: str) -> UIElement | None:
        """The element under a header."""
        return next((cell for title, cell in self.cells.items() if same_words(title, header)), None)

    def holds(self, text: str) -> bool:
        """Whether one of its texts is this one. An empty text, of a value that is empty, names no row."""
        wanted = squeezed(text)
        return bool(wanted) and any(squeezed(element.label) == wanted for element in self.elements)


@dataclass(frozen=True, slots=True)
class Sighted:
    """A value, and the element that shows it."""

    text: str
    element: UIElement


def rows_of(state: ScreenState) -> list[TableRow]:
    """The rows of all lists with headers on a screen, from top to bottom."""
    grouped: dict[tuple[object, object], list[UIElement]] = {}
    loose: list[UIElement] = []
    for element in state.ui_elements:
        if element.metadata.get("header") or element.type in ("table", "table_row"):
            continue
        if "row" in element.metadata and "table" in element.metadata:
            grouped.setdefault((element.metadata["table"], element.metadata["row"]), []).append(element)
        elif element.metadata.get("column_title"):
            loose.append(element)
    rows = [_row(members) for members in (*grouped.values(), *_at_one_height(loose))]
    return sorted((row for row in rows if row.cells), key=lambda row: row.top)


def row_around(element: UIElement, state: ScreenState) -> TableRow | None:
    """The row an element stands in."""
    box = Box.of(element.bbox)
    for row in rows_of(state):
        if any(one.element_id == element.element_id for one in row.elements):
            return row
        beside = Box.of(row.elements[0].bbox)
        if min(box.y2, beside.y2) - max(box.y1, beside.y1) > 0.5 * min(box.height, beside.height):
            return row
    return None


def labelled_values(state: ScreenState) -> dict[str, str]:
    """Every value that stands beside or under words that name it, by these words; words that come twice name none."""
    found: dict[str, list[tuple[str, str]]] = {}
    elements = window_in_front(state).ui_elements
    for element in elements:
        value = _value_of(element, elements)
        if value is not None:
            found.setdefault(folded(_caption(element)), []).append((_caption(element), value.text))
    return {pairs[0][0]: pairs[0][1] for pairs in found.values() if len(pairs) == 1}


def value_by_label(state: ScreenState, label: str) -> str | None:
    """What stands beside or under these words, or in the field of that name; None where not exactly one thing does."""
    seen = seen_by_label(state, label)
    return seen.text if seen is not None else None


def seen_by_label(state: ScreenState, label: str) -> Sighted | None:
    """The same, with the element that shows it."""
    return NamedValues(state).seen(label)


class NamedValues:
    """What the labels of one screen name, to be asked for many of them."""

    def __init__(self, state: ScreenState) -> None:
        self._elements = window_in_front(state).ui_elements
        self._captions = [_caption(element) for element in self._elements]
        self._values: dict[int, Sighted | None] = {}

    def seen(self, label: str) -> Sighted | None:
        """What stands beside or under these words, or in the field of that name; None where not exactly one thing
        does."""
        found = [value for value in self._named(label) if value is not None]
        return found[0] if len({squeezed(value.text) for value in found}) == 1 else None

    def _named(self, label: str) -> Iterator[Sighted | None]:
        for index, caption in enumerate(self._captions):
            if same_words(caption, label):
                if index not in self._values:
                    self._values[index] = _value_of(self._elements[index], self._elements)
                yield self._values[index]


def value_in_column(state: ScreenState, column: str, row_contains: Sequence[str]) -> str | None:
    """The cell under a header in the row that says all these texts; None where not exactly one row does."""
    seen = seen_in_column(state, column, row_contains)
    return seen.text if seen is not None else None


def seen_in_column(state: ScreenState, column: str, row_contains: Sequence[str]) -> Sighted | None:
    """The same, with the element that shows it."""
    rows = [row for row in rows_of(state) if row.says(column) is not None and all(map(row.holds, row_contains))]
    cell = rows[0].cell(column) if len(rows) == 1 else None
    return Sighted(cell.label, cell) if cell is not None else None


def _caption(element: UIElement) -> str:
    """The words of a label before its value, or the name of a field."""
    return re.sub(r"\s*:\s.*$", "", element.label).rstrip(" :*").strip() or element.label


def _value_of(element: UIElement, elements: Sequence[UIElement]) -> Sighted | None:
    """The value that an element names, if it names one."""
    if not re.search(r"[^\W\d_]{2}", element.label):
        return None
    if element.type in FIELD_TYPES:
        value = element.metadata.get("value")
        named = element.metadata.get("label_from") not in ("content", "placeholder")
        return Sighted(value, element) if isinstance(value, str) and value and named else None
    if element.type not in _CAPTION_TYPES or "row" in element.metadata or element.metadata.get("column_title"):
        return None
    own = re.search(r":\s+(\S.*)$", element.label)
    if own is not None:
        return Sighted(own[1].strip(), element)
    nearby = _beside(element, elements) or _under(element, elements)
    return Sighted(nearby.label, nearby) if nearby is not None else None


def _beside(caption: UIElement, elements: Sequence[UIElement]) -> UIElement | None:
    box = Box.of(caption.bbox)
    near = []
    for other in elements:
        place = Box.of(other.bbox)
        level = min(box.y2, place.y2) - max(box.y1, place.y1) > 0.5 * min(box.height, place.height)
        gap = place.x1 - box.x2
        if other is not caption and other.label and level and 0 <= gap <= _MAX_GAP_HEIGHTS * box.height:
            near.append((gap, other.element_id, other))
    if not near:
        return None
    nearest = min(near)[2]
    return nearest if _is_value(nearest) else None


def _under(caption: UIElement, elements: Sequence[UIElement]) -> UIElement | None:
    box = Box.of(caption.bbox)
    near = []
    for other in elements:
        place = Box.of(other.bbox)
        drop = place.y1 - box.y2
        if other is not caption and other.label and abs(place.x1 - box.x1) <= box.height and drop >= 0:
            near.append((drop, other.element_id, other))
    if not near:
        return None
    drop, _, nearest = min(near)
    return nearest if drop <= _MAX_DROP_HEIGHTS * box.height and _is_value(nearest) else None


def _is_value(element: UIElement) -> bool:
    in_table = "row" in element.metadata or bool(element.metadata.get("column_title"))
    return element.type in _VALUE_TYPES and not in_table and not element.label.rstrip().endswith(":")


def _row(members: Sequence[UIElement]) -> TableRow:
    ordered = tuple(sorted(members, key=lambda element: (element.bbox[0], element.element_id)))
    cells = {str(one.metadata["column_title"]): one for one in reversed(ordered) if one.metadata.get("column_title")}
    return TableRow(cells, ordered, min(element.bbox[1] for element in ordered))


def _at_one_height(elements: Sequence[UIElement]) -> list[list[UIElement]]:
    rows: list[list[UIElement]] = []
    for element in sorted(elements, key=lambda one: (one.center[1], one.bbox[0])):
        if rows and abs(element.center[1] - rows[-1][0].center[1]) <= 0.5 * Box.of(element.bbox).height:
            rows[-1].append(element)
        else:
            rows.append([element])
    return rows
