"""The net of the element detector, whole or following one screen.

It comes in two parts (`training/detector/net.py`). The near one looks at each cell of its map and `margin` cells around
it, so its map of a picture is that of the picture before wherever nothing changed nearby; only around changes it is
asked again, at once, for that is soon done. The far one sees everything and is asked for every picture: that takes
long, holds nobody up where there is another core, and needs nothing of this program meanwhile. Both ways give the same
answers to the last bit.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from rpa_vision.adapters.perception.shipped_model import open_model
from rpa_vision.errors import ModelMissingError
from rpa_vision.imaging.changed_tiles import changed_tiles
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

Array = NDArray[np.float32]
Answers = tuple[Array, Array]
"""The fine and the coarse map of a picture."""
LongPart = Callable[[], Answers]
STEP_PX = 32
"""Pictures are padded to whole steps of the coarsest layer."""
_MOSTLY = 0.4
"""When more of a picture than this is to be looked at again, all of it is."""
_NEAR, _FAR, _FAR_WHOLE = "near.onnx", "far.onnx", "far-int8.onnx"
"""Parts of the archive. The far half in whole numbers takes half the time; a net without it is asked as it is."""


class ElementNet:
    """Picture (blue-green-red) → the two maps of answers, each picture for itself."""

    def __init__(self, archive: bytes, *, cell_px: int, margin: int, threads: int, what: str) -> None:
        """`cell_px`: side of a cell of the near map; `margin`: how many cells around a cell matter to it."""
        try:
            with zipfile.ZipFile(io.BytesIO(archive)) as parts:
                near, far = parts.read(_NEAR), parts.read(_FAR_WHOLE if _FAR_WHOLE in parts.namelist() else _FAR)
        except (zipfile.BadZipFile, KeyError) as error:
            raise ModelMissingError(f"the {what} is not of this version: {error}") from error
        self.cell_px, self.margin = cell_px, margin
        self._near, self._far = (open_model(part, threads, what) for part in (near, far))

    def begin(self, image: Pixels) -> LongPart:
        """Look at a picture: what takes long is given back, and may be done by another thread."""
        picture = padded(image)
        return lambda: self.far(self.near(picture))

    def near(self, picture: Pixels) -> Array:
        """The near map of a picture whose sides are whole cells."""
        found: Array = self._near.run(None, {"picture": _as_planes(picture)})[0]
        return found

    def far(self, near: Array) -> Answers:
        """The answers to a whole near map."""
        fine, coarse = self._far.run(None, {"near": near})
        return fine[0], coarse[0]

    def following(self) -> FollowingNet:
        """The same net for one screen that is followed."""
        return FollowingNet(self)


class FollowingNet:
    """The same answers, sooner. One for each screen that is followed; not for several threads."""

    def __init__(self, net: ElementNet) -> None:
        self._net = net
        self._picture: Pixels | None = None
        self._map: Array = np.zeros((1, 0, 0, 0), np.float32)
        self._answers: Answers | None = None

    def begin(self, image: Pixels) -> LongPart:
        picture, before = padded(image), self._picture
        known, self._answers = self._answers, None  # whatever fails from here on, the next picture is looked at whole
        if before is None or before.shape != picture.shape or known is None:
            self._picture = picture.copy() if np.shares_memory(picture, image) else picture
            return self._look_whole
        changed = changed_tiles(before, picture)
        for box in changed:
            before[box.y1 : box.y2, box.x1 : box.x2] = picture[box.y1 : box.y2, box.x1 : box.x2]
        if not changed:
            self._answers = known
            return lambda: known
        return self._look_far if self._look_again(before, changed) else self._look_whole

    def following(self) -> FollowingNet:
        """Another one, for another screen."""
        return self._net.following()

    def _look_whole(self) -> Answers:
        assert self._picture is not None  # it is there as soon as anything was begun
        self._map = self._net.near(self._picture)
        return self._look_far()

    def _look_far(self) -> Answers:
        self._answers = answers = self._net.far(self._map)
        return answers

    def _look_again(self, picture: Pixels, changed: list[Box]) -> bool:
        """Bring the near map up to date: cells that a change can matter to, seen with all that matters to them. Not
        where that is most of the picture."""
        rows, columns = self._map.shape[2:]
        cell, margin = self._net.cell_px, self._net.margin
        touched = [_cells(box, cell).padded(margin).clamped(columns, rows) for box in changed]
        seen = [box.padded(margin).clamped(columns, rows) for box in touched if box is not None]
        if sum(box.area for box in seen if box is not None) > _MOSTLY * rows * columns:
            return False
        for own, window in zip((box for box in touched if box is not None), seen, strict=True):
            if window is None:
                continue
            crop = picture[window.y1 * cell : window.y2 * cell, window.x1 * cell : window.x2 * cell]
            part, inner = self._net.near(crop), own.moved(-window.x1, -window.y1)
            self._map[:, :, own.y1 : own.y2, own.x1 : own.x2] = part[:, :, inner.y1 : inner.y2, inner.x1 : inner.x2]
        return True


def padded(image: Pixels) -> Pixels:
    """The picture's colours, padded to whole steps by its own edge."""
    height, width = image.shape[:2]
    down, right = -height % STEP_PX, -width % STEP_PX
    plain = np.ascontiguousarray(image[:, :, :3])
    if down or right:
        return np.asarray(cv2.copyMakeBorder(plain, 0, down, 0, right, cv2.BORDER_REPLICATE), np.uint8)
    return plain


def _as_planes(picture: Pixels) -> Array:
    """Red, green and blue, 0 … 1."""
    height, width = picture.shape[:2]
    blob = np.empty((1, 3, height, width), np.float32)
    for room, plane in zip(blob[0], reversed(cv2.split(picture)), strict=True):
        np.multiply(plane, np.float32(1 / 255), out=room, dtype=np.float32)
    return blob


def _cells(box: Box, side: int) -> Box:
    """The cells a box of pixels lies in."""
    return Box(box.x1 // side, box.y1 // side, -(-box.x2 // side), -(-box.y2 // side))
