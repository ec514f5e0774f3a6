"""Supervisors for tests: one that allows everything and keeps what it is told."""

from __future__ import annotations

from rpa_vision.models.auto_heal import ExecutionState, StepPermission, StepThresholds
from rpa_vision.models.execution import ExecutionResult

NORMAL_TERMS = StepThresholds(
    min_confidence=0.72,
    min_margin=0.04,
    learning_enabled=True,
    hard_constraints_required=False,
    ambiguity_refused=False,
    policy_digest="test",
)


class OpenSupervisor:
    """Allows every step on normal terms. Override `should_execute_step` to forbid, `terms` to be stricter."""

    terms = NORMAL_TERMS

    def __init__(self) -> None:
        self.results: list[tuple[str, ExecutionResult]] = []

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        del workflow_id, step_id
        return True, "running"

    def permit_step(self, workflow_id: str, step_id: str) -> StepPermission:
        allowed, reason = self.should_execute_step(workflow_id, step_id)
        return StepPermission(allowed, reason, ExecutionState.RUNNING, self.terms)

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        del workflow_id
        self.results.append((step_id, result))
