"""Rows of lists and tables: told apart by what they say, never by where they are."""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.execution.strategies import constellation
from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.graph.slots import row_of
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import squeezed

_SAME_COLUMN_PX = 8
_AT_PLACE = 0.5
_MIN_LETTERS = 2


def row_fits(element: UIElement, search: Search) -> bool:
    """In a list, the row must say what was asked for; nothing else makes it the right row."""
    return unsaid(element, search.rows, search.elements) is None


def unsaid(element: UIElement, wanted: Sequence[str], elements: Sequence[UIElement]) -> str | None:
    """The first text that the row of an element does not say; None where it says all. No row says an empty text: the
    value is not known, and so neither is the row."""
    if not wanted:
        return None
    said = {squeezed(other.label) for other in row_of(element, elements)} - {""}
    return next((row for row in wanted if squeezed(row) not in said), None)


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
    if (not beside or "row" not in element.metadata) and _between_the_same(element, search):
        return True
    if not beside:
        return False
    now = {letters(other.label) for other in row_of(element, search.elements)}
    kept = sum(said in now for _, said in beside)
    return min(beside)[1] in now and 2 * kept >= len(beside)


def _between_the_same(element: UIElement, search: Search) -> bool:
    """An entry that stands alone in its line, where the landmarks say, between those that stood above and below it."""
    sky, place = search.sky, search.target.place
    assert sky is not None
    assert place is not None
    here, recorded = Box.of(element.bbox), Box.of(place.bbox)
    if constellation.nearness(here, sky.expected, constellation.reach_of(search)) < _AT_PLACE:
        return False
    then = [(Box.of(one.bbox), letters(one.label)) for one in search.target.landmarks]
    now = [(Box.of(one.bbox), letters(one.label)) for one in search.elements if one.element_id != element.element_id]
    above, below = _next_to(recorded, then)
    alone = {None, letters(search.label or "")}.isdisjoint((above, below))
    return alone and (above, below) == _next_to(here, now)


def _next_to(here: Box, others: Sequence[tuple[Box, str]]) -> tuple[str | None, str | None]:
    """What is said by the nearest thing above and below in the same column."""
    column = [
        (box, said) for box, said in others if len(said) >= _MIN_LETTERS and min(box.x2, here.x2) > max(box.x1, here.x1)
    ]
    above = max(((box.y2, said) for box, said in column if box.center[1] < here.y1), default=(0, None))
    below = min(((box.y1, said) for box, said in column if box.center[1] >= here.y2), default=(0, None))
    return above[1], below[1]


def _on_one_line(one: Box, other: Box) -> bool:
    return min(one.y2, other.y2) - max(one.y1, other.y1) > 0.5 * min(one.height, other.height)
