"""A run: one edge after the other, each asked for, executed, verified and told.

The run stops at the first step that is not verified. What was not proven is not followed by more input. Whatever a step
raises, the supervisor hears that it failed before anybody else hears of the error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.action_executor import ActionExecutor, StepOutcome
from rpa_vision.execution.edge_demands import NOT_YET_EXECUTED
from rpa_vision.execution.hard_constraints import unknown_constraint
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.execution.watchdog import Expiry, WatchedSupervisor
from rpa_vision.graph.node_matcher import Location, NodeMatcher
from rpa_vision.models.auto_heal import StepPermission, StepThresholds
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind, RunStatus
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.supervision import Supervisor

LOCATE_TIMEOUT_S = 10.0
"""How long a screen is waited for before a step."""
_POLL_S = 0.2


@dataclass(frozen=True, slots=True)
class ExecutedStep:
    """An edge and what came of it."""

    edge: WorkflowEdge
    outcome: StepOutcome
    duration_ms: float
    permission: StepPermission | None = None
    """The supervisor's terms, as the step began."""
    error: Exception | None = None
    """What broke the step, if it did not end by itself. Its outcome says how far it came, and proves nothing."""


@dataclass(slots=True)
class RunOutcome:
    """What came of a run."""

    status: RunStatus = "success"
    reason: str = ""
    steps: list[ExecutedStep] = field(default_factory=list)


class ExecutionLoop:
    """Runs one linear workflow."""

    def __init__(
        self,
        workflow: Workflow,
        sight: Sight,
        matcher: NodeMatcher,
        executor: ActionExecutor,
        supervisor: Supervisor,
        clock: Clock,
        *,
        on_step: Callable[[ExecutedStep], None] = lambda step: None,
        before_step: Callable[[WorkflowEdge], None] = lambda edge: None,
        may_go_on: Callable[[], bool] = lambda: True,
        on_failure: Callable[[ExecutedStep], None] = lambda step: None,
        on_match: Callable[[WorkflowEdge, float], None] = lambda edge, margin: None,
        is_outdated: Callable[[], bool] = lambda: False,
        make_ready: Callable[[], None] = lambda: None,
        locate_timeout_s: float = LOCATE_TIMEOUT_S,
    ) -> None:
        """`on_failure` hears of a failed step before the supervisor does, with everything that was seen; `on_match` how
        clearly the screen before a step was told from the next best one. `is_outdated` says that another version of the
        workflow was put in its place meanwhile. What `make_ready` raises is the failure of the step that could not
        begin."""
        self._workflow = workflow
        self._sight = sight
        self._matcher = matcher
        self._executor = executor
        self._supervisor = supervisor
        self._clock = clock
        self._on_step = on_step
        self._before_step = before_step
        self._may_go_on = may_go_on
        self._on_failure = on_failure
        self._on_match = on_match
        self._is_outdated = is_outdated
        self._make_ready = make_ready
        self._locate_timeout_s = locate_timeout_s

    def run(
        self,
        values: Mapping[str, str],
        outcome: RunOutcome | None = None,
        *,
        act: bool = True,
        patience_s: float | None = None,
        first: int = 0,
    ) -> RunOutcome:
        """Execute all edges in order, from number `first` on, adding to `outcome` as they are done.

        With `act` false a person acts and the loop only watches; `patience_s` is then how long a step may take. What
        breaks a step is raised again once the step was told.
        """
        run = outcome if outcome is not None else RunOutcome()
        hindrance = obstacle(self._workflow)
        if hindrance is not None:
            run.status, run.reason = "blocked", hindrance
            return run
        for edge in in_order(self._workflow)[first:]:
            permission = self._permission(edge, run)
            if permission is None:
                return run
            self._before_step(edge)
            step = self._execute(edge, values, permission, act=act, patience_s=patience_s)
            run.steps.append(step)
            self._tell(step, act=act)
            self._on_step(step)
            if step.outcome.status is not ExecutionStatus.SUCCESS:
                run.status = _run_status(step)
                run.reason = f"step {len(run.steps)} ({edge.edge_id}): {step.outcome.message}"
            if step.error is not None:
                raise step.error
            if step.outcome.status is not ExecutionStatus.SUCCESS:
                return run
        return run

    def _permission(self, edge: WorkflowEdge, run: RunOutcome) -> StepPermission | None:
        """The supervisor's terms for a step, or None, and the outcome says why it may not begin."""
        expiry = self._expiry()
        if expiry is not None:
            run.status, run.reason = "failed", expiry.message
            return None
        if not self._may_go_on():
            run.status, run.reason = "halted", "stopped by a person"
            return None
        if self._is_outdated():
            run.status, run.reason = "halted", f"version {self._workflow.version} of the workflow was rolled back"
            return None
        permission = self._supervisor.permit_step(self._workflow.workflow_id, edge.edge_id)
        if permission.allowed:
            return permission
        run.status, run.reason = "blocked", permission.reason
        if self._expiry() is not None:
            run.status = "failed"
        elif self._is_outdated():
            run.status = "halted"
        return None

    def _expiry(self) -> Expiry | None:
        """What the watchdog found, where there is one."""
        return self._supervisor.watchdog.expiry if isinstance(self._supervisor, WatchedSupervisor) else None

    def _tell(self, step: ExecutedStep, *, act: bool) -> None:
        """Tell the supervisor, whatever becomes of the evidence. A step that the watchdog reported first has failed."""
        outcome, step_id = step.outcome, step.edge.edge_id
        try:
            if outcome.status is not ExecutionStatus.SUCCESS:
                self._on_failure(step)
        finally:
            self._supervisor.on_step_result(self._workflow.workflow_id, step_id, _result(step, by_person=not act))
        expiry = self._expiry()
        if expiry is not None and expiry.step_id == step_id:
            outcome.status, outcome.verified = ExecutionStatus.FAILED, False
            outcome.message, outcome.failure_kind = expiry.message, FailureKind.WATCHDOG_TIMEOUT

    def _execute(
        self,
        edge: WorkflowEdge,
        values: Mapping[str, str],
        permission: StepPermission,
        *,
        act: bool,
        patience_s: float | None,
    ) -> ExecutedStep:
        began, error = self._clock.monotonic(), None
        outcome = StepOutcome(ExecutionStatus.FAILED, terms=permission.thresholds)
        try:
            outcome = self._attempt(edge, values, outcome, permission.thresholds, act=act, patience_s=patience_s)
        except Exception as problem:  # not swallowed: `run` raises it again once the supervisor has been told
            error = problem
            outcome.status, outcome.verified, outcome.message = ExecutionStatus.FAILED, False, _broken_by(problem)
            outcome.failure_kind = FailureKind.POSTCONDITION_FAILED if outcome.input_sent else None
        return ExecutedStep(edge, outcome, (self._clock.monotonic() - began) * 1000.0, permission, error)

    def _attempt(
        self,
        edge: WorkflowEdge,
        values: Mapping[str, str],
        outcome: StepOutcome,
        terms: StepThresholds,
        *,
        act: bool,
        patience_s: float | None,
    ) -> StepOutcome:
        self._make_ready()
        began = self._clock.monotonic()
        screen, location = self._locate(edge, terms)
        outcome.before, outcome.location = screen, location
        outcome.timing_ms["locate"] = round((self._clock.monotonic() - began) * 1000.0, 1)
        if location.margin is not None:
            self._on_match(edge, location.margin)
        if location.match is None or location.match.node.node_id != edge.from_node:
            outcome.message = _lost(edge, location, self._workflow)
            outcome.failure_kind = FailureKind.LOW_CONFIDENCE
            return outcome
        return self._executor.execute_edge(
            edge, screen, values, act=act, patience_s=patience_s, terms=terms, outcome=outcome
        )

    def _locate(self, edge: WorkflowEdge, terms: StepThresholds) -> tuple[ObservedScreen, Location]:
        """Look until the screen is the one the edge starts from, as surely as the terms ask, or the time is up."""
        deadline = self._clock.monotonic() + self._locate_timeout_s
        while True:
            screen = self._sight.look()
            location = self._matcher.locate(screen, terms)
            there = location.match is not None and location.match.node.node_id == edge.from_node
            if there or self._clock.monotonic() >= deadline or not self._may_go_on():
                return screen, location
            self._clock.sleep(_POLL_S)


def in_order(workflow: Workflow) -> list[WorkflowEdge]:
    """The edges in the order in which they were demonstrated."""
    demonstrated = [edge for edge in workflow.edges if edge.trigger is None]
    return sorted(demonstrated, key=lambda edge: _order(edge, workflow))


def obstacle(workflow: Workflow) -> str | None:
    """Why the workflow cannot be run as it is written, or None. Nothing in it is passed over in silence."""
    path = in_order(workflow)
    if not path:
        return "the workflow has no steps"
    for edge in path:
        problem = _not_honoured(edge)
        if problem is not None:
            return f"{edge.edge_id}: {problem}"
    joints = pairwise(path)
    broken = next((later for earlier, later in joints if later.from_node != earlier.to_node), None)
    if broken is not None:
        return f"{broken.edge_id}: does not begin where the step before it ends; only one line of steps can be run yet"
    if path[0].from_node not in workflow.entry_nodes or path[-1].to_node not in workflow.end_nodes:
        return "the steps do not lead from an entry to an end of the workflow"
    return None


def _not_honoured(edge: WorkflowEdge) -> str | None:
    """What the edge asks for and cannot be given yet."""
    if edge.condition is not None or edge.loop is not None or edge.action is None:
        return "forks, loops and steps without an action cannot be run yet"
    if edge.action.type in NOT_YET_EXECUTED:
        return f"the action {edge.action.type} cannot be executed yet"
    target = edge.action.target
    asked: dict[str, object] = {} if target is None else {
        "hard_constraints": unknown_constraint(target.hard_constraints),
        "roi": target.roi,
        "container": target.container,
        "anchor": target.anchor,
        "selection_policy": target.selection_policy != "by_similarity",
    }  # fmt: skip
    if edge.constraints is not None:
        asked["max_delay_seconds"] = edge.constraints.max_delay_seconds
    unmet = next((name for name, value in asked.items() if value), None)
    return f"{unmet} cannot be honoured yet; take it out or wait for a version that can" if unmet else None


def _order(edge: WorkflowEdge, workflow: Workflow) -> int:
    order = edge.metadata.get("order")
    return order if isinstance(order, int) else workflow.edges.index(edge)


def _lost(edge: WorkflowEdge, location: Location, workflow: Workflow) -> str:
    wanted = workflow.get_node(edge.from_node)
    name = wanted.label if wanted is not None else edge.from_node
    if location.match is not None:
        return f"the screen {name!r} was expected, but this is {location.match.node.label!r}"
    return f"the screen {name!r} was expected; {location.suggestion()}"


def _broken_by(error: Exception) -> str:
    """What an error says. One that is not ours may quote anything, a secret too, so only its name is told."""
    return f"{error} ({error.code})" if isinstance(error, RpaVisionError) else f"unexpected {type(error).__name__}"


def _run_status(step: ExecutedStep) -> RunStatus:
    """Halted: we stopped ourselves before or without harm. Failed: input was sent and did not have its effect, or
    something broke, or the time was up."""
    outcome = step.outcome
    if step.error is not None or outcome.failure_kind is FailureKind.WATCHDOG_TIMEOUT:
        return "failed"
    if outcome.status is ExecutionStatus.BLOCKED:
        return "blocked"
    return "failed" if outcome.input_sent else "halted"


def _result(step: ExecutedStep, *, by_person: bool) -> ExecutionResult:
    outcome = step.outcome
    match = outcome.location.match if outcome.location is not None else None
    resolved = outcome.resolution if isinstance(outcome.resolution, Resolved) else None
    confidence = resolved.best.score if resolved is not None else (match.confidence if match is not None else None)
    if resolved is not None and outcome.reread is not None:
        confidence = outcome.reread.confidence(resolved.best.score)
    return ExecutionResult(
        status=outcome.status,
        message=outcome.message,
        failure_kind=outcome.failure_kind,
        confidence=confidence,
        margin=match.margin if match is not None else None,
        execution_time_ms=round(step.duration_ms, 1),
        by_person=by_person,
    )
