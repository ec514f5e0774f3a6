"""What the supervisor remembers, as it is stored: one record per workflow, its history, and one for all together.

Every record is bounded, so that a step costs the same after years. The audit trail has the whole story.
"""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from rpa_vision.models.auto_heal import Alert, ExecutionState, StateTransition
from rpa_vision.models.document import Document, Part
from rpa_vision.models.ids import Id
from rpa_vision.ports.auto_heal import StateRecords
from rpa_vision.system.circuit_breaker import GlobalCounts, WorkflowCounts
from rpa_vision.system.regression_watch import RegressionRecord

MAX_HISTORY = 200
MAX_PAUSES = 50
MAX_PENDING_ALERTS = 100

_WORKFLOW, _HISTORY, _GLOBAL, _GLOBAL_FAILURES = "workflow/", "history/", "global", "global_failures"


class PendingRollback(Part):
    """A rollback that was decided. Whoever owns it carries it out; a dead owner's is taken over when the lease ends."""

    owner: Id
    lease_until: AwareDatetime
    bad_version: Id | None
    target_version: Id | None
    """Named when it was decided: doing it twice then restores the same."""
    only_target: bool = False
    """A person named it: if it cannot be restored, no other is."""
    reason: str


class WorkflowRecord(Document):
    """One workflow."""

    schema_version: Literal["auto_heal_workflow_v1"] = "auto_heal_workflow_v1"
    workflow_id: Id
    state: ExecutionState = ExecutionState.RUNNING
    state_since: AwareDatetime
    quarantine_until: AwareDatetime | None = None
    paused_from: ExecutionState | None = None
    clean_steps: int = Field(default=0, ge=0)
    """Clean steps in a row since DEGRADED began."""
    last_failure: AwareDatetime | None = None
    last_failed_step: Id | None = None
    last_case_id: str | None = None
    transitions: int = Field(default=0, ge=0)
    counts: WorkflowCounts = WorkflowCounts()
    regression: RegressionRecord = RegressionRecord()
    rollback: PendingRollback | None = None


class HistoryRecord(Document):
    """The last changes of state of one workflow, the oldest first."""

    transitions: tuple[StateTransition, ...] = ()


class PauseEvent(Part):
    """Everything was paused, or went on."""

    paused: bool
    at: AwareDatetime
    who: str
    reason: str


class GlobalRecord(Document):
    """What holds for all workflows."""

    schema_version: Literal["auto_heal_global_v1"] = "auto_heal_global_v1"
    paused: PauseEvent | None = None
    pauses: tuple[PauseEvent, ...] = ()
    pending_alerts: tuple[Alert, ...] = ()
    """Decided and stored, not told yet: a killed process does not swallow an alert."""


def load_workflow(records: StateRecords, workflow_id: str) -> WorkflowRecord | None:
    data = records.get(_WORKFLOW + workflow_id)
    return None if data is None else WorkflowRecord.from_json(data, where=f"state of {workflow_id}")


def save_workflow(records: StateRecords, record: WorkflowRecord) -> None:
    records.put(_WORKFLOW + record.workflow_id, record.to_json())


def known_workflows(records: StateRecords) -> list[str]:
    return sorted(key.removeprefix(_WORKFLOW) for key in records.keys() if key.startswith(_WORKFLOW))  # noqa: SIM118


def load_history(records: StateRecords, workflow_id: str) -> tuple[StateTransition, ...]:
    data = records.get(_HISTORY + workflow_id)
    return () if data is None else HistoryRecord.from_json(data, where=f"history of {workflow_id}").transitions


def add_history(records: StateRecords, transition: StateTransition) -> None:
    before = load_history(records, transition.workflow_id)
    kept = HistoryRecord(transitions=(*before, transition)[-MAX_HISTORY:])
    records.put(_HISTORY + transition.workflow_id, kept.to_json())


def load_global(records: StateRecords) -> GlobalRecord:
    data = records.get(_GLOBAL)
    return GlobalRecord() if data is None else GlobalRecord.from_json(data, where="state of all workflows")


def save_global(records: StateRecords, record: GlobalRecord) -> None:
    records.put(_GLOBAL, record.to_json())


def load_global_failures(records: StateRecords) -> GlobalCounts:
    data = records.get(_GLOBAL_FAILURES)
    return GlobalCounts() if data is None else GlobalCounts.from_json(data, where="failures of all workflows")


def save_global_failures(records: StateRecords, counts: GlobalCounts) -> None:
    records.put(_GLOBAL_FAILURES, counts.to_json())
