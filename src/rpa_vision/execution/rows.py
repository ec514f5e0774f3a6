"""Rows of lists and tables: told apart by what they say, never by where they are."""

from __future__ import annotations

from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.graph.slots import row_of
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import squeezed

_SAME_COLUMN_PX = 8


def row_fits(element: UIElement, search: Search) -> bool:
    """In a list, the row must say what was asked for; nothing else makes it the right row."""
    if not search.rows:
        return True
    said = {squeezed(other.label) for other in row_of(element, search.elements)}
    return all(squeezed(row) in said for row in search.rows)


def same_in_another_row(one: UIElement, other: UIElement) -> bool:
    """Rows of a list are told apart by what they say, never by where they are."""
    if one.element_id == other.element_id or one.type != other.type or squeezed(one.label) != squeezed(other.label):
        return False
    here, there = Box.of(one.bbox), Box.of(other.bbox)
    in_line = abs(here.x1 - there.x1) <= _SAME_COLUMN_PX or abs(here.center[0] - there.center[0]) <= _SAME_COLUMN_PX
    return in_line and (here.y2 <= there.y1 or there.y2 <= here.y1)


def row_is_the_recorded(element: UIElement, search: Search) -> bool:
    """Whether what stands beside it is what stood beside it; entries of a menu or a strip of tabs have no row."""
    sky, place = search.sky, search.target.place
    if sky is None or place is None or not sky.is_sure:
        return False
    if search.target.type in ("menu_item", "tab"):
        return True
    recorded = Box.of(place.bbox)
    own = letters(search.label or "")
    beside = [
        (abs(one.bbox[0] - recorded.x1), said)
        for one in search.target.landmarks
        if (said := letters(one.label)) and said != own and _on_one_line(Box.of(one.bbox), recorded)
    ]
    if not beside:
        return False
    now = {letters(other.label) for other in row_of(element, search.elements)}
    kept = sum(said in now for _, said in beside)
    return min(beside)[1] in now and 2 * kept >= len(beside)


def _on_one_line(one: Box, other: Box) -> bool:
    return min(one.y2, other.y2) - max(one.y1, other.y1) > 0.5 * min(one.height, other.height)
