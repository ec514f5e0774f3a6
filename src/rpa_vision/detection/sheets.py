"""A sheet that is written full: the page of an editor whose text goes on beyond its edges.

Its outline tells little: words are cut off at it, and a dashed line may say that more follows. What tells is how it is
filled: sentences, close below each other, from the left edge on and from end to end, that are broken or cut off at the
right edge, or cut off at the upper or lower one, and that run on from line to line. The rows of a list begin anew, each
with a capital or a number, however long they are: a list that were taken for a sheet would be clicked by position. A
text that is read and not written to looks the same; nothing comes of a click on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

import numpy as np

from rpa_vision.detection.regions import Region
from rpa_vision.detection.scene import Line, Scene

_FULL = 10
"""Fewer lines fill no page."""
_CLOSE = 1.4
"""How far below each other the lines of a text stand at most, in heights of a line."""
_SENTENCE, _SENTENCES = 4, 0.25
"""From so many words on a line is a sentence, and how many lines of a text are some at least."""
_MOSTLY = 0.6
_RUNS_ON = 0.4
"""How many lines at least begin in the middle of a sentence, by a small letter."""
_EDGE_UNITS, _END_UNITS = 0.8, 3
"""How far from the left edge lines begin, and how far from the upper and the lower one the first and the last stand at
most: half a line that is cut off there is not read, and a line may be empty."""
_BROKEN = 2
"""So many lines at least end at the right edge, where lines are broken or cut off there."""
_CUT_PX, _CUT_UNITS, _INKED, _RULE = (1, 5), 2, 40, 0.8
"""Which rows beside an edge show that something is cut off there, by how much of ink in one: more than the tails of a
whole line, less than a frame."""


def is_written_full(scene: Scene, region: Region, lines: Sequence[Line]) -> bool:
    """Whether the lines in a box are a text that fills it and goes on beyond it."""
    if len(lines) < _FULL:
        return False
    box, unit, most = region.box, scene.unit, _MOSTLY * len(lines)
    at_edge = sum(line.box.x1 - box.x1 <= _EDGE_UNITS * unit for line in lines)
    pitch = _CLOSE * median(line.box.height for line in lines)
    close = sum(low - high <= pitch for high, low in pairwise(sorted(line.box.center[1] for line in lines)))
    sentences = sum(len(line.text.split()) >= _SENTENCE for line in lines)
    room = max(min(line.box.y1 for line in lines) - box.y1, box.y2 - max(line.box.y2 for line in lines))
    if room > _END_UNITS * unit or min(at_edge, close) < most or sentences < _SENTENCES * len(lines):
        return False
    if sum(line.text[:1].islower() for line in lines) < _RUNS_ON * len(lines):
        return False
    broken = sum(box.x2 - line.box.x2 <= _END_UNITS * unit for line in lines)
    return broken >= _BROKEN or _is_cut_off(scene, region)


def _is_cut_off(scene: Scene, region: Region) -> bool:
    """Whether something is drawn right at the upper or the lower edge."""
    box, (first, last) = region.box, _CUT_PX
    inner = scene.image[box.y1 : box.y2, box.x1 + first : box.x2 - first, :3].astype(np.int16)
    ink = np.abs(inner - np.array(region.fill)).max(axis=2) > _INKED
    rows = np.concatenate([ink[first:last], ink[-last:-first]]).sum(axis=1)
    return bool(((rows >= _CUT_UNITS * scene.unit) & (rows < _RULE * ink.shape[1])).any())
