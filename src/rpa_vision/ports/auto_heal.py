"""What the auto-heal supervisor asks of the world, one small protocol each."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from rpa_vision.models.auto_heal import Alert, VersionInfo
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.policy import AutoHealPolicy


class StateRecords(Protocol):
    """Records by key inside one transaction."""

    def get(self, key: str) -> JsonObject | None:
        """The record, or None."""

    def put(self, key: str, record: JsonObject) -> None:
        """Keep a record; on disk when the transaction ends."""

    def delete(self, key: str) -> None:
        """Forget a record."""

    def keys(self) -> list[str]:
        """All keys."""


class StateStore(Protocol):
    """The supervisor's memory: one truth for all processes on one data directory.

    A transaction sees and changes everything alone, whatever other processes do, and is on disk, whole, when it ends;
    an exception or `kill -9` inside it leaves what was there before.
    """

    def transaction(self) -> AbstractContextManager[StateRecords]:
        """Read and change records, alone."""


class PolicySource(Protocol):
    """Where the policy comes from."""

    def current(self) -> AutoHealPolicy:
        """The whole policy in force now: the newest valid one. Cheap enough to ask before every step."""


@dataclass(frozen=True, slots=True)
class RollbackOutcome:
    """Whether everything was restored, to which version, and why not."""

    restored: bool
    version_id: str | None
    message: str

    def __bool__(self) -> bool:
        return self.restored


class VersionKeeper(Protocol):
    """Versions of what was learned."""

    def list_versions(self, workflow_id: str) -> list[VersionInfo]:
        """All versions, the newest first."""

    def previous_version(self, workflow_id: str) -> str | None:
        """What `rollback_to_previous` would restore now: the one answer to "which is the previous version?"."""

    def rollback_to_previous(self, workflow_id: str, version: str | None = None) -> RollbackOutcome:
        """Restore the version before the one in use, or a given one: everything or nothing."""

    def note_success_rate(self, workflow_id: str, version_id: str, *, after: float) -> None:
        """Write down how well a version did."""


class FailureRecorder(Protocol):
    """Keeps what failed, so that it can be looked at and replayed."""

    def record_failure(
        self, workflow_id: str, step_id: str, result: ExecutionResult, context: JsonObject
    ) -> str | None:
        """Keep a failed step and give the case's id; None when it is one more of a known kind."""

    def attach_report(self, case_id: str, report: JsonObject) -> None:
        """Add a report (of a simulation) to a case."""


class SuccessStore(Protocol):
    """Validated successes: what learning may read."""

    def record_success(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        """Keep a success whose post-conditions held, outside DEGRADED."""


class AlertSink(Protocol):
    """Who hears of alerts. Never raises, never waits for a slow listener."""

    def raise_alert(self, alert: Alert) -> None:
        """Tell everybody."""


MiniReport = Callable[[str], JsonObject | None]
"""Simulates a workflow's scenario where one is available and gives its report."""
