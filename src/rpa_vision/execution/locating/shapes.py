"""What boxes say by their shape alone: whether two are one thing, and whether words have room in one."""

from __future__ import annotations

from collections.abc import Iterable

from rpa_vision.models.geometry import Box

_SIGN = 1.8
"""Up to this width for its height a box holds a sign, no words."""
_MARK = 2.6
"""Up to this width for its height a box may also be a switch."""


def holds_a_sign(box: Box) -> bool:
    """Whether a box has room for a sign, and for no words."""
    return box.width <= _SIGN * box.height


def may_be_a_mark(box: Box) -> bool:
    """Whether a box may be a sign, a box to tick or a switch."""
    return box.width <= _MARK * box.height


def is_one_thing(one: Box, other: Box) -> bool:
    """Whether one of two boxes lies in the middle of the other: the same, detected twice."""
    return one.contains(other.center) or other.contains(one.center)


def each_once(boxes: Iterable[Box]) -> list[Box]:
    """Each thing once, by the largest box, where something was detected twice."""
    found: list[Box] = []
    for one in sorted(boxes, key=lambda box: -box.area):
        if not any(is_one_thing(one, other) for other in found):
            found.append(one)
    return found
