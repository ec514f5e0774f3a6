"""Something large by the lines in it: a line of a list with a name, a note and a state is where these stand again."""

from __future__ import annotations

from functools import reduce

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.among_words import said_once
from rpa_vision.models.geometry import Box

NAME = "same_lines"
_MIN_LINES = 2
_MOSTLY = 0.6
_HIGHER = 2.0
_WIDE = 4.0
"""So many times as wide as high is what holds lines beside each other."""


def find(then: ObservedScreen, box: Box, now: ObservedScreen) -> Box | None:
    """Where most of the lines in a box stand again, as close together; None where they do not. Only lines that each
    screen says once tell."""
    before, after = said_once(then), said_once(now)
    held = [(said, line) for said, line in before.items() if box.contains(line.center) and line.width < box.width]
    again = [(line, after[said]) for said, line in held if said in after]
    if len(again) < _MIN_LINES or len(again) < _MOSTLY * len(held) or box.width < _WIDE * box.height:
        return None
    was, place = (reduce(Box.union, boxes) for boxes in zip(*again, strict=True))
    grown = max(now.height / then.height for then, now in again)
    return place if place.height <= _HIGHER * max(1.0, grown) * was.height else None
