"""A step as the supervisor hears of it, after all its attempts."""

from __future__ import annotations

from rpa_vision.execution.healing_attempts import reported
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.models.execution import ExecutionResult


def result_of(step: ExecutedStep, *, by_person: bool) -> ExecutionResult:
    """What is told; `by_person` says that the robot only watched."""
    outcome = step.outcome
    match = outcome.location.match if outcome.location is not None else None
    return ExecutionResult(
        status=outcome.status,
        message=outcome.message,
        failure_kind=outcome.failure_kind,
        confidence=confidence_of(outcome),
        margin=match.margin if match is not None else None,
        execution_time_ms=round(step.duration_ms, 1),
        by_person=by_person,
        attempts=reported(outcome.healing),
    )


def confidence_of(outcome: StepOutcome) -> float | None:
    """How sure a step was of its target, or of its screen where it has no target."""
    if isinstance(outcome.resolution, Resolved):
        score = outcome.resolution.best.score
        return outcome.reread.confidence(score) if outcome.reread is not None else score
    match = outcome.location.match if outcome.location is not None else None
    return match.confidence if match is not None else None
