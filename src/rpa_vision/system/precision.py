"""Fiche 10: was the strategy right? Each verified step is counted, and the count decides how far it is trusted next.

A claim is counted when a target was resolved, input was sent, and something was there to prove the effect:
post-conditions that held make it true, post-conditions that failed make it false. Everything else proves nothing about
the target.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date, timedelta

from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.calibration import (
    ELEMENT_FLOOR,
    STRATEGY_FLOOR,
    brier,
    calibration_error,
    curve,
    mean_claim,
    precision,
    reliability,
)
from rpa_vision.execution.execution_loop import ExecutedStep
from rpa_vision.execution.strategy_weights import StrategyWeights, element_key
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.precision import Claim, PrecisionRecord, PrecisionReport, Tally
from rpa_vision.ports.precision import PrecisionStore
from rpa_vision.ports.runtime import Clock

WINDOW_DAYS = 90


class PrecisionMetrics:
    """Counts claims, and says how far to trust the next ones. Trouble with counting never stops a run."""

    def __init__(self, store: PrecisionStore, clock: Clock, *, window_days: int = WINDOW_DAYS) -> None:
        self._store = store
        self._clock = clock
        self._window_days = window_days
        self._swept: date | None = None
        self.lost_claims = 0
        """Claims that could not be counted."""

    def note(self, workflow_id: str, step: ExecutedStep) -> tuple[Claim, ...]:
        """Count what a step proved, and give it."""
        claims = claims_of(workflow_id, step)
        if claims:
            today = self._clock.now().date()
            try:
                if self._swept != today:
                    self._store.forget(self._since(today))
                    self._swept = today
                self._store.add(claims, today)
            except RpaVisionError:
                self.lost_claims += len(claims)
        return claims

    def weights(self) -> StrategyWeights:
        """How far each strategy and element is trusted now; as without any past where it cannot be read."""
        try:
            counted = self._store.tallies(self._since(self._clock.now().date()))
        except RpaVisionError:
            return StrategyWeights()
        return StrategyWeights(by_strategy(counted), by_element(counted))

    def report(self) -> PrecisionReport:
        """Every strategy and element, for people and scripts."""
        now = self._clock.now()
        counted = self._store.tallies(self._since(now.date()))
        strategies = (precision_record(name, tally) for name, tally in by_strategy(counted).items())
        elements = (precision_record(name, tally, ELEMENT_FLOOR) for name, tally in by_element(counted).items())
        return PrecisionReport(
            made_at=now,
            days=self._window_days,
            strategies=tuple(sorted(strategies, key=lambda one: one.name)),
            elements=tuple(sorted(elements, key=lambda one: (one.reliability, one.precision or 0.0, one.name))),
        )

    def _since(self, today: date) -> date:
        return today - timedelta(days=self._window_days)


def claims_of(workflow_id: str, step: ExecutedStep) -> tuple[Claim, ...]:
    """What a step proved about the strategy that found its target, if anything."""
    outcome, edge = step.outcome, step.edge
    if not isinstance(outcome.resolution, Resolved) or not outcome.input_sent or outcome.shown_by is not None:
        return ()  # what a person showed is no strategy's claim
    if edge.action is None or edge.action.target is None or not _proves_something(step):
        return ()
    held = outcome.status is ExecutionStatus.SUCCESS and outcome.verified
    failed = outcome.failure_kind is FailureKind.POSTCONDITION_FAILED and outcome.after is not None
    if not held and not failed:
        return ()
    best = outcome.resolution.best
    element = element_key(workflow_id, edge.edge_id, edge.action.target)
    return (Claim(strategy=best.strategy, element=element, score=best.score, correct=held),)


def by_strategy(counted: Mapping[tuple[str, str], Tally]) -> dict[str, Tally]:
    """Tallies of strategies, over all elements."""
    return _summed(counted, 0)


def by_element(counted: Mapping[tuple[str, str], Tally]) -> dict[str, Tally]:
    """Tallies of elements, over all strategies."""
    return _summed(counted, 1)


def precision_record(name: str, tally: Tally, floor: float = STRATEGY_FLOOR) -> PrecisionRecord:
    """Everything there is to say about a tally."""
    total = tally.total
    return PrecisionRecord(
        name=name,
        claims=total.claims,
        hits=total.hits,
        precision=precision(tally),
        mean_claim=mean_claim(tally),
        brier=brier(tally),
        calibration_error=calibration_error(tally),
        reliability=reliability(tally, floor=floor),
        curve=curve(tally),
    )


def _proves_something(step: ExecutedStep) -> bool:
    """An edge that expects nothing in particular is always satisfied."""
    stated, constraints = step.edge.post_conditions, step.edge.constraints
    expects = stated is not None and (stated.expected_node is not None or bool(stated.conditions))
    return expects or (constraints is not None and bool(constraints.post_conditions))


def _summed(counted: Mapping[tuple[str, str], Tally], part: int) -> dict[str, Tally]:
    sums: defaultdict[str, Tally] = defaultdict(Tally)
    for key, tally in counted.items():
        sums[key[part]] += tally
    return dict(sums)
