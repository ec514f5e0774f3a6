"""A workflow's steps, as the supervisor hears of them."""

from __future__ import annotations

from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.system.auto_heal_manager import AutoHealManager

WF = "invoices"
NOT_FOUND = FailureKind.TARGET_NOT_FOUND


def success(*, margin: float | None = None, confidence: float = 0.9) -> ExecutionResult:
    return ExecutionResult(status=ExecutionStatus.SUCCESS, confidence=confidence, margin=margin)


def failure(kind: FailureKind | None = NOT_FOUND, *, margin: float | None = None) -> ExecutionResult:
    return ExecutionResult(status=ExecutionStatus.FAILED, failure_kind=kind, message="it failed", margin=margin)


def step(manager: AutoHealManager, result: ExecutionResult, *, step_id: str = "s1", workflow_id: str = WF) -> bool:
    """One step as the execution loop does it: ask, act, tell."""
    allowed, _ = manager.should_execute_step(workflow_id, step_id)
    if allowed:
        manager.on_step_result(workflow_id, step_id, result)
    return allowed


def fail(manager: AutoHealManager, times: int = 1, *, step_id: str = "s1", workflow_id: str = WF) -> None:
    for _ in range(times):
        assert step(manager, failure(), step_id=step_id, workflow_id=workflow_id)


def fail_apart(manager: AutoHealManager, times: int, *, workflow_id: str = WF) -> None:
    """Failures of different steps, so that no streak grows."""
    for number in range(times):
        assert step(manager, failure(), step_id=f"s{number}", workflow_id=workflow_id)


def succeed(manager: AutoHealManager, times: int = 1, *, step_id: str = "ok", workflow_id: str = WF) -> None:
    for _ in range(times):
        assert step(manager, success(), step_id=step_id, workflow_id=workflow_id)
