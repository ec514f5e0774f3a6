"""The supervisor of one run: the shared one, told each time which run asks and which version it has in hand."""

from __future__ import annotations

from rpa_vision.models.auto_heal import StepPermission
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.ports.supervision import RunContext
from rpa_vision.system.auto_heal_manager import AutoHealManager


class RunSupervisor:
    """Implements `ports.supervision.Supervisor`."""

    def __init__(self, manager: AutoHealManager, run: RunContext) -> None:
        self._manager = manager
        self._run = run

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        """Allowed or not, and why."""
        permission = self.permit_step(workflow_id, step_id)
        return permission.allowed, permission.reason

    def permit_step(self, workflow_id: str, step_id: str) -> StepPermission:
        """The same, with the terms."""
        return self._manager.permit_step(workflow_id, step_id, run=self._run)

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        """Hear how the step ended."""
        self._manager.on_step_result(workflow_id, step_id, result, run=self._run)
