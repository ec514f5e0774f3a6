"""The supervisor in its first form: every decision is written down before it is acted on, and nothing else yet.

It already stands where the state machine, the circuit breakers and the rollback will stand: the execution loop asks
it before each step and tells it the result.
"""

from __future__ import annotations

from rpa_vision.models.execution import ExecutionResult
from rpa_vision.ports.audit import AuditLog


class StepSupervisor:
    """Allows every step and keeps the audit trail."""

    def __init__(self, audit: AuditLog, *, run_id: str) -> None:
        self._audit = audit
        self._run_id = run_id

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        """Allow the step, having written that down first."""
        self._audit.append(
            "step_allowed", {"run_id": self._run_id, "workflow_id": workflow_id, "step_id": step_id, "state": "running"}
        )
        return True, "running"

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        """Write the result down."""
        self._audit.append(
            "step_result",
            {"run_id": self._run_id, "workflow_id": workflow_id, "step_id": step_id, "result": result.to_json()},
        )
