"""What a trained detector proposes, put together with what boxes and lines of text tell.

The net knows what a thing is by its look and its surroundings; the edges of a box in the picture are exact; a line of
text is where its ink is. So where both saw a thing, the box of the picture and the surer name are kept; what only the
net saw takes the edges of the box or the line it covers, where there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from rpa_vision.detection.mark_names import name_mark
from rpa_vision.detection.scene import Draft, Line, Scene
from rpa_vision.imaging.colour import paper_and_ink
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import FoundElement

SAME = 0.5
"""Boxes that share this much (intersection over union) are of one thing."""
SNUG = 0.6
"""A box of the picture that shares this much with a found one shows its true edges."""
SURE_DIALOG = 0.6
"""A dialog puts all the rest behind it: a doubtful one is left to the rules."""
_WORDED = frozenset({"button", "link", "tab", "menu_item", "list_item", "checkbox", "radio", "toggle"})
_FRAMED = frozenset({"button", "text_input", "textarea", "dropdown", "checkbox", "radio", "toggle", "dialog"})
_MARKS = frozenset({"checkbox", "radio", "toggle"})
_SETTLED = frozenset({"password_input", "dialog"})
"""What rules know better: by dots, by a darkened screen."""
_BY_RULES = frozenset({"table", "table_row", "cell"})
"""Told by alignment, not by look."""

Boxes = NDArray[np.int64]
Shares = NDArray[np.float64]


def add_found(scene: Scene, drafts: list[Draft], found: Sequence[FoundElement]) -> list[Draft]:
    """The drafts, better named, and what was found where no draft is; words inside a found element are its own."""
    merged = list(drafts)
    places, edges = _array(draft.box for draft in drafts), _array(region.box for region in scene.regions)
    marks = [each.box for each in found if each.kind in _MARKS]
    for each in sorted(found, key=lambda element: (-element.confidence, element.box, element.kind)):
        box = each.box.clamped(scene.width, scene.height)
        if box is None or each.kind in _BY_RULES:
            continue
        alike = _sameness(box, places)
        if len(alike) and alike.max() >= SAME:
            _settle(merged[int(alike.argmax())], each)
        elif not _is_doubtful(each, box, merged):
            draft = _draft(scene, each, box, edges, marks)
            merged.append(draft)
            places = np.concatenate([places, _array([draft.box])])
    return merged


def _array(boxes: Iterable[Box]) -> Boxes:
    return np.array([box.bbox for box in boxes], np.int64).reshape(-1, 4)


def _shares(box: Box, others: Boxes) -> Shares:
    """Intersection over union of one box with many."""
    low, high = np.maximum(others[:, :2], (box.x1, box.y1)), np.minimum(others[:, 2:], (box.x2, box.y2))
    common = np.clip(high - low, 0, None).prod(axis=1)
    areas = (others[:, 2:] - others[:, :2]).prod(axis=1)
    shares: Shares = common / np.maximum(areas + box.area - common, 1)
    return shares


def _sameness(box: Box, others: Boxes) -> Shares:
    """How surely boxes are of one thing: what they share, and more when each has the other's middle."""
    shares = _shares(box, others)
    x, y = box.center
    middles = (others[:, :2] + others[:, 2:]) // 2
    both = (others[:, 0] <= x) & (x < others[:, 2]) & (others[:, 1] <= y) & (y < others[:, 3])
    both &= (box.x1 <= middles[:, 0]) & (middles[:, 0] < box.x2) & (box.y1 <= middles[:, 1]) & (middles[:, 1] < box.y2)
    return np.where(both & (shares >= 0.35), shares + 0.15, shares)


def _settle(draft: Draft, found: FoundElement) -> None:
    """Two looked at one thing: the surer names it, and a state that one alone could tell is kept."""
    if draft.kind != found.kind and draft.kind not in _SETTLED and found.kind in _WORDED | _FRAMED:
        worded = bool(draft.text) and found.kind in ("text_input", "textarea")
        if found.confidence > draft.confidence or (draft.kind in _WORDED and not worded and found.confidence > 0.6):
            draft.kind = found.kind
            if found.kind not in _MARKS:
                draft.checked = None
    elif draft.kind == found.kind:
        draft.confidence = max(draft.confidence, min(0.99, draft.confidence + 0.3 * found.confidence))
    draft.checked = draft.checked if draft.checked is not None else found.checked
    draft.selected = draft.selected if draft.selected is not None else found.selected
    draft.enabled = draft.enabled if draft.enabled is not None else found.enabled


def _is_doubtful(found: FoundElement, box: Box, drafts: Sequence[Draft]) -> bool:
    if found.kind == "dialog":
        return found.confidence < SURE_DIALOG
    if found.kind == "icon":  # the picture on a button is part of it
        return any(draft.kind != "dialog" and draft.box.encloses(box) for draft in drafts)
    return False


def _draft(scene: Scene, found: FoundElement, box: Box, edges: Boxes, marks: Sequence[Box]) -> Draft:
    lines = [line for line in scene.lines if not line.used and box.contains(line.box.center)]
    box = _fitted(found.kind, box, lines, edges)
    draft = Draft(found.kind, box, found.confidence)
    draft.checked, draft.selected, draft.enabled = found.checked, found.selected, found.enabled
    draft.paper, draft.ink = paper_and_ink(scene.image[box.y1 : box.y2, box.x1 : box.x2])
    if lines and found.kind in _WORDED:
        draft.text = draft.label = " ".join(line.text for line in lines)
        draft.label_confidence = min(line.confidence for line in lines)
        for line in lines:
            line.used = True
    elif found.kind in _MARKS:
        name_mark(scene, draft, marks)
    return draft


def _fitted(kind: str, box: Box, lines: Sequence[Line], edges: Boxes) -> Box:
    """The true edges of what was found, where the picture shows them."""
    if kind in _FRAMED and len(edges):
        shares = _shares(box, edges)
        if shares.max() >= SNUG:
            x1, y1, x2, y2 = edges[int(shares.argmax())].tolist()
            return Box(x1, y1, x2, y2)
    if kind == "link" and len(lines) == 1 and lines[0].box.overlap(box) >= 0.3:
        return lines[0].box
    return box
