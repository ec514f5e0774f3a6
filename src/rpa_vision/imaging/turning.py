"""Something small that keeps moving in its place: a spinner, a bar that runs, the shimmer of what is not there yet.

It is told from a few pictures taken shortly after one another. A caret blinks and a clock ticks too seldom to be taken
for it, a film is too large, and what wanders over the screen does not stay in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rpa_vision.imaging.diff import changed_boxes
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

MIN_PICTURES = 4
_NEAR_PX = 12
_SHARE = 0.02
_ROOM_PX = 160 * 160
_THIN_PX = 3
_SELDOM = 1
"""So many pictures may be like the one before: what turns may stand still for a moment."""
_MANY = 64
"""With more changes at once than this, the screen as a whole is on the move."""


def turning_at(pictures: Sequence[Pixels]) -> Box | None:
    """Where something small keeps moving in its place, the topmost if there are several; None where nothing does."""
    if len(pictures) < MIN_PICTURES:
        return None
    if any(before.shape != after.shape for before, after in pairwise(pictures)):
        return None
    changes = [changed_boxes(before, after) for before, after in pairwise(pictures)]
    if any(len(boxes) > _MANY for boxes in changes):
        return None
    room = max(_SHARE * pictures[0].shape[0] * pictures[0].shape[1], _ROOM_PX)
    places = _places([box for boxes in changes for box in boxes])
    turning = [
        place
        for place in places
        if place.area <= room
        and place.width > _THIN_PX
        and sum(any(place.contains(box.center) for box in boxes) for boxes in changes) >= len(changes) - _SELDOM
    ]
    return min(turning, key=lambda place: (place.y1, place.x1), default=None)


def _places(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that lie on or next to one another, as one."""
    places: list[Box] = []
    for box in boxes:
        joined = box
        while near := [one for one in places if one.padded(_NEAR_PX).intersection(joined) is not None]:
            places = [one for one in places if one not in near]
            for one in near:
                joined = joined.union(one)
        places.append(joined)
    return places
