"""Text outside of controls: headings, links, menu entries, cells, labels. Every line is something one may point at."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import numpy as np

from rpa_vision.detection.box_arrays import array_of, enclosed
from rpa_vision.detection.cell_cuts import Read, cut_bridges
from rpa_vision.detection.controls import STRONG
from rpa_vision.detection.scene import MARGIN, Draft, Line, Scene
from rpa_vision.detection.tables import CellPlace, Table, TextBox, find_tables
from rpa_vision.detection.words import clean_label, count_alnum, count_letters, fold, has_digit
from rpa_vision.imaging.colour import Colour, chroma, contrast, off_from
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

_TITLES_TAKEN_FOR = ("tab", "button", "link", "list_item")
_OWN_BOX = 0.6
_BLACK = 48
_A_LITTLE_SMALLER = np.array([2, 2, -2, -2])


def find_texts(scene: Scene) -> list[Draft]:
    """One draft for each line that no control has used."""
    return [draft for line, draft in zip(scene.lines, draft_texts(scene), strict=True) if not line.used]


def draft_texts(scene: Scene) -> list[Draft]:
    """One draft for each line, before it is known which of them controls will use."""

    def drafts() -> list[Draft]:
        ruled = _underlined(scene)
        return [_draft(scene, line, is_underlined=index in ruled) for index, line in enumerate(scene.lines)]

    return scene.noted("texts", drafts)


def place_in_tables(scene: Scene, drafts: list[Draft], read: Read | None = None) -> list[Draft]:
    """Give every text and control that stands in a table its row and column; returns the tables and their rows. With
    somebody to `read` them, cells that were taken for one line take its place among the drafts."""
    members, tables = _tables(scene, drafts)
    if read is not None:
        bridges = [cut_bridges(scene, members, table, read) for table in tables]
        cut = {id(members[at]): parts for found in bridges for at, parts in found.items()}
        if cut:
            drafts[:] = [part for draft in drafts for part in cut.get(id(draft), [draft])]
            members, tables = _tables(scene, drafts)
    made: list[Draft] = []
    for number, table in enumerate(tables):
        if _is_form(members, table):
            continue
        whole = Draft("table", _grown(scene, table.box), 0.75)
        whole.metadata.update({"table": number, "rows": len(table.rows), "has_header": table.has_header})
        rows = [Draft("table_row", _grown(scene, row), 0.7, parent=whole) for row in table.rows]
        for index, row in enumerate(rows):
            row.metadata.update({"table": number, "row": index, "header": table.has_header and index == 0})
        _name_strays(scene, members, table)
        for index, place in table.cells.items():
            _put(members[index], place, number, rows[place.row])
        for index, bridge in table.bridges.items():
            members[index].parent = rows[bridge.row]
            ends = {"first_column": bridge.columns[0], "last_column": bridge.columns[-1]}
            members[index].metadata.update({"table": number, "row": bridge.row, **ends})
        made += [whole, *rows]
    return made


def _tables(scene: Scene, drafts: list[Draft]) -> tuple[list[Draft], list[Table]]:
    """What may stand in a table, and the tables of it."""
    members = [draft for draft in drafts if draft.kind not in ("menu_item", "dialog") and "notice" not in draft.tags]
    members = [draft for draft in members if draft.kind != "list_item" or not _holds_several(draft, members)]
    panels = _panels(scene)
    places = _panels_of(members, panels)
    for index in _aside(scene, members):
        places[index] -= len(panels) + 2
    texts = [
        TextBox(draft.box, draft.text or draft.label, place, draft.kind == "button")
        for draft, place in zip(members, places, strict=True)
    ]
    return members, find_tables(texts)


def _holds_several(draft: Draft, members: list[Draft]) -> bool:
    """An entry whose texts stand for themselves: as one box over several columns it would make one column of them."""
    inside = [other for other in members if other is not draft and draft.box.contains(other.box.center)]
    return len(inside) > 1


def name_menus(scene: Scene, drafts: list[Draft]) -> None:
    """Rows of short words in a bar near the top, and columns of them in a narrow panel at the left, are menus."""
    loose = [draft for draft in drafts if "table" not in draft.metadata and len(draft.text) <= 32]
    texts = [draft for draft in loose if draft.kind in ("label", "link", "heading") and _is_worded(draft)]
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


def _is_worded(draft: Draft) -> bool:
    """More than a sign, a badge's number or a disc read as a letter."""
    return count_letters(draft.text) >= 2


def name_tabs(scene: Scene, drafts: list[Draft]) -> None:
    """A row of short words of which just one has a bar of colour under it: tabs, and that one is in front."""
    texts = [d for d in drafts if d.kind in ("label", "link", "heading", "menu_item") and "row" not in d.metadata]
    short = [d for d in texts if len(d.text.split()) <= 4 and len(d.text) <= 32 and _is_worded(d)]
    barred = [d for d in short if _has_bar(scene, d)]
    for front in barred:
        level = (d for d in short if abs(d.box.center[1] - front.box.center[1]) <= 0.4 * scene.unit)
        row = _run(sorted(level, key=lambda d: d.box.x1), front, 8 * scene.unit)
        if len(row) >= 2 and not any(other in row for other in barred if other is not front):
            for draft in row:
                draft.kind, draft.confidence, draft.selected = "tab", max(draft.confidence, 0.7), draft is front


def _run(row: list[Draft], member: Draft, widest: float) -> list[Draft]:
    """The neighbours of one in a row, as far as no gap is wider."""
    runs: list[list[Draft]] = []
    for draft in row:
        if runs and draft.box.x1 - runs[-1][-1].box.x2 <= widest:
            runs[-1].append(draft)
        else:
            runs.append([draft])
    return next(run for run in runs if member in run)


def _has_bar(scene: Scene, draft: Draft) -> bool:
    """Under it, a little apart, runs a bar of two to five pixels in a strong colour, as wide as the words or wider."""
    box = draft.box
    strip = Box(box.x1, box.y2 - 2, box.x2, round(box.y2 + 1.4 * scene.unit)).clamped(scene.width, scene.height)
    if strip is None or strip.height < 4 or strip.width < 2 * scene.unit:
        return False
    return scene.work.of_place("bar", scene.image, strip, draft.paper, partial(_shows_bar, draft.paper))


def _shows_bar(paper: Colour, crop: Pixels) -> bool:
    low, high = crop.min(axis=1).astype(np.int16), crop.max(axis=1).astype(np.int16)
    even = (high - low).max(axis=1) <= 6
    colour = high
    strong = (colour.max(axis=1) - colour.min(axis=1) >= 60) & (np.abs(colour - np.array(paper)).max(axis=1) >= 60)
    rows = np.flatnonzero(even & strong)
    return 2 <= rows.size <= 5 and int(rows[-1] - rows[0]) == rows.size - 1


def _make_menu(drafts: list[Draft]) -> None:
    for draft in drafts:
        draft.kind, draft.confidence = "menu_item", max(draft.confidence, 0.7)


def _name_strays(scene: Scene, members: list[Draft], table: Table) -> None:
    """Tabs come in rows of tabs: one among the words of a table is one of them, and so is a button or a link without a
    box of its own among the titles of columns. And where links look like links, other coloured words are none: a state
    of something, in green or red."""
    links = [draft for index in table.cells if (draft := members[index]).kind == "link" and draft.shape == "text"]
    plain = [draft for draft in links if not _looks_like_link(draft.ink, draft.paper)]
    if len(plain) < len(links):
        for draft in plain:
            draft.kind = "label"
    rows: dict[int, list[Draft]] = {}
    for index, place in table.cells.items():
        rows.setdefault(place.row, []).append(members[index])
    for number, row in rows.items():
        kinds = _TITLES_TAKEN_FOR if table.has_header and number == 0 else ("tab",)
        strays = [draft for draft in row if draft.kind in kinds and not _is_boxed(scene, draft)]
        if 2 * len(strays) < len(row):
            for draft in strays:
                draft.kind, draft.selected = "label", None


def _is_boxed(scene: Scene, draft: Draft) -> bool:
    """A box of the picture lies around it alone."""
    return any(region.box.overlap(draft.box) >= _OWN_BOX for region in scene.regions)


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


def _draft(scene: Scene, line: Line, *, is_underlined: bool) -> Draft:
    lone = not count_alnum(line.text) or (len(line.text) == 1 and line.confidence < 0.6)
    draft = Draft("label", line.box, 0.72, clean_label(line.text), line.confidence, line.text)
    draft.paper, draft.ink, draft.shape = line.paper, line.ink, "text"
    drawn = len(line.text) == 1 and line.box.height > 2.4 * scene.unit
    if (lone or drawn) and line.box.width <= 2.2 * line.box.height:
        draft.kind, draft.confidence = "icon", 0.5
        draft.label = line.text if line.confidence >= 0.6 and not drawn else ""
    elif is_underlined or _looks_like_link(line.ink, line.paper):
        draft.kind, draft.confidence = "link", 0.8
    elif is_large(scene, line):
        draft.kind, draft.confidence = "heading", 0.75
    draft.confidence = draft.confidence * (0.6 + 0.4 * line.confidence)
    return draft


def is_large(scene: Scene, line: Line) -> bool:
    """Letters of the size of a heading."""
    return line.font_px >= 1.22 * scene.font_px and count_letters(line.text) >= 3


def _looks_like_link(ink: Colour, paper: Colour) -> bool:
    """Blue text: the colour that means "click me" nearly everywhere; on black, where blue cannot be read, cyan."""
    blue, green, red = ink
    cyan = max(paper) <= _BLACK and green - red >= 2 * STRONG
    coloured = chroma(ink) >= 45 and blue == max(ink) and blue - red >= 35 and (blue - green >= 10 or cyan)
    return coloured and contrast(ink, paper) >= 2.5


def _underlined(scene: Scene) -> set[int]:
    """The lines under which a thin stroke in the text's colour runs from end to end, and no further."""
    strips = [(index, strip) for index, line in enumerate(scene.lines) if (strip := _under(scene, line)) is not None]
    thick = max(3, round(0.2 * scene.unit))
    about = [(scene.lines[index].paper, scene.lines[index].ink, thick) for index, _ in strips]
    ruled = scene.work.of_places("underlined", scene.image, [strip for _, strip in strips], about, _is_ruled)
    return {index for (index, _), is_ruled in zip(strips, ruled, strict=True) if is_ruled}


def _under(scene: Scene, line: Line) -> Box | None:
    """The place where a line's stroke would be, with a little beside it."""
    box = line.box
    left, right = box.x1 + 3, box.x2 - 3
    if right - left < 12 or box.y2 + 3 > scene.height or left < 6 or right + 6 > scene.width:
        return None
    return Box(left - 6, box.y2 - round(box.height * (1 - 1 / MARGIN) / 2) - 5, right + 6, box.y2 + 3)


def _is_ruled(about: tuple[Colour, Colour, int], strip: Pixels) -> bool:
    paper, ink, thick = about
    off = off_from(strip, paper)
    least = 0.45 * max(abs(a - b) for a, b in zip(ink, paper, strict=True))
    drawn = np.maximum(np.maximum(off[:, :, 0], off[:, :, 1]), off[:, :, 2]) > least
    inside, before, after = drawn[:, 7:-7], drawn[:, :3], drawn[:, -3:]
    full = inside.mean(axis=1) >= 0.86
    if not full.any():
        return False
    open_ends = ~before.all(axis=1) & ~after.all(axis=1)
    return bool((full & open_ends).any()) and int(full.sum()) <= thick


def _aside(scene: Scene, members: list[Draft]) -> list[int]:
    """Texts of a bar at the left that nothing frames: flush left, one a row, not level with what is beside them."""
    order = sorted(range(len(members)), key=lambda i: members[i].box.x1)
    end = 0
    for position, index in enumerate(order):
        box = members[index].box
        if position and box.x1 - end >= 2 * scene.unit:
            break
        end = max(end, box.x2)
    else:
        return []
    bar, rest = order[:position], order[position:]
    starts = [members[i].box.x1 for i in bar]
    if len(bar) < 4 or end > 0.3 * scene.width or max(starts) - min(starts) > 2.5 * scene.unit:
        return []
    heights = np.array([members[i].box.center[1] for i in rest])
    level = sum(bool((np.abs(heights - members[i].box.center[1]) <= 3).any()) for i in bar)
    return bar if level <= 0.6 * len(bar) else []


def _panels(scene: Scene) -> list[Box]:
    """Boxes with room for several lines, the smallest first."""
    wide, high = 9 * scene.unit, 4.5 * scene.unit
    large = [region.box for region in scene.regions if region.box.width >= wide and region.box.height >= high]
    return sorted(large, key=lambda box: (box.area, box))


def _panels_of(members: list[Draft], panels: list[Box]) -> list[int]:
    """Of each the smallest large box around, so that a side bar's entries never become cells of the table beside it."""
    around = enclosed(array_of(draft.box for draft in members) + _A_LITTLE_SMALLER, array_of(panels))
    first = np.concatenate([around, np.ones((len(members), 1), np.bool_)], axis=1).argmax(axis=1)
    return [index if index < len(panels) else -1 for index in first.tolist()]


def _grown(scene: Scene, box: Box) -> Box:
    return box.padded(2, 2).clamped(scene.width, scene.height) or box
