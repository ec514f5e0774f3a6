"""How good a strategy's word is: precision, Brier score, calibration curve, and what follows for its next claim.

All functions are pure and read a Tally only. docs/precision.md derives the formulas; in short, with n claims, sum of
scores S and hits H:

- reliability r = clamp((H + k) / (S + k), floor, 1): 1 while the strategy is right as often as it says;
- calibrated score f(c) = min(c, g(c)), where g runs through the smoothed precision of each tenth of the scale, made
  non-decreasing by pooling (isotonic regression).

Fewer than MIN_EVIDENCE claims say nothing: then r = 1 and f(c) = c. Nothing here ever raises a score: a lucky past must
not carry a doubtful target over the floor.
"""

from __future__ import annotations

from bisect import bisect_right

from rpa_vision.models.precision import BINS, UNITS, BinTally, CurvePoint, Tally

MIN_EVIDENCE = 20
PRIOR_CLAIMS = 10
"""k: so many imagined claims that came true exactly as claimed. More of them make judgement slower."""
STRATEGY_FLOOR = 0.5
ELEMENT_FLOOR = 0.85
"""What an element's past leaves of a score at least. Where more is asked for, `StrategyWeights.combined` leaves that
much: an element alone never loses so much that a perfect match is refused."""


def precision(tally: Tally) -> float | None:
    """How often it was right."""
    total = tally.total
    return total.hits / total.claims if total.claims else None


def mean_claim(tally: Tally) -> float | None:
    """How often it said it was right."""
    total = tally.total
    return total.claimed_units / UNITS / total.claims if total.claims else None


def brier(tally: Tally) -> float | None:
    """Mean squared error of its claims: 0 is a prophet, .25 a coin, 1 always wrong and always sure."""
    total = tally.total
    return total.square_units / UNITS**2 / total.claims if total.claims else None


def calibration_error(tally: Tally) -> float | None:
    """Mean distance between claim and precision over the tenths of the scale, by number of claims (ECE)."""
    total = tally.total
    if not total.claims:
        return None
    return sum(abs(one.hits - one.claimed_units / UNITS) for one in tally.bins) / total.claims


def curve(tally: Tally) -> tuple[CurvePoint, ...]:
    """The calibration curve: one point for each tenth of the scale that has claims."""
    return tuple(
        CurvePoint(
            lower=index / BINS,
            upper=(index + 1) / BINS,
            claims=one.claims,
            mean_claim=one.claimed_units / UNITS / one.claims,
            precision=one.hits / one.claims,
        )
        for index, one in enumerate(tally.bins)
        if one.claims
    )


def reliability(tally: Tally, *, floor: float = STRATEGY_FLOOR) -> float:
    """The factor for its weight: hits over claimed hits, smoothed, never above 1 nor below the floor."""
    total = tally.total
    if total.claims < MIN_EVIDENCE:
        return 1.0
    ratio = (total.hits + PRIOR_CLAIMS) / (total.claimed_units / UNITS + PRIOR_CLAIMS)
    return min(1.0, max(floor, ratio))


class Calibration:
    """The calibrated score of one strategy, as a function that never decreases and never exceeds the claim."""

    def __init__(self, tally: Tally) -> None:
        enough = tally.total.claims >= MIN_EVIDENCE
        judged = [one for one in tally.bins if one.claims and one.claimed_units] if enough else []
        self._claims = [one.claimed_units / UNITS / one.claims for one in judged]
        self._values = _pooled([_smoothed(one) for one in judged], [one.claims for one in judged])

    def __call__(self, score: float) -> float:
        claim = min(1.0, max(0.0, score))
        if not self._claims:
            return claim
        index = bisect_right(self._claims, claim)
        if index == 0:  # below all evidence and above it, the nearest evidence scales the claim
            value = claim * self._values[0] / self._claims[0]
        elif index == len(self._claims):
            value = claim * self._values[-1] / self._claims[-1]
        else:
            left, right = self._claims[index - 1], self._claims[index]
            share = (claim - left) / (right - left)
            value = self._values[index - 1] + share * (self._values[index] - self._values[index - 1])
        return min(claim, max(0.0, value))


def _smoothed(one: BinTally) -> float:
    """The precision of a bin, held back by k imagined claims that came true as claimed."""
    claim = one.claimed_units / UNITS / one.claims
    return (one.hits + PRIOR_CLAIMS * claim) / (one.claims + PRIOR_CLAIMS)


def _pooled(values: list[float], weights: list[int]) -> list[float]:
    """The nearest sequence that never decreases (pool adjacent violators)."""
    blocks: list[tuple[float, int, int]] = []
    for value, weight in zip(values, weights, strict=True):
        block = (value, weight, 1)
        while blocks and blocks[-1][0] > block[0]:
            last = blocks.pop()
            heavy = last[1] + block[1]
            block = ((last[0] * last[1] + block[0] * block[1]) / heavy, heavy, last[2] + block[2])
        blocks.append(block)
    return [value for value, _, length in blocks for _ in range(length)]
