"""The rows of a list on the screen, by the headers of its columns.

Lists that detection found as tables are read as learning read them (`graph.sightings`). A list that has shrunk to one
or two rows is no table to detection any more; it is read from its headers downwards. Where a list was scrolled and its
headers are out of sight, its columns are where they were.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.graph.sightings import TableRow, rows_of
from rpa_vision.graph.vocabulary import same_words
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import INTERACTIVE_TYPES, UIElement
from rpa_vision.models.wording import folded

_NOTHING = re.compile(
    r"(?:(?:aucune?|no(?! d[eu'])|0|zero) [a-z][a-z' -]+|pas d(?:e |')[a-z' -]+"
    r"|[a-z' -]*\b(?:est|is|sont|are) (?:vides?|empty)"
    r"|(?:liste |list )?(?:vide|empty)|(?:rien|nothing)(?: [a-z' -]+)?|none)\W*"
)
"""Whole sentences, folded, that say of a list that nothing is in it: « No de dossier » and « Notes » do not."""
_LOADING = re.compile(
    r"(?:chargement|loading)(?: en cours)?\W*|(?:chargement|loading) [a-z' ]+\.\.\."
    r"|(?:(?:veuillez|merci de) )?patient(?:er|ez)\b.*|please wait\b.*|(?:recherche|actualisation) en cours\W*"
)
"""Whole texts, folded, that say that what is shown is not all yet."""
_MOST_WORDS = 7
_ROOM = 4
"""So many lines above or below where rows were a sentence may stand in their place."""
_MAX_PITCH = 4.2
Span = tuple[int, int]
_NO_CELLS = ("table", "table_row", "dialog", "scrollbar", "image")


@dataclass(frozen=True, slots=True)
class ListRow:
    """What stands under each header asked for (nothing where the cell is empty), and everything the row says."""

    cells: dict[str, str]
    texts: tuple[str, ...]
    box: Box
    spans: dict[str, Span]
    """From where to where each cell reaches across the screen."""


def columns_of(rows: Sequence[ListRow]) -> dict[str, Span]:
    """From where to where each column reaches, as far as its cells show."""
    columns: dict[str, Span] = {}
    for row in rows:
        for header, (left, right) in row.spans.items():
            known = columns.get(header, (left, right))
            columns[header] = (min(known[0], left), max(known[1], right))
    return columns


def area_of(rows: Sequence[ListRow], known: Box | None = None) -> Box:
    """Where the rows stand, or have stood."""
    boxes = [row.box for row in rows] + ([known] if known is not None else [])
    return Box(min(b.x1 for b in boxes), min(b.y1 for b in boxes), max(b.x2 for b in boxes), max(b.y2 for b in boxes))


def is_loading(state: ScreenState) -> bool:
    """Whether a text that nobody clicks says that what is shown is still coming."""
    return any(_LOADING.fullmatch(folded(text).strip()) for text, _ in _told(state))


def read_list(
    state: ScreenState, headers: Sequence[str], columns: Mapping[str, Span] | None = None, area: Box | None = None
) -> list[ListRow] | None:
    """The rows from top to bottom; none where the list is empty; None where there is no such list on the screen.

    `columns` says where the columns were when their headers were last seen, `area` where rows have stood. Where no
    headers are shown and nobody knows where the list was, no sentence says that it is empty: of what would it speak?
    """
    found = [_of_table(row, headers) for row in rows_of(state) if any(row.says(one) is not None for one in headers)]
    if found:
        return found
    under = _under_headers(state, headers)
    if under:
        return under
    scrolled = _under_columns(state, columns) if under is None and columns else []
    if scrolled:
        return scrolled
    return [] if under is not None or (columns and _says_nothing(state, headers, columns, area)) else None


def _says_nothing(state: ScreenState, headers: Sequence[str], columns: Mapping[str, Span], area: Box | None) -> bool:
    """Whether a sentence says that the list is empty, alone on its line, where the list was: no cell of it is there."""
    cells = [one.label for one in state.ui_elements if one.type == "cell" or "column_title" in one.metadata]
    if any(text and not _is_said_of_nothing(text) for text in cells):
        return False
    left, right = min(span[0] for span in columns.values()), max(span[1] for span in columns.values())
    said = [(text, box) for text, box in _told(state) if not any(same_words(text, header) for header in headers)]
    there = [Box.of(one.bbox) for one in state.ui_elements if one.label and one.type not in _NO_CELLS]
    return any(
        _is_said_of_nothing(text)
        and left <= box.center[0] <= right
        and (area is None or area.y1 - _ROOM * box.height <= box.center[1] <= area.y2 + _ROOM * box.height)
        and not any(_is_beside(other, box) and left <= other.center[0] <= right for other in there)
        for text, box in said
    )


def _told(state: ScreenState) -> list[tuple[str, Box]]:
    """What the screen says by itself: not the words of anything to be clicked or filled in, nor of a field's label."""
    handled = [Box.of(one.bbox) for one in state.ui_elements if one.type in INTERACTIVE_TYPES]
    fields = [Box.of(one.bbox) for one in state.ui_elements if one.type in FIELD_TYPES]
    said = [(one.label, Box.of(one.bbox)) for one in state.ui_elements if one.label]
    said += [(line.text, Box.of(line.bbox)) for line in state.perception.text_lines]
    return [
        (text, box)
        for text, box in said
        if not any(one.contains(box.center) for one in handled) and not any(_names(box, field) for field in fields)
    ]


def _names(label: Box, field: Box) -> bool:
    """Whether a text stands where the label of a field stands: left of it, or right above it."""
    if abs(label.center[1] - field.center[1]) <= field.height // 2:
        return 0 <= field.x1 - label.x2 <= _ROOM * 4 * label.height
    return abs(label.x1 - field.x1) <= label.height and 0 <= field.y1 - label.y2 <= 2 * label.height


def _is_beside(other: Box, box: Box) -> bool:
    """Whether it stands on one line with it and is not the same thing."""
    apart = other.x1 >= box.x2 or other.x2 <= box.x1
    return apart and abs(other.center[1] - box.center[1]) <= 0.5 * min(other.height, box.height)


def _is_said_of_nothing(text: str) -> bool:
    return len(text.split()) <= _MOST_WORDS and _NOTHING.fullmatch(folded(text)) is not None


def _of_table(row: TableRow, headers: Sequence[str]) -> ListRow:
    texts = tuple(element.label for element in row.elements if element.label)
    named = {header: _cell(row, header) for header in headers}
    spans = {header: (cell.bbox[0], cell.bbox[2]) for header, cell in named.items() if cell is not None}
    cells = {header: cell.label if cell is not None else "" for header, cell in named.items()}
    return ListRow(cells, texts, _around(row.elements), spans)


def _cell(row: TableRow, header: str) -> UIElement | None:
    return next((cell for title, cell in row.cells.items() if same_words(title, header)), None)


def _under_columns(state: ScreenState, columns: Mapping[str, Span]) -> list[ListRow]:
    """The rows of a list whose headers are out of sight: lines that have something in two columns at least."""
    elements = [one for one in state.ui_elements if one.label and one.type not in _NO_CELLS]
    left, right = min(span[0] for span in columns.values()), max(span[1] for span in columns.values())
    rows = []
    for members in _by_height([one for one in elements if one.bbox[0] < right and one.bbox[2] > left]):
        inside = {header: [one for one in members if _is_under(one, span)] for header, span in columns.items()}
        if sum(map(bool, inside.values())) >= min(2, len(columns)):
            cells = {header: " ".join(one.label for one in own) for header, own in inside.items()}
            rows.append(ListRow(cells, tuple(one.label for one in members), _around(members), dict(columns)))
    return rows


def _is_under(element: UIElement, span: Span) -> bool:
    common = min(element.bbox[2], span[1]) - max(element.bbox[0], span[0])
    return common > 0.5 * min(Box.of(element.bbox).width, span[1] - span[0])


def _under_headers(state: ScreenState, headers: Sequence[str]) -> list[ListRow] | None:
    elements = [one for one in state.ui_elements if one.label and one.type not in _NO_CELLS]
    titles = _header_line(elements, headers)
    if titles is None:
        return None
    line = [one for one in elements if _level(one, titles[0])]
    left, right = min(one.bbox[0] for one in line), max(one.bbox[2] for one in line)
    bottom = max(one.bbox[3] for one in line)
    below = [one for one in elements if one.bbox[1] >= bottom - 2 and one.bbox[0] < right + 200 and one.bbox[2] > left]
    rows: list[ListRow] = []
    above = titles[0]
    for members in _by_height(below):
        if members[0].center[1] - above.center[1] > _MAX_PITCH * Box.of(above.bbox).height:
            break
        cells = {header: _under(title, members, line) for header, title in zip(headers, titles, strict=True)}
        if not any(cells.values()):
            break
        spans = {header: (title.bbox[0], title.bbox[2]) for header, title in zip(headers, titles, strict=True)}
        rows.append(ListRow(cells, tuple(one.label for one in members), _around(members), spans))
        above = members[0]
    return rows


def _header_line(elements: Sequence[UIElement], headers: Sequence[str]) -> list[UIElement] | None:
    """The elements that are the headers, all on one line; None where there is no such line or more than one."""
    lines = []
    for first in (one for one in elements if same_words(one.label, headers[0])):
        found = [
            [one for one in elements if same_words(one.label, header) and _level(one, first)] for header in headers
        ]
        if all(len(named) == 1 for named in found):
            lines.append([named[0] for named in found])
    return lines[0] if len(lines) == 1 else None


def _under(title: UIElement, members: Sequence[UIElement], line: Sequence[UIElement]) -> str:
    """What stands in a row under a header: what is nearer to it than to any other header."""
    own = [one for one in members if min(line, key=lambda header: _apart(header, one)) is title]
    return " ".join(one.label for one in sorted(own, key=lambda one: one.bbox[0]))


def _apart(header: UIElement, cell: UIElement) -> tuple[int, int]:
    """How far a cell is from being under a header: how much is between them, then how badly they are aligned."""
    (left, _, right, _), (x1, _, x2, _) = header.bbox, cell.bbox
    between = max(0, max(left, x1) - min(right, x2))
    return between, min(abs(left - x1), abs(right - x2), abs(left + right - x1 - x2) // 2)


def _by_height(elements: Sequence[UIElement]) -> list[list[UIElement]]:
    rows: list[list[UIElement]] = []
    for one in sorted(elements, key=lambda one: (one.center[1], one.bbox[0])):
        if rows and _level(one, rows[-1][0]):
            rows[-1].append(one)
        else:
            rows.append([one])
    return rows


def _level(one: UIElement, other: UIElement) -> bool:
    return abs(one.center[1] - other.center[1]) <= 0.5 * min(Box.of(one.bbox).height, Box.of(other.bbox).height)


def _around(elements: Sequence[UIElement]) -> Box:
    whole = Box.of(elements[0].bbox)
    for one in elements[1:]:
        whole = whole.union(Box.of(one.bbox))
    return whole
