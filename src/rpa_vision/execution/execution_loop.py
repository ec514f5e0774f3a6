"""A run: one step after the other, as the plan says, each asked for, executed, verified and told.

The run stops at the first step that is not verified. What was not proven is not followed by more input. At a fork the
run goes where its condition says, or stops where that cannot be told; a loop goes round until its list has no more
rows (`row_rounds`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pydantic import JsonValue

from rpa_vision.execution.action_executor import ActionExecutor
from rpa_vision.execution.forks import NoWay, Way, by_screen, by_values
from rpa_vision.execution.list_mover import ListTurner
from rpa_vision.execution.missing_values import fill_in
from rpa_vision.execution.obstacles import obstacle, plan_or_obstacle
from rpa_vision.execution.places import Nowhere, place_here
from rpa_vision.execution.recovery import Recovery
from rpa_vision.execution.row_rounds import NextRow, NoMoreRows, RowRounds, Stuck
from rpa_vision.execution.run_outcome import ExecutedStep, Progress, RunOutcome
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_runner import LOCATE_TIMEOUT_S, StepHooks, StepRunner, is_at
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.graph.plan import Plan, PlanLoop, PlanStep, in_order
from rpa_vision.models.execution import ExecutionStatus, FailureKind, RunStatus
from rpa_vision.models.expression import Expression
from rpa_vision.models.workflow_graph import END, Workflow, WorkflowEdge
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.supervision import Supervisor

__all__ = ["LOCATE_TIMEOUT_S", "ExecutedStep", "ExecutionLoop", "RunOutcome", "in_order", "obstacle"]

MAX_TIMES = 1000
"""How often one step is taken in one run; what goes round more often than that does not end."""


class ExecutionLoop:
    """Runs one workflow."""

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
        traffic: Callable[[], tuple[int, int]] = lambda: (0, 0),
        healed: Callable[[WorkflowEdge], WorkflowEdge] = lambda edge: edge,
        on_decision: Callable[[str, dict[str, JsonValue]], None] = lambda kind, record: None,
        recovery: Recovery | None = None,
        locate_timeout_s: float = LOCATE_TIMEOUT_S,
    ) -> None:
        """`on_failure` hears of a failed step before the supervisor does, with everything that was seen; `on_match` how
        clearly the screen before a step was told from the next best one; `on_decision` which way was taken at a fork,
        and which row of a list comes next. `is_outdated` says that another version of the workflow was put in its place
        meanwhile. What `make_ready` raises is the failure of the step that could not begin. `healed` gives a step as
        this run has come to know it."""
        self._workflow = workflow
        self._sight = sight
        self._matcher = matcher
        self._executor = executor
        self._supervisor = supervisor
        self._clock = clock
        self._on_step = on_step
        self._before_step = before_step
        self._on_decision = on_decision
        self._hooks = StepHooks(may_go_on, on_failure, on_match, is_outdated, make_ready, traffic, healed)
        self._recovery = recovery
        self._locate_timeout_s = locate_timeout_s

    def run(
        self,
        values: Mapping[str, str],
        outcome: RunOutcome | None = None,
        *,
        act: bool = True,
        patience_s: float | None = None,
        first: str | None = None,
        from_here: bool = False,
        progress: Progress | None = None,
    ) -> RunOutcome:
        """Follow the plan from the step `first` on, adding to `outcome` as steps are done.

        With `act` false a person acts and the loop only watches; `patience_s` is then how long a step may take. With
        `from_here` the screen says which step is first. `progress` is what the run knows already, and comes to know.
        What breaks a step is raised again once the step was told.
        """
        run = outcome if outcome is not None else RunOutcome()
        plan = plan_or_obstacle(self._workflow)
        if isinstance(plan, str):
            run.status, run.reason = "blocked", plan
            return run
        known = progress if progress is not None else Progress.beginning(values)
        runner = StepRunner(
            self._workflow, plan, self._sight, self._matcher, self._executor, self._supervisor, self._clock,
            self._hooks, self._recovery, self._locate_timeout_s, act, patience_s,
        )  # fmt: skip
        walk = _Walk(self._workflow, plan, runner, known, run, self._before_step, self._on_step, self._on_decision)
        at = walk.place_here(self._sight, self._matcher) if from_here else first or plan.first
        while at is not None and at != END:
            at = walk.take(at)
        return run


class _Walk:
    """One run through one plan."""

    def __init__(
        self,
        workflow: Workflow,
        plan: Plan,
        runner: StepRunner,
        progress: Progress,
        run: RunOutcome,
        before_step: Callable[[WorkflowEdge], None],
        on_step: Callable[[ExecutedStep], None],
        on_decision: Callable[[str, dict[str, JsonValue]], None],
    ) -> None:
        self._workflow = workflow
        self._plan = plan
        self._runner = runner
        self._progress = progress
        self._run = run
        self._before_step = before_step
        self._on_step = on_step
        self._on_decision = on_decision
        self._rounds = RowRounds(workflow, plan, ListTurner(runner, progress, run), runner.executor.doubt_of)

    def place_here(self, sight: Sight, matcher: NodeMatcher) -> str | None:
        """The step that the screen says is due; None, and the outcome says why none is."""
        place = place_here(self._plan, self._workflow, matcher.locate(sight.look()), self._progress.values)
        if isinstance(place, Nowhere):
            self._run.status, self._run.reason = "halted", place.why
            return None
        self._on_decision("run_begins_at", {"step_id": place.edge_id})
        return place.edge_id

    def take(self, edge_id: str) -> str | None:
        """Take a step, and give the one that follows; None where the run is over, and the outcome says why."""
        step = self._plan.steps[edge_id]
        self._progress.times[edge_id] += 1
        if self._progress.times[edge_id] > MAX_TIMES:
            return self._refuse(step.edge, f"this step was taken {MAX_TIMES} times already")
        loop = self._plan.loops.get(edge_id)
        if loop is not None:
            row = self._next_row(loop, step)
            if isinstance(row, NoMoreRows):
                self._on_decision("loop_ended", {"step_id": edge_id, "why": row.why})
                return loop.after
            if isinstance(row, Stuck):
                return self._refuse(step.edge, row.why, awaits_person=row.awaits_person)
            if row is None:
                return None
            if isinstance(row, str):
                return row
        if step.otherwise is not None:
            way = self._way(step)
            if isinstance(way, NoWay):
                return self._refuse(step.edge, way.why, awaits_person=way.awaits_person)
            self._on_decision("fork_decided", {"step_id": edge_id, "taken": way.taken, "why": way.why})
            if not way.taken:
                return step.otherwise
        if step.edge.action is None:
            return step.following
        return self._execute(step)

    def _next_row(self, loop: PlanLoop, step: PlanStep) -> NextRow | NoMoreRows | Stuck | str | None:
        """The row whose round begins, and what it binds; a step's id where an interruption leads elsewhere; None where
        the list is not there, and the outcome says so."""
        self._progress.end_round(loop.first)
        screen, location = self._runner.locate(step.edge, None)
        if not is_at(step.edge, location):
            elsewhere = self._execute(step, arrive_only=True)
            if elsewhere != step.following:
                return elsewhere
            screen, _ = self._runner.locate(step.edge, None)
        row = self._rounds.next_round(loop, self._progress, screen)
        if isinstance(row, NextRow):
            self._progress.values.update(row.values)
            self._progress.just_read.update(row.read_from)
            self._progress.rounds[loop.first].began_at = len(self._run.steps)
            self._on_decision("round_begins", {"step_id": loop.first, "row": row.note, "values": dict(row.values)})
        return row

    def _way(self, step: PlanStep) -> Way | NoWay:
        condition = step.condition
        if condition is not None and condition.type == "screen_similarity":
            _, location = self._runner.locate(step.edge, None)
            return by_screen(step, location)
        if step.expression is not None:
            self._fill_in(step.edge, step.expression)
        return by_values(step, self._progress.values)

    def _fill_in(self, edge: WorkflowEdge, expression: Expression | None) -> None:
        runner = self._runner
        fill_in(edge, expression, self._workflow, self._progress, runner.sight, runner.executor.doubt_of)

    def _execute(self, step: PlanStep, *, arrive_only: bool = False) -> str | None:
        edge, run = step.edge, self._run
        permission = self._runner.permission(edge.edge_id, run)
        if permission is None:
            return None
        if not arrive_only:
            self._before_step(edge)
        self._fill_in(edge, None)
        executed = self._runner.execute(
            edge, self._progress, permission, run.steps, note=self._note(edge), arrive_only=arrive_only
        )
        if not arrive_only:
            executed.outcome.read_from.update(self._progress.take_read())
        return self._conclude(executed, step.following, keep=not arrive_only)

    def _refuse(self, edge: WorkflowEdge, why: str, *, awaits_person: bool = False) -> str | None:
        """The step is not begun, for this reason: told and reported like any step that failed, or was not allowed."""
        permission = self._runner.permission(edge.edge_id, self._run)
        if permission is None:
            return None
        executed = self._runner.execute(edge, self._progress, permission, note=self._note(edge), hindrance=why)
        if awaits_person:
            executed.outcome.status, executed.outcome.failure_kind = ExecutionStatus.BLOCKED, None
        return self._conclude(executed, END)

    def _conclude(self, step: ExecutedStep, following: str, *, keep: bool = True) -> str | None:
        run, succeeded = self._run, step.outcome.status is ExecutionStatus.SUCCESS
        if keep or not succeeded:
            run.steps.append(step)
        self._runner.tell(step)
        if keep or not succeeded:
            self._on_step(step)
        succeeded = step.outcome.status is ExecutionStatus.SUCCESS
        if not succeeded and step.goes_on_at is not None and step.error is None:
            return step.goes_on_at
        if not succeeded:
            run.status = _run_status(step)
            run.reason = f"step {len(run.steps)} ({step.edge.edge_id}): {step.outcome.message}"
        if step.error is not None:
            raise step.error
        if not succeeded:
            return None
        self._progress.values.update(step.outcome.extracted)
        return following

    def _note(self, edge: WorkflowEdge) -> str:
        """In which rounds a step is done, the outermost first."""
        around = reversed(self._plan.rounds_around(edge.edge_id))
        rounds = (self._progress.rounds.get(loop.first) for loop in around)
        return ", ".join(one.note for one in rounds if one is not None and one.current is not None)


def _run_status(step: ExecutedStep) -> RunStatus:
    """Halted: we stopped ourselves before or without harm. Failed: input was sent and did not have its effect, or
    something broke, or the time was up."""
    outcome = step.outcome
    if step.error is not None or outcome.failure_kind is FailureKind.WATCHDOG_TIMEOUT:
        return "failed"
    if outcome.status is ExecutionStatus.BLOCKED:
        return "halted" if outcome.left else "blocked"
    return "failed" if outcome.anything_sent else "halted"
