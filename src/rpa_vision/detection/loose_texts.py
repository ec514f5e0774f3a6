"""Text outside of controls: headings, links, menu entries, cells, labels. Every line is something one may point at."""

from __future__ import annotations

from itertools import pairwise

from rpa_vision.detection.scene import MARGIN, Draft, Line, Scene
from rpa_vision.detection.tables import CellPlace, Table, TextBox, find_tables
from rpa_vision.detection.words import clean_label, fold, has_digit
from rpa_vision.imaging.colour import Colour, chroma, contrast
from rpa_vision.models.geometry import Box


def find_texts(scene: Scene) -> list[Draft]:
    """One draft for each line that no control has used."""
    return [_draft(scene, line) for line in scene.lines if not line.used]


def place_in_tables(scene: Scene, drafts: list[Draft]) -> list[Draft]:
    """Give every text and control that stands in a table its row and column; returns the tables and their rows."""
    members = [draft for draft in drafts if draft.kind not in ("menu_item", "dialog") and "notice" not in draft.tags]
    texts = [TextBox(draft.box, draft.text or draft.label, _panel(scene, draft.box)) for draft in members]
    made: list[Draft] = []
    for number, table in enumerate(find_tables(texts)):
        if _is_form(members, table):
            continue
        whole = Draft("table", _grown(scene, table.box), 0.75)
        whole.metadata.update({"table": number, "rows": len(table.rows), "has_header": table.has_header})
        rows = [Draft("table_row", _grown(scene, row), 0.7, parent=whole) for row in table.rows]
        for index, row in enumerate(rows):
            row.metadata.update({"table": number, "row": index, "header": table.has_header and index == 0})
        for index, place in table.cells.items():
            _put(members[index], place, number, rows[place.row])
        made += [whole, *rows]
    return made


def name_menus(scene: Scene, drafts: list[Draft]) -> None:
    """Rows of short words in a bar near the top, and columns of them in a narrow panel at the left, are menus."""
    loose = [draft for draft in drafts if "table" not in draft.metadata and len(draft.text) <= 32]
    texts = [draft for draft in loose if draft.kind in ("label", "link", "heading")]
    for region in scene.regions:
        box = region.box
        level = box.width >= 0.5 * scene.width and box.height <= 6 * scene.unit and box.y1 <= 0.2 * scene.height
        upright = box.width <= 0.25 * scene.width and box.height >= 0.5 * scene.height and box.x1 <= 0.02 * scene.width
        if not level and not upright:
            continue
        inside = [d for d in texts if box.encloses(d.box.padded(-3)) and len(d.text.split()) <= 4]
        digits = sum(has_digit(d.text) for d in inside)
        if len(inside) >= (3 if level else 4) and digits <= 0.3 * len(inside):
            _make_menu(inside)
    for first in texts:  # a menu bar stands at the top of a window, wherever that is
        begins = fold(first.text) in ("file", "fichier")
        if not begins and first.box.y2 > 0.12 * scene.height:
            continue
        row = sorted((d for d in texts if abs(d.box.center[1] - first.box.center[1]) <= 3), key=lambda d: d.box.x1)
        gaps = [right.box.x1 - left.box.x2 for left, right in pairwise(row)]
        words = all(len(d.text.split()) <= 2 and not has_digit(d.text) for d in row)
        if len(row) >= 4 and words and max(gaps) <= 5 * scene.unit:
            _make_menu(row)


def _make_menu(drafts: list[Draft]) -> None:
    for draft in drafts:
        draft.kind, draft.confidence = "menu_item", max(draft.confidence, 0.7)


def _put(draft: Draft, place: CellPlace, table: int, row: Draft) -> None:
    draft.parent = row
    draft.metadata.update({"table": table, "row": place.row, "column": place.column})
    if place.is_header:
        draft.metadata["header"] = True
    if place.column_title and not place.is_header:
        draft.metadata["column_title"] = place.column_title
    if draft.kind in ("label", "heading"):
        draft.kind, draft.confidence = "cell", max(draft.confidence, 0.8)


def _is_form(members: list[Draft], table: Table) -> bool:
    """Captions and fields line up too, but that is a form."""
    kinds = ("text_input", "password_input", "textarea", "checkbox", "radio")
    fields = sum(members[i].kind in kinds for i in table.cells)
    return fields >= len(table.rows)


def _draft(scene: Scene, line: Line) -> Draft:
    high = line.font_px >= 1.22 * scene.font_px and sum(c.isalpha() for c in line.text) >= 3
    lone = not any(char.isalnum() for char in line.text) or (len(line.text) == 1 and line.confidence < 0.6)
    draft = Draft("label", line.box, 0.72, clean_label(line.text), line.confidence, line.text)
    draft.paper, draft.ink, draft.shape = line.paper, line.ink, "text"
    drawn = len(line.text) == 1 and line.box.height > 2.4 * scene.unit
    if (lone or drawn) and line.box.width <= 2.2 * line.box.height:
        draft.kind, draft.confidence = "icon", 0.5
        draft.label = line.text if line.confidence >= 0.6 and not drawn else ""
    elif _is_underlined(scene, line) or _looks_like_link(line.ink, line.paper):
        draft.kind, draft.confidence = "link", 0.8
    elif high:
        draft.kind, draft.confidence = "heading", 0.75
    draft.confidence = draft.confidence * (0.6 + 0.4 * line.confidence)
    return draft


def _looks_like_link(ink: Colour, paper: Colour) -> bool:
    """Blue text: the colour that means "click me" nearly everywhere."""
    blue, green, red = ink
    coloured = chroma(ink) >= 45 and blue == max(ink) and blue - red >= 35 and blue - green >= 10
    return coloured and contrast(ink, paper) >= 2.5


def _is_underlined(scene: Scene, line: Line) -> bool:
    """A thin stroke in the text's colour runs under it from end to end, and no further."""
    margin = round(line.box.height * (1 - 1 / MARGIN) / 2)
    left, right = line.box.x1 + 3, line.box.x2 - 3
    top = line.box.y2 - margin - 5
    if right - left < 12 or line.box.y2 + 3 > scene.height or left < 6 or right + 6 > scene.width:
        return False
    strip = scene.image[top : line.box.y2 + 3, left - 6 : right + 6].astype("int16")
    off = abs(strip - line.paper).max(axis=2)
    drawn = off > 0.45 * max(abs(a - b) for a, b in zip(line.ink, line.paper, strict=True))
    inside, before, after = drawn[:, 7:-7], drawn[:, :3], drawn[:, -3:]
    full = inside.mean(axis=1) >= 0.86
    open_ends = ~before.all(axis=1) & ~after.all(axis=1)
    return bool((full & open_ends).any()) and int(full.sum()) <= max(3, round(0.2 * scene.unit))


def _panel(scene: Scene, box: Box) -> int:
    """The smallest large box around, so that a side bar's entries never become cells of the table beside it."""
    best, area = -1, scene.width * scene.height + 1
    for index, region in enumerate(scene.regions):
        large = region.box.width >= 9 * scene.unit and region.box.height >= 9 * scene.unit
        if large and region.box.area < area and region.box.encloses(box.padded(-2)):
            best, area = index, region.box.area
    return best


def _grown(scene: Scene, box: Box) -> Box:
    return box.padded(2, 2).clamped(scene.width, scene.height) or box
