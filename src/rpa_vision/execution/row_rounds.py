"""A round for each row of a list: which row is next, or why there is none.

The list is read anew before each round. A row is known by the bound values that name it, and is done once. A row that
was done and still says what it said, where the filter says it should have changed, shows that its round had no effect:
then the run stops; nothing is done twice. Rows below the fold are scrolled to, further pages are turned to; a list that
was left on a later page is gone back in first. Two rows of one name, also on two pages, and a row of which nobody has
shown whether it is meant, are left to a person.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.errors import DocumentError, ExpressionValueError, ParameterError
from rpa_vision.execution import row_names
from rpa_vision.execution.forks import row_doubt
from rpa_vision.execution.list_rows import ListRow, Span, area_of, columns_of, is_loading, read_list
from rpa_vision.execution.missing_values import DoubtOf
from rpa_vision.execution.row_names import is_other_row, is_same, name_of, several, unfinished
from rpa_vision.execution.run_outcome import DoneRow, Progress, Rounds
from rpa_vision.graph.plan import Plan, PlanLoop
from rpa_vision.graph.plan_variables import needed_from
from rpa_vision.graph.value_types import check_value
from rpa_vision.models.expression import variables_of
from rpa_vision.models.expression_value import holds
from rpa_vision.models.geometry import Box
from rpa_vision.models.ids import slug
from rpa_vision.models.workflow_graph import Workflow

_STILL_PX = 3
_MAX_LOOKS = 400
"""Screenfuls and pages looked at for one row."""


@dataclass(frozen=True, slots=True)
class NextRow:
    """The round of this row begins."""

    note: str
    values: dict[str, str]
    read_from: dict[str, str]
    """Where each of them stands."""


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

    def next_page(self, loop: PlanLoop, rows: list[ListRow], screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The list's next page, or None where it shows that there is none."""

    def page_before(self, loop: PlanLoop, rows: list[ListRow], screen: ObservedScreen) -> ObservedScreen | Stuck | None:
        """The page of the list before this one, or None where it shows that there is none."""

    def loaded(self, screen: ObservedScreen) -> ObservedScreen:
        """The screen once it does not say any more that it is loading, or after a while."""


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
        self._areas: dict[str, Box] = {}
        """Where rows of a loop's list have stood."""

    def next_round(self, loop: PlanLoop, progress: Progress, screen: ObservedScreen) -> NextRow | NoMoreRows | Stuck:
        """What comes next on the list that is shown; a round that was going on is over."""
        if loop.loop.question is not None:
            return Stuck(f"a person has to say first: {loop.loop.question.question}", awaits_person=True)
        rounds = progress.end_round(loop.first)
        headers = list(self._headers(loop).values())

        def read(shown: ObservedScreen) -> list[ListRow] | None:
            return read_list(shown.state, headers, self._columns_of.get(loop.first), self._areas.get(loop.first))

        screen = self._mover.loaded(screen)
        if not rounds.began_on_first_page:
            first = self._first_page(loop, screen, read)
            if isinstance(first, Stuck):
                return first
            screen, rounds.began_on_first_page = first, True
        sweep, pages = _Sweep(self._mover, loop, read), list[tuple[tuple[str, ...], ...]]()
        held: dict[tuple[str, ...], tuple[int, ListRow]] = {}
        for _ in range(_MAX_LOOKS):
            screen = self._mover.loaded(screen)
            rows = read(screen)
            if not rows and is_loading(screen.state):
                return Stuck("the list is still loading")
            if rows is None:
                return Stuck(f"no list with the columns « {'», « '.join(headers)} » is on the screen")
            if rows:
                self._columns_of[loop.first] = columns_of(rows)
                self._areas[loop.first] = area_of(rows, self._areas.get(loop.first))
            if sweep.on_new_page:
                shown = tuple(row.texts for row in rows)
                if shown in pages:  # the control for the next page leads back to the first
                    return _the_end(rounds)
                pages.append(shown)
            self._see_again(rows, loop, rounds)
            answer = self._among(rows, loop, rounds, progress, screen, held, len(pages))
            if answer is not None:
                return answer
            further = sweep.further(rows, screen)
            if further is None and is_loading(screen.state):
                return Stuck("the list is still loading, and may have further rows")
            if further is None:
                return _the_end(rounds)
            if isinstance(further, Stuck):
                return further
            screen = further
        return Stuck(f"the list did not end within {_MAX_LOOKS} screenfuls")

    def _first_page(
        self, loop: PlanLoop, screen: ObservedScreen, read: Callable[[ObservedScreen], list[ListRow] | None]
    ) -> ObservedScreen | Stuck:
        """The list as it begins, wherever it was left."""
        for _ in range(_MAX_LOOKS if loop.loop.next_page is not None else 0):
            before = self._mover.page_before(loop, read(screen) or [], screen)
            if before is None or isinstance(before, Stuck):
                return before or screen
            screen = self._mover.loaded(before)
        return screen

    def _see_again(self, rows: list[ListRow], loop: PlanLoop, rounds: Rounds) -> None:
        """What became of the row that was done last, where the rows that stood beside it are shown again."""
        last = rounds.done[-1] if rounds.done else None
        if last is None or last.after is not None or not last.completed:
            return
        names = [self._identity(row, loop) for row in rows]
        if not last.beside or not all(any(is_same(one, name) for name in names) for one in last.beside):
            return
        at = next((number for number, name in enumerate(names) if is_same(name, last.identity)), None)
        if at is None:
            last.is_gone = True
        elif sum(is_same(one, name) for name in names[:at] for one in last.beside) == last.place:
            last.after = rows[at].texts

    def _among(
        self,
        rows: list[ListRow],
        loop: PlanLoop,
        rounds: Rounds,
        progress: Progress,
        screen: ObservedScreen,
        held: dict[tuple[str, ...], tuple[int, ListRow]],
        page: int,
    ) -> NextRow | Stuck | None:
        """The row to take among those shown, if there is one. `held` are the rows seen in this sweep, by their names,
        with their pages."""
        wanted: list[tuple[ListRow, dict[str, str], tuple[str, ...]]] = []
        before = dict(held)
        for row in rows:
            said = self._said(row, loop)
            identity = self._identity(row, loop)
            known = next((done for done in rounds.done if is_same(done.identity, identity)), None)
            values = {**progress.values, **self._columns(row, loop), **said}
            try:
                passes = loop.filter is None or holds(loop.filter, values)
                doubt = self._row_doubt(loop, values) if known is None or not known.completed else None
            except (DocumentError, ExpressionValueError) as error:
                return Stuck(f"row « {' · '.join(row.texts)} »: « {loop.loop.filter} » cannot be judged: {error}")
            if doubt is not None:
                return Stuck(f"row « {name_of(identity)} »: {doubt}", awaits_person=True)
            if passes:
                key = row_names.key(identity)
                twice = key in held and key not in before
                if known is not None and key in held and (twice or _is_another(*held[key], row, page)):
                    return Stuck(several(identity))
                held[key] = (page, row)
            if known is not None:
                if passes and known.completed:
                    trouble = self._undone(known, row, loop, identity)
                    if trouble is not None:
                        return Stuck(trouble)
                if not passes and known.left_at is not None:
                    return Stuck(unfinished(known))
                if not passes:
                    known.completed = True
                if known.completed:
                    continue
            if passes:
                wanted.append((row, said, identity))
        if not wanted:
            return None
        row, said, identity = wanted[0]
        if sum(is_same(other, identity) for _, _, other in wanted) > 1:
            return Stuck(several(identity))
        done = sum(one.completed for one in rounds.done)
        if done >= loop.loop.max_iterations:
            return Stuck(f"max_iterations: {done} rows were done, and « {name_of(identity)} » is left")
        try:
            values = {name: self._checked(name, text) for name, text in said.items()}
        except ParameterError as error:
            return Stuck(f"row « {name_of(identity)} »: {error}")
        doubt = next((why for text in said.values() if text and (why := self._doubt_of(text, row.box, screen))), None)
        if doubt is not None:
            return Stuck(f"row « {name_of(identity)} »: {doubt}")
        rounds.done = [one for one in rounds.done if not is_same(one.identity, identity)]
        for inner in (one for one in self._plan.loops if one in loop.body and one != loop.first):
            progress.rounds.setdefault(inner, Rounds()).begin_again()
        others = tuple(self._identity(other, loop) for other in rows if other is not row)
        rounds.current = DoneRow(identity, row.texts, beside=others, place=rows.index(row))
        rounds.note = f"row {done + 1} of {done + len(wanted)}: {name_of(identity)}"
        places = {name: f"the column « {header} »" for name, header in self._headers(loop).items()}
        return NextRow(rounds.note, values, places)

    def _row_doubt(self, loop: PlanLoop, values: Mapping[str, str]) -> str | None:
        """What the filter leaves open about a row, and what to do about it."""
        doubt = None
        if loop.filter is not None:
            doubt = row_doubt(self._plan.steps[loop.first].edge, loop.filter, values)
        if doubt is None:
            return None
        answer = f"`rpa-vision workflows answer {self._workflow.workflow_id} {loop.first} RULE`"
        return f"{doubt}: say by {answer} which are; the rule now is « {loop.loop.filter} »"

    def _undone(self, known: DoneRow, row: ListRow, loop: PlanLoop, identity: tuple[str, ...]) -> str | None:
        """What is wrong where a row that was done is shown as one to be done: nothing came of it, or it is another."""
        if loop.filter is None or loop.rows_stay:
            before = known.after if known.after is not None else known.cells
            return several(identity) if known.is_gone or is_other_row(before, row.texts) else None
        if row_names.key(known.cells) != row_names.key(row.texts):
            return (
                f"the row « {name_of(identity)} » was done, and one of that name that says something else is still to "
                "be done: nothing tells whether it is the same (metadata.rows_stay is for rows that stay meant)"
            )
        return f"the row « {name_of(identity)} » was done and still says what it said: nothing came of it"

    def _identity(self, row: ListRow, loop: PlanLoop) -> tuple[str, ...]:
        said = self._said(row, loop)
        return tuple(said[name] for name in self._naming(loop))

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
        return self._mover.next_page(self._loop, rows, screen)


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


def _is_another(page: int, row: ListRow, now: ListRow, page_now: int) -> bool:
    """Whether a row seen earlier in a sweep is another than the one of its name that is shown now. What was scrolled
    into sight twice is one row."""
    return page != page_now or is_other_row(row.texts, now.texts)


def _uses(edge_id: str, plan: Plan) -> frozenset[str]:
    step = plan.steps[edge_id]
    own = needed_from(step.edge.model_copy(update={"loop": None}))
    return own | (variables_of(step.expression) if step.expression is not None else frozenset())


def _the_end(rounds: Rounds) -> NoMoreRows | Stuck:
    """All rows were looked at. One whose round was interrupted and that is there no more was not seen to the end."""
    left = next((one for one in rounds.done if not one.completed and one.left_at is not None), None)
    if left is not None:
        return Stuck(unfinished(left))
    for one in rounds.done:
        one.completed = True
    return NoMoreRows(f"no row is left after {len(rounds.done)}")
