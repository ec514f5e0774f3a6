"""A clock that stands still until told to go on. Sleeping moves it, so nothing in a test ever waits."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

_NEW_YEAR = datetime(2025, 1, 1, tzinfo=UTC)


class ManualClock:
    """Implements `ports.runtime.Clock`. Usable from several threads."""

    def __init__(self, start: datetime = _NEW_YEAR, monotonic_s: float = 1000.0) -> None:
        self._start = start
        self._start_s = monotonic_s
        self._now_s = monotonic_s
        self._lock = threading.Lock()
        self.slept_s: list[float] = []
        """What was asked of `sleep`, in order."""

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self.monotonic() - self._start_s)

    def monotonic(self) -> float:
        with self._lock:
            return self._now_s

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self.slept_s.append(seconds)
            self._now_s += max(0.0, seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass without anybody sleeping."""
        if seconds < 0:
            raise ValueError("time only goes forward")
        with self._lock:
            self._now_s += seconds
