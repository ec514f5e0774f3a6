"""Writes what was recorded, on a thread of its own: pictures cost far too much to be encoded where events are taken.

The queue is bounded. When the disk is slower than the person, whoever records waits; nothing is ever dropped.
"""

from __future__ import annotations

import hashlib
import queue
import threading
import traceback
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from rpa_vision.capture.metrics import CaptureMeter
from rpa_vision.capture.noise import judge
from rpa_vision.capture.pairing import Aftermath, Paired
from rpa_vision.imaging.codec import encode_png
from rpa_vision.imaging.colour import colours
from rpa_vision.models.frame import Frame
from rpa_vision.models.raw_session import Event, Screenshot
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.storage import SessionWriter

CAPACITY = 16
"""Entries that may wait; each may hold two pictures of 8 MB."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """The moment a session began, on both clocks."""

    at: datetime
    monotonic_s: float

    def seconds(self, at_s: float) -> float:
        """Seconds since then, never negative."""
        return round(max(0.0, at_s - self.monotonic_s), 6)

    def moment(self, at_s: float) -> datetime:
        """The wall clock at that moment."""
        return self.at + timedelta(seconds=self.seconds(at_s))


class SessionLog:
    """Takes pairs in order; each picture is kept before the event that refers to it, and kept only once."""

    def __init__(
        self,
        writer: SessionWriter,
        beginning: Beginning,
        meter: CaptureMeter,
        *,
        on_error: Callable[[], None],
        capacity: int = CAPACITY,
    ) -> None:
        self._writer = writer
        self._beginning = beginning
        self._meter = meter
        self._on_error = on_error
        self._queue: queue.Queue[Paired | Aftermath | None] = queue.Queue(capacity)
        self._thread = threading.Thread(target=self._work, name="session log", daemon=True)
        self._shots: dict[bytes, str] = {}
        self._recent: deque[tuple[Frame, str]] = deque(maxlen=3)
        self._events = 0
        self._times_full = 0
        self._error: Exception | None = None

    @property
    def events(self) -> int:
        return self._events

    @property
    def screenshots(self) -> int:
        return len(self._shots)

    @property
    def times_full(self) -> int:
        """How often the recorder had to wait for the disk."""
        return self._times_full

    @property
    def error(self) -> Exception | None:
        """What ended the writing before its time; what comes after it is lost."""
        return self._error

    def start(self) -> None:
        self._thread.start()

    def write(self, item: Paired | Aftermath) -> None:
        """Hand in the next one; waits while the queue is full."""
        self._times_full += self._queue.full()
        self._queue.put(item)

    def close(self) -> None:
        """Write what is waiting and end."""
        self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        while (item := self._queue.get()) is not None:
            if self._error is not None:
                continue  # whoever hands in must not wait for a queue nobody empties
            try:
                self._keep(item)
            except Exception as error:  # top of a thread; raised again by the recorder's stop
                traceback.clear_frames(error.__traceback__)
                self._error = error
                self._on_error()

    def _keep(self, item: Paired | Aftermath) -> None:
        if isinstance(item, Aftermath):
            self._writer.add_aftermath(item.number, self._screenshot_id(item.after))
            return
        before_id = self._screenshot_id(item.before) if item.before is not None else None
        after_id = self._screenshot_id(item.after) if item.after is not None else None
        self._writer.add_event(self._event(item, before_id, after_id))
        self._events += 1

    def _event(self, item: Paired, before_id: str | None, after_id: str | None) -> Event:
        gesture, judgement = item.gesture, judge(item.gesture)
        pointing = gesture.type != "key_press"
        button = gesture.button
        return Event(
            t=self._beginning.seconds(gesture.at_s),
            type=gesture.type,
            window=gesture.origin.window or WindowContext(),
            screenshot_id=before_id,
            screenshot_after_id=after_id,
            button=button.value if button is not None else None,
            pos=gesture.pos if pointing else None,
            clicks=gesture.clicks,
            end_pos=gesture.end_pos,
            scroll=gesture.scroll,
            key=gesture.key,
            char=gesture.char,
            modifiers=gesture.modifiers,
            secret_ref=gesture.secret_ref,
            noise_flag=judgement.noise_flag,
            semantic_role=judgement.semantic_role,
            confidence=judgement.confidence,
        )

    def _screenshot_id(self, frame: Frame) -> str:
        for recent, known in self._recent:
            if recent.pixels is frame.pixels and recent.window == frame.window:
                return known
        plain = colours(frame.pixels)  # the fourth byte means nothing and may differ
        hashed = hashlib.blake2b(plain.data, digest_size=16, key=repr(plain.shape).encode())
        hashed.update(repr(frame.window).encode())  # the same picture, when another window has come to the front
        digest = hashed.digest()
        shot_id = self._shots.get(digest)
        if shot_id is None:
            shot_id = f"shot_{len(self._shots) + 1:04d}"
            png = encode_png(frame.pixels)
            self._writer.add_screenshot(self._screenshot(shot_id, frame), png)
            self._meter.wrote_screenshot(len(png))
            self._shots[digest] = shot_id
        self._recent.append((frame, shot_id))
        return shot_id

    def _screenshot(self, shot_id: str, frame: Frame) -> Screenshot:
        return Screenshot(
            screenshot_id=shot_id,
            relative_path=f"shots/{shot_id}.png",
            captured_at=self._beginning.moment(frame.ended_s),
            t=self._beginning.seconds(frame.ended_s),
            pointer=frame.pointer,
            window=frame.window,
            covered=tuple(box.bbox for box in frame.covered),
        )
