"""Find boxes: even areas closed in by edges. Insides of buttons, fields, check marks, panels and dialogs.

What people call a control is nearly always an even area with an edge all round. Text inside makes holes in the area
but does not change its outline. So: mark where the picture is even, take the connected parts, keep those whose
outline is a box or a disc.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from rpa_vision.detection.components import Labels, components
from rpa_vision.imaging.colour import Colour, chroma, distance
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

EVEN = 3
"""Grey levels between neighbours that still count as even; a pale panel on a white page differs by 4 or more."""
MIN_SIDE_PX = 7


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
    def is_distinct(self) -> bool:
        return self.is_bordered or self.is_filled

    @property
    def is_tinted(self) -> bool:
        return chroma(self.fill) > 14


def find_regions(image: Pixels) -> list[Region]:
    """Boxes and discs of a picture (height × width × 3), from large to small."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    slope = cv2.morphologyEx(grey, cv2.MORPH_GRADIENT, np.ones((2, 2), np.uint8))
    even = cv2.threshold(slope, EVEN, 1, cv2.THRESH_BINARY_INV)[1].astype(np.uint8, copy=False)
    labels, stats = components(even, connectivity=4)
    w, h, area = (stats[:, i] for i in range(2, 5))
    size = w.astype(np.int64) * h
    wanted = (w >= MIN_SIDE_PX) & (h >= MIN_SIDE_PX) & (area >= 0.3 * size) & (size < 0.97 * grey.size)
    wanted[0] = False
    regions = []
    for index in np.flatnonzero(wanted):
        found = _region(image, labels, int(index), *(int(v) for v in stats[index, :4]))
        if found is not None:
            regions.append(found)
    return sorted(regions, key=lambda region: (-region.box.area, region.box))


def _region(image: Pixels, labels: Labels, index: int, x: int, y: int, w: int, h: int) -> Region | None:
    across = min(float((labels[row, x : x + w] == index).mean()) for row in (y + 1, y + h - 2))
    along = min(float((labels[y : y + h, column] == index).mean()) for column in (x + 1, x + w - 2))
    if across < 0.3 or along < 0.2:
        return None
    height, width = image.shape[:2]
    inner = Box(x - 1, y - 1, x + w, y + h)  # the slope of a pixel looks up and left, so the area begins one late
    fill = _usual(image[y : y + min(h, 3), x : x + w : max(1, w // 64)].reshape(-1, 3))
    region = Region(inner, min(across, along), fill, _ring(image, inner, 5), _ring(image, inner, 1))
    box = (inner.padded(1) if region.is_bordered else inner).clamped(width, height)
    return replace(region, box=box) if box is not None else None


def _ring(image: Pixels, box: Box, off: int) -> Colour:
    """The usual colour of the one pixel wide ring that far outside a box, corners left out."""
    height, width = image.shape[:2]
    columns = np.linspace(box.x1 + box.width // 4, box.x2 - 1 - box.width // 4, 9).astype(int).clip(0, width - 1)
    rows = np.linspace(box.y1 + box.height // 4, box.y2 - 1 - box.height // 4, 9).astype(int).clip(0, height - 1)
    top, bottom = max(0, box.y1 - off), min(height - 1, box.y2 - 1 + off)
    left, right = max(0, box.x1 - off), min(width - 1, box.x2 - 1 + off)
    return _usual(np.concatenate((image[top, columns], image[bottom, columns], image[rows, left], image[rows, right])))


def _usual(pixels: Pixels) -> Colour:
    blue, green, red = (int(value) for value in np.sort(pixels, axis=0)[len(pixels) // 2])
    return (blue, green, red)
