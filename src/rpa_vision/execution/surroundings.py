"""What stands around an element, and how much of it was there when it was recorded."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot

from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement

AROUND_LINES = 9.0
_NEAR_TEXTS = 4


def surroundings_known(element: UIElement, elements: Sequence[UIElement], known: frozenset[str]) -> float:
    """How much of what stands next to an element the recorded screen said too, from 0 to 1. An entry whose texts stand
    for themselves is not heard beside them."""
    here, own = Box.of(element.bbox), letters(element.label)
    line = max(12, min(30, here.height))
    entries = {one.element_id for one in elements if one.type == "list_item" and _holds_texts(one, elements)}
    texts = sorted(
        (apart, said in known)
        for other in elements
        if other.element_id != element.element_id
        and other.element_id not in entries
        and len(said := letters(other.label)) >= 2
        and ((apart := gap(here, Box.of(other.bbox))) > 0 or said != own)  # the box to tick of a line bears its name
    )
    near = [is_known for gap, is_known in texts[:_NEAR_TEXTS] if gap <= AROUND_LINES * line]
    near = near or [is_known for _, is_known in texts[:1]]  # it stands alone: whatever is next
    if not near or not near[0]:
        return 0.0
    return sum(near) / len(near)


def _holds_texts(entry: UIElement, elements: Sequence[UIElement]) -> bool:
    box = Box.of(entry.bbox)
    return any(one.type == "label" and one.label != entry.label and box.contains(one.center) for one in elements)


def gap(one: Box, other: Box) -> float:
    """How far apart two boxes lie; 0 where they touch."""
    across = max(0, other.x1 - one.x2, one.x1 - other.x2)
    down = max(0, other.y1 - one.y2, one.y1 - other.y2)
    return hypot(across, down)
