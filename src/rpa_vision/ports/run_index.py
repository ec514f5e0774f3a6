"""A quick view over the reports of all runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol


@dataclass(frozen=True, slots=True)
class RunSummary:
    """A run at a glance. `problem` says why its report cannot be read, if it cannot; times are UTC in ISO format."""

    run_id: str
    problem: str = ""
    workflow_id: str = ""
    workflow_name: str = ""
    version: int = 0
    mode: str = ""
    status: str = ""
    reason: str = ""
    started_at: str = ""
    duration_s: float = 0.0
    steps: int = 0
    healed: int = 0
    recovered: int = 0
    min_score: float | None = None
    parameters: str = ""


@dataclass(frozen=True, slots=True)
class RunFilter:
    """Which runs somebody wants to see; everything that is None or False does not matter."""

    workflow_id: str | None = None
    status: str | None = None
    mode: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    healed: bool = False
    wrong: bool = False
    text: str = ""
    unsuccessful: bool = False
    """Failed or blocked."""


@dataclass(frozen=True, slots=True)
class RunDay:
    """The runs of one day (UTC)."""

    day: str
    total: int
    success: int
    halted: int
    failed: int
    blocked: int
    healed: int


@dataclass(frozen=True, slots=True)
class StepPoint:
    """How sure a step was, by a strategy, on one day."""

    edge_id: str
    strategy: str
    day: str
    count: int
    mean_score: float | None
    min_score: float | None
    healed: int
    verified: int
    mean_ms: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person said of a run: that it did right, or did something wrong although it was reported as done."""

    verdict: Literal["right", "wrong"]
    who: str
    at: datetime
    note: str = ""


class RunIndex(Protocol):
    """Lists and counts runs. Ask `refresh` first to see what is new."""

    def refresh(self) -> int:
        """Take in the reports that are new; says how many."""

    def find(self, which: RunFilter, *, limit: int, offset: int = 0) -> list[RunSummary]:
        """Runs, the newest first."""

    def count(self, which: RunFilter) -> dict[str, int]:
        """How many there are: total, success, halted, failed, blocked, healed, wrong; and their seconds."""

    def days(self, which: RunFilter) -> list[RunDay]:
        """Day by day, the oldest first."""

    def scores(self, workflow_id: str, *, since: datetime, edge_id: str | None = None) -> list[StepPoint]:
        """How sure the steps of a workflow were, day by day."""

    def judge(self, run_id: str, verdict: Verdict) -> None:
        """Keep what a person said of a run."""

    def verdict(self, run_id: str) -> Verdict | None:
        """What a person said of a run."""
