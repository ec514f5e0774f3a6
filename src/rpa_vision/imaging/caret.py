"""The caret behind a text: a bar that is no letter, but makes a « d » of a « c » where it touches one.

It is the last thing drawn in its line, a few pixels wide, and unbroken it reaches both higher and lower than the
faintest ink of anything that is written before it; but the tail of a « g » may hang as low. Of what people write only
« | » does both.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rpa_vision.imaging.colour import paper_and_ink
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

WIDEST_PX = 3
_INKED = 0.5
"""From which share of the whole contrast on a pixel is ink."""
_BESIDE_PX = 4
"""A caret is higher than its line is told to be, and may stand behind its end."""
_STROKE_PX = 4
"""Less is no stroke but the frame of a field or a dot."""
_FAINT, _BEYOND_PX = 0.25, 2
"""Ink as faint as this counts for the height of the letters, and by how much a caret goes beyond them."""
_TAILS = 0.2
"""The share of what is written that reaches down to the lowest ink, if that is the tails of a few letters and not the
line they all stand on, where an « l » ends, too."""
_FOOT_PX = 3
"""So far beside the foot of a caret nothing is drawn, nor behind it: a « J » and a « [ » have their hooks there."""
_RULE = 0.8
"""What is inked over this share of the line is the frame of the field, and not written."""


def without_caret(pixels: Pixels, line: Box) -> Pixels:
    """The picture with paper where the caret at the end of a line of text is; the same one where none is seen."""
    height, width = pixels.shape[:2]
    place = Box(line.x1, line.y1 - _BESIDE_PX, line.x2 + _BESIDE_PX, line.y2 + _BESIDE_PX).clamped(width, height)
    if place is None:
        return pixels
    crop = pixels[place.y1 : place.y2, place.x1 : place.x2, :3]
    paper, ink = paper_and_ink(crop)
    contrast = max(abs(a - b) for a, b in zip(paper, ink, strict=True))
    off = np.abs(crop.astype(np.int16) - np.array(paper)).max(axis=2)
    tops, bottoms = _longest_runs(off > max(1.0, _INKED * contrast))
    runs = bottoms - tops
    strokes = np.flatnonzero(runs >= _STROKE_PX)
    if not len(strokes):
        return pixels
    last = first = int(strokes[-1])
    while first > 0 and runs[first - 1] >= 0.9 * runs[last]:
        first -= 1
    hooks = off[tops[last] : bottoms[last], last + 1 : last + 1 + _FOOT_PX] > max(1.0, _INKED * contrast)
    if not first or last - first >= WIDEST_PX or hooks.any():
        return pixels
    before = np.asarray(off[:, :first] > max(1.0, _FAINT * contrast))
    before[before.mean(axis=1) >= _RULE] = False
    written = np.flatnonzero(before.any(axis=1))
    if not len(written) or tops[last] > written[0] - _BEYOND_PX:
        return pixels
    lowest = int(written[-1]) + 1
    if bottoms[last] < lowest + _BEYOND_PX and not (bottoms[last] >= lowest and _hangs(before, lowest)):
        return pixels
    cleared = pixels.copy()
    cleared[place.y1 : place.y2, place.x1 + first : place.x1 + last + 1, :3] = paper
    return cleared


def _hangs(before: NDArray[np.bool_], lowest: int) -> bool:
    """Whether the lowest ink is that of tails, and none of it is at the end of what is written."""
    low = np.asarray(before[max(0, lowest - _BEYOND_PX) : lowest].any(axis=0))
    tails = low.sum() <= _TAILS * before.any(axis=0).sum()
    return bool(tails and not low[-_FOOT_PX:].any())


def _longest_runs(inked: NDArray[np.bool_]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Where the longest unbroken run of each column begins and ends."""
    tops, bottoms, run = (np.zeros(inked.shape[1], np.intp) for _ in range(3))
    for y, row in enumerate(inked, 1):
        run = np.where(row, run + 1, 0)
        longer = run > bottoms - tops
        tops, bottoms = np.where(longer, y - run, tops), np.where(longer, y, bottoms)
    return tops, bottoms
