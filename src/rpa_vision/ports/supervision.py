"""The supervisor as the execution loop sees it: asked before each step, told after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from rpa_vision.models.auto_heal import StepPermission
from rpa_vision.models.execution import ExecutionResult


@dataclass(slots=True)
class RunContext:
    """The run whose steps are asked about: which it is, what it runs, and who hears of a rollback."""

    run_id: str
    workflow_version: int
    """The version of the document that is being run, whatever is in use meanwhile. A run that goes on with a restored
    version says so here."""
    on_rollback: Callable[[str], None] = lambda version_id: None
    """Called when a result of this run had a version restored, with that version."""


class Supervisor(Protocol):
    """May this step run, and what follows from its result."""

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        """Allowed or not, and why."""

    def permit_step(self, workflow_id: str, step_id: str) -> StepPermission:
        """The same, and on which terms: how sure the step must be. The terms hold until its result is told."""

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        """Hear how the step ended. One result per step, after all its attempts."""
