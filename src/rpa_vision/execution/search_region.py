"""The part of the screen that a target is looked for in, where whoever wrote the workflow says so.

A region (`roi`) grows with each attempt and ends at the edge of the screen. A `container` is the dialog, table or list
of that title, an `anchor` a text beside which the target lies. Where either is not on the screen, nothing is in it.
"""

from __future__ import annotations

import logging

from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Neighbour
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import fill

_log = logging.getLogger(__name__)
_CONTAINERS = frozenset({"dialog", "table"})
_TITLE_SHARE = 0.25
"""The title of a container stands in its upper part, if it does not stand above it."""
_TITLE_ABOVE_LINES = 2.0
_BEYOND_THE_OFFSET = 1.5
"""A target may lie so many times as far from its anchor as it was written to."""
_NEAR_LINES = 3.0


def in_region(elements: tuple[UIElement, ...], search: Search, values: dict[str, str]) -> tuple[UIElement, ...]:
    """Those of the elements that lie where the target says, with the run's values in what it says."""
    found, target = elements, search.target
    if target.roi is not None:
        found = _in_roi(found, Box.of(target.roi), search)
    if target.container is not None:
        box = _container(search.screen.state.ui_elements, fill(target.container, values))
        found = tuple(one for one in found if box is not None and box.contains(one.center))
    if target.anchor is not None:
        found = _beside(found, target.anchor, fill(target.anchor.label, values), search)
    return found


def _in_roi(elements: tuple[UIElement, ...], roi: Box, search: Search) -> tuple[UIElement, ...]:
    grow_x, grow_y = (round(side * (search.profile.pad_mul - 1.0) / 2) for side in (roi.width, roi.height))
    wide = roi.padded(grow_x, grow_y)
    height, width = search.screen.pixels.shape[:2]
    part = wide.clamped(int(width), int(height))
    if part != wide:
        _log.info("the region %s reaches beyond the screen; searched is %s", wide.bbox, part and part.bbox)
    return tuple(element for element in elements if part is not None and part.contains(element.center))


def _container(elements: tuple[UIElement, ...], title: str) -> Box | None:
    """The only container of that title; of one within another of the same title the inner one."""
    named = [one for one in elements if letters(one.label) == letters(title)]
    titles = [Box.of(one.bbox) for one in named if one.type not in _CONTAINERS]
    own = [Box.of(one.bbox) for one in named if one.type in _CONTAINERS]
    boxes = [Box.of(one.bbox) for one in elements if one.type in _CONTAINERS]
    found = [box for box in boxes if box in own or any(_is_title(at, box) for at in titles)]
    inner = min(found, key=lambda box: (box.area, box), default=None)
    if inner is None or not all(box.encloses(inner) for box in found):
        _log.info("« %s » is %s on the screen", title, "no container" if inner is None else "several containers")
        return None
    return inner


def _is_title(text: Box, box: Box) -> bool:
    if box.contains(text.center):
        return text.center[1] < box.y1 + _TITLE_SHARE * box.height
    is_above = 0 <= box.y1 - text.y2 <= _TITLE_ABOVE_LINES * text.height
    return is_above and box.x1 - text.height <= text.x1 < box.x2


def _beside(elements: tuple[UIElement, ...], anchor: Neighbour, said: str, search: Search) -> tuple[UIElement, ...]:
    """What lies on the other side of the anchor, in its line or its column, no farther than was written."""
    wanted = letters(said)
    anchors = [Box.of(one.bbox) for one in search.elements if letters(one.label) == wanted]
    if not anchors:
        _log.info("the anchor « %s » is not on the screen", said)
    scale = search.sky.fit.scale if search.sky is not None else 1.0
    along = abs(anchor.offset[0] if anchor.direction in ("left", "right") else anchor.offset[1])
    reach = scale * along * _BEYOND_THE_OFFSET * search.profile.pad_mul
    return tuple(
        one
        for one in elements
        if letters(one.label) != wanted
        and any(_lies(Box.of(one.bbox), at, anchor.direction, reach + _NEAR_LINES * at.height) for at in anchors)
    )


def _lies(box: Box, anchor: Box, direction: str, reach: float) -> bool:
    """Whether the anchor lies in that direction from the box, within reach of it."""
    apart = {
        "left": box.center[0] - anchor.center[0],
        "right": anchor.center[0] - box.center[0],
        "above": box.center[1] - anchor.center[1],
        "below": anchor.center[1] - box.center[1],
    }[direction]
    if direction in ("left", "right"):
        shared, least = min(box.y2, anchor.y2) - max(box.y1, anchor.y1), min(box.height, anchor.height)
    else:
        shared, least = min(box.x2, anchor.x2) - max(box.x1, anchor.x1), min(box.width, anchor.width)
    return 0 < apart <= reach and 2 * shared >= least
