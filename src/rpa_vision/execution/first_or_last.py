"""A tie between things of one name, where the workflow says that the first or the last of them is meant.

That decides only where a demonstration showed it: others of the name stood on the recorded screen, and the target was
the first (or the last) of them, read line by line. It decides between equals only, and never where harm can come of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.execution.harm import is_dangerous, is_meant_dangerous
from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.execution.strategies.som_vlm import Settled
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement

NAME = "selection_policy"


def settle(tied: Sequence[UIElement], search: Search) -> Settled | None:
    """Which of them is meant; None where nothing says so. All of the name are counted, tied or not."""
    target, wanted = search.target, letters(search.label or "")
    if target.selection_policy == "by_similarity" or not wanted or is_meant_dangerous(target, search.label):
        return None
    if any(is_dangerous(one) for one in tied):
        return None
    if not _was_shown(target, wanted) or any(letters(one.label) != wanted for one in tied):
        return None
    alike = [one for one in search.elements if letters(one.label) == wanted and one.type == tied[0].type]
    order = _line_by_line([Box.of(one.bbox) for one in alike])
    meant = alike[order[0] if target.selection_policy == "first" else order[-1]]
    index = next((number for number, one in enumerate(tied) if one.element_id == meant.element_id), None)
    if index is None:
        return None
    return Settled(index, f"the {target.selection_policy} of {len(alike)} of its name, as it was shown", NAME)


def _was_shown(target: TargetSpec, wanted: str) -> bool:
    """Whether it was the first or the last of several on the recorded screen."""
    twins = [Box.of(one.bbox) for one in target.landmarks if letters(one.label) == wanted]
    if target.place is None or not twins:
        return False
    order = _line_by_line([Box.of(target.place.bbox), *twins])
    return order[0 if target.selection_policy == "first" else -1] == 0


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
