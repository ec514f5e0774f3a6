"""A finder that follows one screen: where nothing changed, nothing is looked for again.

For finders that look at their surroundings only (convolutional ones): whether and what they find at a place depends on
the pixels at most `reach_px` away from the middle of the element. Then what lies further than that from every change is
as it was, and the rest is found on a window that shows all it depends on, cut so that the finder's own grid lies where
it lies on the whole picture.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

from rpa_vision.detection.pixel_work import changed_tiles
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ElementFinder, FoundElement

MOSTLY = 0.5
"""When the windows would cover more of the picture than this, it is looked at as a whole."""


@runtime_checkable
class LocalElementFinder(ElementFinder, Protocol):
    """A finder that says how far it looks."""

    @property
    def reach_px(self) -> int:
        """How far from the middle of an element pixels can matter for it."""

    @property
    def stride_px(self) -> int:
        """The grid a window must be cut on."""


class FollowedFinder:
    """Implements `ElementFinder`. One for each screen that is followed; not for several threads."""

    def __init__(self, finder: LocalElementFinder) -> None:
        self._finder = finder
        self._picture: Pixels | None = None
        self._found: list[FoundElement] = []

    @property
    def name(self) -> str:
        return self._finder.name

    def find(self, image: Pixels) -> list[FoundElement]:
        before = self._picture
        if before is None or before.shape != image.shape:
            self._picture, self._found = image.copy(), self._finder.find(image)
            return list(self._found)
        changed = changed_tiles(before, image)
        if changed:
            self._found = self._again(image, changed)
            for box in changed:
                before[box.y1 : box.y2, box.x1 : box.x2] = image[box.y1 : box.y2, box.x1 : box.x2]
        return list(self._found)

    def _again(self, image: Pixels, changed: list[Box]) -> list[FoundElement]:
        height, width = int(image.shape[0]), int(image.shape[1])
        reach = self._finder.reach_px
        touched = _merged([box.padded(reach) for box in changed])
        windows = [window for box in touched if (window := self._window(box, width, height)) is not None]
        if sum(window.area for window in windows) > MOSTLY * width * height:
            return self._finder.find(image)
        kept = [each for each in self._found if not any(box.contains(each.box.center) for box in touched)]
        for box, window in zip(touched, windows, strict=True):
            crop = image[window.y1 : window.y2, window.x1 : window.x2]
            for each in self._finder.find(crop.copy()):
                there = each.box.moved(window.x1, window.y1)
                if box.contains(there.center):
                    kept.append(replace(each, box=there))
        return sorted(kept, key=lambda each: (-each.confidence, each.box, each.kind))

    def _window(self, touched: Box, width: int, height: int) -> Box | None:
        stride = self._finder.stride_px
        seen = touched.padded(self._finder.reach_px)
        left, top = max(0, seen.x1) // stride * stride, max(0, seen.y1) // stride * stride
        right, bottom = -(-seen.x2 // stride) * stride, -(-seen.y2 // stride) * stride
        return Box(left, top, right, bottom).clamped(width, height)


def _merged(boxes: list[Box]) -> list[Box]:
    """The boxes, those that touch as one."""
    merged: list[Box] = []
    for box in boxes:
        while (other := next((each for each in merged if each.intersection(box) is not None), None)) is not None:
            merged.remove(other)
            box = box.union(other)
        merged.append(box)
    return merged
