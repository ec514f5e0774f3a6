"""The search for a step's target, before anything is sent: more tolerant with every attempt, on a fresh look each time.

What was found counts only if the screen is still the one the step begins on, and still looks as it did when it was
read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.conditions import Moment, describe, judge
from rpa_vision.execution.edge_demands import filled_target
from rpa_vision.execution.healing_attempts import OnHealing, log_the_end, measured, tell
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.loading import Loading
from rpa_vision.execution.same_case import other_case
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.strategy_weights import element_key
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.graph.slots import row_of
from rpa_vision.graph.vocabulary import letters
from rpa_vision.imaging.diff import same_pixels
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import ANY_NODE, WorkflowEdge
from rpa_vision.ports.learning import RememberedTarget, RunMemory
from rpa_vision.ports.runtime import Clock

RETRIES = 2
BACKOFF_S = 0.5
_SAME_PLACE_PX = 3

Looks = Callable[[str], Pixels | None]
"""Gives the recorded picture of a target by its path."""


class TargetSearch:
    """Finds the targets of one workflow's steps on one desktop."""

    def __init__(
        self,
        sight: Sight,
        matcher: NodeMatcher,
        resolver: TargetResolver,
        clock: Clock,
        *,
        looks: Looks,
        workflow_id: str | None,
        memory: RunMemory | None,
        on_healing: OnHealing,
    ) -> None:
        """`workflow_id` names the elements whose past counts; `memory` knows targets; `on_healing` is told of every
        attempt."""
        self._sight = sight
        self._matcher = matcher
        self._resolver = resolver
        self._clock = clock
        self._looks = looks
        self._workflow_id = workflow_id
        self._memory = memory
        self._on_healing = on_healing

    def look_for(
        self,
        edge: WorkflowEdge,
        target: TargetSpec,
        screen: ObservedScreen,
        values: Mapping[str, str],
        terms: StepThresholds | None,
    ) -> Resolved | Unresolved:
        """What the target is on this screen, without waiting for it."""
        look, element = self.recorded_look(target), self._element(edge, target)
        return self._resolver.resolve(
            target, screen, values, HealingProfile.at_level(0), look, terms=terms, element=element
        )

    def recorded_look(self, target: TargetSpec) -> Pixels | None:
        """What the target looked like when it was recorded."""
        return self._looks(target.look.image_path) if target.look is not None else None

    def patiently(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str]
    ) -> Resolved | Unresolved:
        """Try again, more tolerantly each time, on a fresh look at the screen. Nothing has been sent yet.

        Where ambiguity is refused, a target that could be two things is not looked at until it happens to be one; and
        nowhere is a tie settled by tolerance: only a screen that shows something else by now may settle it, and only
        where it is none any more for those who saw it, as strictly as they looked.
        """
        assert action.target is not None
        assert outcome.before is not None
        level, loading, decided_on = 0, Loading.of(self._sight, self._clock), outcome.before
        tie: tuple[ObservedScreen, Unresolved] | None = None
        tied_at: list[HealingProfile] = []
        while True:
            profile, began = HealingProfile.at_level(level), self._clock.monotonic()
            outcome.memories = self._recalled(edge, action.target, outcome.before, values)
            search = partial(self._search, edge, action.target, outcome, values, memories=outcome.memories)
            resolution = search(profile)
            if level and isinstance(resolution, Resolved) and not self.is_start_of(edge, outcome, values):
                # The same words on another screen are another thing.
                resolution = Unresolved("not_found", "another screen came up", (), profile)
            if level and isinstance(resolution, Resolved):
                other = other_case(decided_on.state, outcome.before.state, waited=True)
                if other is not None:
                    resolution = Unresolved("not_found", f"another case came up: {other}", (), profile)
            if tie is not None and isinstance(resolution, Resolved):
                same = _shows_the_same(tie[0], outcome.before)
                if same or any(_may_be_tied(search(stricter)) for stricter in tied_at):
                    tie = (outcome.before, replace(tie[1], profile=profile))
                    resolution = tie[1]
            elif isinstance(resolution, Unresolved) and resolution.why == "ambiguous":
                tie = (outcome.before, resolution)
                tied_at.append(profile)
            if isinstance(resolution, Resolved) and not self.still_there(resolution, action.target, outcome.before):
                # The screen moved on while we thought about it; what we know is out of date.
                resolution = Unresolved("not_found", "the screen changed while it was read", (), profile)
            outcome.healing.append(measured(resolution, self._clock.monotonic() - began, self._clock.now()))
            tell(outcome.healing[-1], self._on_healing)
            if isinstance(resolution, Resolved):
                return resolution
            is_last = level >= RETRIES or _is_refused(resolution, outcome.terms)
            if is_last and not (resolution.why == "not_found" and loading.wait()):
                log_the_end(resolution, outcome.healing)
                return replace(resolution, message=loading.told(resolution.message))
            if not is_last:
                self._clock.sleep(BACKOFF_S * 2**level)
                level += 1
            outcome.before = self._sight.look()

    def is_start_of(self, edge: WorkflowEdge, outcome: StepOutcome, values: Mapping[str, str]) -> bool:
        """Whether the screen that was looked at last is the one the step begins on."""
        assert outcome.before is not None
        here = edge.from_node == ANY_NODE or self._matcher.locate(outcome.before, outcome.terms).is_at(edge.from_node)
        return here and unmet_pre_condition(edge, outcome.before, values) is None

    def nothing_came_up(self, edge: WorkflowEdge, outcome: StepOutcome, values: Mapping[str, str]) -> bool:
        """Keys go wherever the focus is: look again if the screen is not as it was read."""
        assert outcome.before is not None
        height, width = outcome.before.pixels.shape[:2]
        if self._sight.still_shows(outcome.before, [Box(0, 0, int(width), int(height))]):
            return True
        decided_on, outcome.before = outcome.before, self._sight.look()
        other = other_case(decided_on.state, outcome.before.state)
        if other is None and self.is_start_of(edge, outcome, values):
            return True
        outcome.message = "the screen changed while it was read" + (f": {other}" if other is not None else "")
        outcome.failure_kind = FailureKind.LOW_CONFIDENCE
        return False

    def _search(
        self,
        edge: WorkflowEdge,
        target: TargetSpec,
        outcome: StepOutcome,
        values: Mapping[str, str],
        profile: HealingProfile,
        *,
        memories: Sequence[RememberedTarget],
    ) -> Resolved | Unresolved:
        """What the target is on the screen that was looked at last, as tolerantly as the profile says."""
        assert outcome.before is not None
        return self._resolver.resolve(
            target,
            outcome.before,
            values,
            profile,
            self.recorded_look(target),
            terms=outcome.terms,
            element=self._element(edge, target),
            memories=memories,
            on_its_screen=edge.from_node != ANY_NODE,
        )

    def _recalled(
        self, edge: WorkflowEdge, target: TargetSpec, screen: ObservedScreen, values: Mapping[str, str]
    ) -> tuple[RememberedTarget, ...]:
        if self._memory is None:
            return ()
        height, width = screen.pixels.shape[:2]
        return self._memory.recall(edge.edge_id, filled_target(target, values), screen.state, (int(width), int(height)))

    def _element(self, edge: WorkflowEdge, target: TargetSpec) -> str | None:
        return element_key(self._workflow_id, edge.edge_id, target) if self._workflow_id is not None else None

    def finds_again(
        self,
        edge: WorkflowEdge,
        target: TargetSpec,
        decided: Resolved,
        outcome: StepOutcome,
        values: Mapping[str, str],
    ) -> bool:
        """Whether the target, looked for as before, is the same thing in the same place on the screen seen last."""
        assert outcome.before is not None
        memories = self._recalled(edge, target, outcome.before, values)
        found = self._search(edge, target, outcome, values, decided.profile, memories=memories)
        if not isinstance(found, Resolved):
            return False
        then, now = decided.best.element, found.best.element
        apart = max(abs(one - other) for one, other in zip(then.bbox, now.bbox, strict=True))
        return apart <= _SAME_PLACE_PX and now.type == then.type and letters(now.label) == letters(then.label)

    def still_there(self, resolution: Resolved, target: TargetSpec, screen: ObservedScreen) -> bool:
        """Whether everything that decided is still as it was read: the target, and the row that makes it the one."""
        element = resolution.best.element
        decided = [element, *(row_of(element, screen.state.ui_elements) if target.row_contains else ())]
        return self._sight.still_shows(screen, [Box.of(one.bbox) for one in decided])


def unmet_pre_condition(edge: WorkflowEdge, screen: ObservedScreen, values: Mapping[str, str]) -> str | None:
    """What must be so before the step and is not."""
    moment = Moment(screen, screen, values)
    for condition in edge.constraints.pre_conditions if edge.constraints is not None else ():
        verdict = judge(condition, moment)
        if not verdict.holds:
            return f"{describe(condition, values)} ({verdict.seen})"
    return None


def _shows_the_same(one: ObservedScreen, other: ObservedScreen) -> bool:
    return one is other or same_pixels(one.pixels, other.pixels)


def _may_be_tied(resolution: Resolved | Unresolved) -> bool:
    return isinstance(resolution, Unresolved) and resolution.why in ("ambiguous", "broken")


def _is_refused(resolution: Unresolved, terms: StepThresholds | None) -> bool:
    return resolution.why == "ambiguous" and terms is not None and terms.ambiguity_refused
