"""One step of a run: asked for, executed, verified and told.

Whatever a step raises, the supervisor hears that it failed before anybody else hears of the error. An interruption that
the workflow knows is got out of inside the step; where the run goes on then, the screen says (`places`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.action_executor import ActionExecutor
from rpa_vision.execution.conditions import proves
from rpa_vision.execution.doing_twice import is_harmless
from rpa_vision.execution.edge_demands import post_conditions
from rpa_vision.execution.error_screens import ErrorScreen
from rpa_vision.execution.loading import Loading
from rpa_vision.execution.places import Nowhere, place_after
from rpa_vision.execution.recovery import MAX_PER_RUN, Oversight, Recovery
from rpa_vision.execution.run_outcome import ExecutedStep, Progress, RunOutcome
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.step_result import result_of
from rpa_vision.execution.unknown_dialogs import UnknownDialog
from rpa_vision.execution.watchdog import Expiry, WatchedSupervisor
from rpa_vision.graph.node_matcher import Location, NodeMatcher
from rpa_vision.graph.plan import Plan
from rpa_vision.models.auto_heal import StepPermission, StepThresholds
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.supervision import Supervisor

STOPPED = "stopped by a person"
LOCATE_TIMEOUT_S = 10.0
"""How long a screen is waited for before a step."""
_POLL_S = 0.2
_SURE_OF_ERROR_S = 1.0
"""How long an interruption must be seen before it is believed: some pass by themselves."""


@dataclass(frozen=True, slots=True)
class StepHooks:
    """Who wants to know; see `ExecutionLoop`."""

    may_go_on: Callable[[], bool] = lambda: True
    on_failure: Callable[[ExecutedStep], None] = lambda step: None
    on_match: Callable[[WorkflowEdge, float], None] = lambda edge, margin: None
    is_outdated: Callable[[], bool] = lambda: False
    make_ready: Callable[[], None] = lambda: None
    traffic: Callable[[], tuple[int, int]] = lambda: (0, 0)
    """How often a person got in between and has let go again, and how many inputs were sent."""
    healed: Callable[[WorkflowEdge], WorkflowEdge] = lambda edge: edge
    """A step as this run has come to know it."""


@dataclass(slots=True)
class _Attempt:
    """The outcome as it grows, wherever it breaks off."""

    outcome: StepOutcome
    goes_on_at: str | None = None


@dataclass(frozen=True, slots=True)
class StepRunner:
    """Runs steps of one workflow on one desktop."""

    workflow: Workflow
    plan: Plan
    sight: Sight
    matcher: NodeMatcher
    executor: ActionExecutor
    supervisor: Supervisor
    clock: Clock
    hooks: StepHooks = field(default_factory=StepHooks)
    recovery: Recovery | None = None
    locate_timeout_s: float = LOCATE_TIMEOUT_S
    act: bool = True
    patience_s: float | None = None

    def permission(self, step_id: str, run: RunOutcome) -> StepPermission | None:
        """The supervisor's terms for a step, or None, and the outcome says why it may not begin."""
        expiry = self._expiry()
        if expiry is not None:
            run.status, run.reason = "failed", expiry.message
            return None
        if not self.hooks.may_go_on():
            run.status, run.reason = "halted", STOPPED
            return None
        if self.hooks.is_outdated():
            run.status, run.reason = "halted", f"version {self.workflow.version} of the workflow was rolled back"
            return None
        permission = self.supervisor.permit_step(self.workflow.workflow_id, step_id)
        if permission.allowed:
            return permission
        run.status, run.reason = "blocked", permission.reason
        if self._expiry() is not None:
            run.status = "failed"
        elif self.hooks.is_outdated():
            run.status = "halted"
        return None

    def execute(
        self,
        edge: WorkflowEdge,
        progress: Progress,
        permission: StepPermission,
        done: Sequence[ExecutedStep] = (),
        *,
        note: str = "",
        hindrance: str | None = None,
        arrive_only: bool = False,
    ) -> ExecutedStep:
        """Do the step. With a `hindrance` it is not begun and fails for that; with `arrive_only` its screen is all that
        is wanted."""
        began, error, values = self.clock.monotonic(), None, dict(progress.values)
        attempt = _Attempt(StepOutcome(ExecutionStatus.FAILED, terms=permission.thresholds))
        try:
            if hindrance is not None:
                attempt.outcome.before = self.sight.look()
                attempt.outcome.message, attempt.outcome.failure_kind = hindrance, FailureKind.LOW_CONFIDENCE
            else:
                self._attempt(attempt, edge, progress, done, permission.thresholds, arrive_only=arrive_only)
        except Exception as problem:  # not swallowed: the loop raises it again once the supervisor has been told
            error, outcome = problem, attempt.outcome
            outcome.status, outcome.verified, outcome.message = ExecutionStatus.FAILED, False, _broken_by(problem)
            outcome.failure_kind = FailureKind.POSTCONDITION_FAILED if outcome.anything_sent else None
        if error is None:
            self._stop_is_no_failure(attempt.outcome)
        spent_ms = (self.clock.monotonic() - began) * 1000.0
        goes_on_at = attempt.goes_on_at if error is None else None
        return ExecutedStep(edge, attempt.outcome, spent_ms, permission, error, values, note, goes_on_at)

    def _stop_is_no_failure(self, outcome: StepOutcome) -> None:
        """Who is stopped while looking for a screen has not failed to find it. Once input was sent, its effect says."""
        if outcome.status is not ExecutionStatus.FAILED or self.hooks.may_go_on() or self._expiry() is not None:
            return
        if self.act and outcome.anything_sent:
            return
        outcome.status, outcome.failure_kind, outcome.left = ExecutionStatus.BLOCKED, None, True
        outcome.message = "stopped before anything was sent" if self.act else "stopped by a person"

    def tell(self, step: ExecutedStep) -> None:
        """Tell the supervisor, whatever becomes of the evidence. A step that the watchdog reported first has failed."""
        outcome, step_id = step.outcome, step.edge.edge_id
        try:
            if outcome.status is not ExecutionStatus.SUCCESS:
                self.hooks.on_failure(step)
        finally:
            result = result_of(step, by_person=not self.act)
            self.supervisor.on_step_result(self.workflow.workflow_id, step_id, result)
        expiry = self._expiry()
        if expiry is not None and expiry.step_id == step_id:
            outcome.status, outcome.verified = ExecutionStatus.FAILED, False
            outcome.message, outcome.failure_kind = expiry.message, FailureKind.WATCHDOG_TIMEOUT

    def locate(
        self, edge: WorkflowEdge, terms: StepThresholds | None, loading: Loading | None = None
    ) -> tuple[ObservedScreen, Location]:
        """Look until the screen is the one the edge starts from, as surely as the terms ask, or the time is up and
        nothing is still loading, or an interruption is shown that the workflow knows."""
        deadline = self.clock.monotonic() + self.locate_timeout_s
        loading = loading or Loading.of(self.sight, self.clock, self.hooks.may_go_on)
        interrupted_since: float | None = None
        while True:
            screen = self.sight.look()
            location = self.matcher.locate(screen, terms)
            now = self.clock.monotonic()
            error = self._interruption(screen, location)
            error = None if isinstance(error, str) else error  # one that has to be answered may pass by itself
            interrupted_since = None if error is None else interrupted_since if interrupted_since is not None else now
            sure = interrupted_since is not None and now - interrupted_since >= _SURE_OF_ERROR_S
            if is_at(edge, location) or sure or not self.hooks.may_go_on() or (now >= deadline and not loading.wait()):
                return screen, location
            self.clock.sleep(_POLL_S)

    def _expiry(self) -> Expiry | None:
        """What the watchdog found, where there is one."""
        return self.supervisor.watchdog.expiry if isinstance(self.supervisor, WatchedSupervisor) else None

    def _attempt(
        self,
        attempt: _Attempt,
        edge: WorkflowEdge,
        progress: Progress,
        done: Sequence[ExecutedStep],
        terms: StepThresholds,
        *,
        arrive_only: bool,
    ) -> None:
        self.hooks.make_ready()
        while True:
            pauses, sent = self.hooks.traffic()
            self._once(attempt.outcome, edge, progress.values, terms, arrive_only=arrive_only)
            if attempt.outcome.status is ExecutionStatus.SUCCESS:
                return
            nothing_sent = self.hooks.traffic()[1] == sent
            if nothing_sent and self.hooks.may_go_on() and self.hooks.traffic()[0] > pauses:
                # A person got in between before anything was sent: what was seen then counts no more.
                earlier = attempt.outcome
                attempt.outcome = StepOutcome(
                    ExecutionStatus.FAILED,
                    terms=terms,
                    recoveries=earlier.recoveries,
                    healing=earlier.healing,
                    sent_earlier=earlier.anything_sent,
                )
                self._take_time(edge)
            elif not self._recover(attempt, edge, progress, done):
                return

    def _once(
        self,
        outcome: StepOutcome,
        edge: WorkflowEdge,
        values: Mapping[str, str],
        terms: StepThresholds,
        *,
        arrive_only: bool,
    ) -> None:
        began = self.clock.monotonic()
        loading = Loading.of(self.sight, self.clock, self.hooks.may_go_on)
        screen, location = self.locate(edge, terms, loading)
        outcome.before, outcome.location = screen, location
        outcome.timing_ms["locate"] = round((self.clock.monotonic() - began) * 1000.0, 1)
        if location.margin is not None:
            self.hooks.on_match(edge, location.margin)
        if not is_at(edge, location):
            outcome.message = loading.told(lost(edge, location, self.workflow))
            outcome.failure_kind = FailureKind.LOW_CONFIDENCE
        elif arrive_only:
            outcome.status, outcome.verified = ExecutionStatus.SUCCESS, True
        else:
            known = self.hooks.healed(edge)
            self.executor.execute_edge(
                known, screen, values, act=self.act, patience_s=self.patience_s, terms=terms, outcome=outcome,
                moves_only=is_harmless(edge, self.workflow), in_the_way=lambda now: self._blocks(now, terms),
            )  # fmt: skip

    def _recover(self, attempt: _Attempt, edge: WorkflowEdge, progress: Progress, done: Sequence[ExecutedStep]) -> bool:
        """Get out of an interruption. True: the step is to be tried again, on a new outcome."""
        failed = attempt.outcome
        if not self.act or self.recovery is None or failed.status is ExecutionStatus.BLOCKED or failed.search_broke:
            return False
        screen = self.sight.look()
        location = self.matcher.locate(screen, failed.terms)
        error = self._interruption(screen, location)
        if error is None or not self.hooks.may_go_on():
            return False
        if isinstance(error, str):
            failed.message += f"; {error}"
            return False
        is_unknown = isinstance(error, UnknownDialog)
        name = error.says if isinstance(error, UnknownDialog) else error.node.label
        if progress.recoveries >= MAX_PER_RUN:
            failed.message += f"; interrupted by « {name} », and {MAX_PER_RUN} times is enough"
            return False
        progress.recoveries += 1
        self._take_time(edge)
        if isinstance(error, UnknownDialog):
            report = self.recovery.send_away(
                error, edge, screen, progress.values, failed.terms, self._oversight(edge, progress)
            )
        else:
            report = self.recovery.get_out(
                error, edge, screen, progress.values, failed.terms, self._oversight(edge, progress)
            )
        self._take_time(edge)
        failed.recoveries.append(report)
        if not report.succeeded:
            failed.message += f"; interrupted by « {name} »: {report.reason}"
            return False
        if is_unknown and failed.input_sent and self._turns_out_well(edge, failed, progress):
            return False
        return self._is_to_be_tried_again(attempt, edge, progress, done)

    def _oversight(self, edge: WorkflowEdge, progress: Progress) -> Oversight:
        """The steps of a way out are asked for and told like any step, whatever becomes of the one interrupted."""

        def permit(step_id: str) -> StepPermission | str:
            asked = RunOutcome()
            return self.permission(step_id, asked) or asked.reason

        def tell(step: WorkflowEdge, outcome: StepOutcome, permission: StepPermission) -> None:
            self.tell(ExecutedStep(step, outcome, 0.0, permission, values=dict(progress.values)))

        return Oversight(edge.edge_id, permit, tell)

    def _turns_out_well(self, edge: WorkflowEdge, failed: StepOutcome, progress: Progress) -> bool:
        """Whether what lay under a dialog shows that the step worked. Where the step changes something, the screen must
        say so in words: to close the dialog may itself have led to the screen that was expected."""
        harmless = is_harmless(edge, self.workflow, failed.resolution)
        told = harmless or says_that_it_worked(edge, failed, progress.values)
        return told and self.executor.had_its_effect(edge, failed, progress.values, moves_only=harmless)

    def _is_to_be_tried_again(
        self, attempt: _Attempt, edge: WorkflowEdge, progress: Progress, done: Sequence[ExecutedStep]
    ) -> bool:
        failed = attempt.outcome
        screen, location = self._come_to_rest(failed.terms)
        place = place_after(self.plan, self.workflow, edge, failed, done, location, screen, progress)
        if isinstance(place, Nowhere):
            failed.message += f"; {failed.recoveries[-1].label}: {place.why}"
            return False
        if place.edge_id != edge.edge_id or edge.loop is not None:
            attempt.goes_on_at = place.edge_id
            return False
        attempt.outcome = StepOutcome(
            ExecutionStatus.FAILED,
            terms=failed.terms,
            recoveries=failed.recoveries,
            healing=failed.healing,
            sent_earlier=failed.anything_sent,
        )
        return True

    def _come_to_rest(self, terms: StepThresholds | None) -> tuple[ObservedScreen, Location]:
        """Where we are once a screen of the workflow is shown again."""
        deadline = self.clock.monotonic() + self.locate_timeout_s
        while True:
            screen = self.sight.look()
            location = self.matcher.locate(screen, terms)
            matched = location.match is not None and not location.match.node.is_error_node
            known = matched or (bool(location.anywhere) and self._interruption(screen, location) is None)
            if known or self.clock.monotonic() >= deadline:
                return screen, location
            self.clock.sleep(_POLL_S)

    def _interruption(self, screen: ObservedScreen, location: Location) -> ErrorScreen | UnknownDialog | str | None:
        """What is in the way: something the workflow knows, or a dialog it does not, which may be sent away or not."""
        if self.recovery is None:
            return None
        return self.recovery.recognise(screen, location) or self.recovery.in_the_way(screen, location)

    def _blocks(self, screen: ObservedScreen, terms: StepThresholds) -> bool:
        """Whether something lies over the screen that can be got out of, and only by doing so. A person who acts is
        waited for, but not once she has stopped the run."""
        if not self.act:
            return not self.hooks.may_go_on()
        if self.recovery is None:
            return False
        return isinstance(self.recovery.in_the_way(screen, self.matcher.locate(screen, terms)), UnknownDialog)

    def _take_time(self, edge: WorkflowEdge) -> None:
        """Getting out of an interruption is work of its own: the step's time begins again."""
        if isinstance(self.supervisor, WatchedSupervisor):
            self.supervisor.watchdog.begin_step(edge.edge_id)


def is_at(edge: WorkflowEdge, location: Location) -> bool:
    """Whether the screen is the one the edge starts from."""
    return location.is_at(edge.from_node)


def says_that_it_worked(edge: WorkflowEdge, outcome: StepOutcome, values: Mapping[str, str]) -> bool:
    """Whether the step is to be followed by words that were not there before."""
    before = outcome.before
    return before is not None and any(
        condition.partition(":")[0] in ("text_appears", "text_present") and proves(condition, before, values)
        for condition in post_conditions(edge).conditions
    )


def lost(edge: WorkflowEdge, location: Location, workflow: Workflow) -> str:
    """What was expected and what is there."""
    wanted = workflow.get_node(edge.from_node)
    name = wanted.label if wanted is not None else edge.from_node
    if location.match is not None:
        return f"the screen {name!r} was expected, but this is {location.match.node.label!r}"
    return f"the screen {name!r} was expected; {location.suggestion()}"


def _broken_by(error: Exception) -> str:
    """What an error says. One that is not ours may quote anything, a secret too, so only its name is told."""
    return f"{error} ({error.code})" if isinstance(error, RpaVisionError) else f"unexpected {type(error).__name__}"
