"""Decisions as the supervisor writes them down, for tests that ask about them."""

from __future__ import annotations

from typing import Any

from rpa_vision.adapters.audit import JsonlAudit
from rpa_vision.models.auto_heal import ExecutionState, StateTransition
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.testing.manual_clock import ManualClock


def result_of(
    status: str = "success", *, confidence: float | None = 0.9, failure: str | None = None
) -> ExecutionResult:
    return ExecutionResult(
        status=ExecutionStatus(status),
        confidence=confidence,
        failure_kind=FailureKind(failure) if failure is not None else None,
        execution_time_ms=800.0,
    )


def tell_result(
    log: JsonlAudit, workflow_id: str, step_id: str, result: ExecutionResult, *, state: str = "running", run: str = "r1"
) -> None:
    record: dict[str, Any] = {"run_id": run, "workflow_id": workflow_id, "step_id": step_id, "state": state}
    log.append("step_result", record | {"result": result.to_json()})


def tell_transition(log: JsonlAudit, clock: ManualClock, workflow_id: str, begin: str, end: str) -> None:
    transition = StateTransition(
        workflow_id=workflow_id,
        from_state=ExecutionState(begin),
        to_state=ExecutionState(end),
        at=clock.now(),
        reason="as told",
    )
    log.append("state_transition", transition.to_json())
