"""Made-up event logs with a known truth: routines with variants, noise, interleaving, interruptions, no pauses.

Everything comes from one seed. The generator knows nothing of how logs are segmented; whoever segments knows nothing of
it but the rows. What a person does besides the task is noise: strange clicks in any application, a glance at the mail,
text that is typed and deleted again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

from rpa_vision.models.event_log import LogRow

_BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)
_APPS = ("Browser", "Sheets", "Ledger", "Mail", "Archive", "Planner")
_VERBS = ("click", "select", "edit", "paste", "copy", "open")
_WORDS = (
    "invoice", "client", "amount", "date", "status", "order", "stock", "price", "parcel", "leave", "budget", "note"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogPlan:
    """What kind of day is made up."""

    routines: int = 3
    executions: int = 20
    """Of each routine."""
    length: tuple[int, int] = (6, 14)
    optional: float = 0.15
    """The share of steps that are left out now and then."""
    swapped: float = 0.1
    """The share of executions in which two neighbouring steps change places."""
    shared: int = 1
    """Steps that all routines have in common."""
    repeated: float = 0.1
    """The share of steps that come twice in a routine."""
    noise: float = 0.0
    """Foreign events, as a share of all events of the log."""
    interleaved: float = 0.0
    """The share of executions that are interrupted by a whole other one and resumed."""
    abandoned: float = 0.0
    """The share of executions that stop half way."""
    pauses: bool = False
    """Whether people take a breath between executions."""
    values: bool = True
    """Whether one value goes through an execution, as a copied number does."""
    strange_kinds: int = 25
    """How many kinds of foreign events there are."""
    round_robin: bool = False
    """One of each routine in turn, instead of any order."""


@dataclass(slots=True)
class GeneratedLog:
    """The rows, and for each what it truly is: the number of its execution (None = noise) and its routine."""

    rows: list[LogRow] = field(default_factory=list)
    cases: list[int | None] = field(default_factory=list)
    routines: list[str | None] = field(default_factory=list)
    abandoned: set[int] = field(default_factory=set)
    """Executions that stopped half way."""

    def boundaries(self) -> list[int]:
        """Where the execution changes from one event that is not noise to the next."""
        found, last = [], None
        for index, case in enumerate(self.cases):
            if case is not None:
                if last is not None and case != last:
                    found.append(index)
                last = case
        return found


@dataclass(frozen=True, slots=True)
class _Step:
    app: str
    action: str
    target: str
    optional: float = 0.0


@dataclass(slots=True)
class _Run:
    case: int
    routine: str
    steps: list[_Step]
    value: str
    row: str


def generate_log(seed: int, plan: LogPlan) -> GeneratedLog:
    """Make up a day. The same seed and plan give the same day."""
    return _Day(Random(seed), plan).log()


class _Day:
    def __init__(self, random: Random, plan: LogPlan) -> None:
        self._random, self._plan = random, plan
        self._used: set[tuple[str, str, str]] = set()
        shared = [self._new_step() for _ in range(plan.shared)]
        self._routines = [self._new_routine(f"R{number}", shared) for number in range(plan.routines)]
        self._strange = [self._new_step() for _ in range(plan.strange_kinds)]
        self._log, self._now = GeneratedLog(), _BEGAN

    def log(self) -> GeneratedLog:
        runs = self._schedule()
        number = 0
        while number < len(runs):
            run = runs[number]
            interrupted = number + 1 < len(runs) and self._random.random() < self._plan.interleaved
            inner = runs[number + 1] if interrupted and runs[number + 1].routine != run.routine else None
            at = self._random.randrange(1, len(run.steps)) if inner is not None and len(run.steps) > 1 else None
            for position, step in enumerate(run.steps):
                if inner is not None and position == at:
                    self._do_all(inner)
                self._do(run, step)
            number += 1 if inner is None or at is None else 2
            if self._plan.pauses:
                self._now += timedelta(seconds=self._random.uniform(4, 12))
        return self._log

    def _schedule(self) -> list[_Run]:
        plan, random = self._plan, self._random
        order = [index for _ in range(plan.executions) for index in range(len(self._routines))]
        if not plan.round_robin:
            random.shuffle(order)
        runs = []
        for case, index in enumerate(order):
            name, steps = self._routines[index]
            done = [step for step in steps if random.random() >= step.optional]
            if len(done) > 3 and random.random() < plan.swapped:
                at = random.randrange(1, len(done) - 2)
                done[at], done[at + 1] = done[at + 1], done[at]
            if random.random() < plan.abandoned and len(done) > 3:
                done = done[: random.randrange(2, len(done) - 1)]
                self._log.abandoned.add(case)
            runs.append(_Run(case, name, done, f"{random.choice(_WORDS)}-{random.randrange(10**6)}", str(case + 2)))
        return runs

    def _do_all(self, run: _Run) -> None:
        for step in run.steps:
            self._do(run, step)

    def _do(self, run: _Run, step: _Step) -> None:
        for strange in self._distractions():
            self._write(strange, "", "", None, None)
        value = run.value if self._plan.values and step.action in ("edit", "paste", "copy") else ""
        row = run.row if self._plan.values and step.app == "Sheets" else ""
        self._write(step, value, row, run.case, run.routine)

    def _distractions(self) -> Iterator[_Step]:
        odds = self._plan.noise
        while self._random.random() < odds:
            yield self._random.choice(self._strange)

    def _write(self, step: _Step, value: str, row: str, case: int | None, routine: str | None) -> None:
        self._now += timedelta(seconds=round(self._random.uniform(0.4, 3.0), 3))
        self._log.rows.append(LogRow(self._now, step.app, step.action, step.target, value, row))
        self._log.cases.append(case)
        self._log.routines.append(routine)

    def _new_routine(self, name: str, shared: list[_Step]) -> tuple[str, list[_Step]]:
        plan, random = self._plan, self._random
        steps = [self._new_step() for _ in range(random.randint(*plan.length))]
        for at in range(1, len(steps) - 1):
            if random.random() < plan.optional:
                steps[at] = replace(steps[at], optional=0.4)
        for step in shared:
            steps.insert(random.randrange(1, len(steps)), step)
        for at in range(len(steps) - 2, 0, -1):
            if random.random() < plan.repeated:
                steps.insert(random.randrange(at + 1, len(steps)), steps[at])
        return name, steps

    def _new_step(self) -> _Step:
        while True:
            app, verb = self._random.choice(_APPS), self._random.choice(_VERBS)
            target = f"{self._random.choice(_WORDS)} {self._random.choice(_WORDS)}"
            if (app, verb, target) not in self._used:
                self._used.add((app, verb, target))
                return _Step(app, verb, target)
