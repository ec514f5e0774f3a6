"""Counts failures and says when enough is enough.

Three levels: the same step failing again and again, one workflow failing too often in its window, everything together
failing too often in the global one. The breaker only counts and compares; what follows is the manager's to decide.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import Field

from rpa_vision.models.auto_heal import FailureEvent
from rpa_vision.models.document import Document
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.ids import Id
from rpa_vision.models.policy import MAX_GLOBAL_FAILURES, MAX_WORKFLOW_FAILURES, AutoHealPolicy
from rpa_vision.ports.runtime import Clock
from rpa_vision.system.failure_window import FailureWindow

_MAX_STEPS = 512
_MAX_STREAK = 1000
UNCLASSIFIED = FailureKind.POSTCONDITION_FAILED
"""A failed step that does not say why did not do what it should."""


class WorkflowCounts(Document):
    """What the breaker remembers of one workflow, as it is stored."""

    streaks: dict[Id, int] = Field(default_factory=dict)
    """Failures of a step since its last success, across runs."""
    failures: tuple[FailureEvent, ...] = ()
    total: int = 0


class GlobalCounts(Document):
    """What the breaker remembers of all workflows together, as it is stored."""

    failures: tuple[FailureEvent, ...] = ()


@dataclass(slots=True)
class _Workflow:
    window: FailureWindow
    streaks: dict[str, int] = field(default_factory=dict)
    total: int = 0


class CircuitBreaker:
    """Failures per step, per workflow and over all, against one policy. Memory is bounded per workflow."""

    def __init__(self, policy: AutoHealPolicy, clock: Clock, *, counts: GlobalCounts | None = None) -> None:
        self._policy = policy
        self._clock = clock
        self._workflows: dict[str, _Workflow] = {}
        self._all = FailureWindow(
            policy.global_fail_window_s,
            clock,
            capacity=MAX_GLOBAL_FAILURES,
            failures=counts.failures if counts is not None else (),
        )

    def record_failure(self, workflow_id: str, step_id: str, failure_type: str) -> None:
        """Count a failed step. All five kinds count, one each."""
        failure = FailureEvent(
            at=self._clock.now(), workflow_id=workflow_id, step_id=step_id, failure_type=FailureKind(failure_type)
        )
        workflow = self._of(workflow_id)
        streak = min(workflow.streaks.pop(step_id, 0) + 1, _MAX_STREAK)
        workflow.streaks[step_id] = streak  # at the end: the step that failed longest ago is forgotten first
        while len(workflow.streaks) > _MAX_STEPS:
            del workflow.streaks[next(iter(workflow.streaks))]
        workflow.total += 1
        workflow.window.add_failure(failure)
        self._all.add_failure(failure)

    def record_success(self, workflow_id: str, step_id: str) -> None:
        """End the step's streak. The windows only slide."""
        self._of(workflow_id).streaks.pop(step_id, None)

    def should_trigger_degraded(self, workflow_id: str, step_id: str) -> bool:
        """The same step failed several times in a row."""
        return self._of(workflow_id).streaks.get(step_id, 0) >= self._policy.step_fail_streak_to_degraded

    def should_trigger_quarantine(self, workflow_id: str) -> bool:
        """The workflow failed too often in its window."""
        return self._of(workflow_id).window.get_failure_count() >= self._policy.workflow_fail_max_in_window

    def should_trigger_global_pause(self) -> bool:
        """Everything together fails too often, and the policy wants a pause then."""
        too_many = self._all.get_failure_count() >= self._policy.global_fail_max_in_window
        return too_many and self._policy.global_pause_enabled

    def get_failure_counts(self, workflow_id: str) -> dict[str, int]:
        """The longest streak, the failures in each window, all failures ever, and those in the window by kind."""
        workflow = self._of(workflow_id)
        inside = workflow.window.snapshot().failures
        kinds = {kind.value: sum(failure.failure_type is kind for failure in inside) for kind in FailureKind}
        return {
            "step_streak": max(workflow.streaks.values(), default=0),
            "workflow_window": len(inside),
            "global_window": self._all.get_failure_count(),
            "total": workflow.total,
            **kinds,
        }

    def forget(self, workflow_id: str) -> None:
        """Begin counting anew: a person or a rollback removed the cause."""
        workflow = self._of(workflow_id)
        workflow.streaks.clear()
        workflow.window.clear()

    def load(self, workflow_id: str, counts: WorkflowCounts) -> None:
        """Go on from what was stored."""
        window = FailureWindow(
            self._policy.workflow_fail_window_s, self._clock, capacity=MAX_WORKFLOW_FAILURES, failures=counts.failures
        )
        self._workflows[workflow_id] = _Workflow(window, dict(counts.streaks), counts.total)

    def dump(self, workflow_id: str) -> WorkflowCounts:
        """What to store of a workflow."""
        workflow = self._of(workflow_id)
        return WorkflowCounts(streaks=dict(workflow.streaks), failures=workflow.window.remembered, total=workflow.total)

    def dump_global(self) -> GlobalCounts:
        """What to store of all together."""
        return GlobalCounts(failures=self._all.remembered)

    def _of(self, workflow_id: str) -> _Workflow:
        if workflow_id not in self._workflows:
            self.load(workflow_id, WorkflowCounts())
        return self._workflows[workflow_id]
