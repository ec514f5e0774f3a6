"""Which rows of a list a run has done, where the list itself does not show it, so that no later run does them again.

A loop whose filter tells what is done needs no memory: rows that were done are not meant any more. Without one, a run
that was broken off at the seventh row would begin with the first again. So it is written down when a row begins and
when it has ended, before the next one begins, on the disk: a process that is killed leaves it behind. A later run of
the workflow refuses to begin on such a list, until a person says whether the rows that were done are left out (`rest`)
or done again (`again`). Where nothing is left, `rest` does nothing: whoever asked for it did not mean all rows. Loops
whose steps change nothing are not remembered.

The list is the same if the loop is, and what the steps around it were given: another slip has other rows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Final

from rpa_vision.errors import UsageError
from rpa_vision.execution.doing_twice import is_harmless
from rpa_vision.execution.obstacles import plan_or_obstacle
from rpa_vision.execution.run_outcome import DoneRow, Progress, Rounds, RunOutcome
from rpa_vision.graph.plan import Plan, PlanLoop
from rpa_vision.graph.plan_variables import needed_from
from rpa_vision.models.batch import RowEntry
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.batches import BatchJournal
from rpa_vision.ports.runtime import Clock

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

NAME: Final = "rows of lists"
"""Under which name a workflow's lists are remembered."""
_WHOLE: Final = "*"
"""In place of a row: the list is done with, whatever was done of it."""
_TAKEN: Final = "+"
"""In place of a row: a run is about to go over the list."""
_TRIES, _TRY_S = 40, 0.05
_SHOWN: Final = 3
NOTHING_LEFT: Final = "nothing is left: no run has left anything of a list here, or another one has done it since"
OVERTAKEN: Final = "another run has gone over this list since this one was asked for: look what is done first"


@dataclass(slots=True)
class _Left:
    """What is written of a list since it was last done with."""

    run_id: str = ""
    when: str = ""
    ended_by: str = ""
    """The run that did all of it before, if nothing was begun since."""
    taken_by: str = ""
    """The run that was about to go over it last."""
    done: list[tuple[str, ...]] = field(default_factory=list)
    open: list[tuple[str, ...]] = field(default_factory=list)
    """Begun, and nobody knows how far they came."""


class ListJournal:
    """The lists of one run that do not show what is done."""

    def __init__(
        self, journal: BatchJournal, workflow: Workflow, run_id: str, values: Mapping[str, str], clock: Clock
    ) -> None:
        self._journal = journal
        self._workflow = workflow
        self._run_id = run_id
        self._clock = clock
        plan = plan_or_obstacle(workflow)
        self._plan = plan if isinstance(plan, Plan) else None
        loops = self._plan.loops.values() if self._plan is not None else ()
        self._keys = {loop.first: self._key(loop, values) for loop in loops if self._must_remember(loop)}
        self._current: dict[str, tuple[str, ...]] = {}
        self._seen = 0

    @property
    def list_key(self) -> str | None:
        """By what runs over the same lists are told; None where no rows are remembered."""
        if not self._keys:
            return None
        which = json.dumps([self._workflow.workflow_id, sorted(self._keys.values())])
        return hashlib.sha256(which.encode()).hexdigest()

    def refusal(self, *, rest: bool) -> str | None:
        """Why the run may not begin: an earlier one did a part of its list. With `rest` that part is left out, which
        cannot be done for a list inside a list, nor where that run had done another list to its end."""
        left = self._left()
        if rest and not left:
            return NOTHING_LEFT
        for first, one in left.items():
            may_rest = not self._is_inside(first) and not self._has_done_another(first, one.run_id)
            if not rest or not may_rest:
                return _told(one, first, may_rest=may_rest)
        return None

    def check(self, going: Collection[str], *, rest: bool, again: bool) -> str | None:
        """Why the run may not begin, as things stand now."""
        self._seen = len(self._entries())
        return self.taken(going) or (self.refusal(rest=rest) if not again else None)

    def take(self, going: Callable[[], Collection[str]], progress: Progress, *, rest: bool, again: bool) -> str | None:
        """Begin: nobody else does so in the same moment, nor until this run has ended. Says why that may not be, when
        another run came first since `check`."""
        if not self._keys:
            return None
        with self._alone():
            if any(entry.run_id != self._run_id for entry in self._entries()[self._seen :]):
                return self.check(going(), rest=rest, again=again) or OVERTAKEN
            refusal = self.check(going(), rest=rest, again=again)
            if refusal is not None:
                return refusal
            if again:
                self.begin_anew()
            else:
                self.leave_out(progress)
            for first in self._keys:
                self._write(first, _TAKEN, "begins")
        return None

    def taken(self, going: Collection[str]) -> str | None:
        """Why nobody else may begin: one of the runs that go on is in the middle of this list, or about to begin it."""
        others = set(going) - {self._run_id}
        takers = [one.taken_by for one in self._written().values()] + [one.run_id for one in self._left().values()]
        run_id = next((one for one in takers if one in others), None)
        return f"{run_id} is in the middle of this list: wait until it has ended" if run_id is not None else None

    def is_done_since(self, run_id: str) -> bool:
        """Whether a later run did to its end what that one had begun."""
        mine = set[str]()
        for entry in self._journal.entries() if self._keys else ():
            if entry.run_id == run_id:
                mine.add(entry.file)
            elif entry.row_key == _WHOLE and entry.status == "success" and entry.file in mine:
                return True
        return False

    def begin_anew(self) -> None:
        """A person wants all rows done, whatever was done before."""
        for first in self._left():
            self._write(first, _WHOLE, "ended", status="again")

    def leave_out(self, progress: Progress) -> None:
        """Let the rows that an earlier run has done, or begun, count as done."""
        for first, left in self._left().items():
            done = [DoneRow(row, ()) for row in (*left.done, *left.open)]
            progress.rounds[first] = Rounds(done, earlier=-len(done))  # none of them is a row of this run

    def hear(self, kind: str, first: str, progress: Progress) -> None:
        """A round begins, or a list has ended: written down before anything else is done."""
        if first not in self._keys:
            return
        rounds, former = progress.rounds[first], self._current.pop(first, None)
        if former is not None and any(one.identity == former and one.completed for one in rounds.done):
            self._write(first, _row_key(former), "ended", status="success")
        if kind == "loop_ended":
            self._write(first, _WHOLE, "ended", status="success")
        elif kind == "round_begins" and rounds.current is not None:
            self._current[first] = rounds.current.identity
            self._write(first, _row_key(rounds.current.identity), "begins")

    def finish(self, outcome: RunOutcome, progress: Progress) -> None:
        """The run is over. A row in whose round nothing was sent that changes anything was not begun."""
        for first, row in self._current.items():
            begun = outcome.steps[progress.rounds[first].began_at :]
            if outcome.status == "success":
                self._write(first, _WHOLE, "ended", status="success")
            elif not any(
                step.error is not None
                or (step.outcome.anything_sent and not is_harmless(step.edge, self._workflow, step.outcome.resolution))
                for step in begun
            ):
                self._write(first, _row_key(row), "ended", status="untouched")
        self._current.clear()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Others are done in a moment."""
        with ExitStack() as held:
            for tries in count(1):
                try:
                    held.enter_context(self._journal.alone())
                    break
                except UsageError:
                    if tries == _TRIES:
                        raise
                    self._clock.sleep(_TRY_S)
            yield

    def _entries(self) -> list[RowEntry]:
        """What is written of the lists of this run."""
        mine = set(self._keys.values())
        return [entry for entry in self._journal.entries() if entry.file in mine] if mine else []

    def _is_inside(self, first: str) -> bool:
        return self._plan is not None and len(self._plan.rounds_around(first)) > 1

    def _has_done_another(self, first: str, run_id: str) -> bool:
        """Whether the run did a list beside this one to its end: whoever goes on would begin that one anew."""
        assert self._plan is not None
        bodies = {loop.first: set(loop.body) for loop in self._plan.loops.values()}
        return any(
            one.ended_by == run_id and other not in bodies[first] and first not in bodies[other]
            for other, one in self._written().items()
        )

    def _left(self) -> dict[str, _Left]:
        """By loop, what earlier runs left behind."""
        return {first: left for first, left in self._written().items() if left.done or left.open}

    def _written(self) -> dict[str, _Left]:
        found: dict[str, _Left] = {}
        loops = {key: first for first, key in self._keys.items()}
        for entry in self._entries():
            first = loops[entry.file]
            if entry.row_key == _TAKEN:
                found.setdefault(first, _Left()).taken_by = entry.run_id or ""
                continue
            if entry.row_key == _WHOLE:
                found[first] = _Left(ended_by=(entry.run_id or "") if entry.status == "success" else "")
                continue
            row = tuple(json.loads(entry.row_key))
            left = found.setdefault(first, _Left())
            left.ended_by = ""
            left.run_id, left.when = entry.run_id or "", entry.at.strftime("%Y-%m-%d %H:%M")
            left.open = [one for one in left.open if one != row] + ([row] if entry.event == "begins" else [])
            if entry.status == "success":
                left.done.append(row)
        return found

    def _must_remember(self, loop: PlanLoop) -> bool:
        assert self._plan is not None
        tells = loop.filter is not None and not loop.rows_stay
        return not tells and not all(is_harmless(self._plan.steps[one].edge, self._workflow) for one in loop.body)

    def _key(self, loop: PlanLoop, values: Mapping[str, str]) -> str:
        """The loop, and the values that lead to its list."""
        assert self._plan is not None
        around = [step for edge_id, step in self._plan.steps.items() if edge_id not in loop.body]
        used = {name for step in around for name in needed_from(step.edge, step.expression)}
        given = sorted((name, text) for name, text in values.items() if name in used)
        return f"{loop.first}:{hashlib.sha256(json.dumps(given).encode()).hexdigest()[:16]}"

    def _write(self, first: str, row_key: str, event: str, status: str = "") -> None:
        self._journal.append(
            RowEntry(
                row_key=row_key,
                event="begins" if event == "begins" else "ended",
                at=self._clock.now(),
                file=self._keys[first],
                run_id=self._run_id,
                status=status,
            )
        )


def lists_of(office: Office, workflow: Workflow, values: Mapping[str, str], run_id: str = "") -> ListJournal:
    """The lists that a run with those values goes over, as the office knows them."""
    return ListJournal(office.lists(workflow), workflow, run_id, values, office.clock)


def _row_key(identity: tuple[str, ...]) -> str:
    return json.dumps(list(identity), ensure_ascii=False)


def _told(left: _Left, first: str, *, may_rest: bool) -> str:
    names = [" · ".join(row) for row in left.done]
    some = ", ".join(f"« {name} »" for name in names[-_SHOWN:])
    more = "… " if len(names) > _SHOWN else ""
    done = f"{len(names)} row{'' if len(names) == 1 else 's'} of the list at {first}"
    done += f" ({more}{some})" if some else ""
    half = "".join(f" and left « {' · '.join(row)} » half done, perhaps" for row in left.open)
    rest = "--rest leaves these rows out, " if may_rest else ""
    return (
        f"{left.run_id} of {left.when} UTC did {done}{half}, and did not come to the end; the list does not show what "
        f"was done. Look first: {rest}--again does all rows again"
    )
