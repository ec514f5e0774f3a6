"""What came of a step: the screen is looked at until it shows the effect, or the time is up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.conditions import Moment, OtherNames, describe, judge, proves
from rpa_vision.execution.edge_demands import leads_elsewhere, post_conditions, shows_itself
from rpa_vision.execution.input_delivery import field_of
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.frame import Frame
from rpa_vision.models.variables import variables_in
from rpa_vision.models.workflow_graph import PostConditions, WorkflowEdge
from rpa_vision.ports.perception import TextConfirmer
from rpa_vision.ports.runtime import Clock

_CHANGE_TIMEOUT_S = 1.0
_STAYS_S = 1.5
"""How long something must be in the way before it is believed to stay."""
_POLL_S = 0.05


class EffectWatch:
    """Judges the post-conditions of steps of one workflow."""

    def __init__(
        self,
        sight: Sight,
        matcher: NodeMatcher,
        clock: Clock,
        confirmer: TextConfirmer | None = None,
        other_names: Callable[[], OtherNames] = lambda: {},
    ) -> None:
        """`confirmer` reads again what was written, before it is said to be something else; `other_names` says what
        texts of targets are called by now."""
        self._other_names = other_names
        self._sight = sight
        self._matcher = matcher
        self._clock = clock
        self._confirmer = confirmer

    def verify(
        self,
        edge: WorkflowEdge,
        outcome: StepOutcome,
        frame: Frame,
        values: Mapping[str, str],
        patience_s: float | None,
        *,
        moves_only: bool = False,
        in_the_way: Callable[[ObservedScreen], bool] = lambda screen: False,
    ) -> None:
        """Look until the screen shows the effect, or the time is up.

        Where a step `moves_only`, the screen it leads to is its effect: that one of its words is another now is told by
        how surely it is that screen. What names the case must still be there, and what a dialog says: it is to be
        answered next. Nothing more is waited for once something is `in_the_way` that does not pass by itself.
        """
        assert outcome.before is not None
        conditions, names = post_conditions(edge), self._other_names()
        shown = edge.action is not None and shows_itself(edge.action)
        proven = (
            shown
            or leads_elsewhere(edge, conditions)
            or any(proves(condition, outcome.before, values, names) for condition in conditions.conditions)
        )
        deadline = self._clock.monotonic() + (patience_s or conditions.timeout_seconds)
        field_box = field_of(outcome.resolution)
        outcome.expected = self._expectation(conditions, values)
        blocked_since: float | None = None
        outcome.after = self._sight.look(since=frame, change_timeout_s=_CHANGE_TIMEOUT_S)
        while True:
            moment = Moment(outcome.before, outcome.after, values, field_box, self._confirmer, names)
            problem, seen = self._problem(
                conditions, moment, outcome, moves_only=moves_only and edge.from_node != edge.to_node
            )
            if problem is None and not proven:
                problem = "all of this was so before, which proves nothing"
            if problem is None:
                outcome.status, outcome.verified, outcome.message = ExecutionStatus.SUCCESS, True, ""
                outcome.observed = "; ".join(seen)
                return
            outcome.observed = problem
            now = self._clock.monotonic()
            blocked_since = (blocked_since or now) if in_the_way(outcome.after) else None
            stuck = blocked_since is not None and now - blocked_since >= _STAYS_S
            if stuck or now >= deadline:
                outcome.message = f"expected {outcome.expected}, but {problem}"
                outcome.failure_kind = FailureKind.POSTCONDITION_FAILED
                return
            self._clock.sleep(_POLL_S)
            outcome.after = self._sight.look()

    def _problem(
        self, conditions: PostConditions, moment: Moment, outcome: StepOutcome, *, moves_only: bool
    ) -> tuple[str | None, tuple[str, ...]]:
        """What is not yet as it should be; or else what was seen: the screen, and what was said in other words."""
        otherwise: list[str] = []
        for condition in conditions.conditions:
            verdict = judge(condition, moment)
            if not verdict.holds and not (moves_only and self._is_a_word_of_the_screen(condition, conditions)):
                return verdict.seen, ()
            otherwise += [verdict.otherwise] if verdict.otherwise else []
        outcome.location = self._matcher.locate(moment.now, outcome.terms)
        match = outcome.location.match
        if conditions.expected_node is None:
            return None, tuple(otherwise)
        if match is None:
            return f"the screen is unknown: {outcome.location.suggestion()}", ()
        if match.node.node_id != conditions.expected_node:
            return f"the screen is « {match.node.label} »", ()
        if match.confidence < conditions.min_similarity:
            return f"the screen is « {match.node.label} », but only by {match.confidence:.2f}", ()
        return None, (f"the screen « {match.node.label} » ({match.confidence:.2f})", *otherwise)

    def _expectation(self, conditions: PostConditions, values: Mapping[str, str]) -> str:
        parts = [describe(condition, values) for condition in conditions.conditions]
        if conditions.expected_node is not None:
            parts.append(f"the screen « {self._matcher.label_of(conditions.expected_node)} »")
        return " and ".join(parts) or "nothing in particular"

    def _is_a_word_of_the_screen(self, condition: str, conditions: PostConditions) -> bool:
        """A text that says which screen it is, and not which case, nor what a dialog asks: the screen is told by all
        its words together."""
        name, _, text = condition.partition(":")
        node_id = conditions.expected_node
        return (
            node_id is not None
            and not self._matcher.asks(node_id)
            and name == "text_appears"
            and not variables_in(text)
        )
