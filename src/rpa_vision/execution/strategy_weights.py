"""Evidence of several strategies combined into one score, each trusted as far as its past allows.

Without a past this is the plain weighted mean. With one, a strategy that was wrong more often than it said has its
scores calibrated and its weight reduced; the result is never above the plain mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rpa_vision.execution.calibration import ELEMENT_FLOOR, MIN_EVIDENCE, Calibration, reliability
from rpa_vision.models.precision import Tally
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.wording import folded

_MAX_LABEL = 60


@dataclass(frozen=True, slots=True)
class Vote:
    """What one strategy says of one element; None: it judged others, but not this one."""

    strategy: str
    weight: float
    score: float | None


class StrategyWeights:
    """How far each strategy, and each element's past, is trusted. Made anew when there is new evidence.

    `strategies` and `elements` are the counts that matter: kept with a failure case, they give the same weights again.
    """

    def __init__(
        self, strategies: Mapping[str, Tally] | None = None, elements: Mapping[str, Tally] | None = None
    ) -> None:
        self.strategies = _judged(strategies or {})
        self.elements = _judged(elements or {})
        self._reliability = {name: reliability(tally) for name, tally in self.strategies.items()}
        self._calibrations = {name: Calibration(tally) for name, tally in self.strategies.items()}
        self._elements = {name: reliability(tally, floor=ELEMENT_FLOOR) for name, tally in self.elements.items()}

    def reliability(self, strategy: str) -> float:
        """The factor for a strategy's weight."""
        return self._reliability.get(strategy, 1.0)

    def calibrated(self, strategy: str, score: float) -> float:
        """What a strategy's score is worth."""
        calibration = self._calibrations.get(strategy)
        return score if calibration is None else calibration(score)

    def element_factor(self, element: str | None) -> float:
        """What the past of an element leaves of a score."""
        return self._elements.get(element, 1.0) if element is not None else 1.0

    def combined(self, votes: Sequence[Vote], element: str | None = None, *, floor: float = 0.0) -> float:
        """One score from all votes: min(plain mean, mean of calibrated scores by reduced weights) · element factor.

        `floor` is the score that is asked for: the factor never falls below it, so that a perfect match still passes.
        """
        total = weighted = reduced_total = reduced = 0.0
        for vote in votes:
            trusted = vote.weight * self.reliability(vote.strategy)
            total += vote.weight
            reduced_total += trusted
            if vote.score is not None:
                weighted += vote.weight * vote.score
                reduced += trusted * self.calibrated(vote.strategy, vote.score)
        if not total:
            return 0.0
        factor = max(self.element_factor(element), min(1.0, floor))
        return min(weighted / total, reduced / reduced_total) * factor


def _judged(tallies: Mapping[str, Tally]) -> dict[str, Tally]:
    """Those with enough evidence to matter."""
    return {name: tally for name, tally in tallies.items() if tally.total.claims >= MIN_EVIDENCE}


def element_key(workflow_id: str, edge_id: str, target: TargetSpec) -> str:
    """What an element is called over runs: the edge, the kind and the label as a template, not what it says today."""
    label = folded(target.label or "")[:_MAX_LABEL]
    return f"{workflow_id}/{edge_id}/{target.type or 'any'}/{label}"
