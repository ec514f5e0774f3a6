"""The last seconds of the screen, so that the frame *before* an event can be found after the event.

Grabbing when an event is heard is too late: the application may have painted already. The ring keeps what came before.
Only the newest frame is kept whole; each older one keeps the pixels that the next one changed, so that seconds of
ordinary work cost little more than one frame.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from rpa_vision.imaging.diff import changed_box, plainly_changed_share
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Point

_BEHIND_S = 0.1
"""What was painted so shortly before an event is not what the person acted on: nobody reacts faster."""
_SMALL_SHARE = 0.001
_NO_PIXELS: Pixels = np.empty((0, 0, 4), np.uint8)


@dataclass(frozen=True, slots=True)
class RingStatistics:
    """What went through the ring (L0-6)."""

    frames: int
    """Frames pushed since the beginning."""
    held: int
    """Frames that can still be asked for."""
    dropped: int
    """Frames that had to go before their time because memory was full."""
    bytes_held: int
    longest_grab_s: float


class FrameRing:
    """At least `depth_s` seconds and `min_frames` frames, and never more than `max_bytes`, whichever comes first.

    A frame stays current until the next one, so an idle screen needs no frames. Push from one thread, ask from any.
    """

    def __init__(self, *, depth_s: float = 2.0, min_frames: int = 8, max_bytes: int = 256 * 1024 * 1024) -> None:
        self._depth_s = depth_s
        self._min_frames = max(1, min_frames)
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._older: deque[_Past] = deque()
        self._newest: Frame | None = None
        self._older_bytes = 0
        self._frames = 0
        self._dropped = 0
        self._longest_grab_s = 0.0

    def push(self, frame: Frame) -> None:
        """Take the next frame. Frames come in the order of time."""
        past = _what_changed(self._newest, frame) if self._newest is not None else None
        with self._lock:
            if past is not None:
                self._older.append(past)
                self._older_bytes += past.pixels.nbytes
            self._newest = frame
            self._frames += 1
            self._longest_grab_s = max(self._longest_grab_s, frame.ended_s - frame.began_s)
            self._forget()

    def latest(self) -> Frame | None:
        """Give the current frame."""
        with self._lock:
            return self._newest

    def before(self, at_s: float) -> Frame | None:
        """Give the last frame whose grab had ended before that moment, or None when none is held."""
        newest, older = self._snapshot()
        if newest is None or newest.ended_s < at_s:
            return newest
        for index in range(len(older) - 1, -1, -1):
            if older[index].frame.ended_s < at_s:
                return _earlier(newest, older[index:])
        return None

    def was_behind(self, at_s: float) -> bool:
        """Whether at that moment the screen had long shown something that no frame had yet: the machine was too busy.

        It can be told when the next frame has come. Small or pale things, such as what answers to the pointer, may
        come late.
        """
        newest, older = self._snapshot()
        frames = [past.frame for past in older] + ([newest] if newest is not None else [])
        following = next((frame for frame in frames if frame.ended_s >= at_s), None)
        if following is None or following.painted_s is None or following.painted_s >= at_s - _BEHIND_S:
            return False
        before = self.before(at_s)
        if before is None:
            return False
        return plainly_changed_share(before.pixels, self.since(at_s)[0].pixels) > _SMALL_SHARE

    def since(self, at_s: float) -> list[Frame]:
        """Give the frames whose grab ended at that moment or later, the oldest first."""
        newest, older = self._snapshot()
        if newest is None or newest.ended_s < at_s:
            return []
        return _rebuild(newest, [past for past in older if past.frame.ended_s >= at_s])

    def statistics(self) -> RingStatistics:
        """Say what went through."""
        with self._lock:
            held = len(self._older) + (self._newest is not None)
            return RingStatistics(self._frames, held, self._dropped, self._bytes(), self._longest_grab_s)

    def _snapshot(self) -> tuple[Frame | None, list[_Past]]:
        with self._lock:
            return self._newest, list(self._older)

    def _forget(self) -> None:
        # The oldest frame is needed while it was the current one at some moment of the last `depth_s` seconds.
        while self._older:
            successor = next(islice(self._older, 1, None), None)
            current_until_s = successor.frame.ended_s if successor else self._now_s()
            outlived = current_until_s < self._now_s() - self._depth_s and len(self._older) >= self._min_frames
            if not outlived and self._bytes() <= self._max_bytes:
                return
            self._dropped += not outlived
            self._older_bytes -= self._older.popleft().pixels.nbytes

    def _now_s(self) -> float:
        return self._newest.ended_s if self._newest is not None else 0.0

    def _bytes(self) -> int:
        return self._older_bytes + (self._newest.pixels.nbytes if self._newest is not None else 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Past:
    """A frame without its pixels, and those of its pixels that the next frame changed, which were at `corner`.

    `corner` is None where the next frame has another size: then these are all of its pixels.
    """

    frame: Frame
    corner: Point | None
    pixels: Pixels


def _what_changed(old: Frame, new: Frame) -> _Past:
    if new.ended_s < old.ended_s:
        raise ValueError("frames come in the order of time")
    bare = replace(old, pixels=_NO_PIXELS)
    if old.pixels.shape != new.pixels.shape:
        return _Past(bare, None, old.pixels)
    box = changed_box(old.pixels, new.pixels)
    if box is None:
        return _Past(bare, (0, 0), _NO_PIXELS)
    return _Past(bare, (box.x1, box.y1), old.pixels[box.y1 : box.y2, box.x1 : box.x2].copy())


def _earlier(newest: Frame, older: Sequence[_Past]) -> Frame:
    """Give the first frame of `older` alone: one copy, however many frames lie between."""
    pixels = newest.pixels.copy()
    for past in reversed(older):
        if past.corner is None:
            pixels = past.pixels.copy()
        elif past.pixels.size:
            left, top = past.corner
            height, width = past.pixels.shape[:2]
            pixels[top : top + height, left : left + width] = past.pixels
    pixels.flags.writeable = False
    return replace(older[0].frame, pixels=pixels)


def _rebuild(newest: Frame, older: Sequence[_Past]) -> list[Frame]:
    """Give the frames from the first of `older` to the newest, working back from the newest."""
    frames = [newest]
    for past in reversed(older):
        frames.append(replace(past.frame, pixels=_undone(frames[-1].pixels, past)))
    return frames[::-1]


def _undone(pixels: Pixels, past: _Past) -> Pixels:
    if past.corner is None:
        return past.pixels
    if not past.pixels.size:
        return pixels
    left, top = past.corner
    height, width = past.pixels.shape[:2]
    earlier = pixels.copy()
    earlier[top : top + height, left : left + width] = past.pixels
    earlier.flags.writeable = False
    return earlier
