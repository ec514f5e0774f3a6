"""What people ask about decisions: history, what fails most, how sure steps were, how long workflows were in which
state.

Every question first takes in what was appended to the trail since, so the answer includes the decision made a moment
ago. Learning never asks here: it reads validated successes only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from rpa_vision.errors import DocumentError
from rpa_vision.models.auto_heal import ExecutionState, StateTransition
from rpa_vision.ports.decisions import (
    ConfidencePoint,
    Decision,
    DecisionFilter,
    DecisionIndex,
    FailureCount,
    StepFailures,
)
from rpa_vision.ports.runtime import Clock

_ALL = DecisionFilter()
_NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True)
class StateDuration:
    """How long and how often a workflow was in a state, between the first transition known and now."""

    workflow_id: str
    state: ExecutionState
    times: int
    total_s: float
    longest_s: float
    is_current: bool

    @property
    def mean_s(self) -> float:
        return self.total_s / self.times if self.times else 0.0


class DecisionQueries:
    """Questions over an index of the audit trail."""

    def __init__(self, index: DecisionIndex, clock: Clock) -> None:
        self._index = index
        self._clock = clock

    def history(
        self, which: DecisionFilter = _ALL, *, limit: int = 100, newest_first: bool = True, before: int | None = None
    ) -> list[Decision]:
        """Decisions in order, a page at a time."""
        self._index.refresh()
        return self._index.find(which, limit=limit, newest_first=newest_first, before=before)

    def count(self, which: DecisionFilter = _ALL) -> int:
        """How many decisions there are."""
        self._index.refresh()
        return self._index.count(which)

    def most_failing_steps(self, which: DecisionFilter = _ALL, *, limit: int = 10) -> list[StepFailures]:
        """The steps that failed most, the worst first."""
        self._index.refresh()
        return self._index.failing_steps(which, limit=limit)

    def failure_kinds(self, which: DecisionFilter = _ALL) -> list[FailureCount]:
        """How workflows fail, the most frequent first."""
        self._index.refresh()
        return self._index.failure_kinds(which)

    def confidence_over_time(self, which: DecisionFilter = _ALL, *, bucket_s: int = 3600) -> list[ConfidencePoint]:
        """Mean confidence of step results, per stretch of time that has any."""
        self._index.refresh()
        return self._index.confidence_over_time(which, bucket_s=bucket_s)

    def transitions(self, which: DecisionFilter = _ALL, *, limit: int = _NO_LIMIT) -> list[StateTransition]:
        """Changes of state, the oldest first; with a limit, the newest of them."""
        self._index.refresh()
        found = self._index.find(replace(which, kinds=("state_transition",)), limit=limit)
        return [transition for decision in reversed(found) if (transition := _transition(decision)) is not None]

    def state_durations(self, workflow_id: str | None = None) -> list[StateDuration]:
        """How long each workflow was in each state, up to now."""
        return durations(self.transitions(DecisionFilter(workflow_id=workflow_id)), until=self._clock.now())


def durations(transitions: Iterable[StateTransition], *, until: datetime) -> list[StateDuration]:
    """How long each workflow was in each state: every transition ends a stay and begins another."""
    stays: dict[str, list[tuple[ExecutionState, datetime]]] = {}
    for transition in effective(transitions):
        if transition.workflow_id not in stays and transition.lasted_s is not None:
            before = transition.at - timedelta(seconds=transition.lasted_s)
            stays[transition.workflow_id] = [(transition.from_state, before)]
        stays.setdefault(transition.workflow_id, []).append((transition.to_state, transition.at))
    found = []
    for workflow_id, begun in sorted(stays.items()):
        ends = [at for _, at in begun[1:]] + [until]
        lengths: dict[ExecutionState, list[float]] = {}
        for (state, begin), end in zip(begun, ends, strict=True):
            lengths.setdefault(state, []).append(max(0.0, (end - begin).total_seconds()))
        current = begun[-1][0]
        found += [
            StateDuration(workflow_id, state, len(times), sum(times), max(times), state is current)
            for state, times in sorted(lengths.items())
        ]
    return found


def effective(transitions: Iterable[StateTransition]) -> Iterable[StateTransition]:
    """Without those that were written down by a process that died before they held: their number was given again."""
    last: dict[tuple[str, int], StateTransition] = {}
    for unnumbered, transition in enumerate(transitions):
        number = transition.number if transition.number > 0 else -1 - unnumbered
        last.pop((transition.workflow_id, number), None)
        last[transition.workflow_id, number] = transition
    return last.values()


def _transition(decision: Decision) -> StateTransition | None:
    """The transition as it was audited, whatever was audited beside it."""
    known = {key: value for key, value in decision.record.items() if key in StateTransition.model_fields}
    try:
        return StateTransition.from_json(known, where="audit")
    except DocumentError:
        return None
