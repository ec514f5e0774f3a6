"""One edge, executed: look, resolve, act, verify.

Input is sent at most once. Before it is sent, resolution may be tried again, more tolerantly; after it was sent, the
screen is only looked at until it shows the effect or the time is up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution import safety
from rpa_vision.execution.below_the_fold import FoldSearch
from rpa_vision.execution.conditions import OtherNames
from rpa_vision.execution.decisive_texts import Reread, reread, reread_value
from rpa_vision.execution.edge_demands import aim_point, called, drop_point, impossible, place_name, told_by_pixels
from rpa_vision.execution.effect_watch import EffectWatch
from rpa_vision.execution.extraction import Unread, accepted, names_its_place, read_element, read_place
from rpa_vision.execution.healing_attempts import OnHealing
from rpa_vision.execution.input_delivery import InputDelivery
from rpa_vision.execution.last_look import LastLook
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.stopwatch import timed
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.execution.target_search import BACKOFF_S, RETRIES, Looks, TargetSearch, unmet_pre_condition
from rpa_vision.execution.wheel import aim_wheel
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.graph.sightings import Sighted
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable
from rpa_vision.models.workflow_graph import ANY_NODE, SafetyRules, WorkflowEdge
from rpa_vision.ports.desktop import Desktop
from rpa_vision.ports.learning import RunMemory
from rpa_vision.ports.perception import TextConfirmer
from rpa_vision.ports.runtime import Clock

_VERIFIED_AGAIN_S = 2.0
_NOT_AIMED = ("wait", "window_switch")

__all__ = ["BACKOFF_S", "RETRIES", "ActionExecutor", "Looks", "StepOutcome"]

AskForTarget = Callable[[WorkflowEdge, Action, StepOutcome, Mapping[str, str], Unresolved], Resolved | Unresolved]
"""Asks a person which thing the target is; the outcome gets the screen the answer is about, and who answered."""


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
        asks_about: Callable[[WorkflowEdge], bool] = lambda edge: False,
        objection: Callable[[WorkflowEdge, StepOutcome], str | None] = lambda edge, outcome: None,
        on_guided: Callable[[WorkflowEdge, StepOutcome], None] = lambda edge, outcome: None,
        point_out: AskForTarget | None = None,
        other_names: Callable[[], OtherNames] = lambda: {},
    ) -> None:
        """`workflow_id` names the elements whose past counts; `memory` knows targets; `confirmer` reads twice. What is
        read is held to `variables`, and to what a person has `given`.

        `on_healing` is told of every attempt to find a target; whatever it does, the run goes on. Before the input of a
        step that somebody `asks_about`, a person says whether she has an `objection`; that may take her a while. Where
        she is to act herself, `on_guided` hears what on. Where nothing is safe, `point_out` asks a person for the
        target. `other_names` says what targets are called by now.
        """
        self._confirmer = confirmer
        self._pointer = desktop.eyes.pointer
        self._asks_about = asks_about
        self._objection = objection
        self._on_guided = on_guided
        self._point_out = point_out
        self._sight = sight
        self._matcher = matcher
        self._clock = clock
        self._search = TargetSearch(
            sight, matcher, resolver, clock, looks=looks, workflow_id=workflow_id, memory=memory, on_healing=on_healing
        )
        self._last_look = LastLook(sight, self._search)
        self._fold = FoldSearch(sight, matcher, self._search, self.do_action)
        self._effects = EffectWatch(sight, matcher, clock, confirmer, other_names)
        self._delivery = InputDelivery(desktop, sight, clock, secrets)
        self._variables = variables or {}
        self._given = given or {}
        self._safety_rules = safety_rules
        self._before_input = before_input

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
        moves_only: bool = False,
        in_the_way: Callable[[ObservedScreen], bool] = lambda screen: False,
    ) -> StepOutcome:
        """Do what the edge says, or say why not. With `act` false a person does it and we only watch the effect.

        `terms` are the supervisor's: they may ask for more certainty than usual, never for less. An `outcome` that is
        given is the one filled in, as things happen: whatever is raised, it says how far the step came. A step that
        `moves_only` changes nothing but what is shown; while something is `in_the_way`, no effect is waited for.
        """
        outcome = outcome if outcome is not None else StepOutcome(ExecutionStatus.FAILED)
        outcome.before, outcome.terms, outcome.told_by_pixels = screen, terms, told_by_pixels(edge)
        hindrance = impossible(edge, values)
        if hindrance is not None:
            outcome.message = hindrance
            return outcome
        unmet = unmet_pre_condition(edge, screen, values)
        if unmet is not None:
            outcome.message = f"pre-condition not met: {unmet}"
            outcome.failure_kind = FailureKind.LOW_CONFIDENCE
            return outcome
        if edge.action is not None and not self._carry_out(edge, edge.action, outcome, values, act=act):
            return outcome
        if edge.action is not None and edge.action.type == "compound":
            outcome.before = screen
        frame = outcome.frame if outcome.frame is not None else self._sight.grab()
        with timed(self._clock, outcome.timing_ms, "verify", application=lambda: self._sight.changed_s):
            told = {**values, **outcome.extracted}
            self._effects.verify(edge, outcome, frame, told, patience_s, moves_only=moves_only, in_the_way=in_the_way)
        return outcome

    def had_its_effect(
        self, edge: WorkflowEdge, outcome: StepOutcome, values: Mapping[str, str], *, moves_only: bool
    ) -> bool:
        """Whether a step whose input was sent turns out to have worked, now that nothing is in the way any more."""
        frame = outcome.frame if outcome.frame is not None else self._sight.grab()
        with timed(self._clock, outcome.timing_ms, "verify_again"):
            told = {**values, **outcome.extracted}
            self._effects.verify(edge, outcome, frame, told, _VERIFIED_AGAIN_S, moves_only=moves_only)
        if outcome.status is ExecutionStatus.SUCCESS:
            outcome.failure_kind = None
        return outcome.status is ExecutionStatus.SUCCESS

    def do_action(
        self,
        edge: WorkflowEdge,
        action: Action,
        screen: ObservedScreen,
        values: Mapping[str, str],
        *,
        terms: StepThresholds | None = None,
        at: Point | None = None,
        is_agreed: bool = False,
    ) -> StepOutcome:
        """Do something besides the steps (turn a page, get out of an error), as carefully as a step, or say why not.
        Whether it had its effect is for the caller to see. `at` is where an action without a target is done; nobody is
        asked about what `is_agreed`."""
        outcome = StepOutcome(ExecutionStatus.FAILED, before=screen, terms=terms, point=at, is_agreed=is_agreed)
        if self._carry_out(edge, action, outcome, values, act=True):
            outcome.status = ExecutionStatus.SUCCESS
        return outcome

    def look_for(
        self,
        edge: WorkflowEdge,
        action: Action,
        screen: ObservedScreen,
        values: Mapping[str, str],
        *,
        terms: StepThresholds | None = None,
    ) -> Resolved | Unresolved | None:
        """What the target of an action is on this screen, without waiting for it; None where it has none."""
        if action.target is None:
            return None
        return self._search.look_for(edge, action.target, screen, values, terms)

    def doubt_of(self, text: str, place: Box, screen: ObservedScreen) -> str | None:
        """Why a value that was read in a place is not to be used: a second reader, if there is one, reads another."""
        if self._confirmer is None:
            return None
        objection = reread_value(self._confirmer, text, place, screen).objection
        return f"two readers differ: {objection}" if objection is not None else None

    def recorded_look(self, target: TargetSpec) -> Pixels | None:
        """What the target looked like when it was recorded."""
        return self._search.recorded_look(target)

    def _carry_out(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str], *, act: bool
    ) -> bool:
        """Find what the action is aimed at and, if we act, do it. Of a compound action, one part after the other."""
        if action.type == "compound":
            return self._carry_out_all(edge, action, outcome, values, act=act)
        if action.type == "extract":
            return self._extract(edge, action, outcome, values)
        if not self._prepare(edge, action, outcome, values, act=act):
            return False
        drop = self._drop(edge, action, outcome, values)
        if action.type == "drag" and drop is None:
            return False
        if not act:
            self._on_guided(edge, outcome)
            return True
        if action.type == "scroll" and not aim_wheel(action, outcome, self._pointer()):
            return False
        if not outcome.is_agreed and self._asks_about(edge) and not self._is_agreed_to(edge, action, outcome, values):
            return False
        if outcome.frame is None:
            outcome.frame = self._sight.grab()
        with timed(self._clock, outcome.timing_ms, "write_down"):
            self._before_input(edge, outcome)
        with timed(self._clock, outcome.timing_ms, "last_look"):
            is_as_decided = self._last_look.is_as_decided(edge, action, outcome, values)
        if not is_as_decided:
            return False
        with timed(self._clock, outcome.timing_ms, "act"):
            delivered = self._delivery.deliver(action, outcome, values, drop)
        return delivered and self._copied_is_accepted(action, outcome)

    def _is_agreed_to(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str]
    ) -> bool:
        """Ask, and see that what was asked about is still there when the answer comes."""
        began = self._clock.monotonic()
        refused = self._objection(edge, outcome)
        outcome.timing_ms["asked"] = round((self._clock.monotonic() - began) * 1000.0, 1)
        if refused is not None:
            outcome.status, outcome.message = ExecutionStatus.BLOCKED, refused
            return False
        assert outcome.before is not None
        resolution, target = outcome.resolution, action.target
        if target is None or not isinstance(resolution, Resolved):
            return action.type in _NOT_AIMED or self._search.nothing_came_up(edge, outcome, values)
        onto, dropped_on = action.parameters.drop_target, outcome.dropped_on
        drop_stays = onto is None or (
            dropped_on is not None and self._search.still_there(dropped_on, onto, outcome.before)
        )
        if drop_stays and self._search.still_there(resolution, target, outcome.before):
            return True
        outcome.message = "the screen changed while a person was asked"
        outcome.failure_kind = FailureKind.LOW_CONFIDENCE
        return False

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
            seen = self._read(edge, action, target, outcome, values)
            if seen is not None:
                read = accepted(name, self._variables.get(name), seen.text, self._given.get(name))
                with timed(self._clock, outcome.timing_ms, "read_again"):
                    doubt = self.doubt_of(seen.text, Box.of(seen.element.bbox), outcome.before)
                if not isinstance(read, Unread) and doubt is None:
                    outcome.take(name, read.text, place_name(target))
                    return True
                if doubt is not None and self._is_secret(name):
                    doubt = "two readers differ"
                outcome.message = read.why if isinstance(read, Unread) else f"{name} cannot be read: {doubt}"
                break
            outcome.message = f"{name} cannot be read: {place_name(target)} does not say exactly one thing"
            if level < RETRIES:
                self._clock.sleep(BACKOFF_S * 2**level)
                outcome.before = self._sight.look()
                if not self._search.is_start_of(edge, outcome, values):
                    outcome.message = f"{name} cannot be read: another screen came up"
                    break
        outcome.failure_kind = FailureKind.TARGET_NOT_FOUND
        return False

    def _read(
        self, edge: WorkflowEdge, action: Action, target: TargetSpec, outcome: StepOutcome, values: Mapping[str, str]
    ) -> Sighted | None:
        assert outcome.before is not None
        if names_its_place(target):
            return read_place(target, outcome.before.state, values)
        resolution = self.look_for(edge, action, outcome.before, values)
        outcome.resolution = resolution
        element = resolution.best.element if isinstance(resolution, Resolved) else None
        text = read_element(element) if element is not None else ""
        return Sighted(text, element) if element is not None and text else None

    def _is_secret(self, name: str) -> bool:
        return name in self._variables and self._variables[name].subtype == "secret"

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
        found = self.look_for(edge, other, outcome.before, values, terms=outcome.terms)
        if not isinstance(found, Resolved):
            outcome.lost_drop = found
            outcome.message = f"it cannot be dropped: {found.message if found is not None else 'nothing says where'}"
            outcome.failure_kind = FailureKind.TARGET_NOT_FOUND
            return None
        forbidden = safety.objection(found.best.element, self._safety_rules, meant=called(other, values))
        if forbidden is not None:
            outcome.status, outcome.message = ExecutionStatus.BLOCKED, forbidden
            return None
        if not self._search.still_there(found, onto, outcome.before):
            outcome.message = "it cannot be dropped: the screen changed while it was read"
            outcome.failure_kind = FailureKind.LOW_CONFIDENCE
            return None
        if not self._says_so_twice(onto, found, outcome, values):
            return None
        outcome.dropped_on = found
        return Box.of(found.best.element.bbox).center

    def _prepare(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str], *, act: bool
    ) -> bool:
        """Find the target, scroll to it if we act, and make sure nothing forbids acting on it."""
        if action.target is None:
            return action.type in _NOT_AIMED or self._search.nothing_came_up(edge, outcome, values)
        with timed(self._clock, outcome.timing_ms, "resolve"):
            resolution = self._search.patiently(edge, action, outcome, values)
            if act and isinstance(resolution, Unresolved) and resolution.why == "not_found":
                resolution = self._fold.bring_up(edge, action.target, outcome, values, resolution)
        if isinstance(resolution, Unresolved) and self._point_out is not None:
            resolution = self._point_out(edge, action, outcome, values, resolution)
        outcome.resolution = resolution
        outcome.healing_level = resolution.profile.attempt_level
        if isinstance(resolution, Unresolved):
            outcome.message, outcome.failure_kind = resolution.message, FailureKind.TARGET_NOT_FOUND
            return False
        forbidden = safety.objection(resolution.best.element, self._safety_rules, meant=called(action, values))
        if forbidden is not None:
            outcome.status, outcome.message = ExecutionStatus.BLOCKED, forbidden
            return False
        if not self._says_so_twice(action.target, resolution, outcome, values):
            return False
        outcome.point = aim_point(action, Box.of(resolution.best.element.bbox))
        return True

    def _says_so_twice(
        self, target: TargetSpec, resolution: Resolved, outcome: StepOutcome, values: Mapping[str, str]
    ) -> bool:
        """Have the texts that decided read by somebody else; another text than was read is a reason to stop."""
        if self._confirmer is None:
            return True
        assert outcome.before is not None
        with timed(self._clock, outcome.timing_ms, "read_again"):
            again = reread(self._confirmer, target, resolution.best.element, outcome.before, values)
        dragged = outcome.reread.checks if resolution is not outcome.resolution and outcome.reread is not None else ()
        outcome.reread = Reread((*dragged, *again.checks))
        objection = outcome.reread.objection
        if objection is not None:
            outcome.message = f"two readers differ: {objection}"
            outcome.failure_kind = FailureKind.LOW_CONFIDENCE
        return objection is None
