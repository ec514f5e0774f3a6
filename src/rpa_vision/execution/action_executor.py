"""One edge, executed: look, resolve, act, verify.

Input is sent at most once. Before it is sent, resolution may be tried again, more tolerantly; after it was sent, the
screen is only looked at until it shows the effect or the time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import InputNotDeliveredError, RpaVisionError, UncertainDeliveryError
from rpa_vision.execution import safety
from rpa_vision.execution.conditions import Moment, describe, judge, proves
from rpa_vision.execution.decisive_texts import Reread, reread
from rpa_vision.execution.edge_demands import called, filled_target, impossible, leads_elsewhere, post_conditions
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.stopwatch import timed
from rpa_vision.execution.strategy_weights import element_key
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.demonstration import only_field_changed
from rpa_vision.graph.node_matcher import Location, NodeMatcher
from rpa_vision.graph.slots import row_of
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import MouseButton
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import fill
from rpa_vision.models.workflow_graph import PostConditions, SafetyRules, WorkflowEdge
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.learning import RememberedTarget, RunMemory
from rpa_vision.ports.perception import TextConfirmer
from rpa_vision.ports.runtime import Clock

RETRIES = 2
BACKOFF_S = 0.5
_CHANGE_TIMEOUT_S = 1.0
_POLL_S = 0.1
_HOVER_SETTLE_S = 0.1
_FOCUS_SETTLE_S = 0.15
_NOT_AIMED = ("wait", "window_switch")

Looks = Callable[[str], Pixels | None]
"""Gives the recorded picture of a target by its path."""


@dataclass(slots=True)
class StepOutcome:
    """Everything that happened in one step."""

    status: ExecutionStatus
    message: str = ""
    failure_kind: FailureKind | None = None
    resolution: Resolved | Unresolved | None = None
    point: Point | None = None
    before: ObservedScreen | None = None
    after: ObservedScreen | None = None
    location: Location | None = None
    verified: bool = False
    expected: str = ""
    observed: str = ""
    healing_level: int = 0
    input_sent: bool = False
    terms: StepThresholds | None = None
    reread: Reread | None = None
    """What a second reader said of the texts that decided; None when nobody was asked."""
    memories: tuple[RememberedTarget, ...] = ()
    """What was remembered of the target in the last search for it."""
    timing_ms: dict[str, float] = field(default_factory=dict)


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
        confirmer: TextConfirmer | None = None,
    ) -> None:
        """`workflow_id` names the elements whose past counts; `memory` knows targets; `confirmer` reads twice."""
        self._desktop = desktop
        self._sight = sight
        self._matcher = matcher
        self._resolver = resolver
        self._clock = clock
        self._looks = looks
        self._secrets = secrets
        self._safety_rules = safety_rules
        self._before_input = before_input
        self._workflow_id = workflow_id
        self._memory = memory
        self._confirmer = confirmer

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
        if edge.action is not None and not self._prepare(edge, edge.action, outcome, values):
            return outcome
        assert outcome.before is not None
        frame = self._sight.grab()
        if act and edge.action is not None:
            self._before_input(edge, outcome)
            with timed(self._clock, outcome.timing_ms, "act"):
                delivered = self._deliver(edge.action, outcome, values)
            if not delivered:
                return outcome
        with timed(self._clock, outcome.timing_ms, "verify"):
            self._verify(edge, outcome, frame, values, patience_s)
        return outcome

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
        match = self._matcher.match(outcome.before, outcome.terms)
        here = match is not None and match.node.node_id == edge.from_node
        return here and self._unmet_pre_condition(edge, outcome.before, values) is None

    def _resolve_patiently(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str]
    ) -> Resolved | Unresolved:
        """Try again, more tolerantly each time, on a fresh look at the screen. Nothing has been sent yet.

        Where ambiguity is refused, a target that could be two things is not looked at until it happens to be one.
        """
        assert action.target is not None
        assert outcome.before is not None
        look = self._looks(action.target.look.image_path) if action.target.look is not None else None
        level = 0
        while True:
            profile = HealingProfile.at_level(level)
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
            if isinstance(resolution, Resolved) or level >= RETRIES or _is_refused(resolution, outcome.terms):
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

    def _deliver(self, action: Action, outcome: StepOutcome, values: Mapping[str, str]) -> bool:
        """Send the input, once."""
        try:
            outcome.input_sent = True
            self._perform(action, outcome, values)
            self._clock.sleep((action.parameters.wait_after_ms or 0) / 1000.0)
        except InputNotDeliveredError as error:
            # Only the first input of a step is known not to have been sent: a click may have gone before the text.
            outcome.input_sent = action.type == "text_input"
            outcome.message = str(error)
            return False
        except RpaVisionError as error:
            outcome.message = str(error)
            outcome.failure_kind = FailureKind.POSTCONDITION_FAILED
            return False
        return True

    def _perform(self, action: Action, outcome: StepOutcome, values: Mapping[str, str]) -> None:
        hands, parameters, point = self._desktop.hands, action.parameters, outcome.point
        if action.type == "mouse_click" and point is not None:
            hands.click(point, button=MouseButton(parameters.button), count=parameters.click_count)
        elif action.type == "text_input":
            self._type(action, outcome, values)
        elif action.type == "key_press":
            hands.press(action.keys or ())
        elif action.type == "scroll":
            right, down = parameters.scroll or (0, 0)
            hands.scroll(point or self._desktop.eyes.pointer(), right=right, down=down)
        elif action.type == "wait":
            self._clock.sleep((action.duration_ms or 0) / 1000.0)
        elif action.type == "window_switch":
            if self._desktop.windows.activate(app_name=action.target_app) is None:
                raise InputNotDeliveredError(f"no window of {action.target_app} is open")
        else:
            raise InputNotDeliveredError(f"the action {action.type} cannot be executed yet")

    def _type(self, action: Action, outcome: StepOutcome, values: Mapping[str, str]) -> None:
        hands, parameters = self._desktop.hands, action.parameters
        field_box = _field_box(outcome.resolution)
        if outcome.point is not None and field_box is not None:
            assert outcome.before is not None
            # The pointer goes first: what it leaves and what it comes to may change their looks by that alone.
            hands.move(outcome.point)
            self._clock.sleep(_HOVER_SETTLE_S)
            hovering = replace(outcome.before, pixels=self._sight.grab().pixels)
            hands.click(outcome.point)
            self._clock.sleep(_FOCUS_SETTLE_S)
            if not only_field_changed(hovering, self._sight.grab().pixels, field_box):
                # As learned, the click changed nothing but the field. Who knows where the text would go now.
                raise UncertainDeliveryError("the click into the field changed the screen; nothing was typed")
        if parameters.replace_existing:
            hands.press(("CTRL", "A"))
        if parameters.secret_ref is not None:
            hands.type_text(self._secrets[parameters.secret_ref])
        else:
            hands.type_text(fill(parameters.text or "", dict(values)))

    def _verify(
        self,
        edge: WorkflowEdge,
        outcome: StepOutcome,
        frame: Frame,
        values: Mapping[str, str],
        patience_s: float | None,
    ) -> None:
        """Look until the screen shows the effect, or the time is up."""
        assert outcome.before is not None
        conditions = post_conditions(edge)
        proven = leads_elsewhere(edge, conditions) or any(
            proves(condition, outcome.before, values) for condition in conditions.conditions
        )
        deadline = self._clock.monotonic() + (patience_s or conditions.timeout_seconds)
        field_box = _field_box(outcome.resolution)
        outcome.expected = self._expectation(conditions, values)
        change_timeout_s = _CHANGE_TIMEOUT_S
        while True:
            outcome.after = self._sight.look(since=frame, change_timeout_s=change_timeout_s)
            moment = Moment(outcome.before, outcome.after, values, field_box)
            problem = self._problem(conditions, moment, outcome)
            if problem is None and not proven:
                problem = "all of this was so before, which proves nothing"
            if problem is None:
                outcome.status, outcome.verified, outcome.message = ExecutionStatus.SUCCESS, True, ""
                return
            outcome.observed = problem
            if self._clock.monotonic() >= deadline:
                outcome.message = f"expected {outcome.expected}, but {problem}"
                outcome.failure_kind = FailureKind.POSTCONDITION_FAILED
                return
            change_timeout_s = 0.0
            self._clock.sleep(_POLL_S)

    def _problem(self, conditions: PostConditions, moment: Moment, outcome: StepOutcome) -> str | None:
        """What is not yet as it should be."""
        for condition in conditions.conditions:
            verdict = judge(condition, moment)
            if not verdict.holds:
                return verdict.seen
        outcome.location = self._matcher.locate(moment.now, outcome.terms)
        match = outcome.location.match
        if conditions.expected_node is None:
            return None
        if match is None:
            return f"the screen is unknown: {outcome.location.suggestion()}"
        if match.node.node_id != conditions.expected_node:
            return f"the screen is « {match.node.label} »"
        if match.confidence < conditions.min_similarity:
            return f"the screen is « {match.node.label} », but only by {match.confidence:.2f}"
        outcome.observed = f"the screen « {match.node.label} » ({match.confidence:.2f})"
        return None

    def _expectation(self, conditions: PostConditions, values: Mapping[str, str]) -> str:
        parts = [describe(condition, values) for condition in conditions.conditions]
        if conditions.expected_node is not None:
            parts.append(f"the screen « {self._matcher.label_of(conditions.expected_node)} »")
        return " and ".join(parts) or "nothing in particular"


def _is_refused(resolution: Unresolved, terms: StepThresholds | None) -> bool:
    return resolution.why == "ambiguous" and terms is not None and terms.ambiguity_refused


def _aim(action: Action, box: Box) -> Point:
    """Where to click: the recorded offset from the centre, kept inside the element."""
    dx, dy = action.parameters.click_offset
    x = min(max(box.center[0] + dx, box.x1 + 1), box.x2 - 2)
    y = min(max(box.center[1] + dy, box.y1 + 1), box.y2 - 2)
    return (max(x, box.x1), max(y, box.y1))


def _field_box(resolution: Resolved | Unresolved | None) -> Box | None:
    return Box.of(resolution.best.element.bbox).padded(4) if isinstance(resolution, Resolved) else None
