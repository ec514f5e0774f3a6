"""Selected text is text: the mark drawn over it is no box of its own.

A dialog that asks for a name selects the one it proposes, and a field selects what it holds when it is reached by a
key. A mark is as long as the words in it and lies in the frame of one line with air above and below; a label on a
coloured ground and a button in a field leave air around their words.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.detection.regions import Region
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine

_SNUG_PX = 3
"""How far beyond its words a mark reaches at most."""
_AIR_PX = 2
_LETTERS = 3
"""Fewer are a number on a ground of its own."""
_LEAST_PX, _MOST_PX = 8, 60
"""How high marks are; those of headlines are not asked about."""
_FRAME_HEIGHTS, _SLENDER = 3.2, 4
"""How many times as high as the mark the frame of a line is at most, and how many times as long as high at least."""


def without_selections(regions: Sequence[Region], lines: Sequence[TextLine]) -> list[Region]:
    """The boxes of a picture but for marks over text that is selected."""
    marks = [region for region in regions if _may_be_mark(region)]
    words = [(Box.of(line.bbox), line.text) for line in lines] if marks else []
    marks = [region for region in marks if _is_filled_by(region.box, words)]
    if not marks:
        return list(regions)
    places = [box for box, _ in words]
    drawn = {mark.box for mark in marks if any(_is_held(mark.box, frame, places) for frame in regions)}
    return [region for region in regions if region.box not in drawn]


def _may_be_mark(region: Region) -> bool:
    # What costs least is asked first: a sheet has a thousand boxes, nearly all of the colour around them.
    return region.fill != region.around and _LEAST_PX <= region.box.height <= _MOST_PX and region.is_filled


def _is_filled_by(mark: Box, words: Sequence[tuple[Box, str]]) -> bool:
    """Words reach from end to end of it; they may go on, and be read in pieces."""
    x1, x2, middle = mark.x1, mark.x2, (mark.y1 + mark.y2) // 2
    over = [(box, text) for box, text in words if box.y1 <= middle < box.y2 and box.x1 < x2 and box.x2 > x1]
    if sum(char.isalnum() for _, text in over for char in text) < _LETTERS:
        return False
    return min(box.x1 for box, _ in over) <= x1 + _SNUG_PX and max(box.x2 for box, _ in over) >= x2 - _SNUG_PX


def _is_held(mark: Box, region: Region, words: Sequence[Box]) -> bool:
    """It lies in the frame of one line as its text does: where that begins, or right behind other words."""
    frame = region.box
    if not frame.encloses(mark) or frame.height > _FRAME_HEIGHTS * mark.height or frame.width < _SLENDER * frame.height:
        return False
    above, below = mark.y1 - frame.y1, frame.y2 - mark.y2
    if min(above, below) < _AIR_PX or abs(above - below) > max(above, below) / 2 or not region.is_bordered:
        return False
    level = (box for box in words if box.y1 <= mark.center[1] < box.y2)
    goes_on = any(box.x1 < mark.x1 - _SNUG_PX and box.x2 >= mark.x1 - mark.height // 2 for box in level)
    return mark.x1 - frame.x1 <= frame.height or goes_on
