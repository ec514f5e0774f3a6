"""By what it turned out to be before: a witness beside the others, heard only where it does not contradict the screen.

A memory speaks for one element at most. Where two would do, or where the element says something else than the label,
it says nothing.
"""

from __future__ import annotations

from rpa_vision.execution.strategies import text
from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts
from rpa_vision.models.geometry import Box
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import squeezed
from rpa_vision.ports.learning import FoundTarget, RememberedTarget

NAME = "remembered_target"
_SAME_PLACE = 0.5
"""Overlap (intersection over union) from which two boxes are the same place."""


def judge(search: Search) -> Verdicts | None:
    """The one element the memory means; None when it means none, or cannot tell which."""
    if not search.remembered:
        return None
    fitting = text.judge(search)
    known = [
        (element, memory)
        for element in search.elements
        if (fitting is None or element.element_id in fitting) and (memory := _memory_of(element, search)) is not None
    ]
    if len(known) != 1:
        return None
    element, memory = known[0]
    times = "once" if memory.successes == 1 else f"{memory.successes} times"
    return {element.element_id: Evidence(1.0, f"was the target before, {times}")}


def _memory_of(element: UIElement, search: Search) -> RememberedTarget | None:
    height, width = search.screen.pixels.shape[:2]
    return next((one for one in search.remembered if _is_same(element, one.found, int(width), int(height))), None)


def _is_same(element: UIElement, found: FoundTarget, width: int, height: int) -> bool:
    if element.stable_id is not None and element.stable_id == found.stable_id:
        return True
    if element.type != found.type or squeezed(element.label) != squeezed(found.label):
        return False
    x1, y1, x2, y2 = found.bbox_relative
    then = Box(round(x1 * width), round(y1 * height), round(x2 * width), round(y2 * height))
    return Box.of(element.bbox).overlap(then) >= _SAME_PLACE
