"""Read all text of a picture: find the lines, cut them out with room for accents, have them read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import cast

import cv2
import numpy as np

from rpa_vision.detection.careful_reader import CarefulReader
from rpa_vision.detection.line_finder import find_lines
from rpa_vision.detection.pixel_work import PixelWork, PlainWork
from rpa_vision.detection.reading_cache import CachedTextRecognizer
from rpa_vision.detection.regions import Region, find_regions
from rpa_vision.errors import ImageError
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.ports.perception import CalibratedReader, TextCache, TextRecognizer

MAX_WORKING_PIXELS = 1920 * 1200
"""Lines are looked for on a picture of at most this size; what is found is read at full resolution."""


class TextDetector:
    """Finds and reads lines of text."""

    def __init__(self, recognizer: TextRecognizer) -> None:
        self._recognizer = recognizer

    @classmethod
    def over(cls, recognizer: TextRecognizer, cache: TextCache | None = None) -> TextDetector:
        """With everything that makes a plain reader good: a second look where that helps, and a memory."""
        reader = recognizer if isinstance(recognizer, CalibratedReader) else CarefulReader(recognizer)
        return cls(CachedTextRecognizer(reader, cache))

    @property
    def method(self) -> str:
        """How text is found and read, for the record."""
        return f"line_finder+{self._recognizer.name}"

    def find(self, image: Pixels, regions: Sequence[Region] | None = None, work: PixelWork | None = None) -> list[Box]:
        """Boxes of the lines, with the small margin a reader wants, inside the picture.

        `regions` are the picture's boxes, where they are known already: text never crosses the edge of a control.
        `work` saves what was done for the picture before.
        """
        pixels = as_bgr(image)
        height, width = pixels.shape[:2]
        small, scale = (work or PlainWork()).once("working_size", pixels, at_working_size)
        walls = [region for region in (regions_of(pixels) if regions is None else regions) if _is_wall(region)]
        boxes = [region.box for region in sorted(walls, key=lambda region: region.squareness)]  # the covered ones first
        lines = find_lines(small, [_scaled(box, 1 / scale) for box in boxes], work)
        parts = [part for line in lines for part in _within_walls(_scaled(line, scale), boxes)]
        return [box for part in parts if (box := _with_margin(part).clamped(width, height))]

    def read(self, image: Pixels, boxes: Sequence[Box] | None = None) -> list[TextLine]:
        """The lines that say something, in reading order."""
        pixels = as_bgr(image)
        found = self.find(pixels) if boxes is None else boxes
        crops = [pixels[box.y1 : box.y2, box.x1 : box.x2] for box in found]
        return [
            TextLine(text=read.text, bbox=box.bbox, confidence=read.confidence)
            for box, read in zip(found, self._recognizer.read(crops), strict=True)
            if read.text
        ]


def as_bgr(image: object) -> Pixels:
    """A contiguous blue-green-red picture of 8 bits, or a clear error."""
    if not isinstance(image, np.ndarray) or image.dtype != np.uint8:
        kind = f"{type(image).__name__} of {image.dtype}" if isinstance(image, np.ndarray) else type(image).__name__
        raise ImageError(f"a picture is an array of 8-bit numbers, not a {kind}")
    if image.ndim == 2:
        return np.ascontiguousarray(np.repeat(image[:, :, None], 3, axis=2))
    if image.ndim != 3 or image.shape[2] not in (3, 4) or 0 in image.shape:
        raise ImageError(f"a picture is height × width × 3 (or 4), not {' × '.join(map(str, image.shape))}")
    if image.shape[2] == 4:
        return cast(Pixels, cv2.cvtColor(image, cv2.COLOR_BGRA2BGR))  # ten times as fast as a sliced copy
    return np.ascontiguousarray(image)


def at_working_size(pixels: Pixels) -> tuple[Pixels, float]:
    """The picture at a bounded size, and by how much its coordinates must be multiplied to be true again."""
    height, width = pixels.shape[:2]
    if width * height <= MAX_WORKING_PIXELS:
        return pixels, 1.0
    factor = (MAX_WORKING_PIXELS / (width * height)) ** 0.5
    # Given the factor and not a size, both sides are scaled by exactly that: a size would be rounded for each of them.
    small = cast(Pixels, cv2.resize(pixels, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
    return small, 1 / factor


def regions_of(pixels: Pixels, work: PixelWork | None = None) -> list[Region]:
    """The boxes of a picture, found at working size, in true coordinates."""
    small, scale = (work or PlainWork()).once("working_size", pixels, at_working_size)
    regions = find_regions(small, work)
    if scale == 1.0:
        return regions
    height, width = pixels.shape[:2]
    grown = ((region, _scaled(region.box, scale).clamped(width, height)) for region in regions)
    return [replace(region, box=box) for region, box in grown if box is not None]


def _scaled(box: Box, scale: float) -> Box:
    if scale == 1.0:
        return box
    return Box(round(box.x1 * scale), round(box.y1 * scale), round(box.x2 * scale), round(box.y2 * scale))


def _with_margin(line: Box) -> Box:
    return line.padded(3, max(2, round(0.2 * line.height)))  # measured: more or less costs accents and capitals


def _is_wall(region: Region) -> bool:
    """The outline of a control or a panel, not the inside of a large letter."""
    return region.is_distinct and region.squareness >= 0.5 and min(region.box.height, region.box.width) >= 16


def _within_walls(line: Box, walls: Sequence[Box]) -> list[Box]:
    """A line cut where the left or right edge of a control runs through it: two texts that only looked like one."""
    middle, cuts = line.center[1], {line.x1, line.x2}
    for wall in walls:
        if wall.y1 <= middle < wall.y2 and line.height <= wall.height <= 5 * line.height:
            cuts |= {x for x in (wall.x1, wall.x2) if line.x1 + 5 < x < line.x2 - 5}
    if len(cuts) == 2:
        return [line]
    return [Box(left, line.y1, right, line.y2) for left, right in pairwise(sorted(cuts))]
