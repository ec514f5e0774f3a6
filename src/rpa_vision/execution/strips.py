"""A sign among its neighbours: the third of a bar is known by those before and after it.

A bar of signs is laid out anew when a window is narrowed, a page zoomed or a theme changed: no word stands near enough
to tell one of them from the next. But they keep their order. So a sign is looked for together with its neighbours, by
their outlines, and taken only where no other place, then or now, shows as much the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rpa_vision.models.geometry import Box

NAME = "among_signs"
_NEXT_HEIGHTS = 3.0
"""How far apart neighbours of a strip stand at most."""
_IN_LINE = 0.35
_AS_HIGH = 1.7
_REACH = 2
"""How many neighbours are asked on each side."""
_MIN_NEIGHBOURS = 2
_SAME_SIGN, _SAME_STRIP = 0.65, 0.65
_CLEARLY, _MORE = 0.12, 0.05

Alike = Callable[[Box, Box], float]
"""How alike a recorded sign and one of a screen look, from 0 to 1."""


def find(box: Box, recorded: Sequence[Box], seen: Sequence[Box], then: Alike, now: Alike) -> Box | None:
    """The sign of `seen` that stands among the same neighbours as a box among the recorded ones; None where it is not
    clearly one, or where another of the recorded ones would do as well."""
    strip = strip_of(box, [box, *(one for one in recorded if not _same(one, box))])
    at = strip.index(box)
    scores = [(_score(strip, at, one, seen, now), one) for one in seen]
    best, place = max(scores, key=lambda one: one[0], default=(0.0, None))
    if place is None or best < _SAME_STRIP:
        return None
    others = [score for score, one in scores if not _same(one, place)]
    twins = [_score(strip, at, one, recorded, then) for one in recorded if not _same(one, box)]
    return place if best - max([*others, *twins], default=0.0) >= _CLEARLY else None


def strip_of(box: Box, things: Sequence[Box]) -> list[Box]:
    """Those that stand in a line with a box, each next to the one before, from left to right."""
    line = sorted((one for one in things if _in_line(one, box)), key=lambda one: one.x1)
    found = [box]
    for one in (other for other in line if other.x1 > box.x1):
        if one.x1 - found[-1].x2 <= _NEXT_HEIGHTS * box.height and not _same(one, found[-1]):
            found.append(one)
    for one in reversed([other for other in line if other.x1 < box.x1]):
        if found[0].x1 - one.x2 <= _NEXT_HEIGHTS * box.height and not _same(one, found[0]):
            found.insert(0, one)
    return found


def _score(strip: Sequence[Box], at: int, place: Box, things: Sequence[Box], alike: Alike) -> float:
    """How alike a place and its neighbours are to a recorded sign and its own; 0 where too few can be compared."""
    own = alike(strip[at], place)
    if own < _SAME_SIGN or any(alike(one, place) > own - _MORE for one in strip if one != strip[at]):
        return 0.0  # it looks as much like one of the neighbours: the digits of a row of pages do
    there = strip_of(place, things)
    middle = there.index(place)
    beside = [
        alike(strip[at + step], there[middle + step])
        for step in range(-_REACH, _REACH + 1)
        if step and 0 <= at + step < len(strip) and 0 <= middle + step < len(there)
    ]
    return sum([own, *beside]) / (len(beside) + 1) if len(beside) >= _MIN_NEIGHBOURS else 0.0


def _in_line(one: Box, box: Box) -> bool:
    is_as_high = one.height <= _AS_HIGH * box.height and box.height <= _AS_HIGH * one.height
    return is_as_high and abs(one.center[1] - box.center[1]) <= _IN_LINE * box.height


def _same(one: Box, other: Box) -> bool:
    return one.contains(other.center) or other.contains(one.center)
