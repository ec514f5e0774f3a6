"""Failures of the last minutes, in bounded memory.

How many failures a window must remember is known: as many as the largest threshold a policy may set. Of a million
failures the newest few hundred answer every question that a threshold can ask, also after the policy was changed.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from rpa_vision.models.auto_heal import FailureEvent
from rpa_vision.models.policy import MAX_WINDOW_S
from rpa_vision.ports.runtime import Clock


@dataclass(frozen=True, slots=True)
class FailureWindowSnapshot:
    """A window as it was at one instant."""

    window_start: datetime
    window_duration_s: int
    failures: tuple[FailureEvent, ...]


class FailureWindow:
    """Builds up one failure at a time; gives frozen snapshots. Slides by the injected clock.

    A failure counts while it is younger than the duration. One that claims to come from the future (the machine's
    clock was set back) counts too: doubt never makes the supervisor more patient.
    """

    def __init__(
        self, window_duration_s: int, clock: Clock, *, capacity: int, failures: Iterable[FailureEvent] = ()
    ) -> None:
        self._duration_s = window_duration_s
        self._clock = clock
        self._failures: deque[FailureEvent] = deque(failures, maxlen=capacity)

    @property
    def window_duration_s(self) -> int:
        return self._duration_s

    @property
    def window_start(self) -> datetime:
        """Where the window begins just now."""
        return self._clock.now() - timedelta(seconds=self._duration_s)

    @property
    def remembered(self) -> tuple[FailureEvent, ...]:
        """Everything kept, for storing: a longer window in the next policy finds older failures still there."""
        return tuple(self._failures)

    def add_failure(self, failure: FailureEvent) -> None:
        """Remember one more, and forget the oldest when there are too many."""
        self._failures.append(failure)
        self.cleanup_expired()

    def get_failure_count(self) -> int:
        """How many there are in the window now, as far as any threshold can ask."""
        return len(self._inside())

    def cleanup_expired(self) -> None:
        """Forget what no window of any policy can hold any more."""
        oldest = self._clock.now() - timedelta(seconds=MAX_WINDOW_S)
        while self._failures and self._failures[0].at <= oldest:
            self._failures.popleft()

    def clear(self) -> None:
        """Forget everything: the cause is known to be gone."""
        self._failures.clear()

    def snapshot(self) -> FailureWindowSnapshot:
        """What is in the window now."""
        return FailureWindowSnapshot(self.window_start, self._duration_s, self._inside())

    def _inside(self) -> tuple[FailureEvent, ...]:
        start = self.window_start
        return tuple(failure for failure in self._failures if failure.at > start)
