"""One workflow, followed while a person does it: which step was seen last, what was left out, what was done besides.

One go at a time is followed; what was seen is compared with what was learned when it ends. Nothing here acts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.fitting import UNSEEN, Fit, fit, fit_action, misfit
from rpa_vision.graph.node_matcher import Location
from rpa_vision.graph.plan import Plan
from rpa_vision.models.workflow_graph import END, Workflow, WorkflowEdge

MAX_SKIPPED = 3
"""So many steps may be left out in a row; whoever leaves out more does something else."""
MAX_ASIDE = 8
"""So many deeds of its own applications besides the steps end a go."""
GIVEN_UP_AFTER_S = 300.0


@dataclass(frozen=True, slots=True)
class Sighting:
    """What was noticed about one go of one workflow."""

    kind: Literal["recognised", "step_seen", "different", "completed", "broken_off"]
    workflow: Workflow
    t: float
    step_id: str | None = None
    step: int | None = None
    of: int | None = None
    text: str = ""
    similarity: float | None = None
    began_t: float | None = None
    next_step: WorkflowEdge | None = None
    """What would follow, where only one thing can."""
    values: Mapping[str, str] = field(default_factory=dict)
    was_helped: bool = False
    """A robot did some of its steps."""


@dataclass(slots=True)
class _Go:
    """One go as far as it was seen."""

    began_t: float
    last_t: float
    at: str
    scores: list[float]
    values: dict[str, str] = field(default_factory=dict)
    skipped: list[str] = field(default_factory=list)
    aside: int = 0
    otherwise: dict[str, str] = field(default_factory=dict)
    """Steps that were done another way than learned, and in which."""
    instead: str = ""
    """Why the deed after the last step was not the next one; empty where there was none."""
    is_believed: bool = False
    was_helped: bool = False
    unseen: int = 0
    """Deeds since the last step whose screen was not seen: any of them may have been a step."""

    @property
    def similarity(self) -> float:
        """1 where every step was seen as learned, and nothing besides."""
        seen = sum(self.scores)
        whole = len(self.scores) + len(self.skipped) + 0.5 * self.aside
        return round(seen / whole, 4) if whole else 0.0


class WorkflowFollower:
    """Follows goes of one workflow."""

    def __init__(self, workflow: Workflow, plan: Plan) -> None:
        self.workflow = workflow
        self._plan = plan
        self._numbers = {
            edge_id: number
            for number, edge_id in enumerate(
                (one for one, step in plan.steps.items() if not _is_unseen(step.edge)), start=1
            )
        }
        self._apps = {app.casefold() for node in workflow.nodes for app in node.screen_template.window.app_name_any_of}
        self.go: _Go | None = None

    @property
    def steps_seen(self) -> int:
        return len(self.go.scores) if self.go is not None else 0

    def offered(self, done: DemoStep, location: Location) -> Taken | None:
        """What the deed would be in this workflow: the next step, one further on, or the beginning of a new go."""
        if self.go is not None and done.t - self.go.last_t <= GIVEN_UP_AFTER_S:
            for skipped, edge_id in self._ahead(self.go.at):
                found = self._fit(edge_id, done, location, self.go.values)
                if found is not None:
                    return Taken(edge_id, found, tuple(skipped))
            again = self._fit(self.go.at, done, location, self.go.values) or self._turns_page(done)
            if again is not None:
                return Taken(self.go.at, again, (), again=True)
            self._note_misfit(self.go, done, location)
        for skipped, edge_id in [((), self._first()), *self._ahead(self._first(), most=1)]:
            found = self._fit(edge_id, done, location, {}, is_first=edge_id == self._first())
            if found is not None:
                missed = () if edge_id == self._first() else (self._first(), *skipped)
                return Taken(edge_id, found, missed, begins=True)
        return None

    def take(self, taken: Taken, done: DemoStep) -> list[Sighting]:
        """The deed is that step."""
        out: list[Sighting] = []
        if taken.begins or self.go is None:
            out += self.give_up(done.t, "it was begun again")
            self.go = _Go(done.t, done.t, taken.edge_id, [])
        go = self.go
        go.last_t = done.t
        if taken.again:
            return out
        go.at = taken.edge_id
        go.scores.append(taken.fit.score)
        go.values.update(taken.fit.values)
        go.skipped += taken.skipped[min(go.unseen, len(taken.skipped)) :]
        go.unseen, go.instead = 0, ""
        if taken.fit.otherwise:
            go.otherwise[taken.edge_id] = taken.fit.otherwise
        return out

    def tell(self, t: float) -> list[Sighting]:
        """What the go that has just grown is worth telling, once it is believed."""
        go = self.go
        if go is None or not go.is_believed:
            return []
        out = [self._sighting("step_seen", t, go.at)]
        if self._plan.follows(go.at) == (END,):
            out += self._end(t)
        return out

    def believe(self, t: float) -> list[Sighting]:
        """It is this workflow."""
        assert self.go is not None
        self.go.is_believed = True
        out = [self._sighting("recognised", t, self.go.at)]
        if self._plan.follows(self.go.at) == (END,):
            out += self._end(t)
        return out

    def miss(self) -> None:
        """Something was done that could not be seen."""
        if self.go is not None:
            self.go.unseen += 1

    def help_with(self, edge_id: str, t: float) -> list[Sighting]:
        """A robot did that step for the person."""
        if self.go is None or edge_id not in self._numbers:
            return []
        self.go.at, self.go.last_t, self.go.was_helped = edge_id, t, True
        self.go.scores.append(1.0)
        return self.tell(t)

    def pass_by(self, done: DemoStep, *, is_anothers: bool) -> list[Sighting]:
        """The deed is no step of this workflow."""
        go = self.go
        if go is None:
            return []
        if done.t - go.last_t > GIVEN_UP_AFTER_S:
            return self.give_up(done.t, f"no step of it was seen for {GIVEN_UP_AFTER_S / 60:.0f} minutes")
        if self._may_be_over(go) and (is_anothers or done.app.casefold() not in self._apps):
            return self._end(done.t)
        if is_anothers or done.app.casefold() not in self._apps or not _means_something(done):
            return []
        go.aside += 1
        return self.give_up(done.t, f"{go.aside} other things were done meanwhile") if go.aside > MAX_ASIDE else []

    def give_up(self, t: float, why: str) -> list[Sighting]:
        """The go is not followed any further, and why; it is complete where it may be."""
        go = self.go
        if go is None:
            return []
        if self._may_be_over(go):
            return self._end(t)
        self.go = None
        if not go.is_believed:
            return []
        return [self._sighting("broken_off", t, go.at, go, text=self._broken_off(go, why))]

    def _end(self, t: float) -> list[Sighting]:
        go, self.go = self.go, None
        assert go is not None
        if not go.is_believed:
            return []
        out: list[Sighting] = []
        if go.skipped or go.aside or go.otherwise:
            out.append(self._sighting("different", t, go.at, go, text=self._differences(go)))
        out.append(self._sighting("completed", t, go.at, go, similarity=go.similarity))
        return out

    def _may_be_over(self, go: _Go) -> bool:
        """Whether nothing that leaves a trace has to follow."""
        return END in self._visible_after(go.at)

    def _visible_after(self, edge_id: str) -> set[str]:
        """What may be seen next: steps that nobody sees are passed."""
        seen, left, out = set[str](), list(self._plan.follows(edge_id)), set[str]()
        while left:
            one = left.pop()
            if one in seen:
                continue
            seen.add(one)
            step = self._plan.steps.get(one)
            if step is None:
                out.add(one)
            elif _is_unseen(step.edge):
                left += self._plan.follows(one)
            else:
                out.add(one)
                # A fork's other way begins where its condition does not hold, a list's end where no row is left.
                left += [step.otherwise] if step.otherwise is not None else []
                left += [self._plan.loops[one].after] if one in self._plan.loops else []
        return out

    def _ahead(self, edge_id: str, most: int = MAX_SKIPPED) -> list[tuple[tuple[str, ...], str]]:
        """The steps that may come, each with those that would be left out; the nearest first."""
        out: list[tuple[tuple[str, ...], str]] = []
        reached = {edge_id}
        level: list[tuple[tuple[str, ...], str]] = [((), one) for one in sorted(self._visible_after(edge_id))]
        while level and len(level[0][0]) <= most:
            out += [(skipped, one) for skipped, one in level if one != END]
            further: list[tuple[tuple[str, ...], str]] = []
            for skipped, one in level:
                if one == END or one in reached:
                    continue
                reached.add(one)
                further += [((*skipped, one), after) for after in sorted(self._visible_after(one)) if after != END]
            level = further
        return out

    def _first(self) -> str:
        first = self._plan.first
        if not _is_unseen(self._plan.steps[first].edge):
            return first
        return next((one for one in sorted(self._visible_after(first)) if one != END), first)

    def _fit(
        self, edge_id: str, done: DemoStep, location: Location, known: Mapping[str, str], *, is_first: bool = False
    ) -> Fit | None:
        rounds = {name for loop in self._plan.rounds_around(edge_id) for name in _bound(self._plan, loop.first)}
        fixed = {name: value for name, value in known.items() if name not in rounds}
        edge = self._plan.steps[edge_id].edge
        leads_to = self._apps_of(edge.to_node)
        return fit(edge, done, location, self.workflow.variables, fixed, leads_to, is_first=is_first)

    def _turns_page(self, done: DemoStep) -> Fit | None:
        """Whether the deed shows more rows of a list that is being gone through."""
        for loop in self._plan.loops.values():
            if loop.loop.next_page is not None:
                found = fit_action(loop.loop.next_page, done, self.workflow.variables, {})
                if found is not None:
                    return found
        return None

    def _apps_of(self, node_id: str) -> frozenset[str]:
        node = self.workflow.get_node(node_id)
        names = node.screen_template.window.app_name_any_of if node is not None else ()
        return frozenset(name.casefold() for name in names)

    def _sighting(
        self,
        kind: Literal["recognised", "step_seen", "different", "completed", "broken_off"],
        t: float,
        at: str,
        go: _Go | None = None,
        *,
        text: str = "",
        similarity: float | None = None,
    ) -> Sighting:
        go = go or self.go
        assert go is not None
        following = sorted(self._visible_after(at))
        only = self._plan.steps[following[0]].edge if len(following) == 1 and following[0] != END else None
        return Sighting(
            kind, self.workflow, t, at, self._numbers[at], len(self._numbers), text, similarity, go.began_t, only,
            dict(go.values), go.was_helped,
        )  # fmt: skip

    def _note_misfit(self, go: _Go, done: DemoStep, location: Location) -> None:
        """Remember what came where the next step was awaited: the first deed that meant something tells it best."""
        awaited = next((edge_id for skipped, edge_id in self._ahead(go.at) if not skipped), None)
        if awaited is None or go.instead or not (_means_something(done) or done.kind == "key_press"):
            return
        why = misfit(self._plan.steps[awaited].edge, done, location)
        go.instead = f"step {self._numbers[awaited]} was awaited, but {why}"

    def _broken_off(self, go: _Go, why: str) -> str:
        after = f"after step {self._numbers[go.at]} of {len(self._numbers)} of {self.workflow.name}: {why}"
        return f"{after}; {go.instead}" if go.instead else after

    def _differences(self, go: _Go) -> str:
        parts = []
        if go.skipped:
            parts.append(f"left out: {', '.join(dict.fromkeys(go.skipped))}")
        parts += [f"{edge_id} done otherwise ({how})" for edge_id, how in go.otherwise.items()]
        if go.aside:
            parts.append(f"{go.aside} other deed{'' if go.aside == 1 else 's'} in between")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class Taken:
    """What a deed would be in a workflow."""

    edge_id: str
    fit: Fit
    skipped: tuple[str, ...] = ()
    begins: bool = False
    again: bool = False


def _means_something(done: DemoStep) -> bool:
    """Whether somebody wanted something: a glance, a scroll and a click on nothing are no other way of working."""
    if done.kind == "mouse_click":
        return done.element is not None and bool(done.element.label)
    return done.kind in ("text_input", "drag")


def _is_unseen(edge: WorkflowEdge) -> bool:
    action = edge.action
    if action is None or action.type in UNSEEN:
        return True
    return action.type == "compound" and all(part.type in UNSEEN for part in action.steps or ())


def _bound(plan: Plan, first: str) -> set[str]:
    """The variables that a loop gives a new value in each round."""
    return set(plan.loops[first].loop.variable_binding)
