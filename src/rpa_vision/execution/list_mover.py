"""Show other rows of a list: scroll it, or turn to another page. Each is asked for, audited and told like a step."""

from __future__ import annotations

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.list_pages import is_later_page, ways_back
from rpa_vision.execution.list_rows import ListRow
from rpa_vision.execution.row_rounds import Stuck
from rpa_vision.execution.run_outcome import ExecutedStep, Progress, RunOutcome
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.step_runner import StepRunner, is_at
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.graph.plan import PlanLoop
from rpa_vision.imaging.diff import same_pixels
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import literal
from rpa_vision.models.workflow_graph import WorkflowEdge

_NOTCHES = 5
_CHANGE_TIMEOUT_S = 1.0
_PAGE_S = 8.0
_POLL_S = 0.2
_PALE = 0.7
_VERY_PALE = 0.55
_ENOUGH_OTHERS = 3
_DOWN = Action(type="scroll", parameters=ActionParameters(scroll=(0, _NOTCHES)))
_UP = Action(type="scroll", parameters=ActionParameters(scroll=(0, -_NOTCHES)))


class ListTurner:
    """Implements `row_rounds.ListMover` for one run."""

    def __init__(self, runner: StepRunner, progress: Progress, run: RunOutcome) -> None:
        self._runner = runner
        self._progress = progress
        self._run = run
        self._worked: dict[str, float] = {}
        """How strongly the control of a loop's next page was printed when it last worked."""

    def scroll(
        self, loop: PlanLoop, rows: list[ListRow], screen: ObservedScreen, *, down: bool
    ) -> ObservedScreen | Stuck | None:
        """The screen further down or up; None where nothing moved."""
        if not self._runner.act:
            return None
        middle = rows[len(rows) // 2].box.center
        done = self._aside(loop, "scroll", _DOWN if down else _UP, screen, at=middle)
        if isinstance(done, Stuck):
            return done
        after = self._runner.sight.look(since=done.frame, change_timeout_s=_CHANGE_TIMEOUT_S)
        return None if same_pixels(screen.pixels, after.pixels) else after

    def next_page(self, loop: PlanLoop, screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The next page; None where the control for it is not there or cannot be used."""
        action, edge = loop.loop.next_page, self._runner.plan.steps[loop.first].edge
        if action is None:
            return None
        found = self._runner.executor.look_for(edge, action, screen, self._progress.values)
        if not isinstance(found, Resolved):
            nothing_like_it = found is not None and (found.why == "disabled" or not found.candidates)
            return (
                None if nothing_like_it else Stuck(f"the next page: {found.message if found else 'nothing to click'}")
            )
        strength = ink_strength(screen.pixels, Box.of(found.best.element.bbox))
        if self._is_switched_off(loop, action, strength, found.best.element, screen):
            return None
        if not self._runner.act:
            return Stuck("the next page has to be turned to by hand")
        done = self._aside(loop, "next_page", action, screen)
        if isinstance(done, Stuck):
            return done
        turned = self._turned(edge, screen, done)
        if not isinstance(turned, Stuck):
            self._worked[loop.first] = strength
        return turned

    def page_before(self, loop: PlanLoop, screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The page before this one; None where nothing says that there is one."""
        action, edge, state = loop.loop.next_page, self._runner.plan.steps[loop.first].edge, screen.state
        later = is_later_page(state)
        if action is None or later is False:
            return None
        label = action.target.label if action.target is not None else None
        back = [
            one
            for one in (ways_back(label, state.ui_elements) if label else [])
            if (one.state is None or one.state.enabled is not False)
            and not self._is_switched_off(loop, action, ink_strength(screen.pixels, Box.of(one.bbox)), one, screen)
        ]
        if not back and not later:
            return None
        if len(back) != 1 or not self._runner.act:
            return Stuck("the list does not show its first page, and the pages before this one cannot be gone back to")
        target = TargetSpec(label=literal(back[0].label), type=back[0].type)
        done = self._aside(loop, "page_before", Action(type="mouse_click", target=target), screen)
        return done if isinstance(done, Stuck) else self._turned(edge, screen, done)

    def _is_switched_off(
        self, loop: PlanLoop, action: Action, strength: float, element: UIElement, screen: ObservedScreen
    ) -> bool:
        """Whether the control is paler than it was when it could be used: earlier in this run, or when it was recorded;
        where neither is known, much paler than what else can be clicked."""
        usual = self._worked.get(loop.first)
        if usual is None and action.target is not None and action.target.look is not None:
            look = self._runner.executor.recorded_look(action.target)
            usual = ink_strength(look, Box(0, 0, look.shape[1], look.shape[0])) if look is not None else None
        if usual is not None:
            return strength < _PALE * usual
        others = [
            ink_strength(screen.pixels, Box.of(one.bbox))
            for one in screen.state.ui_elements
            if one.type in ("button", "link") and one.label and one.element_id != element.element_id
        ]
        return len(others) >= _ENOUGH_OTHERS and strength < _VERY_PALE * float(np.median(others))

    def _turned(self, edge: WorkflowEdge, screen: ObservedScreen, done: StepOutcome) -> ObservedScreen | Stuck:
        """The list once it shows something else."""
        clock, sight, matcher = self._runner.clock, self._runner.sight, self._runner.matcher
        before, deadline = _words(screen), clock.monotonic() + _PAGE_S
        after = sight.look(since=done.frame, change_timeout_s=_CHANGE_TIMEOUT_S)
        while not (is_at(edge, matcher.locate(after)) and _words(after) != before):
            if clock.monotonic() >= deadline:
                return Stuck("the other page of the list did not come")
            clock.sleep(_POLL_S)
            after = sight.look()
        return after

    def _aside(
        self, loop: PlanLoop, name: str, action: Action, screen: ObservedScreen, at: Point | None = None
    ) -> StepOutcome | Stuck:
        """Do it as a step of its own, named after the loop's."""
        head = self._runner.plan.steps[loop.first].edge
        edge = head.model_copy(update={"edge_id": f"{head.edge_id}.{name}", "action": action, "loop": None})
        permission = self._runner.permission(edge.edge_id, self._run)
        if permission is None:
            return Stuck(self._run.reason)
        began = self._runner.clock.monotonic()
        done = self._runner.executor.do_action(
            edge, action, screen, self._progress.values, terms=permission.thresholds, at=at
        )
        spent_ms = (self._runner.clock.monotonic() - began) * 1000.0
        self._runner.tell(ExecutedStep(edge, done, spent_ms, permission, values=dict(self._progress.values)))
        return done if done.status is ExecutionStatus.SUCCESS else Stuck(f"{name}: {done.message}")


def ink_strength(pixels: Pixels, box: Box) -> float:
    """How strongly something is printed: how far its darkest or lightest parts are from its ground, in grey levels."""
    height, width = pixels.shape[:2]
    part = box.clamped(int(width), int(height))
    if part is None:
        return 0.0
    grey = pixels[part.y1 : part.y2, part.x1 : part.x2, :3].mean(axis=2)
    return float(np.percentile(np.abs(grey - np.median(grey)), 98))


def _words(screen: ObservedScreen) -> list[str]:
    return sorted(line.text for line in screen.state.perception.text_lines)
