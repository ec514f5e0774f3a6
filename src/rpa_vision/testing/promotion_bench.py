"""How far luck leads: workflows of a known true rate of success live by the rules, thousands of times.

Each is observed, guided, supervised and, as soon as it has earned it, approved, as hastily as a person could. Then it
works alone until it is sent back, and begins again. So the tables say what the rules themselves are worth; people who
look at the evidence can only be slower.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Final

from rpa_vision.learning import maturity_rules as rules
from rpa_vision.models.maturity import CountedRun, Maturity, RunWay
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LearningThresholds

RATES: Final = (0.80, 0.90, 0.95, 0.99)
BROKEN: Final = (0.0, 0.5, 0.8)
_THRESHOLDS: Final = LearningThresholds()
_CONFIDENCE: Final = (0.957, 1.0)
"""Between these lay the mean confidence of verified runs of the demonstrations."""
_WAYS: Final[dict[str, RunWay]] = {
    "OBSERVATION": "observed",
    "COACHING": "assisted",
    "AUTO_CANDIDATE": "supervised",
    AUTO_CONFIRMED: "alone",
}


@dataclass(frozen=True, slots=True)
class Growing:
    """Workflows of one true rate of success, watched from their beginning for so many runs each."""

    true_success: float
    anomalies: float
    """Which share of its failures sent something first."""
    workflows: int
    runs: int
    confirmed: float
    """Which share was at AUTO_CONFIRMÉ at some time."""
    median_runs_until: float | None
    """After how many runs the first time, observed ones included, among those."""
    alone: float
    """Which share of all runs was done alone."""
    failed_alone: float
    """Failures of runs alone, for each hundred runs of any kind."""
    median_stay: float | None
    """How many runs alone until it was sent back."""


@dataclass(frozen=True, slots=True)
class Breaking:
    """Grown workflows that break: how many runs alone until they are sent back."""

    true_success: float
    anomalies: float
    workflows: int
    median_runs: float
    most_runs: int
    never: float
    """Which share was not sent back within a thousand runs."""


def measure(workflows: int = 2000, runs: int = 200, seed: int = 7) -> dict[str, Any]:
    """Both tables."""
    growing = [
        grow_up(rate, anomalies, workflows, runs, random.Random(f"{seed}:{rate}:{anomalies}"))
        for rate in RATES
        for anomalies in (0.0, 0.5)
    ]
    breaking = [
        break_down(rate, anomalies, workflows, random.Random(f"{seed}:broken:{rate}:{anomalies}"))
        for rate in BROKEN
        for anomalies in (0.0, 0.5, 1.0)
    ]
    return {"growing": [asdict(one) for one in growing], "breaking": [asdict(one) for one in breaking]}


def grow_up(rate: float, anomalies: float, workflows: int, runs: int, rng: random.Random) -> Growing:
    """Watch workflows from their first observed run on."""
    until: list[int] = []
    stays: list[int] = []
    alone = failed = 0
    for _ in range(workflows):
        known, first, stay = Maturity(workflow_id="WF_simulated"), None, 0
        for number in range(1, runs + 1):
            was_alone = known.state == AUTO_CONFIRMED
            run = _run(known, rate, anomalies, rng)
            alone, failed = alone + was_alone, failed + (was_alone and not run.succeeded)
            stay += was_alone
            known = rules.after_run(known, run, _THRESHOLDS)[0]
            if was_alone and known.state != AUTO_CONFIRMED:
                stays.append(stay)
                stay = 0
            above = rules.next_level(known, _THRESHOLDS)
            if above.by_person and above.is_earned:
                known = rules.at_level(known, AUTO_CONFIRMED)
                first = number if first is None else first
        if first is not None:
            until.append(first)
    total = workflows * runs
    return Growing(
        rate, anomalies, workflows, runs, len(until) / workflows, _median(until), alone / total, 100.0 * failed / total,
        _median(stays),
    )  # fmt: skip


def break_down(rate: float, anomalies: float, workflows: int, rng: random.Random, longest: int = 1000) -> Breaking:
    """Let workflows that never failed until now break."""
    lasted: list[int] = []
    for _ in range(workflows):
        recent = tuple(rng.uniform(*_CONFIDENCE) for _ in range(20))
        known = Maturity(workflow_id="WF_simulated", state=AUTO_CONFIRMED, recent=recent)
        for number in range(1, longest + 1):
            known = rules.after_run(known, _run(known, rate, anomalies, rng), _THRESHOLDS)[0]
            if known.state != AUTO_CONFIRMED:
                lasted.append(number)
                break
    return Breaking(
        rate, anomalies, workflows, median(lasted) if lasted else float(longest), max(lasted, default=longest),
        1.0 - len(lasted) / workflows,
    )  # fmt: skip


def lines(report: dict[str, Any]) -> list[str]:
    """Both tables, as text."""
    told = [
        "true success | failures that sent something | reach AUTO_CONFIRMÉ | runs until (median) | runs done alone | "
        "failures alone per 100 runs | runs alone until sent back (median)"
    ]
    for one in report["growing"]:
        told.append(
            f"{one['true_success']:.2f} | {one['anomalies']:.0%} | {one['confirmed']:.1%} | "
            f"{_number(one['median_runs_until'])} | {one['alone']:.0%} | {one['failed_alone']:.2f} | "
            f"{_number(one['median_stay'])}"
        )
    told += ["", "broken to | failures that sent something | runs until sent back: median | most | never"]
    for one in report["breaking"]:
        told.append(
            f"{one['true_success']:.2f} | {one['anomalies']:.0%} | {_number(one['median_runs'])} | "
            f"{one['most_runs']} | {one['never']:.1%}"
        )
    return told


def _run(known: Maturity, rate: float, anomalies: float, rng: random.Random) -> CountedRun:
    way = _WAYS[known.state]
    sure = rng.uniform(*_CONFIDENCE)
    if way == "observed":
        return CountedRun(way=way, source="one", confidence=sure)
    won = rng.random() < rate
    wrong = not won and way != "assisted" and rng.random() < anomalies
    return CountedRun(
        way=way, source="one", succeeded=won, confidence=sure, anomaly="it did something else" if wrong else None
    )


def _median(values: Sequence[int]) -> float | None:
    return float(median(values)) if values else None


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"
