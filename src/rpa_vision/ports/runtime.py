"""Time and ids, so that nothing in the house reads a clock or rolls dice by itself."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Time."""

    def now(self) -> datetime:
        """The wall clock, in UTC."""

    def monotonic(self) -> float:
        """Seconds that only go forward; the same time base as frames and input events."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class Ids(Protocol):
    """New ids."""

    def new(self, prefix: str) -> str:
        """An id nobody had before, beginning with the prefix."""
