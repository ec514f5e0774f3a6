"""A sheet that is written full: the page of an editor whose text goes on beyond its edges.

Its outline tells little: words are cut off at it, and a dashed line may say that more follows. But nothing else is
filled like this: sentences, close below each other, from the left edge on and from end to end. The lines of a list
stand further apart, or have but a word or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from rpa_vision.detection.scene import Line, Scene
from rpa_vision.models.geometry import Box

_FULL = 10
"""Fewer lines fill no page."""
_CLOSE_UNITS = 1.6
"""How far below each other the lines of a text begin at most."""
_SENTENCE, _SENTENCES = 4, 0.25
"""From so many words on a line is a sentence, and how many lines of a text are some at least."""
_MOSTLY = 0.6
_EDGE_UNITS, _END_UNITS = 0.8, 3
"""How far from the left edge lines begin, and how far from the upper and the lower one the first and the last stand at
most: half a line that is cut off there is not read, and a line may be empty."""


def is_written_full(scene: Scene, box: Box, lines: Sequence[Line]) -> bool:
    """Whether the lines in a box are a text that fills it."""
    if len(lines) < _FULL:
        return False
    unit, most = scene.unit, _MOSTLY * len(lines)
    at_edge = sum(line.box.x1 - box.x1 <= _EDGE_UNITS * unit for line in lines)
    tops = sorted(line.box.y1 for line in lines)
    close = sum(lower - upper <= _CLOSE_UNITS * unit for upper, lower in pairwise(tops))
    sentences = sum(len(line.text.split()) >= _SENTENCE for line in lines)
    room = max(tops[0] - box.y1, box.y2 - max(line.box.y2 for line in lines))
    return room <= _END_UNITS * unit and min(at_edge, close) >= most and sentences >= _SENTENCES * len(lines)
