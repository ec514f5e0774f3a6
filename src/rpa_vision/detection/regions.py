"""Find boxes: even areas closed in by edges. Insides of buttons, fields, check marks, panels and dialogs.

What people call a control is nearly always an even area with an edge all round. Text inside makes holes in the area
but does not change its outline. So: mark where the picture is even, take the connected parts, keep those whose
outline is a box or a disc.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import cast

import cv2
import numpy as np

from rpa_vision.detection.components import Parts
from rpa_vision.detection.pixel_work import PixelWork, PlainWork
from rpa_vision.imaging.colour import Colour, chroma, distance
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

EVEN = 3
"""Grey levels between neighbours that still count as even; a pale panel on a white page differs by 4 or more."""
MIN_SIDE_PX = 7
_LARGE_PX, _RIM_PX = 160, 6
"""From so many pixels on each side the edge of a sheet may be drawn upon: words that go on beyond it, a dashed line
that says so. Then the rim tells whether it is a box."""
_SAMPLES = 9


@dataclass(frozen=True, slots=True)
class Region:
    """An even area with an outline. The box includes its border."""

    box: Box
    squareness: float
    """How much of its outermost rows and columns the area fills: 1 a sharp box, 0.4 a disc."""
    fill: Colour
    around: Colour
    border: Colour

    @property
    def is_bordered(self) -> bool:
        """A line runs around it that is neither the inside's nor the outside's colour."""
        return distance(self.border, self.fill) > 14 and distance(self.border, self.around) > 14

    @property
    def is_filled(self) -> bool:
        """It has another colour than what it lies on."""
        return distance(self.fill, self.around) > 20

    @property
    def has_own_paper(self) -> bool:
        """It lies on another colour, be it by 3 levels as in themes of high contrast."""
        return distance(self.fill, self.around) > 1

    @property
    def is_distinct(self) -> bool:
        return self.is_bordered or self.is_filled

    @property
    def is_tinted(self) -> bool:
        return chroma(self.fill) > 14


def find_regions(image: Pixels, work: PixelWork | None = None) -> list[Region]:
    """Boxes and discs of a picture (height × width × 3), from large to small. `work` saves what was done before."""
    work = work or PlainWork()
    even = cast(Pixels, cv2.threshold(slope_of(image, work), EVEN, 1, cv2.THRESH_BINARY_INV)[1])
    parts = work.parts("even", even, connectivity=4)
    w, h, area = (parts.stats[:, i] for i in range(2, 5))
    size = w.astype(np.int64) * h
    wanted = (w >= MIN_SIDE_PX) & (h >= MIN_SIDE_PX) & (area >= 0.3 * size) & (size < 0.97 * even.size)
    wanted[0] = False
    regions = []
    for index in np.flatnonzero(wanted).tolist():
        x, y, width, height = parts.stats[index, :4].tolist()
        look = partial(_region, image, parts, index, x, y, width, height)
        # A part lies in its box, and its colours are taken at most six pixels outside of it.
        found = work.in_box("slope", Box(x - 8, y - 8, x + width + 8, y + height + 8), look)
        if found is not None:
            regions.append(found)
    return sorted(regions, key=lambda region: (-region.box.area, region.box))


def slope_of(image: Pixels, work: PixelWork) -> Pixels:
    """How steep the grey picture is from each pixel to those above and left of it."""
    return work.once("slope", image, lambda source: work.filtered("slope", source, (2, 2), _slope))


def _slope(image: Pixels) -> Pixels:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    return cast(Pixels, cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8)))


def _region(image: Pixels, parts: Parts, index: int, x: int, y: int, w: int, h: int) -> Region | None:
    area = Box(x, y, x + w, y + h)
    across, along = _filled(parts, index, area, 1)
    if (across < 0.3 or along < 0.2) and w >= _LARGE_PX and h >= _LARGE_PX:
        across, along = _filled(parts, index, area, _RIM_PX)
    if across < 0.3 or along < 0.2:
        return None
    height, width = image.shape[:2]
    inner = Box(x - 1, y - 1, x + w, y + h)  # the slope of a pixel looks up and left, so the area begins one late
    fill = _usual(image[y : y + min(h, 3), x : x + w : max(1, w // 64)].reshape(-1, 3))
    region = Region(inner, min(across, along), fill, _ring(image, inner, 5), _ring(image, inner, 1))
    box = (inner.padded(1) if region.is_bordered else inner).clamped(width, height)
    return replace(region, box=box) if box is not None else None


def _filled(parts: Parts, index: int, area: Box, rim_px: int) -> tuple[float, float]:
    """How much of its outermost rows and of its outermost columns a part fills, the fullest of a rim of so many at each
    side."""
    at = range(1, 1 + rim_px)
    sides = (
        [Box(area.x1, area.y1 + off, area.x2, area.y1 + off + 1) for off in at],
        [Box(area.x1, area.y2 - 1 - off, area.x2, area.y2 - off) for off in at],
        [Box(area.x1 + off, area.y1, area.x1 + off + 1, area.y2) for off in at],
        [Box(area.x2 - 1 - off, area.y1, area.x2 - off, area.y2) for off in at],
    )
    upper, lower, left, right = (max(float((parts.at(line) == index).mean()) for line in side) for side in sides)
    return min(upper, lower), min(left, right)


def _ring(image: Pixels, box: Box, off: int) -> Colour:
    """The usual colour of the one pixel wide ring that far outside a box, corners left out."""
    height, width = image.shape[:2]
    columns, rows = _spread(box.x1, box.x2, width), _spread(box.y1, box.y2, height)
    top, bottom = max(0, box.y1 - off), min(height - 1, box.y2 - 1 + off)
    left, right = max(0, box.x1 - off), min(width - 1, box.x2 - 1 + off)
    ys = [top] * _SAMPLES + [bottom] * _SAMPLES + rows + rows
    xs = columns + columns + [left] * _SAMPLES + [right] * _SAMPLES
    return _usual(image[ys, xs])


def _spread(start: int, end: int, size: int) -> list[int]:
    """Places spread evenly over the middle half of a side."""
    first, last = start + (end - start) // 4, end - 1 - (end - start) // 4
    places = (first + (last - first) * step // (_SAMPLES - 1) for step in range(_SAMPLES))
    return [min(max(place, 0), size - 1) for place in places]


def _usual(pixels: Pixels) -> Colour:
    blue, green, red = (int(value) for value in np.sort(pixels, axis=0)[len(pixels) // 2])
    return (blue, green, red)
