"""Covers, in the pictures that are kept, what secret typing left readable on the screen (L0-7).

Dots that stand for a password may be seen. Anything else that a secret episode drew is painted over with one colour: in
all pictures of the episode, and afterwards as long as it may still be there. It is taken for gone when its place looks
as it did before the typing, or when that place and the window around it have changed: neither what stands beside the
window nor what the place itself shows now says that the rest did. Doubt covers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rpa_vision.imaging.diff import changed_boxes, same_pixels
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box

COVER = 128
LATE_PX = 60
"""So much further to the right than was seen the last letters may be drawn after the person has gone on."""
MAX_BYTES = 256 * 1024 * 1024
"""What closed covers may remember; beyond that the oldest are given up."""
JOIN_PX = 14
_CELL_PX = 16
_OTHER_SCREEN = 0.4
_FEWEST_CELLS = 12
"""Where less than that is drawn around it, nobody can tell another screen from this one."""
_FEWEST_SHARE = 0.05

Cells = NDArray[np.float32]
Mask = NDArray[np.bool_]
Hides = Callable[[Frame, Box], bool]


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A place where a secret was left, as it looked before the typing and after it."""

    box: Box
    before: Pixels
    last: Pixels


class Cover:
    """What one secret episode drew. It is open while the person types, and closed with the last picture of it."""

    def __init__(self, before: Frame | None, from_s: float, room: Box | None) -> None:
        self._before = before.pixels if before is not None else None
        self._from_s = from_s
        self._room = room
        self._parts: list[_Part] | None = None
        self._size: tuple[int, int] = (0, 0)
        self._around: Box | None = None
        self._last_look: Cells = np.empty((0, 0), np.float32)
        self._elsewhere: Mask = np.empty((0, 0), np.bool_)

    @property
    def bytes_held(self) -> int:
        return sum(part.before.nbytes + part.last.nbytes for part in self._parts or ())

    def close(self, last: Frame | None) -> None:
        """The person went on; `last` is the screen just before."""
        if self._before is None or last is None or last.pixels.shape != self._before.shape:
            return  # nobody can tell where the text is: it stays open
        room = [self._room] if self._room is not None else [_with_margin(box) for box in self._drawn(last.pixels)]
        boxes = [box for each in room if (box := each.clamped(last.width, last.height)) is not None]
        self._parts = [_Part(box, _cut(self._before, box), _cut(last.pixels, box)) for box in boxes]
        self._size, self._around = (last.width, last.height), _window_around(last, boxes)
        self._last_look = _look(_cut(last.pixels, self._around))
        self._elsewhere = _outside(boxes, self._around, self._last_look)
        self._before = None

    def boxes(self, frame: Frame, hides: Hides) -> list[Box]:
        """What to paint over in that picture."""
        if frame.ended_s <= self._from_s:
            return []
        if self._parts is not None:
            drawn = self._still_drawn(frame, self._parts)
        elif self._before is None or self._before.shape != frame.pixels.shape:
            drawn = [Box(0, 0, frame.width, frame.height)]
        else:
            drawn = self._drawn(frame.pixels)
        return [box for box in drawn if not hides(frame, box)]

    def _drawn(self, pixels: Pixels) -> list[Box]:
        assert self._before is not None
        boxes = changed_boxes(self._before, pixels, join_px=JOIN_PX)
        if self._room is None:
            return boxes
        return [common for box in boxes if (common := box.intersection(self._room)) is not None]

    def _still_drawn(self, frame: Frame, parts: list[_Part]) -> list[Box]:
        if not parts or self._around is None or (frame.width, frame.height) != self._size:
            return []
        now_look = _look(_cut(frame.pixels, self._around))
        other_screen = _is_other_screen(self._last_look, now_look, self._elsewhere)
        drawn: list[Box] = []
        for part in parts:
            now = _cut(frame.pixels, part.box)
            if not (other_screen and not same_pixels(part.last, now)):
                boxes = changed_boxes(part.before, now, join_px=JOIN_PX)
                drawn += [box.moved(part.box.x1, part.box.y1) for box in boxes]
        return drawn


class Curtain:
    """All covers of a recording. `hides` tells dots from letters; who cannot tell covers both."""

    def __init__(self, hides: Hides) -> None:
        self._hides = hides
        self._covers: list[Cover] = []

    def open(self, before: Frame | None, from_s: float, room: Box | None) -> Cover:
        """A secret is typed from that moment on, somewhere in that room."""
        while sum(cover.bytes_held for cover in self._covers) > MAX_BYTES:
            self._covers.pop(0)
        self._covers.append(Cover(before, from_s, room))
        return self._covers[-1]

    def drawn_over(self, frame: Frame) -> Frame:
        """The picture as it may be kept; the same one where nothing is to be covered."""
        boxes = [box for cover in self._covers for box in cover.boxes(frame, self._hides)]
        if not boxes:
            return frame
        pixels = frame.pixels.copy()
        for box in boxes:
            pixels[box.y1 : box.y2, box.x1 : box.x2, :3] = COVER
        pixels.flags.writeable = False
        return replace(frame, pixels=pixels, covered=(*frame.covered, *boxes))


def _with_margin(box: Box) -> Box:
    return Box(box.x1 - 4, box.y1 - 4, box.x2 + LATE_PX, box.y2 + 4)


def _window_around(frame: Frame, boxes: list[Box]) -> Box:
    """The inside of the window that was in front, if all boxes are in it; otherwise the whole screen."""
    geometry = frame.window.geometry if frame.window is not None else None
    window = Box.of(geometry).clamped(frame.width, frame.height) if geometry is not None else None
    if window is not None and all(window.encloses(box) for box in boxes):
        return window
    return Box(0, 0, frame.width, frame.height)


def _outside(boxes: list[Box], around: Box, look: Cells) -> Mask:
    """Which cells tell of another screen: not the secret's own places, which change when it is shown or hidden.

    Where such a place is nearly all there is, it is asked itself.
    """
    outside = np.ones(look.shape, np.bool_)
    for each in boxes:
        box = each.moved(-around.x1, -around.y1)
        columns = slice(max(0, box.x1 // _CELL_PX), -(-box.x2 // _CELL_PX))
        outside[max(0, box.y1 // _CELL_PX) : -(-box.y2 // _CELL_PX), columns] = False
    return outside if outside.mean() >= _FEWEST_SHARE else np.ones(look.shape, np.bool_)


def _cut(pixels: Pixels, box: Box) -> Pixels:
    return np.ascontiguousarray(pixels[box.y1 : box.y2, box.x1 : box.x2])


def _look(pixels: Pixels) -> Cells:
    """The brightness of each cell of the screen, from a sixteenth of its pixels."""
    few = pixels[:: _CELL_PX // 4, :: _CELL_PX // 4, 1].astype(np.float32)
    height, width = few.shape[0] // 4, few.shape[1] // 4
    cells: Cells = few[: 4 * height, : 4 * width].reshape(height, 4, width, 4).mean((1, 3))
    return cells


def _is_other_screen(old: Cells, new: Cells, where: Mask) -> bool:
    """Most of what is drawn there at all is drawn otherwise."""
    if not old.size:
        return False
    drawn = ((np.abs(old - np.median(old)) > 3) | (np.abs(new - np.median(new)) > 3)) & where
    if np.count_nonzero(drawn) < _FEWEST_CELLS:
        return False
    changed = np.abs(old - new) > 3
    return float(changed[drawn].mean()) >= _OTHER_SCREEN
