"""Time, as the person lives it: the one place that waits."""

from __future__ import annotations

import time

_CATCH_UP_S = 0.05


class Pace:
    """How fast the person works; `speed` 2 halves every pause, but not below what programs can follow."""

    def __init__(self, speed: float = 1.0) -> None:
        self.speed = speed
        self._due = time.monotonic()

    def pause(self, seconds: float, *, at_least: float = 0.0) -> None:
        """Wait between two movements. Delays do not add up: a late pause is followed by a shorter one."""
        now = time.monotonic()
        self._due = max(self._due, now - _CATCH_UP_S) + max(seconds / self.speed, at_least)
        time.sleep(max(0.0, self._due - now))

    def poll(self, seconds: float) -> None:
        """Wait for the application, which does not work faster when the person does."""
        time.sleep(seconds)

    def now(self) -> float:
        """A clock for time-outs."""
        return time.monotonic()

    def wall(self) -> float:
        """The time of day, in seconds since 1970, as a diary has it."""
        return time.time()
