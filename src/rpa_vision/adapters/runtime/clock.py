"""The machine's clock: the one place in the house that reads it or waits for it."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Implements `ports.runtime.Clock`; monotonic seconds are CLOCK_MONOTONIC, which a local X server uses too."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)
