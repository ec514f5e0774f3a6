"""How runs count for a workflow's autonomy, and how its document says where it stands.

What was proven counts: a run whose every step was verified, or one that failed by itself. What a person stopped, what
was not allowed, and what went well while the supervisor held the workflow to more, prove nothing either way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.run_outcome import ExecutedStep, RunOutcome
from rpa_vision.execution.step_result import confidence_of
from rpa_vision.learning import maturity_rules as rules
from rpa_vision.learning.live_state import at_exactly
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.maturity import CountedRun, Maturity, RunWay
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import LearningStateName, LearningThresholds, Progression
from rpa_vision.ports.storage import DataDirectory

if TYPE_CHECKING:
    from rpa_vision.app.learn import LearnResult
    from rpa_vision.learning.learning_manager import LearningManager
    from rpa_vision.learning.versioned_store import VersionedStore


def counted_run(
    run_id: str,
    way: RunWay,
    outcome: RunOutcome,
    *,
    stopped: bool,
    rolled_back: bool,
    said_no: str | None = None,
    strict: bool = False,
    whole: bool = True,
) -> CountedRun:
    """What a run is worth. `stopped`: by a person; `said_no`: what a person said was wrong; `strict`: that it failed is
    an anomaly, even if nothing was sent; not `whole`: it began in the middle and proves nothing of the rest."""
    steps = outcome.steps
    if outcome.status == "success":
        proven = whole and bool(steps) and all(step.outcome.verified or step.goes_on_at is not None for step in steps)
        verified = proven and not (way != "assisted" and _was_degraded(steps))
    else:
        verified = said_no is not None or not (stopped or outcome.status == "blocked" or _never_began(way, steps))
    return CountedRun(
        way=way,
        source=run_id,
        verified=verified,
        succeeded=outcome.status == "success",
        confidence=_mean(confidence_of(step.outcome) for step in steps if step.outcome.verified),
        anomaly=None
        if way == "assisted"
        else said_no or _anomaly(outcome, stopped=stopped, rolled_back=rolled_back, strict=strict),
    )


def count_shown(learning: LearningManager, versions: VersionedStore, result: LearnResult) -> Maturity:
    """Let every go a workflow was learned from count as observed, once, and its document say where it stands.

    What it had earned by doing something else is lost first.
    """
    workflow = result.workflow
    known = learning.settle(workflow)
    for go in result.goes:
        known = learning.observed(workflow.workflow_id, go.similarity, go.source, workflow=workflow)
    if result.version_id is not None:
        versions.annotate(workflow.workflow_id, lambda live: described(live, known))
    return known


def own_thresholds(data: DataDirectory) -> Callable[[str], LearningThresholds]:
    """The thresholds a workflow's document gives; the design's where there is none."""

    def of(workflow_id: str) -> LearningThresholds:
        try:
            return data.workflows.load(workflow_id).learning.thresholds
        except RpaVisionError:
            return LearningThresholds()

    return of


def document_keeper(
    versions: VersionedStore, safely: Callable[[str, Callable[[], None]], object]
) -> Callable[[Maturity, LearningStateName], None]:
    """What writes a new level into the workflow's document, for whoever reads or exports that. It never decides."""

    def keep(known: Maturity, before: LearningStateName) -> None:
        def write() -> None:
            versions.annotate(known.workflow_id, lambda workflow: described(workflow, known))

        safely("level in the workflow's document", write)

    return keep


def described(workflow: Workflow, known: Maturity) -> Workflow:
    """The workflow, saying where it stands."""
    above = rules.next_level(known, workflow.learning.thresholds)
    progression = Progression(
        current_phase=known.state, progress_percent=above.progress_percent, next_phase=above.following
    )
    stats = workflow.stats.model_copy(
        update={
            "observed_runs": max(known.observed_runs, workflow.stats.observed_runs),
            "assist_runs": known.assist_runs,
            "auto_candidate_runs": known.auto_candidate_runs,
            "auto_confirmed_runs": known.auto_confirmed_runs,
            "total_executions": known.total_executions,
            "success_count": known.success_count,
            "failure_count": known.failure_count,
            "success_rate_overall": rules.share(known.success_count, known.total_executions)
            if known.total_executions
            else workflow.stats.success_rate_overall,
            "avg_similarity": known.avg_similarity,
            "recent_confidence": rules.recent_confidence(known) if known.recent else None,
        }
    )
    standing = at_exactly(workflow, known.state)
    learning = standing.learning.model_copy(update={"progression": progression})
    return standing.model_copy(update={"learning": learning, "stats": stats})


def _anomaly(outcome: RunOutcome, *, stopped: bool, rolled_back: bool, strict: bool) -> str | None:
    """What must not happen to a robot: it did something, and that was not what was meant."""
    if rolled_back:
        return "an earlier version had to be restored"
    if outcome.status == "success" or stopped:
        return None
    if not outcome.steps:
        return outcome.reason if strict and outcome.status == "failed" else None
    last = outcome.steps[-1]
    if last.outcome.failure_kind is FailureKind.WATCHDOG_TIMEOUT:
        return f"step {last.edge.edge_id}: {last.outcome.message}"
    if outcome.status == "failed" and last.outcome.anything_sent:
        return f"step {last.edge.edge_id}: input was sent and did not have its effect"
    return outcome.reason if strict and outcome.status == "failed" else None


def _never_began(way: RunWay, steps: Iterable[ExecutedStep]) -> bool:
    """Whether a person who was to act had not come to the first screen."""
    return way == "assisted" and not any(step.outcome.verified for step in steps)


def _was_degraded(steps: Iterable[ExecutedStep]) -> bool:
    return any(step.permission is not None and step.permission.state is ExecutionState.DEGRADED for step in steps)


def _mean(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return min(1.0, sum(known) / len(known)) if known else None
