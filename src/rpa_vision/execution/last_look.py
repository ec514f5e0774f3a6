"""The last thing before input is sent: is what it is aimed at still what was decided on?

Reading twice, writing down and telling take their time, and meanwhile a list may be sorted anew or a dialog come up.
The pixels of the window are compared. Where those of the target or of its line are other ones, or those of any text,
the screen is looked at and the target found once more: it must be the same one in the same place, of the same case.
"""

from __future__ import annotations

from collections.abc import Mapping

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.same_case import may_matter, other_case
from rpa_vision.execution.sight import Sight
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.execution.target_search import TargetSearch
from rpa_vision.graph.slots import row_of
from rpa_vision.models.action import Action
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import WorkflowEdge

_NOT_AIMED = ("wait", "window_switch", "scroll")


class LastLook:
    """Looks once more, on one desktop, for one workflow."""

    def __init__(self, sight: Sight, search: TargetSearch) -> None:
        self._sight = sight
        self._search = search

    def is_as_decided(
        self, edge: WorkflowEdge, action: Action, outcome: StepOutcome, values: Mapping[str, str]
    ) -> bool:
        """Whether the input may be sent; if not, the outcome says why."""
        if action.type in _NOT_AIMED:
            return True
        ends = _ends(action, outcome)
        if not ends:
            return self._search.nothing_came_up(edge, outcome, values)
        assert outcome.before is not None
        decided_on = outcome.before
        changes = self._sight.changes_since(decided_on, _window_of(decided_on))
        if not may_matter(changes, decided_on.state) and self._shows(ends, outcome, rows=True):
            return True
        outcome.before = self._sight.look()
        other = other_case(decided_on.state, outcome.before.state)
        if other is not None:
            outcome.message = f"the screen changed before the input was sent: {other}"
            outcome.failure_kind = FailureKind.LOW_CONFIDENCE
            return False
        if (
            self._search.is_start_of(edge, outcome, values)
            and all(self._search.finds_again(edge, target, found, outcome, values) for found, target in ends)
            and self._shows(ends, outcome, rows=False)
        ):
            return True
        outcome.message = "the screen changed before the input was sent"
        outcome.failure_kind = FailureKind.LOW_CONFIDENCE
        return False

    def _shows(self, ends: list[tuple[Resolved, TargetSpec]], outcome: StepOutcome, *, rows: bool) -> bool:
        """Whether the ends look as they did when the screen was understood, with the lines they stand in."""
        assert outcome.before is not None
        elements = outcome.before.state.ui_elements
        return all(
            self._sight.still_shows(outcome.before, [Box.of(one.bbox) for one in (found.best.element, *beside)])
            for found, _ in ends
            for beside in [row_of(found.best.element, elements) if rows else []]
        )


def _window_of(screen: ObservedScreen) -> Box:
    """The part of the screen that the window in front takes; the whole screen where that is not known."""
    height, width = screen.pixels.shape[:2]
    whole = Box(0, 0, int(width), int(height))
    geometry = screen.state.window.geometry
    window = Box.of(geometry).clamped(int(width), int(height)) if geometry is not None else None
    return window or whole


def _ends(action: Action, outcome: StepOutcome) -> list[tuple[Resolved, TargetSpec]]:
    """What the input is aimed at, and what a dragged thing is let go on."""
    pairs = ((outcome.resolution, action.target), (outcome.dropped_on, action.parameters.drop_target))
    return [(found, target) for found, target in pairs if isinstance(found, Resolved) and target is not None]
