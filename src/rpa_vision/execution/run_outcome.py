"""What a run leaves behind: its steps, where it stands, and what it knows by now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.models.auto_heal import StepPermission
from rpa_vision.models.execution import RunStatus
from rpa_vision.models.workflow_graph import WorkflowEdge


@dataclass(frozen=True, slots=True)
class ExecutedStep:
    """An edge and what came of it."""

    edge: WorkflowEdge
    outcome: StepOutcome
    duration_ms: float
    permission: StepPermission | None = None
    """The supervisor's terms, as the step began."""
    error: Exception | None = None
    """What broke the step, if it did not end by itself. Its outcome says how far it came, and proves nothing."""
    values: Mapping[str, str] = field(default_factory=dict)
    """What was known of the variables as the step began."""
    note: str = ""
    """Where in a loop it was done: « row 3 of 12: FAC-2026-00012 »."""
    goes_on_at: str | None = None
    """Where the run goes on although the step did not succeed: the screen said where that is."""


@dataclass(slots=True)
class RunOutcome:
    """What came of a run."""

    status: RunStatus = "success"
    reason: str = ""
    steps: list[ExecutedStep] = field(default_factory=list)


@dataclass(slots=True)
class DoneRow:
    """A row whose round was done: what it is known by, and all it said when it was taken."""

    identity: tuple[str, ...]
    cells: tuple[str, ...]
    completed: bool = True
    left_at: str | None = None
    """The step at which the round was interrupted, where more than moving about was left to do."""
    beside: tuple[tuple[str, ...], ...] = ()
    """What the other rows that were shown with it are known by, from top to bottom."""
    place: int = 0
    """How many of them stood above it."""
    after: tuple[str, ...] | None = None
    """All it said when it was first seen again."""
    is_gone: bool = False
    """The rows beside it were seen again without it: whoever bears its name now is another."""


@dataclass(slots=True)
class Rounds:
    """The rounds of one loop so far."""

    done: list[DoneRow] = field(default_factory=list)
    current: DoneRow | None = None
    note: str = ""
    began_at: int = 0
    """How many steps the run had taken when its last round began."""
    began_on_first_page: bool = False
    """Pages before the one that was shown at first have been gone back to."""
    earlier: int = 0
    """Rows done in earlier rounds of the loop around this one."""
    read: set[str] = field(default_factory=set)
    """What was read where a variable says it stands, in the round that is going on: true of that row only."""

    @property
    def count(self) -> int:
        """How many rows were done."""
        return self.earlier + sum(one.completed for one in self.done)

    def begin_again(self) -> None:
        """Another row of the list around it has another list in it: none of its rows has been done."""
        self.earlier, self.done, self.current, self.began_on_first_page = self.count, [], None, False


@dataclass(slots=True)
class Progress:
    """What a run knows by now, kept beyond a change of version: values read, rows done, ways taken."""

    values: dict[str, str] = field(default_factory=dict)
    given: frozenset[str] = frozenset()
    """Variables whose value a person gave."""
    rounds: dict[str, Rounds] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    """How often each step was begun."""
    recoveries: int = 0
    just_read: dict[str, str] = field(default_factory=dict)
    """Where values stood that were read since the last step."""

    def end_round(self, loop_id: str) -> Rounds:
        """A round that was going on is over: its loop has come round again."""
        rounds = self.rounds.setdefault(loop_id, Rounds())
        if rounds.current is not None:
            rounds.done.append(rounds.current)
            rounds.current = None
        for name in rounds.read:
            self.values.pop(name, None)
        rounds.read.clear()
        return rounds

    def fill_in(self, name: str, text: str, where: str) -> None:
        """Keep what was read where a variable says it stands, until the round ends that is going on."""
        self.values[name] = text
        self.just_read[name] = where
        for rounds in self.rounds.values():
            if rounds.current is not None:
                rounds.read.add(name)

    def take_read(self) -> dict[str, str]:
        """Where values stood that were read since the last step; the step that comes now tells it."""
        read, self.just_read = self.just_read, {}
        return read

    @classmethod
    def beginning(cls, values: Mapping[str, str]) -> Progress:
        """Nothing done yet."""
        return cls(dict(values), frozenset(values))
