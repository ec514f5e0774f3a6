"""How well the capture goes, counted while it runs (L0-6)."""

from __future__ import annotations

import threading
from collections import deque
from statistics import median

from rpa_vision.models.frame import Frame
from rpa_vision.models.input import InputEvent
from rpa_vision.models.raw_session import CaptureMetrics

_REMEMBERED = 20_000
"""Medians are over the latest so many; an hour of ordinary work has fewer."""


class CaptureMeter:
    """Any thread may count. Each count is an addition: cheap enough for a callback."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frames = 0
        self._grab_ms: deque[float] = deque(maxlen=_REMEMBERED)
        self._grab_ms_max = 0.0
        self._lag_ms: deque[float] = deque(maxlen=_REMEMBERED)
        self._lag_ms_max = 0.0
        self._screenshots = 0
        self._bytes = 0

    def frame(self, frame: Frame) -> None:
        """A frame was grabbed."""
        took_ms = max(0.0, frame.ended_s - frame.began_s) * 1000
        with self._lock:
            self._frames += 1
            self._grab_ms.append(took_ms)
            self._grab_ms_max = max(self._grab_ms_max, took_ms)

    def heard(self, event: InputEvent) -> None:
        """An event arrived, so much later than it happened."""
        lag_ms = max(0.0, event.heard_s - event.at_s) * 1000
        with self._lock:
            self._lag_ms.append(lag_ms)
            self._lag_ms_max = max(self._lag_ms_max, lag_ms)

    def wrote_screenshot(self, size_bytes: int) -> None:
        """A picture was kept."""
        with self._lock:
            self._screenshots += 1
            self._bytes += size_bytes

    def snapshot(self, *, frames_dropped: int = 0) -> CaptureMetrics:
        """The figures as they are stored with the session."""
        with self._lock:
            return CaptureMetrics(
                frames_grabbed=self._frames,
                frames_dropped=frames_dropped,
                grab_ms_median=round(median(self._grab_ms or [0.0]), 3),
                grab_ms_max=round(self._grab_ms_max, 3),
                callback_lag_ms_median=round(median(self._lag_ms or [0.0]), 3),
                callback_lag_ms_max=round(self._lag_ms_max, 3),
                screenshots_written=self._screenshots,
                bytes_written=self._bytes,
            )
