"""A tie between things of one name, where the workflow says that the first or the last of them is meant.

That decides only where a demonstration showed it: others of the name stood on the recorded screen, the target was the
first (or the last) of them, read line by line, there are as many today, and what is read between them is as it was. It
decides between things that lead about or are written into, never where harm can come of it, and never in a row: rows
are told apart by what they say. Where the text next to the end of them is gone, one of them may have been scrolled away
with it, and nothing is decided.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.detection.roles import role_of
from rpa_vision.execution.grave_words import is_grave
from rpa_vision.execution.harm import ORDINARY_HARM, harm_of, said_harm
from rpa_vision.execution.strategies.constellation import landmark_matches, says_so
from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.execution.strategies.som_vlm import Settled
from rpa_vision.graph.slots import row_of
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import FIELD_TYPES, UIElement

NAME = "selection_policy"
_LEADING = ("navigation", "search")
"""What words may say that settle nothing worse than where one looks."""


def settle(tied: Sequence[UIElement], search: Search) -> Settled | None:
    """Which of them is meant; None where nothing says so. All of the name are counted, tied or not."""
    target, own = search.target, letters(search.label or "")
    if target.selection_policy == "by_similarity" or not own or _has_consequences(target, search.label or ""):
        return None
    alike = [one for one in search.elements if says_so(one, own, target)]
    numbers = {one.element_id: number for number, one in enumerate(tied)}
    if not numbers.keys() <= {one.element_id for one in alike} or any(harm_of(one) >= ORDINARY_HARM for one in alike):
        return None
    then, now = _recorded(target, own), [Box.of(one.bbox) for one in alike]
    if len(then) != len(now) or _in_rows(alike, then, search):
        return None
    is_first = target.selection_policy == "first"
    end = 0 if is_first else -1
    if _line_by_line(then)[end] != 0 or not _surrounded_as_shown(then, now, search, is_first=is_first):
        return None
    index = numbers.get(alike[_line_by_line(now)[end]].element_id)
    if index is None:
        return None
    n = len(alike)
    said = f"the first of {n} of its name, as it was shown"
    if not is_first:
        said = f"the last of {n} of its name, as it was shown"
    return Settled(index, said, NAME)


def _has_consequences(target: TargetSpec, label: str) -> bool:
    """Whether acting on it may do more than lead about or fill a field: no list of words that do harm is complete, so
    its words must be known to lead about."""
    if said_harm(target.type or "button", target.role or "", label) >= ORDINARY_HARM or is_grave(label):
        return True
    return target.type not in FIELD_TYPES and role_of("button", label) not in _LEADING


def _recorded(target: TargetSpec, own: str) -> list[Box]:
    """The target, and after it all others of its name, as they stood when it was recorded."""
    place, twins = target.place, [Box.of(one.bbox) for one in target.landmarks if says_so(one, own, target)]
    return [Box.of(place.bbox), *twins] if place is not None and twins else []


def _in_rows(alike: Sequence[UIElement], then: Sequence[Box], search: Search) -> bool:
    """Whether any of them stands in a row, then or now: in a table, or beside something else that says something."""
    own = letters(search.label or "")
    said = {letters(other.label) for one in alike for other in row_of(one, search.elements)}
    said |= {
        letters(one.label)
        for one in search.target.landmarks
        if any(min(box.y2, one.bbox[3]) > max(box.y1, one.bbox[1]) for box in then)
    }
    return bool(said - {"", own}) or any("row" in one.metadata for one in alike)


def _surrounded_as_shown(then: Sequence[Box], now: Sequence[Box], search: Search, *, is_first: bool) -> bool:
    """Whether every text that is said once, then and today, is read between the same of them, and the one next to the
    end that is meant, before the first or after the last, is among these."""
    matches = landmark_matches(search.target.landmarks, search.elements)
    if any(_before(one.then, then) != _before(one.now, now) for one in matches):
        return False
    own, outside = letters(search.label or ""), 0 if is_first else len(then)
    said = [Box.of(one.bbox) for one in search.target.landmarks if letters(one.label) not in ("", own)]
    beyond = sorted((box for box in said if _before(box, then) == outside), key=lambda box: box.center[1])
    return bool(beyond) and any(one.then == beyond[-1 if is_first else 0] for one in matches)


def _before(text: Box, boxes: Sequence[Box]) -> int:
    """How many of the boxes are read before a text that is on no line of theirs."""
    return sum(box.center[1] < text.center[1] for box in boxes)


def _line_by_line(boxes: Sequence[Box]) -> list[int]:
    """The boxes as one reads: from the top, and from left to right where they stand in one line."""
    left = sorted(range(len(boxes)), key=lambda number: (boxes[number].y1, boxes[number].x1))
    made: list[int] = []
    while left:
        top = boxes[left[0]]
        line = [number for number in left if boxes[number].center[1] < top.y2]
        made += sorted(line, key=lambda number: boxes[number].x1)
        left = [number for number in left if number not in line]
    return made
