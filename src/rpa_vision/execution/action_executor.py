"""One edge, executed: look, resolve, act, verify.

Input is sent at most once. Before it is sent, resolution may be tried again, more tolerantly; after it was sent, the
screen is only looked at until it shows the effect or the time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution import safety
from rpa_vision.execution.conditions import Moment, describe, judge
from rpa_vision.execution.decisive_texts import reread
from rpa_vision.execution.edge_demands import called, drop_point, filled_target, impossible
from rpa_vision.execution.effect_watch import EffectWatch
from rpa_vision.execution.extraction import Unread, accepted, names_its_place, read_element, read_place
from rpa_vision.execution.healing_attempts import OnHealing, log_the_end, measured, tell
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.input_delivery import InputDelivery
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.stopwatch import timed
from rpa_vision.execution.strategy_weights import element_key
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.graph.slots import row_of
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable
from rpa_vision.models.workflow_graph import ANY_NODE, SafetyRules, WorkflowEdge
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.learning import RememberedTarget, RunMemory
from rpa_vision.ports.perception import TextConfirmer
from rpa_vision.ports.runtime import Clock

RETRIES = 2
BACKOFF_S = 0.5
_NOT_AIMED = ("wait", "window_switch")

__all__ = ["BACKOFF_S", "RETRIES", "ActionExecutor", "Looks", "StepOutcome"]

Looks = Callable[[str], Pixels | None]
"""Gives the recorded picture of a target by its path."""


class ActionExecutor:
    """Executes edges of one workflow on one desktop."""

    def __init__(
        self,
        desktop: Desktop,
        sight: Sight,
        matcher: NodeMatcher,
        resolver: TargetResolver,
        clock: Clock,
        *,
        looks: Looks,
        secrets: Mapping[str, str],
        safety_rules: SafetyRules,
        before_input: Callable[[WorkflowEdge, StepOutcome], None] = lambda edge, outcome: None,
        workflow_id: str | None = None,
        memory: RunMemory | None = None,
        variables: Mapping[str, Variable] | None = None,
        given: Mapping[str, str] | None = None,
        confirmer: TextConfirmer | None = None,
        on_healing: OnHealing = lambda metrics: None,
    ) -> None:
        """`workflow_id` names the elements whose past counts; `memory` knows targets; `confirmer` reads twice. What is
        read is held to `variables`, and to what a person has `given`.

        `on_healing` is told of every attempt to find a target; whatever it does, the run goes on.
        """
        self._confirmer = confirmer
        self._on_healing = on_healing
        self._sight = sight
        self._matcher = matcher
        self._resolver = resolver
        self._clock = clock
        self._looks = looks
        self._effects = EffectWatch(sight, matcher, clock)
        self._delivery = InputDelivery(desktop, sight, clock, secrets)
        self._variables = variables or {}
        self._given = given or {}
        self._safety_rules = safety_rules
        self._before_input = before_input
        self._workflow_id = workflow_id
        self._memory = memory

    def execute_edge(
        self,
        edge: WorkflowEdge,
        screen: ObservedScreen,
        values: Mapping[str, str],
        *,
        act: bool = True,
        patience_s: float | None = None,
        terms: StepThresholds | None = None,
        outcome: StepOutcome | None = None,
    ) -> StepOutcome:
        """Do what the edge says, or say why not. With `act` false a person does it and we only watch the effect.

        `terms` are the supervisor's: they may ask for more certainty than usual, never for less. An `outcome` that is
        given is the one filled in, as things happen: whatever is raised, it says how far the step came.
        """
        outcome = outcome if outcome is not None else StepOutcome(ExecutionStatus.FAILED)
        outcome.before, outcome.terms = screen, terms
        hindrance = impossible(edge, values)
        if hindrance is not None:
            outcome.message = hindrance
            return outcome
        unmet = self._unmet_pre_condition(edge, screen, values)
        if unmet is not None:
            outcome.message = f"pre-condition not met: {unmet}"
            outcome.failure_kind = FailureKind.LOW_CONFIDENCE
            return outcome
        if edge.action is not None and not self._carry_out(edge, edge.action, outcome, values, act=act):
            return outcome
        if edge.action is not None and edge.action.type == "compound":
            outcome.before = screen
        frame = outcome.frame if outcome.frame is not None else self._sight.grab()
        with timed(self._clock, outcome.timing_ms, "verify"):
            self._effects.verify(edge, outcome, frame, {**values, **outcome.extracted}, patience_s)
        return outcome

    def do_action(
        self,
        edge: WorkflowEdge,
        action: Action,
        screen: ObservedScreen,
        values: Mapping[str, str],
        *,
        terms: StepThresholds | None = None,
        at: Point | None = None,
    ) -> StepOutcome:
        """Do something besides the steps (turn a page, get out of an error), as carefully as a step, or say why not.

        Whether it had its effect is for the caller to see. `at` is where an action without a target is done.
        """
        outcome = StepOutcome(ExecutionStatus.FAILED, before=screen, terms=terms, point=at)
        if self._carry_out(edge, action, outcome, values, act=True):
            outcome.status = ExecutionStatus.SUCCESS
        return outcome

    def look_for(
        self, edge: WorkflowEdge, action: Action, screen: ObservedScreen, values: Mapping[str, str]
    ) -> Resolved | Unresolved | None:
        """What the target of an action is on this screen, without waiting for it; None where it has none."""
        if action.target is None:
            return None
        look, element = self.recorded_look(action.target), self._element(edge, action.target)
        return self._resolver.resolve(action.target, screen, values, HealingProfile.at_level(0), look, element=element)

    def recorded_look(self, target: TargetSpec) -> Pixels | None:
        """What the target looked like when it was recorded."""
        return self._looks(target.look.image_path) if target.look is not None else None

    def _carry_out(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str], *, act: bool
    ) -> bool:
        """Find what the action is aimed at and, if we act, do it. Of a compound action, one part after the other."""
        if action.type == "compound":
            return self._carry_out_all(edge, action, outcome, values, act=act)
        if action.type == "extract":
            return self._extract(edge, action, outcome, values)
        if not self._prepare(edge, action, outcome, values):
            return False
        drop = self._drop(edge, action, outcome, values)
        if action.type == "drag" and drop is None:
            return False
        if not act:
            return True
        if outcome.frame is None:
            outcome.frame = self._sight.grab()
        self._before_input(edge, outcome)
        with timed(self._clock, outcome.timing_ms, "act"):
            delivered = self._delivery.deliver(action, outcome, values, drop)
        return delivered and self._copied_is_accepted(action, outcome)

    def _carry_out_all(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str], *, act: bool
    ) -> bool:
        for number, part in enumerate(action.steps or ()):
            if number and act:
                outcome.before, outcome.point = self._sight.look(), None
            known = {**values, **outcome.extracted}
            # Between the parts the screen may be any; the first begins where the step does.
            here = edge if number == 0 else edge.model_copy(update={"from_node": ANY_NODE})
            if not self._carry_out(here, part, outcome, known, act=act):
                return False
            if not act:
                return True
        return True

    def _extract(self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str]) -> bool:
        """Read a value; look again a few times where it is not there yet."""
        name, target = action.parameters.extract_to or "", action.target
        assert target is not None
        for level in range(RETRIES + 1):
            assert outcome.before is not None
            text = self._read(edge, action, target, outcome, values)
            if text is not None:
                read = accepted(name, self._variables.get(name), text, self._given.get(name))
                if not isinstance(read, Unread):
                    outcome.extracted[name] = read.text
                    return True
                outcome.message = read.why
                break
            outcome.message = f"{name} cannot be read: {_where(target)} does not say exactly one thing"
            if level < RETRIES:
                self._clock.sleep(BACKOFF_S * 2**level)
                outcome.before = self._sight.look()
                if not self._is_start_of(edge, outcome, values):
                    outcome.message = f"{name} cannot be read: another screen came up"
                    break
        outcome.failure_kind = FailureKind.TARGET_NOT_FOUND
        return False

    def _read(
        self, edge: WorkflowEdge, action: Action, target: TargetSpec, outcome: StepOutcome, values: Mapping[str, str]
    ) -> str | None:
        assert outcome.before is not None
        if names_its_place(target):
            return read_place(target, outcome.before.state, values)
        resolution = self.look_for(edge, action, outcome.before, values)
        outcome.resolution = resolution
        return read_element(resolution.best.element) or None if isinstance(resolution, Resolved) else None

    def _copied_is_accepted(self, action: Action, outcome: StepOutcome) -> bool:
        name = action.parameters.extract_to
        if name is None or name not in outcome.extracted:
            return True
        read = accepted(name, self._variables.get(name), outcome.extracted[name], self._given.get(name))
        if isinstance(read, Unread):
            outcome.message, outcome.failure_kind = read.why, FailureKind.POSTCONDITION_FAILED
            del outcome.extracted[name]
            return False
        outcome.extracted[name] = read.text
        return True

    def _drop(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str]
    ) -> Point | None:
        """Where a dragged target is let go, or None, and the outcome says why."""
        if action.type != "drag" or outcome.point is None or outcome.before is None:
            return None
        onto = action.parameters.drop_target
        if onto is None:
            return drop_point(action, outcome.point, outcome.terms)
        other = Action(type="mouse_click", target=onto)
        found = self.look_for(edge, other, outcome.before, values)
        if isinstance(found, Resolved):
            return Box.of(found.best.element.bbox).center
        outcome.message = f"it cannot be dropped: {found.message if found is not None else 'nothing says where'}"
        outcome.failure_kind = FailureKind.TARGET_NOT_FOUND
        return None

    def _unmet_pre_condition(self, edge: WorkflowEdge, screen: ObservedScreen, values: Mapping[str, str]) -> str | None:
        moment = Moment(screen, screen, values)
        for condition in edge.constraints.pre_conditions if edge.constraints is not None else ():
            verdict = judge(condition, moment)
            if not verdict.holds:
                return f"{describe(condition, values)} ({verdict.seen})"
        return None

    def _prepare(self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str]) -> bool:
        """Find the target and make sure nothing forbids acting on it."""
        if action.target is None:
            return action.type in _NOT_AIMED or self._nothing_came_up(edge, outcome, values)
        with timed(self._clock, outcome.timing_ms, "resolve"):
            resolution = self._resolve_patiently(edge, action, outcome, values)
        outcome.resolution = resolution
        outcome.healing_level = resolution.profile.attempt_level
        if isinstance(resolution, Unresolved):
            outcome.message = resolution.message
            outcome.failure_kind = FailureKind.TARGET_NOT_FOUND
            return False
        forbidden = safety.objection(resolution.best.element, self._safety_rules, meant=called(action, values))
        if forbidden is not None:
            outcome.status, outcome.message = ExecutionStatus.BLOCKED, forbidden
            return False
        if not self._says_so_twice(action.target, resolution, outcome, values):
            return False
        outcome.point = _aim(action, Box.of(resolution.best.element.bbox))
        return True

    def _says_so_twice(
        self, target: TargetSpec, resolution: Resolved, outcome: StepOutcome, values: Mapping[str, str]
    ) -> bool:
        """Have the texts that decided read by somebody else; another text than was read is a reason to stop."""
        if self._confirmer is None:
            return True
        assert outcome.before is not None
        with timed(self._clock, outcome.timing_ms, "read_again"):
            outcome.reread = reread(self._confirmer, target, resolution.best.element, outcome.before, values)
        objection = outcome.reread.objection
        if objection is not None:
            outcome.message = f"two readers differ: {objection}"
            outcome.failure_kind = FailureKind.LOW_CONFIDENCE
        return objection is None

    def _nothing_came_up(self, edge: WorkflowEdge, outcome: StepOutcome, values: Mapping[str, str]) -> bool:
        """Keys go wherever the focus is: look again if the screen is not as it was read."""
        assert outcome.before is not None
        height, width = outcome.before.pixels.shape[:2]
        if self._sight.still_shows(outcome.before, [Box(0, 0, int(width), int(height))]):
            return True
        outcome.before = self._sight.look()
        if self._is_start_of(edge, outcome, values):
            return True
        outcome.message = "the screen changed while it was read"
        outcome.failure_kind = FailureKind.LOW_CONFIDENCE
        return False

    def _is_start_of(self, edge: WorkflowEdge, outcome: StepOutcome, values: Mapping[str, str]) -> bool:
        assert outcome.before is not None
        here = edge.from_node == ANY_NODE or self._matcher.locate(outcome.before, outcome.terms).is_at(edge.from_node)
        return here and self._unmet_pre_condition(edge, outcome.before, values) is None

    def _resolve_patiently(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str]
    ) -> Resolved | Unresolved:
        """Try again, more tolerantly each time, on a fresh look at the screen. Nothing has been sent yet.

        Where ambiguity is refused, a target that could be two things is not looked at until it happens to be one.
        """
        assert action.target is not None
        assert outcome.before is not None
        look = self.recorded_look(action.target)
        level = 0
        while True:
            profile, began = HealingProfile.at_level(level), self._clock.monotonic()
            outcome.memories = self._recalled(edge, action.target, outcome.before, values)
            resolution = self._resolver.resolve(
                action.target,
                outcome.before,
                values,
                profile,
                look,
                terms=outcome.terms,
                element=self._element(edge, action.target),
                memories=outcome.memories,
            )
            if level and isinstance(resolution, Resolved) and not self._is_start_of(edge, outcome, values):
                # The same words on another screen are another thing.
                resolution = Unresolved("not_found", "another screen came up", (), profile)
            if isinstance(resolution, Resolved) and not self._still_there(resolution, action.target, outcome.before):
                # The screen moved on while we thought about it; what we know is out of date.
                resolution = Unresolved("not_found", "the screen changed while it was read", (), profile)
            outcome.healing.append(measured(resolution, self._clock.monotonic() - began, self._clock.now()))
            tell(outcome.healing[-1], self._on_healing)
            if isinstance(resolution, Resolved) or level >= RETRIES or _is_refused(resolution, outcome.terms):
                if isinstance(resolution, Unresolved):
                    log_the_end(resolution, outcome.healing)
                return resolution
            self._clock.sleep(BACKOFF_S * 2**level)
            outcome.before = self._sight.look()
            level += 1

    def _recalled(
        self, edge: WorkflowEdge, target: TargetSpec, screen: ObservedScreen, values: Mapping[str, str]
    ) -> tuple[RememberedTarget, ...]:
        if self._memory is None:
            return ()
        height, width = screen.pixels.shape[:2]
        return self._memory.recall(edge.edge_id, filled_target(target, values), screen.state, (int(width), int(height)))

    def _element(self, edge: WorkflowEdge, target: TargetSpec) -> str | None:
        return element_key(self._workflow_id, edge.edge_id, target) if self._workflow_id is not None else None

    def _still_there(self, resolution: Resolved, target: TargetSpec, screen: ObservedScreen) -> bool:
        """Whether everything that decided is still as it was read: the target, and the row that makes it the one."""
        element = resolution.best.element
        decided = [element, *(row_of(element, screen.state.ui_elements) if target.row_contains else ())]
        return self._sight.still_shows(screen, [Box.of(one.bbox) for one in decided])


def _is_refused(resolution: Unresolved, terms: StepThresholds | None) -> bool:
    return resolution.why == "ambiguous" and terms is not None and terms.ambiguity_refused


def _aim(action: Action, box: Box) -> Point:
    """Where to click: the recorded offset from the centre, kept inside the element."""
    dx, dy = action.parameters.click_offset
    x = min(max(box.center[0] + dx, box.x1 + 1), box.x2 - 2)
    y = min(max(box.center[1] + dy, box.y1 + 1), box.y2 - 2)
    return (max(x, box.x1), max(y, box.y1))


def _where(target: TargetSpec) -> str:
    if target.column is not None:
        return f"the column « {target.column} »"
    return f"« {target.label} »" if target.label is not None else "the target"
