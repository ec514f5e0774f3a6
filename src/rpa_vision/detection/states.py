"""The states one can see: selected among its like, focused among the fields, switched off.

A state is a difference: the one entry of a menu on another ground, the one field with a coloured frame, text too pale
to be meant. Where there is nothing to compare with, nothing is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median

import numpy as np

from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.imaging.colour import Colour, chroma, contrast, distance
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import FIELD_TYPES

OTHER_GROUND = 14
"""Levels between the ground of a selected entry and that of the others."""
ACCENT = 60
PALE = 2.0
"""Contrast below which what stands in a field was not meant to be edited."""
_ICON_PX = 6


def tell_states(scene: Scene, drafts: Sequence[Draft]) -> None:
    """Say of every draft what can be seen of its state."""
    _tell_focus([draft for draft in drafts if draft.kind in FIELD_TYPES and draft.border is not None])
    for draft in drafts:
        if draft.kind in FIELD_TYPES and draft.text and draft.enabled is None:
            draft.enabled = contrast(draft.paper, draft.ink) >= PALE or None
            if contrast(draft.paper, draft.ink) < PALE and draft.metadata.get("label_from") in ("left", "above"):
                draft.enabled = False
        elif draft.kind in ("button", "menu_item", "tab"):
            draft.has_icon = _shows_icon(scene, draft)
    for kind in ("menu_item", "tab", "list_item"):
        for row in _alike([draft for draft in drafts if draft.kind == kind], scene.unit):
            _tell_selected(row)
    _tell_selected_rows(drafts)


def _tell_focus(fields: list[Draft]) -> None:
    """The one field with a frame in an accent colour, where the others' is grey."""
    framed = [(chroma(field.border), field) for field in fields if field.border is not None]
    lit = [field for colour, field in framed if colour >= ACCENT]
    quiet = [field for colour, field in framed if colour < ACCENT // 2]
    if len(lit) == 1 and quiet:
        for field in fields:
            field.focused = field is lit[0]


def _tell_selected(entries: list[Draft]) -> None:
    """One entry, or a few, on another ground than most."""
    if len(entries) < 3 or any(entry.selected is not None for entry in entries):
        return
    usual = _usual([entry.paper for entry in entries])
    others = [distance(entry.paper, usual) > OTHER_GROUND for entry in entries]
    if 0 < sum(others) <= len(entries) // 3:
        for entry, other in zip(entries, others, strict=True):
            entry.selected = other


def _tell_selected_rows(drafts: Sequence[Draft]) -> None:
    """Rows of a table on a tinted ground where the rest is not: stripes are many and grey, a selection is neither."""
    cells: dict[int, list[Colour]] = {}
    for draft in drafts:
        if draft.parent is not None and draft.parent.kind == "table_row" and draft.shape == "text":
            cells.setdefault(id(draft.parent), []).append(draft.paper)
    tables: dict[int, list[tuple[Draft, Colour]]] = {}
    for row in drafts:
        if row.kind == "table_row" and not row.metadata.get("header") and id(row) in cells:
            row.paper = _usual(cells[id(row)])
            tables.setdefault(id(row.parent), []).append((row, row.paper))
    for rows in tables.values():
        if len(rows) < 3:
            continue
        grounds = Counter(_coarse(paper) for _, paper in rows)
        common = [colour for colour, count in grounds.items() if count >= 0.25 * len(rows)]
        tint = max((_tint(colour) for colour in common), default=0)
        chosen = [_coarse(paper) not in common and chroma(paper) >= tint + OTHER_GROUND for _, paper in rows]
        if 0 < sum(chosen) <= max(1, len(rows) // 4):
            for (row, _), is_chosen in zip(rows, chosen, strict=True):
                row.selected = is_chosen


def _shows_icon(scene: Scene, draft: Draft) -> bool:
    """Something is drawn beside its words: a symbol as high as a letter."""
    words = next((line.box for line in scene.lines if draft.box.contains(line.box.center) and line.text), None)
    if words is None or draft.kind != "button":
        return False
    inner = draft.box.padded(-4)
    for end in (Box(inner.x1, inner.y1, words.x1 - 1, inner.y2), Box(words.x2 + 1, inner.y1, inner.x2, inner.y2)):
        if end.width < _ICON_PX or end.height < _ICON_PX:
            continue
        part = scene.image[end.y1 : end.y2, end.x1 : end.x2].astype(np.int16)
        drawn = np.abs(part - np.array(draft.paper, np.int16)).sum(axis=2) > 120
        rows, columns = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
        if rows.size >= _ICON_PX and columns.size >= _ICON_PX:
            return True
    return False


def _alike(entries: list[Draft], unit: float) -> list[list[Draft]]:
    """Entries that stand in one row or one column."""
    rows: dict[tuple[str, int], list[Draft]] = {}
    for entry in entries:
        rows.setdefault(("row", round(entry.box.center[1] / unit)), []).append(entry)
    columns: dict[tuple[str, int], list[Draft]] = {}
    for entry in entries:
        if len(rows[("row", round(entry.box.center[1] / unit))]) == 1:
            columns.setdefault(("column", round(entry.box.x1 / (4 * unit))), []).append(entry)
    return [each for each in (*rows.values(), *columns.values()) if len(each) >= 3]


def _usual(colours: list[Colour]) -> Colour:
    blue, green, red = (int(median(levels)) for levels in zip(*colours, strict=True))
    return (blue, green, red)


def _coarse(colour: Colour) -> Colour:
    blue, green, red = (value // 8 for value in colour)
    return (blue, green, red)


def _tint(coarse: Colour) -> int:
    return 8 * (max(coarse) - min(coarse))
