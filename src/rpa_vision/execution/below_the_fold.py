"""A target that lies beyond the edge of its window is scrolled to.

Only where the landmarks say that it does: laid over the screen, they place it below or above what is shown. The wheel
is turned where that changes nothing but what is seen, a little at a time, each turn as carefully as any input; what
comes up must be the target by its own words and place, as strictly as ever.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rpa_vision.embedding.salience import front_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.strategies.constellation import sky_of
from rpa_vision.execution.target_resolver import Resolved, Unresolved
from rpa_vision.execution.target_search import TargetSearch
from rpa_vision.graph.node_matcher import NodeMatcher
from rpa_vision.imaging.diff import same_pixels
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import variables_in
from rpa_vision.models.workflow_graph import WorkflowEdge

_log = logging.getLogger(__name__)
_NOTCHES = 3
_MOST_TURNS = 12
_TURN_S = 0.6
_MIDDLE = (0.5, 0.5)


@dataclass(frozen=True, slots=True)
class FoldSearch:
    """Turns the wheel of one desktop to bring up targets of one workflow."""

    sight: Sight
    matcher: NodeMatcher
    search: TargetSearch
    do: Callable[..., StepOutcome]
    """Does something besides the step (`ActionExecutor.do_action`)."""

    def bring_up(
        self,
        edge: WorkflowEdge,
        target: TargetSpec,
        outcome: StepOutcome,
        values: Mapping[str, str],
        missing: Unresolved,
    ) -> Resolved | Unresolved:
        """The target, once it has come into sight; `missing` where it does not lie beyond the edge, or never comes.
        A search that breaks is no reason to turn on.

        Who is asked about steps is asked about the first turn of the wheel only, then about the step itself."""
        for turn in range(_MOST_TURNS):
            assert outcome.before is not None
            way = way_to(target, outcome.before)
            if way == 0 or not self._turn(edge, outcome, way * _NOTCHES, is_agreed=turn > 0):
                break
            found = self.search.look_for(edge, target, outcome.before, values, outcome.terms)
            if isinstance(found, Resolved) and self.search.still_there(found, target, outcome.before):
                return found
            if isinstance(found, Unresolved) and found.why == "broken":
                return found
        return missing

    def _turn(self, edge: WorkflowEdge, outcome: StepOutcome, notches: int, *, is_agreed: bool) -> bool:
        """Turn the wheel. False: it could not be turned, nothing moved, or another screen came up."""
        before = outcome.before
        assert before is not None
        wheel = Action(type="scroll", parameters=ActionParameters(scroll=(0, notches), scroll_at=_MIDDLE))
        done = self.do(edge, wheel, before, {}, terms=outcome.terms, is_agreed=is_agreed)
        if done.status is not ExecutionStatus.SUCCESS:
            return False
        after = self.sight.look(since=done.frame, change_timeout_s=_TURN_S)
        match = self.matcher.locate(after, outcome.terms).match
        if same_pixels(before.pixels, after.pixels) or (match is not None and match.node.node_id != edge.from_node):
            return False
        outcome.before = after
        return True


def way_to(target: TargetSpec, screen: ObservedScreen) -> int:
    """1 where the landmarks place the target below what is shown, -1 above; 0 in sight, or where nobody knows: laying
    them over the screen may break like any strategy, and then no wheel is turned."""
    try:
        return _way_to(target, screen)
    except Exception:
        _log.exception("whether the target lies beyond the edge could not be told; nothing is scrolled")
        return 0


def _way_to(target: TargetSpec, screen: ObservedScreen) -> int:
    elements = screen.state.ui_elements
    if target.row_contains or variables_in(target.label or "") or front_of(elements) is not None:
        return 0  # rows are scrolled to by what they hold; behind a dialog nothing is scrolled
    sky = sky_of(target, target.label, elements)
    if sky is None or not sky.is_sure:
        return 0
    height, width = screen.pixels.shape[:2]
    geometry = screen.state.window.geometry
    window = Box.of(geometry) if geometry is not None else Box(0, 0, int(width), int(height))
    if sky.expected.y2 > min(window.y2, int(height)):
        return 1
    return -1 if sky.expected.y1 < max(window.y1, 0) else 0
