"""Show other rows of a list: scroll it, or turn to another page. Each is asked for, audited and told like a step.

A list ends only where that shows: it says so (« 2 / 2 », « 3-4 sur 4 »), or its control for the next page is there and
cannot be used, or no page but this one was ever there and nothing unknown stands below its rows. A control that is gone
may have another name by now; where none is found, a person has to look. In the same way, a list is on its first page
only where that shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.list_pages import PageSaid, page_said, ways_back, ways_on
from rpa_vision.execution.list_rows import ListRow, area_of, is_loading
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
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import WorkflowEdge

_NOTCHES = 5
_CHANGE_TIMEOUT_S = 1.0
_PAGE_S = 8.0
_LOADED_S = 10.0
_POLL_S = 0.2
_PALE = 0.7
_VERY_PALE = 0.55
_ENOUGH_OTHERS = 3
_DOWN = Action(type="scroll", parameters=ActionParameters(scroll=(0, _NOTCHES)))
_UP = Action(type="scroll", parameters=ActionParameters(scroll=(0, -_NOTCHES)))
_NEAR_PX = 60
_CLICKED = ("button", "link", "icon")


@dataclass(frozen=True, slots=True)
class _Onward:
    """The control for the next page, and what clicks it."""

    action: Action
    element: UIElement
    is_disabled: bool


class ListTurner:
    """Implements `row_rounds.ListMover` for one run."""

    def __init__(self, runner: StepRunner, progress: Progress, run: RunOutcome) -> None:
        self._runner = runner
        self._progress = progress
        self._run = run
        self._worked: dict[str, float] = {}
        """How strongly the control of a loop's next page was printed when it last worked."""
        self._names: dict[str, str] = {}
        """What the control of a loop's next page was called when it last worked."""
        self._mute: set[str] = set()
        """Loops whose list said the same of its page when another was shown: it says nothing."""
        self._rows: dict[str, int] = {}
        """How many rows stood on a page that another followed."""
        self._leads_back: set[str] = set()
        """Loops whose list was seen to lead back from a later page: where it does not, that is the first."""

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

    def loaded(self, screen: ObservedScreen) -> ObservedScreen:
        """The screen once nothing says any more that it is loading, or the time is up."""
        clock = self._runner.clock
        deadline = clock.monotonic() + _LOADED_S
        while is_loading(screen.state) and clock.monotonic() < deadline and self._runner.hooks.may_go_on():
            clock.sleep(_POLL_S)
            screen = self._runner.sight.look()
        return screen

    def next_page(self, loop: PlanLoop, rows: list[ListRow], screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The next page; None where it shows that there is none."""
        action = loop.loop.next_page
        said = self._said(loop, rows, screen)
        if action is None or (said is not None and said.is_plain and said.is_last):
            return None
        more = said is not None and said.is_plain and said.is_last is False
        onward = self._onward(loop, action, screen, more=more)
        if isinstance(onward, Stuck):
            return onward
        if onward is None:
            return self._without_control(loop, action, rows, screen, said)
        if onward.is_disabled:
            return Stuck("the list says that it has further pages, but cannot be turned on") if more else None
        if not more and self._is_switched_off(loop, action, onward.element, screen):
            return None
        return self._turn_on(loop, onward.action, rows, screen, onward.element)

    def page_before(self, loop: PlanLoop, rows: list[ListRow], screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The page before this one; None where it shows that there is none."""
        action, edge, state = loop.loop.next_page, self._runner.plan.steps[loop.first].edge, screen.state
        said = self._said(loop, rows, screen)
        if action is None or (said is not None and not said.is_later):
            return None
        label = action.target.label if action.target is not None else None
        ways = ways_back(label, state.ui_elements) if label else []
        back = [
            one
            for one in ways
            if (one.state is None or one.state.enabled is not False)
            and not self._is_switched_off(loop, action, one, screen)
        ]
        if not back and said is None:
            return None if ways else self._whether_first(loop, action, rows, screen)
        if len(back) != 1 or not self._runner.act:
            return Stuck("the list does not show its first page, and the pages before this one cannot be gone back to")
        target = TargetSpec(label=literal(back[0].label), type=back[0].type)
        done = self._aside(loop, "page_before", Action(type="mouse_click", target=target), screen)
        return done if isinstance(done, Stuck) else self._turned(edge, rows, screen, done)

    def _said(self, loop: PlanLoop, rows: list[ListRow], screen: ObservedScreen) -> PageSaid | None:
        return None if loop.first in self._mute else page_said(screen.state, [row.box for row in rows])

    def _onward(self, loop: PlanLoop, action: Action, screen: ObservedScreen, *, more: bool) -> _Onward | Stuck | None:
        """The control for the next page, by the name it was recorded with or by another that means the same.

        « Next » may lead on in something else than the list: it is taken for the control where the list says that it
        has more pages, where what leads back stands beside it, where it was recorded, or where it led on before.
        """
        edge = self._runner.plan.steps[loop.first].edge
        found = self._runner.executor.look_for(edge, action, screen, self._progress.values)
        if isinstance(found, Resolved):
            return _Onward(action, found.best.element, is_disabled=False)
        if found is None:
            return Stuck("the next page: nothing to click")
        if found.why == "broken":
            return Stuck(f"the next page: {found.message}")
        if found.why == "disabled":
            return _Onward(action, found.candidates[0].element, is_disabled=True) if found.candidates else None
        others = [
            one
            for one in ways_on(screen.state.ui_elements)
            if more
            or ways_back(one.label, screen.state.ui_elements)
            or self._names.get(loop.first) == folded(one.label)
            or _is_where_recorded(one, action, screen)
        ]
        if len(others) == 1:
            one = others[0]
            target = TargetSpec(label=literal(one.label), type=one.type)
            off = one.state is not None and one.state.enabled is False
            return _Onward(Action(type="mouse_click", target=target), one, is_disabled=off)
        return Stuck(f"the next page: {found.message}") if found.candidates or others else None

    def _without_control(
        self, loop: PlanLoop, action: Action, rows: list[ListRow], screen: ObservedScreen, said: PageSaid | None
    ) -> ObservedScreen | Stuck | None:
        """No control leads on: the end where that shows. Where the list says that there is more, one more look for it,
        as tolerant as for any step."""
        if not rows or (said is not None and said.is_last):
            return None
        if said is not None and said.is_plain and said.is_last is False:
            return self._turn_on(loop, action, rows, screen)
        turned = self._rows.get(loop.first)
        if len(rows) < turned if turned is not None else self._is_all(loop, rows, screen):
            return None
        return Stuck("the control for the next page is not there, and nothing says that this page is the last")

    def _whether_first(
        self, loop: PlanLoop, action: Action, rows: list[ListRow], screen: ObservedScreen
    ) -> ObservedScreen | Stuck | None:
        """The list says nothing of its page, and nothing leads back. If a later page leads back, this is the first."""
        if not rows or loop.first in self._leads_back or self._was_opened(loop):
            return None
        onward = self._onward(loop, action, screen, more=False)
        if onward is None and self._is_all(loop, rows, screen):
            return None
        if isinstance(onward, _Onward) and not onward.is_disabled and self._runner.act:
            off = self._is_switched_off(loop, action, onward.element, screen)
            later = None if off else self._turn_on(loop, onward.action, rows, screen, onward.element)
            if isinstance(later, Stuck):
                return later
            label = action.target.label if action.target is not None else None
            if later is not None and label and ways_back(label, later.state.ui_elements):
                self._leads_back.add(loop.first)
                return later
        return Stuck(
            "which page of the list is shown cannot be told: it shows no page number and nothing that leads back. Let "
            "the workflow open the list itself, or let the list show its pages",
            awaits_person=True,
        )

    def _was_opened(self, loop: PlanLoop) -> bool:
        """Whether the last step of the run led to the list: it is as it was opened."""
        last = self._run.steps[-1] if self._run.steps else None
        here = self._runner.plan.steps[loop.first].edge.from_node
        return (
            last is not None
            and last.outcome.status is ExecutionStatus.SUCCESS
            and last.edge.to_node == here != last.edge.from_node
        )

    def _is_all(self, loop: PlanLoop, rows: list[ListRow], screen: ObservedScreen) -> bool:
        """Whether the rows plainly are the whole list: nothing unknown that could be clicked stands below them."""
        node = self._runner.workflow.get_node(self._runner.plan.steps[loop.first].edge.from_node)
        known = {folded(text) for text in node.screen_template.stable_texts} if node is not None else set()
        bottom = max(row.box.y2 for row in rows)
        below = [one for one in screen.state.ui_elements if one.type in _CLICKED and one.bbox[1] >= bottom]
        return all(one.label and folded(one.label) in known for one in below)

    def _turn_on(
        self,
        loop: PlanLoop,
        action: Action,
        rows: list[ListRow],
        screen: ObservedScreen,
        element: UIElement | None = None,
    ) -> ObservedScreen | Stuck:
        if not self._runner.act:
            return Stuck("the next page has to be turned to by hand")
        said = self._said(loop, rows, screen)
        done = self._aside(loop, "next_page", action, screen)
        if isinstance(done, Stuck):
            return done
        turned = self._turned(self._runner.plan.steps[loop.first].edge, rows, screen, done)
        if not isinstance(turned, Stuck):
            self._rows[loop.first] = max(len(rows), self._rows.get(loop.first, 0))
            if element is not None:
                self._worked[loop.first] = ink_strength(screen.pixels, Box.of(element.bbox))
                self._names[loop.first] = folded(element.label)
            if said is not None and page_said(turned.state) == said:
                self._mute.add(loop.first)
        return turned

    def _is_switched_off(self, loop: PlanLoop, action: Action, element: UIElement, screen: ObservedScreen) -> bool:
        """Whether the control is paler than it was when it could be used: earlier in this run, or when it was recorded;
        where neither is known, much paler than what else can be clicked."""
        strength, usual = ink_strength(screen.pixels, Box.of(element.bbox)), self._worked.get(loop.first)
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

    def _turned(
        self, edge: WorkflowEdge, rows: Sequence[ListRow], screen: ObservedScreen, done: StepOutcome
    ) -> ObservedScreen | Stuck:
        """The list once it shows something else where its rows stand. Elsewhere a word may only be read otherwise, as
        on the control under the pointer: the rows of before, taken for another page, would look like the list's end."""
        clock, sight, matcher = self._runner.clock, self._runner.sight, self._runner.matcher
        place = area_of(rows) if rows else None
        before, deadline = _words(screen, place), clock.monotonic() + _PAGE_S
        after = sight.look(since=done.frame, change_timeout_s=_CHANGE_TIMEOUT_S)
        while not (is_at(edge, matcher.locate(after)) and _words(after, place) != before):
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


def _is_where_recorded(element: UIElement, action: Action, screen: ObservedScreen) -> bool:
    place = action.target.place if action.target is not None else None
    height, width = screen.pixels.shape[:2]
    if place is None or place.screen_resolution != (int(width), int(height)):
        return False
    then, now = Box.of(place.bbox).center, Box.of(element.bbox).center
    return abs(then[0] - now[0]) <= _NEAR_PX and abs(then[1] - now[1]) <= _NEAR_PX


def ink_strength(pixels: Pixels, box: Box) -> float:
    """How strongly something is printed: how far its darkest or lightest parts are from its ground, in grey levels."""
    height, width = pixels.shape[:2]
    part = box.clamped(int(width), int(height))
    if part is None:
        return 0.0
    grey = pixels[part.y1 : part.y2, part.x1 : part.x2, :3].mean(axis=2)
    return float(np.percentile(np.abs(grey - np.median(grey)), 98))


def _words(screen: ObservedScreen, place: Box | None) -> list[str]:
    """What is read in a place, or anywhere."""
    lines = screen.state.perception.text_lines
    return sorted(line.text for line in lines if place is None or place.contains(Box.of(line.bbox).center))
