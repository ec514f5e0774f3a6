"""A round for each row of a list: which row is next, or why there is none.

The list is read anew before each round. A row is known by the bound values that name it, and is done once. A row that
was done and still says what it said, where the filter says it should have changed, shows that its round had no effect:
then the run stops; nothing is done twice. Rows below the fold are scrolled to, further pages are turned to; a list that
was left on a later page is gone back in first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import ExpressionValueError, ParameterError
from rpa_vision.execution.list_rows import ListRow, Span, columns_of, read_list
from rpa_vision.execution.missing_values import DoubtOf
from rpa_vision.execution.run_outcome import DoneRow, Progress, Rounds
from rpa_vision.graph.plan import Plan, PlanLoop
from rpa_vision.graph.plan_variables import needed_from
from rpa_vision.graph.value_types import check_value
from rpa_vision.models.expression import variables_of
from rpa_vision.models.expression_value import holds
from rpa_vision.models.ids import slug
from rpa_vision.models.wording import squeezed
from rpa_vision.models.workflow_graph import Workflow

_STILL_PX = 3
_MAX_LOOKS = 400
"""Screenfuls and pages looked at for one row."""


@dataclass(frozen=True, slots=True)
class NextRow:
    """The round of this row begins."""

    note: str
    values: dict[str, str]


@dataclass(frozen=True, slots=True)
class NoMoreRows:
    """The loop is over."""

    why: str


@dataclass(frozen=True, slots=True)
class Stuck:
    """Which row is next cannot be told, or nothing good would come of it."""

    why: str
    awaits_person: bool = False
    """A person has to answer a question first."""


class ListMover(Protocol):
    """Shows other rows of the list."""

    def scroll(
        self, loop: PlanLoop, rows: list[ListRow], screen: ObservedScreen, *, down: bool
    ) -> ObservedScreen | Stuck | None:
        """The screen with rows further down or up, or None where nothing moves."""

    def next_page(self, loop: PlanLoop, screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The list's next page, or None where there is none."""

    def page_before(self, loop: PlanLoop, screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The page of the list before this one, or None where nothing says that there is one."""


class RowRounds:
    """Chooses the rows of the loops of one plan."""

    def __init__(
        self,
        workflow: Workflow,
        plan: Plan,
        mover: ListMover,
        doubt_of: DoubtOf = lambda text, place, screen: None,
    ) -> None:
        """`doubt_of` says why what was read of a row is not to be used."""
        self._doubt_of = doubt_of
        self._workflow = workflow
        self._plan = plan
        self._mover = mover
        self._columns_of: dict[str, dict[str, Span]] = {}
        """Where the columns of a loop's list were when they were last seen."""

    def next_round(self, loop: PlanLoop, progress: Progress, screen: ObservedScreen) -> NextRow | NoMoreRows | Stuck:
        """What comes next on the list that is shown; a round that was going on is over."""
        if loop.loop.question is not None:
            return Stuck(f"a person has to say first: {loop.loop.question.question}", awaits_person=True)
        rounds = progress.end_round(loop.first)
        headers = list(self._headers(loop).values())
        if not rounds.began_on_first_page:
            first = self._first_page(loop, screen)
            if isinstance(first, Stuck):
                return first
            screen, rounds.began_on_first_page = first, True

        def read(shown: ObservedScreen) -> list[ListRow] | None:
            return read_list(shown.state, headers, self._columns_of.get(loop.first))

        sweep, pages = _Sweep(self._mover, loop, read), list[tuple[tuple[str, ...], ...]]()
        for _ in range(_MAX_LOOKS):
            rows = read(screen)
            if rows is None:
                return Stuck(f"no list with the columns « {'», « '.join(headers)} » is on the screen")
            if rows:
                self._columns_of[loop.first] = columns_of(rows)
            answer = self._among(rows, loop, rounds, progress, screen)
            if answer is not None:
                return answer
            if sweep.on_new_page:
                shown = tuple(row.texts for row in rows)
                if shown in pages:  # the control for the next page leads back to the first
                    return _the_end(rounds)
                pages.append(shown)
            further = sweep.further(rows, screen)
            if further is None:
                return _the_end(rounds)
            if isinstance(further, Stuck):
                return further
            screen = further
        return Stuck(f"the list did not end within {_MAX_LOOKS} screenfuls")

    def _first_page(self, loop: PlanLoop, screen: ObservedScreen) -> ObservedScreen | Stuck:
        """The list as it begins, wherever it was left."""
        for _ in range(_MAX_LOOKS if loop.loop.next_page is not None else 0):
            before = self._mover.page_before(loop, screen)
            if before is None or isinstance(before, Stuck):
                return before or screen
            screen = before
        return screen

    def _among(
        self, rows: list[ListRow], loop: PlanLoop, rounds: Rounds, progress: Progress, screen: ObservedScreen
    ) -> NextRow | Stuck | None:
        """The row to take among those shown, if there is one."""
        wanted: list[tuple[ListRow, dict[str, str], tuple[str, ...]]] = []
        for row in rows:
            said = self._said(row, loop)
            identity = tuple(said[name] for name in self._naming(loop))
            known = next((done for done in rounds.done if _same(done.identity, identity)), None)
            try:
                passes = loop.filter is None or holds(
                    loop.filter, {**progress.values, **self._columns(row, loop), **said}
                )
            except ExpressionValueError as error:
                return Stuck(f"row « {' · '.join(row.texts)} »: « {loop.loop.filter} » cannot be judged: {error}")
            if known is not None:
                if passes and known.completed and self._should_have_changed(loop) and known.cells == row.texts:
                    return Stuck(
                        f"the row « {_name(identity)} » was done and still says what it said: nothing came of it"
                    )
                if not passes and known.left_at is not None:
                    return Stuck(_unfinished(known))
                if not passes:
                    known.completed = True
                if known.completed:
                    continue
            if passes:
                wanted.append((row, said, identity))
        if not wanted:
            return None
        row, said, identity = wanted[0]
        if sum(_same(other, identity) for _, _, other in wanted) > 1:
            return Stuck(f"several rows say « {_name(identity)} », so that nothing tells which is meant")
        done = sum(one.completed for one in rounds.done)
        if done >= loop.loop.max_iterations:
            return Stuck(f"max_iterations: {done} rows were done, and « {_name(identity)} » is left")
        try:
            values = {name: self._checked(name, text) for name, text in said.items()}
        except ParameterError as error:
            return Stuck(f"row « {_name(identity)} »: {error}")
        doubt = next((why for text in said.values() if text and (why := self._doubt_of(text, row.box, screen))), None)
        if doubt is not None:
            return Stuck(f"row « {_name(identity)} »: {doubt}")
        rounds.done = [one for one in rounds.done if not _same(one.identity, identity)]
        for inner in (one for one in self._plan.loops if one in loop.body and one != loop.first):
            progress.rounds.setdefault(inner, Rounds()).begin_again()
        rounds.current = DoneRow(identity, row.texts)
        rounds.note = f"row {done + 1} of {done + len(wanted)}: {_name(identity)}"
        return NextRow(rounds.note, values)

    def _headers(self, loop: PlanLoop) -> dict[str, str]:
        """Variable → header of its column; what is before the first dot is the loop's own name for a row."""
        return {name: place.partition(".")[2] or place for name, place in loop.loop.variable_binding.items()}

    def _said(self, row: ListRow, loop: PlanLoop) -> dict[str, str]:
        return {name: row.cells[header] for name, header in self._headers(loop).items()}

    def _columns(self, row: ListRow, loop: PlanLoop) -> dict[str, str]:
        """The cells by the names that a filter may use for its columns."""
        return {slug(header): text for header, text in row.cells.items()}

    def _naming(self, loop: PlanLoop) -> list[str]:
        """The variables that tell one row from another: those the steps of a round use, ids first, or else all."""
        bound = list(loop.loop.variable_binding)
        steps = [self._plan.steps[edge_id] for edge_id in loop.body]
        used = {name for step in steps for name in _uses(step.edge.edge_id, self._plan)}
        among = [name for name in bound if name in used] or bound
        ids = [name for name in among if self._workflow.variables[name].subtype == "id"]
        return ids or among

    def _should_have_changed(self, loop: PlanLoop) -> bool:
        return loop.filter is not None and not loop.rows_stay

    def _checked(self, name: str, text: str) -> str:
        return check_value(name, self._workflow.variables[name], text)


class _Sweep:
    """Looks through a list from end to end: up to its top, down to its bottom, then the next page, and so on."""

    def __init__(
        self, mover: ListMover, loop: PlanLoop, read: Callable[[ObservedScreen], list[ListRow] | None]
    ) -> None:
        self._mover = mover
        self._loop = loop
        self._read = read
        self._phase: Literal["up", "down", "page"] = "up"
        self.on_new_page = True

    def further(self, rows: list[ListRow], screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The screen with other rows, or None where all of them have been looked at."""
        self.on_new_page = False
        while self._phase != "page":
            moved = self._mover.scroll(self._loop, rows, screen, down=self._phase == "down") if rows else None
            if isinstance(moved, Stuck) or (moved is not None and not _same_rows(rows, self._read(moved))):
                return moved
            screen = moved if moved is not None else screen
            self._phase = "down" if self._phase == "up" else "page"
        if self._loop.loop.next_page is None:
            return None
        self._phase, self.on_new_page = "up", True
        return self._mover.next_page(self._loop, screen)


def _same_rows(before: list[ListRow], now: list[ListRow] | None) -> bool:
    """Whether the list did not move, whatever else did on the screen: a clock ticks."""
    return (
        now is not None
        and len(before) == len(now)
        and all(
            one.cells == other.cells and abs(one.box.y1 - other.box.y1) <= _STILL_PX
            for one, other in zip(before, now, strict=True)
        )
    )


def _uses(edge_id: str, plan: Plan) -> frozenset[str]:
    step = plan.steps[edge_id]
    own = needed_from(step.edge.model_copy(update={"loop": None}))
    return own | (variables_of(step.expression) if step.expression is not None else frozenset())


def _the_end(rounds: Rounds) -> NoMoreRows | Stuck:
    """All rows were looked at. One whose round was interrupted and that is there no more was not seen to the end."""
    unfinished = next((one for one in rounds.done if not one.completed and one.left_at is not None), None)
    if unfinished is not None:
        return Stuck(_unfinished(unfinished))
    for one in rounds.done:
        one.completed = True
    return NoMoreRows(f"no row is left after {len(rounds.done)}")


def _unfinished(row: DoneRow) -> str:
    return (
        f"the round of « {_name(row.identity)} » was interrupted at {row.left_at}, and the list does not show it as a "
        "row to be done any more: the rest of its round was not done"
    )


def _same(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    return tuple(map(squeezed, one)) == tuple(map(squeezed, other))


def _name(identity: tuple[str, ...]) -> str:
    return " · ".join(identity)
