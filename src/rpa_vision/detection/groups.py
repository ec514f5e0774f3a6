"""Which elements belong together: dialogs, tables, forms, lists, tabs, menus, toolbars, choices; and which in which.

Groups are told from the elements alone, whoever found them. Distances are measured in the usual height of the text on
the screen, so that zoom does not matter. An element is in at most one group of a kind; a group's parent is the
smallest group around it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import ElementGroup, GroupKind
from rpa_vision.models.ui_element import FIELD_TYPES, UIElement

_INPUTS = FIELD_TYPES | {"checkbox", "radio", "toggle", "slider"}
_LISTED = frozenset({"list_item", "link", "label"})
_DEFAULT_LINE_PX = 18.0
MIN_LIST = 4
MIN_TOOLS = 3


def find_groups(elements: Sequence[UIElement]) -> tuple[ElementGroup, ...]:
    """The groups of a screen, the larger first."""
    line = text_height(elements)
    free = [element for element in elements if "row" not in element.metadata and element.type != "table_row"]
    found = [*_dialogs(elements), *_tables(elements)]
    found += [_group("tabs", run) for run in _level(_of(free, {"tab"}), 10 * line) if len(run) >= 2]
    found += _menus(free, line)
    found += [_group("choice", run) for run in _stacked(_of(free, {"radio"}), 3 * line, line) if len(run) >= 2]
    found += _forms(free, line)
    used = {member for group in found if group.kind in ("form", "menu", "tabs") for member in group.member_ids}
    loose = [element for element in free if element.element_id not in used]
    found += _lists(loose, line)
    tools = _level(_of(loose, {"button", "icon", "toggle", "dropdown"}), 5 * line)
    found += [_group("toolbar", run) for run in tools if len(run) >= MIN_TOOLS]
    return _nested(found)


def text_height(elements: Iterable[UIElement]) -> float:
    """The usual height of a line of text; what distances are measured in."""
    heights = [e.bbox[3] - e.bbox[1] for e in elements if e.type in ("label", "cell", "link", "menu_item")]
    return float(np.median(heights)) if heights else _DEFAULT_LINE_PX


def _dialogs(elements: Sequence[UIElement]) -> list[ElementGroup]:
    found = []
    for dialog in elements:
        if dialog.type == "dialog":
            box = Box.of(dialog.bbox)
            members = [e for e in elements if e is not dialog and box.contains(e.center)]
            found.append(_group("dialog", members, box=box, label=dialog.label, of=dialog.element_id))
    return found


def _tables(elements: Sequence[UIElement]) -> list[ElementGroup]:
    found = []
    for table in elements:
        if table.type != "table":
            continue
        number = table.metadata.get("table")
        members = [e for e in elements if e is not table and "row" in e.metadata and e.metadata.get("table") == number]
        heads = sorted((e for e in members if e.metadata.get("header") and e.type != "table_row"), key=_across)
        columns = {e.metadata.get("column") for e in members if "column" in e.metadata}
        group = _group("table", members, box=Box.of(table.bbox), of=table.element_id)
        shape = {"rows": table.metadata.get("rows", 0), "columns": len(columns), "headers": [e.label for e in heads]}
        found.append(group.model_copy(update={"metadata": {**group.metadata, **shape}}))
    return found


def _menus(elements: Sequence[UIElement], line: float) -> list[ElementGroup]:
    entries = _of(elements, {"menu_item"})
    upright = [run for run in _stacked(entries, 4 * line, 2 * line) if len(run) >= MIN_TOOLS]
    in_columns = {entry.element_id for run in upright for entry in run}
    level = _level([entry for entry in entries if entry.element_id not in in_columns], 12 * line)
    return [_group("menu", run) for run in (*upright, *level) if len(run) >= 2]


def _forms(elements: Sequence[UIElement], line: float) -> list[ElementGroup]:
    """Inputs near each other, with the words that name them and the buttons under or beside them."""
    inputs = [e for e in _of(elements, _INPUTS) if not e.metadata.get("pane")]
    captions = {str(e.metadata["caption_id"]): e for e in inputs if "caption_id" in e.metadata}
    named = {e.element_id: e for e in elements if e.element_id in captions}

    def reach(one: UIElement) -> Box:
        caption = named.get(str(one.metadata.get("caption_id")))
        box = Box.of(one.bbox)
        return box.union(Box.of(caption.bbox)) if caption is not None else box

    found = []
    for cluster in _clusters(inputs, reach, 3.2 * line, 2.6 * line):
        members = list(cluster)
        members += [named[str(e.metadata["caption_id"])] for e in cluster if e.metadata.get("caption_id") in named]
        around = _around([reach(e) for e in cluster])
        near = around.padded(round(4 * line), round(2.6 * line))
        members += [e for e in _of(elements, {"button"}) if near.contains(e.center)]
        if len(members) < 2:
            continue  # a lone field that nothing names and nothing sends is no form
        fields = [e for e in sorted(cluster, key=_reading) if e.label]
        group = _group("form", members)
        found.append(group.model_copy(update={"metadata": {"fields": [e.label for e in fields]}}))
    return found


def _lists(elements: Sequence[UIElement], line: float) -> list[ElementGroup]:
    """Entries of one kind under each other at one pitch, flush left."""
    found = []
    for kind in sorted(_LISTED):
        least = MIN_LIST if kind != "list_item" else 2
        for run in _stacked(_of(elements, {kind}), 4 * line, 0.3 * line):
            steps = np.diff([e.center[1] for e in run])
            even = len(run) >= 2 and float(np.ptp(steps)) <= 0.35 * float(np.median(steps))
            apart = len(run) >= 2 and float(np.median(steps)) >= 1.3 * line
            if len(run) >= least and even and (apart or kind == "list_item"):
                found.append(_group("list", run))
    return found


def _nested(groups: list[ElementGroup]) -> tuple[ElementGroup, ...]:
    ordered = sorted(groups, key=lambda g: (-Box.of(g.bbox).area, g.bbox, g.kind))
    taken: dict[str, int] = {}
    named = []
    for group in ordered:
        base = f"{group.kind}_{group.bbox[0]}_{group.bbox[1]}"
        taken[base] = taken.get(base, 0) + 1
        again = f"_{taken[base]}" if taken[base] > 1 else ""
        named.append(group.model_copy(update={"group_id": f"{base}{again}"}))
    placed = []
    for index, group in enumerate(named):
        box = Box.of(group.bbox)
        around = [g for g in named[:index] if Box.of(g.bbox).padded(2).encloses(box)]
        placed.append(group.model_copy(update={"parent_id": around[-1].group_id}) if around else group)
    return tuple(placed)


def _group(
    kind: GroupKind, members: Sequence[UIElement], *, box: Box | None = None, label: str = "", of: str | None = None
) -> ElementGroup:
    around = box or _around([Box.of(member.bbox) for member in members])
    ordered = sorted({member.element_id: member for member in members}.values(), key=_reading)
    return ElementGroup(
        group_id=kind,
        kind=kind,
        bbox=around.bbox,
        label=label,
        member_ids=tuple(member.element_id for member in ordered),
        metadata={"element_id": of} if of is not None else {},
    )


def _around(boxes: Sequence[Box]) -> Box:
    whole = boxes[0]
    for box in boxes[1:]:
        whole = whole.union(box)
    return whole


def _of(elements: Iterable[UIElement], kinds: Iterable[str]) -> list[UIElement]:
    wanted = frozenset(kinds)
    return [element for element in elements if element.type in wanted]


def _level(elements: list[UIElement], widest: float) -> list[list[UIElement]]:
    """Runs of elements at one height, with no gap wider than that."""
    rows: list[list[UIElement]] = []
    for element in sorted(elements, key=lambda e: (e.center[1], e.center[0], e.element_id)):
        height = element.bbox[3] - element.bbox[1]
        if rows and abs(element.center[1] - rows[-1][0].center[1]) <= 0.5 * height:
            rows[-1].append(element)
        else:
            rows.append([element])
    return [run for row in rows for run in _runs(sorted(row, key=_across), widest, 0)]


def _stacked(elements: list[UIElement], highest: float, ragged: float) -> list[list[UIElement]]:
    """Runs of elements flush left under each other, with no gap higher than that."""
    columns: list[list[UIElement]] = []
    for element in sorted(elements, key=lambda e: (e.bbox[0], e.bbox[1], e.element_id)):
        if columns and element.bbox[0] - columns[-1][0].bbox[0] <= ragged:
            columns[-1].append(element)
        else:
            columns.append([element])
    return [run for column in columns for run in _runs(sorted(column, key=_reading), highest, 1)]


def _runs(ordered: list[UIElement], widest: float, axis: int) -> list[list[UIElement]]:
    runs: list[list[UIElement]] = []
    for element in ordered:
        if runs and element.bbox[axis] - runs[-1][-1].bbox[axis + 2] <= widest:
            runs[-1].append(element)
        else:
            runs.append([element])
    return runs


def _clusters(
    elements: list[UIElement], reach: Callable[[UIElement], Box], across: float, down: float
) -> list[list[UIElement]]:
    """Elements of which each is near another."""
    boxes = [reach(element).padded(round(across / 2), round(down / 2)) for element in elements]
    left = list(range(len(elements)))
    found = []
    while left:
        cluster, new = [], [left.pop(0)]
        while new:
            one = new.pop()
            cluster.append(one)
            near = [other for other in left if boxes[one].intersection(boxes[other]) is not None]
            left = [other for other in left if other not in near]
            new += near
        found.append([elements[index] for index in sorted(cluster)])
    return found


def _across(element: UIElement) -> tuple[int, int, str]:
    return (element.bbox[0], element.bbox[1], element.element_id)


def _reading(element: UIElement) -> tuple[int, int, str]:
    return (element.bbox[1], element.bbox[0], element.element_id)
