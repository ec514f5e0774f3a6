"""The part of the screen that a target is looked for in, where whoever wrote the workflow says so.

A region (`roi`) grows with each attempt and ends at the edge of the screen. A `container` is the dialog or table of
that title, an `anchor` a text beside which the target lies. Where either is not on the screen, nothing is in it. Only
what may be taken is held to it: its row and what stands around it are those of the whole screen.
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
_TITLES = frozenset({"heading", "label"})
_OF_TABLES = ("row", "column_title", "header")
_TITLE_SHARE = 0.25
"""The title of a dialog stands in its upper part, above all else that it says."""
_TITLE_ABOVE_LINES = 2.0
"""The title of a table stands so many lines above it at most."""
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
    """The only container of that title: one that bears it, or that a text titles which says so."""
    named = [one for one in elements if letters(one.label) == letters(title)]
    found = {Box.of(one.bbox) for one in named if one.type in _CONTAINERS}
    for one in named:
        titled = _titled_by(one, elements)
        if not titled & found:  # the words that a container bears are no title of another
            found |= titled
    if len(found) != 1:
        _log.info("« %s » is %s on the screen", title, "several containers" if found else "no container")
        return None
    return next(iter(found))


def _titled_by(text: UIElement, elements: tuple[UIElement, ...]) -> set[Box]:
    """What a text is the title of: the dialog that it heads, else the table right below it. What stands in a table
    titles nothing."""
    at = Box.of(text.bbox)
    dialogs, tables = ([Box.of(one.bbox) for one in elements if one.type == kind] for kind in ("dialog", "table"))
    if text.type not in _TITLES or any(box.contains(at.center) for box in tables) or text.metadata.keys() & _OF_TABLES:
        return set()
    around = min((box for box in dialogs if box.contains(at.center)), key=lambda box: (box.area, box), default=None)
    if around is not None and _heads(text, around, elements):
        return {around}
    below = [(box.y1 - at.y2, box) for box in tables if _is_right_above(at, box)]
    return {box for gap, box in below if gap == min(below)[0]}


def _heads(text: UIElement, dialog: Box, elements: tuple[UIElement, ...]) -> bool:
    """Whether it stands in the upper part of a dialog, and nothing else that the dialog says stands above it."""
    at = Box.of(text.bbox)
    above = (one for one in elements if one.label and one.bbox[3] <= at.y1 and dialog.contains(one.center))
    return at.center[1] < dialog.y1 + _TITLE_SHARE * dialog.height and next(above, None) is None


def _is_right_above(text: Box, table: Box) -> bool:
    near = 0 <= table.y1 - text.y2 <= _TITLE_ABOVE_LINES * text.height
    return near and table.x1 - text.height <= text.x1 < table.x2


def _beside(elements: tuple[UIElement, ...], anchor: Neighbour, said: str, search: Search) -> tuple[UIElement, ...]:
    """What lies on the other side of the anchor, in its line or its column, no farther than was written."""
    wanted = letters(said)
    anchors = [Box.of(one.bbox) for one in search.screen.state.ui_elements if letters(one.label) == wanted]
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
