"""The part of the screen that a target is looked for in, where whoever wrote the workflow says so.

A region (`roi`) grows with each attempt and ends at the edge of the screen. A `container` is the dialog or table of
that title, or else the window of that title, an `anchor` a text beside which the target lies, its caption as well.
Where either is not on the screen, nothing is in it, and whoever finds nothing is told so. Only what may be taken is
held to it: its row and what stands around it are those of the whole screen.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rpa_vision.execution.strategies.evidence import Search
from rpa_vision.graph.vocabulary import letters
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Neighbour
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import fill

_log = logging.getLogger(__name__)
_CONTAINERS = frozenset({"dialog", "table"})
_TITLES = frozenset({"heading", "label"})
_TEXTS = _TITLES | {"cell"}
_OF_TABLES = ("row", "column_title", "header")
_TITLE_SHARE = 0.25
"""The title of a dialog stands in its upper part, above all else that it says."""
_TITLE_ABOVE_LINES = 2.0
"""The title of a table stands so many lines above it at most."""
_BEYOND_THE_OFFSET = 1.5
"""A target may lie so many times as far from its anchor as it was written to."""
_LEAST_LINES = 1.0
"""And never less than so many lines, where it was written to lie close by: a box is read some pixels off."""


@dataclass(frozen=True, slots=True)
class Restriction:
    """One thing that is said of where the target lies."""

    holds: Callable[[UIElement], bool]
    leaves_nothing: str
    """Why what is looked for is not there, where none of it is."""


def restrictions(search: Search, values: dict[str, str]) -> tuple[Restriction, ...]:
    """All that the target says of where it lies, with the run's values in it."""
    found, target = [], search.target
    if target.roi is not None:
        found.append(_in_roi(Box.of(target.roi), search))
    if target.container is not None:
        found.append(_in_container(fill(target.container, values), search))
    if target.anchor is not None:
        found.append(_beside(target.anchor, fill(target.anchor.label, values), search))
    return tuple(found)


def in_region(elements: Sequence[UIElement], said: Sequence[Restriction]) -> list[UIElement]:
    """Those of the elements that lie where the target says."""
    return [element for element in elements if all(one.holds(element) for one in said)]


def why_outside(elements: Sequence[UIElement], said: Sequence[Restriction]) -> str | None:
    """What keeps the last of these elements out of the region; None where nothing does."""
    left = list(elements)
    for one in said:
        left = in_region(left, [one])
        if not left:
            return one.leaves_nothing
    return None


def _in_roi(roi: Box, search: Search) -> Restriction:
    grow_x, grow_y = (round(side * (search.profile.pad_mul - 1.0) / 2) for side in (roi.width, roi.height))
    wide = roi.padded(grow_x, grow_y)
    height, width = search.screen.pixels.shape[:2]
    part = wide.clamped(int(width), int(height))
    if part is None:
        return Restriction(_nowhere, f"the region {roi.bbox} is not on the screen")
    if part != wide:
        _log.info("the region %s reaches beyond the screen; searched is %s", wide.bbox, part.bbox)
    return Restriction(lambda element: part.contains(element.center), f"nothing of it lies in the region {roi.bbox}")


def _in_container(title: str, search: Search) -> Restriction:
    boxes = _containers(title, search)
    if len(boxes) > 1:
        return Restriction(_nowhere, f"several containers are called « {title} »")
    if not boxes:
        return Restriction(_nowhere, f"the container « {title} » is not on the screen")
    box = next(iter(boxes))
    return Restriction(lambda element: box.contains(element.center), f"nothing of it lies in the container « {title} »")


def _nowhere(_: UIElement) -> bool:
    return False


def _containers(title: str, search: Search) -> set[Box]:
    """The containers of that title: those that bear it, or that a text titles which says so; else the window."""
    state = search.screen.state
    named = _named(title, state.ui_elements)
    found = {Box.of(one.bbox) for one in named if one.type in _CONTAINERS}
    for one in named:
        titled = _titled_by(one, state.ui_elements)
        if not titled & found:  # the words that a container bears are no title of another
            found |= titled
    bears_it = bool(letters(title)) and letters(state.window.title) == letters(title)
    if not found and bears_it and state.window.geometry is not None:
        window = Box.of(state.window.geometry)
        others = (one for one in named if one.type in _TITLES and window.contains(one.center))
        if all(_heads(one, window, state.ui_elements) for one in others):  # a text further down titles something else
            return {window}
    return found


def _named(said: str, elements: Sequence[UIElement]) -> list[UIElement]:
    """What bears that name; nothing bears an empty one."""
    wanted = letters(said)
    return [one for one in elements if wanted and letters(one.label) == wanted]


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


def _beside(anchor: Neighbour, said: str, search: Search) -> Restriction:
    """What lies on the other side of the anchor, in its line or its column, no farther than was written."""
    anchors = _named(said, search.screen.state.ui_elements)
    if not anchors:
        return Restriction(_nowhere, f"the anchor « {said} » is not on the screen")
    scale = search.sky.fit.scale if search.sky is not None else 1.0
    along = abs(anchor.offset[0] if anchor.direction in ("left", "right") else anchor.offset[1])
    reach = scale * along * _BEYOND_THE_OFFSET  # at every level: farther off is another, however long one looks

    def is_beside(one: Box, element: UIElement) -> bool:
        return _lies(Box.of(element.bbox), one, anchor.direction, max(reach, _LEAST_LINES * one.height))

    def holds(element: UIElement) -> bool:
        return any(is_beside(Box.of(one.bbox), element) for one in anchors if _is_another(one, element))

    side = {"left": "to its left", "right": "to its right", "above": "above it", "below": "below it"}
    return Restriction(
        holds, f"nothing of it has the anchor « {said} » {side[anchor.direction]}, or none so near as was written"
    )


def _is_another(anchor: UIElement, element: UIElement) -> bool:
    """Whether it may be the anchor of the element. Of the same name, it is one only where it is a text, such as the
    caption of a field, and not the element itself, seen a second time."""
    if letters(anchor.label) != letters(element.label):
        return True
    is_text = anchor.type in _TEXTS or "caption_of" in anchor.metadata
    return is_text and not (
        Box.of(anchor.bbox).contains(element.center) or Box.of(element.bbox).contains(anchor.center)
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
