"""One more question before each step in which the robot acts: has the workflow still the level the run began with?

A run over a long list takes hours. Who takes a workflow's autonomy back meanwhile, or finds that an earlier run did
something wrong, means this run too. Where nobody can tell, the robot does not act.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pydantic import JsonValue

from rpa_vision.app.run_tools import RunRequest
from rpa_vision.errors import RpaVisionError
from rpa_vision.learning.learning_manager import LearningManager
from rpa_vision.models.auto_heal import StepPermission
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.workflow_standing import LEARNING_STATES
from rpa_vision.ports.supervision import Supervisor

Lost = Callable[[], str | None]
"""Why the robot may act no more; None while it may."""


def lost_level(request: RunRequest, learning: LearningManager | None) -> Lost:
    """What asks whether a run's workflow has lost its level since the run began. A person who authorised the run has
    lifted that question."""

    def lost() -> str | None:
        if learning is None or (request.mode == "auto" and request.authorised_because):
            return None
        began = request.workflow.learning_state
        try:
            now = learning.maturity(request.workflow.workflow_id).state
        except RpaVisionError as error:  # perhaps somebody has just taken it back
            return f"the workflow's level cannot be read, and without it the robot does not act: {error}"
        if LEARNING_STATES.index(now) >= LEARNING_STATES.index(began):
            return None
        return f"the workflow lost its level while it ran: it was at {began} and is at {now}"

    return lost


class LevelKeptSupervisor:
    """Implements `ports.supervision.Supervisor`: the stricter of the supervisor and the level wins."""

    def __init__(self, inner: Supervisor, lost: Lost, audit: Callable[[str, dict[str, JsonValue]], None]) -> None:
        self._inner = inner
        self._lost = lost
        self._audit = audit

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        """Allowed or not, and why."""
        permission = self.permit_step(workflow_id, step_id)
        return permission.allowed, permission.reason

    def permit_step(self, workflow_id: str, step_id: str) -> StepPermission:
        """The same, with the supervisor's terms."""
        why = self._lost()
        permission = self._inner.permit_step(workflow_id, step_id)
        if why is None or not permission.allowed:
            return permission
        self._audit("step_blocked", {"step_id": step_id, "state": permission.state.value, "reason": why})
        return replace(permission, allowed=False, reason=why)

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        """Hear how the step ended."""
        self._inner.on_step_result(workflow_id, step_id, result)

    def still_learns(self, workflow_id: str) -> bool:
        """Whether what the run proves may be remembered now."""
        return self._inner.still_learns(workflow_id)
