"""The kill switch: who runs, and who is to stop. Shared by all processes of a data directory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from rpa_vision.models.running_run import RunningRun, StopRequest


class RunningRuns(Protocol):
    """Runs that go on, and requests that they end."""

    def begin(self, run_id: str, workflow_id: str, at: datetime) -> None:
        """A run of this process has begun."""

    def end(self, run_id: str) -> None:
        """It has ended."""

    def all(self) -> Sequence[RunningRun]:
        """Runs that go on now, the oldest first. What a dead process left is not among them."""

    def request_stop(self, request: StopRequest) -> None:
        """Have a run, or all of them, end before the next input."""

    def stop_for(self, run_id: str, began_at: datetime) -> StopRequest | None:
        """The request that means this run, if there is one. Cheap: it is asked ten times a second."""
