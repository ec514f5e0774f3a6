"""Asking about decisions: what was decided, where it fails, how sure it was; and the successes that may be learned
from.

Two separate questions. `DecisionIndex` answers over everything in the audit trail and is disposable; learning never
reads it. `SuccessRecords` holds validated successes outside DEGRADED and nothing else; that is what learning reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.ports.audit import AuditPosition


@dataclass(frozen=True, slots=True)
class DecisionFilter:
    """Which decisions; what is not given does not matter. A time range holds its beginning and not its end."""

    workflow_id: str | None = None
    step_id: str | None = None
    run_id: str | None = None
    kinds: tuple[str, ...] = ()
    states: tuple[str, ...] = ()
    """The state in which it was decided; of a transition, the state it leads to."""
    statuses: tuple[str, ...] = ()
    failure_kinds: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    min_confidence: float | None = None
    max_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """One entry of the audit trail, with what is asked about most at hand."""

    number: int
    """Counts up through the trail."""
    at: datetime
    kind: str
    workflow_id: str | None
    step_id: str | None
    run_id: str | None
    state: str | None
    status: str | None
    failure_kind: str | None
    confidence: float | None
    execution_time_ms: float | None
    position: AuditPosition
    record: JsonObject = field(repr=False)


@dataclass(frozen=True, slots=True)
class StepFailures:
    """How often a step was tried, and how often it failed."""

    workflow_id: str
    step_id: str
    results: int
    failures: int

    @property
    def failure_ratio(self) -> float:
        return self.failures / self.results if self.results else 0.0


@dataclass(frozen=True, slots=True)
class FailureCount:
    """How often a workflow failed in one way."""

    workflow_id: str
    failure_kind: str
    failures: int


@dataclass(frozen=True, slots=True)
class ConfidencePoint:
    """How sure steps were in a stretch of time."""

    begin: datetime
    results: int
    mean: float
    lowest: float


class DecisionIndex(Protocol):
    """An index over the audit trail. May be thrown away at any time: it is built again from the trail."""

    def refresh(self) -> int:
        """Take in what was appended since; says how many entries. The other questions see what is taken in."""

    def find(
        self, which: DecisionFilter, *, limit: int = 100, newest_first: bool = True, before: int | None = None
    ) -> list[Decision]:
        """Decisions in order; `before` (a number) goes on where a page ended: further back, or forward."""

    def count(self, which: DecisionFilter) -> int:
        """How many there are."""

    def failing_steps(self, which: DecisionFilter, *, limit: int = 10) -> list[StepFailures]:
        """The steps that failed most, the worst first."""

    def failure_kinds(self, which: DecisionFilter) -> list[FailureCount]:
        """How workflows fail, the most frequent first."""

    def confidence_over_time(self, which: DecisionFilter, *, bucket_s: int) -> list[ConfidencePoint]:
        """Mean confidence of step results, per stretch of time that has any."""


@dataclass(frozen=True, slots=True)
class SuccessRecord:
    """One validated success."""

    at: datetime
    workflow_id: str
    step_id: str
    run_id: str | None
    result: ExecutionResult


class SuccessRecords(Protocol):
    """Reads what a `ports.auto_heal.SuccessStore` keeps."""

    def successes(
        self, workflow_id: str, step_id: str | None = None, *, since: datetime | None = None, limit: int = 1000
    ) -> Sequence[SuccessRecord]:
        """The newest successes of a workflow, or of one of its steps."""

    def count(self, workflow_id: str, step_id: str | None = None) -> int:
        """How many there are."""
