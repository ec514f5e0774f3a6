"""When a workflow moves up or down a level: the design's thresholds, over what was counted. Pure functions.

The way up is OBSERVATION → COACHING → AUTO_CANDIDATE → AUTO_CONFIRMÉ, one step at a time, the last one by a person. The
only way down leads to COACHING. Failures that sent nothing wrong lower the recent confidence; an anomaly (input without
its effect, a timeout, a rollback, a person's "not this") leads down at once.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from rpa_vision.models.maturity import WINDOW, CountedRun, Maturity
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LEARNING_STATES, LearningStateName, LearningThresholds

MIN_SIMILARITY: Final = 0.90
MIN_ASSIST_SUCCESS: Final = 0.90
MIN_AUTO_SUCCESS: Final = 0.95
MIN_CONFIDENCE: Final = 0.90
MIN_LOWER_BOUND: Final = 0.75
"""Below it, whoever approves has to say that it was seen."""
AUTO_LEVELS: Final = frozenset[LearningStateName]({"AUTO_CANDIDATE", AUTO_CONFIRMED})
_Z: Final = 1.959963984540054
_TINY: Final = 1e-9
"""Sums of decimal fractions miss a threshold they reach by less than this."""


@dataclass(frozen=True, slots=True)
class Need:
    """One thing the next level asks for: what there is of it, and what there must be."""

    name: str
    have: float | None
    need: float

    @property
    def is_met(self) -> bool:
        return self.have is not None and self.have >= self.need - _TINY


@dataclass(frozen=True, slots=True)
class NextLevel:
    """What the next level asks for. The last one also asks for a person's approval; above it there is none."""

    state: LearningStateName
    following: LearningStateName | None
    needs: tuple[Need, ...] = ()
    by_person: bool = False

    @property
    def is_earned(self) -> bool:
        """Whether the numbers are there; a person may still have to approve."""
        return self.following is not None and all(need.is_met for need in self.needs)

    @property
    def missing(self) -> tuple[Need, ...]:
        return tuple(need for need in self.needs if not need.is_met)

    @property
    def progress_percent(self) -> float:
        """How far it is to the next level, as the design shows it."""
        if self.following is None:
            return 100.0
        shares = [min(1.0, max(0.0, (need.have or 0.0) / need.need)) for need in self.needs]
        return round(100.0 * min(shares, default=1.0), 1)


def next_level(known: Maturity, thresholds: LearningThresholds) -> NextLevel:
    """What is missing for the level above."""
    if known.state == "OBSERVATION":
        runs = Need("observed_runs", known.observed_runs, thresholds.min_observed_runs_for_coaching)
        return NextLevel(known.state, "COACHING", (runs, Need("similarity", known.avg_similarity, MIN_SIMILARITY)))
    if known.state == "COACHING":
        runs = Need("assisted_runs", known.assist_runs, thresholds.min_assist_runs_for_auto_candidate)
        rate = Need("success_rate", share(known.assist_successes, known.assist_runs), MIN_ASSIST_SUCCESS)
        return NextLevel(known.state, "AUTO_CANDIDATE", (runs, rate))
    if known.state == "AUTO_CANDIDATE":
        least = thresholds.min_auto_candidate_runs_for_auto_confirmed
        runs = Need("supervised_runs", known.auto_candidate_runs, least)
        rate = Need("success_rate", share(known.auto_candidate_successes, known.auto_candidate_runs), MIN_AUTO_SUCCESS)
        return NextLevel(known.state, AUTO_CONFIRMED, (runs, rate), by_person=True)
    return NextLevel(known.state, None)


def counted(known: Maturity, run: CountedRun) -> Maturity:
    """With one more run. What proved nothing is only noted."""
    if not run.verified:
        return known.model_copy(update={"unverified_runs": known.unverified_runs + 1})
    if run.way == "observed":
        likeness = run.confidence if run.confidence is not None else 0.0
        changes: dict[str, object] = {
            "observed_runs": known.observed_runs + 1,
            "similarity_total": known.similarity_total + likeness,
        }
        return known.model_copy(update=changes)
    won = int(run.succeeded)
    changes = {
        "total_executions": known.total_executions + 1,
        "success_count": known.success_count + won,
        "failure_count": known.failure_count + 1 - won,
    }
    if run.way == "authorised":
        changes["authorised_runs"] = known.authorised_runs + 1
    elif run.way == "assisted" and known.state == "COACHING":
        changes |= {"assist_runs": known.assist_runs + 1, "assist_successes": known.assist_successes + won}
    elif run.way == "supervised" and known.state == "AUTO_CANDIDATE":
        changes["auto_candidate_runs"] = known.auto_candidate_runs + 1
        changes["auto_candidate_successes"] = known.auto_candidate_successes + won
    elif run.way in ("alone", "supervised") and known.state == AUTO_CONFIRMED:
        changes["auto_confirmed_runs"] = known.auto_confirmed_runs + 1
        changes["auto_confirmed_successes"] = known.auto_confirmed_successes + won
    if known.state in AUTO_LEVELS and (run.way in ("supervised", "alone") or not run.succeeded):
        sure = (run.confidence if run.confidence is not None else 1.0) if run.succeeded else 0.0
        changes["recent"] = (*known.recent, sure)[-WINDOW:]
    return known.model_copy(update=changes)


def after_run(known: Maturity, run: CountedRun, thresholds: LearningThresholds) -> tuple[Maturity, str]:
    """Where a workflow stands after a run, and why at another level, if it is. Down goes before up."""
    after = counted(known, run)
    down = step_down(after, run)
    if down is not None:
        return at_level(after, "COACHING"), down
    up = step_up(after, thresholds)
    return (at_level(after, up[0]), up[1]) if up is not None else (after, "")


def step_up(known: Maturity, thresholds: LearningThresholds) -> tuple[LearningStateName, str] | None:
    """The level a workflow has earned, and why; None where it stays, or where a person has to say so."""
    above = next_level(known, thresholds)
    if above.following is None or above.by_person or not above.is_earned:
        return None
    return above.following, "; ".join(f"{need.name} {_number(need.have)} of {need.need:g}" for need in above.needs)


def step_down(known: Maturity, run: CountedRun) -> str | None:
    """Why a workflow that ran like this goes back to COACHING; None where it stays."""
    if known.state not in AUTO_LEVELS or run.way == "observed":
        return None
    if run.anomaly is not None:
        return f"anomaly: {run.anomaly}"
    if run.verified and recent_confidence(known) < MIN_CONFIDENCE - _TINY:
        return f"confidence {recent_confidence(known):.3f} over the last {WINDOW} runs is below {MIN_CONFIDENCE:.2f}"
    return None


def at_level(known: Maturity, state: LearningStateName) -> Maturity:
    """At another level, with nothing counted there yet; the way to AUTO_CONFIRMÉ keeps what led to it."""
    fresh: dict[str, object] = {"state": state, "auto_confirmed_runs": 0, "auto_confirmed_successes": 0}
    if state != AUTO_CONFIRMED:
        fresh |= {"auto_candidate_runs": 0, "auto_candidate_successes": 0, "recent": (), "approval": None}
    if state == "COACHING":
        fresh |= {"assist_runs": 0, "assist_successes": 0}
    return known.model_copy(update=fresh)


def may_follow(one: LearningStateName, other: LearningStateName) -> bool:
    """Whether a level may follow another: the next one up, or back to COACHING."""
    here, there = LEARNING_STATES.index(one), LEARNING_STATES.index(other)
    return there == here + 1 or (one in AUTO_LEVELS and other == "COACHING")


def recent_confidence(known: Maturity) -> float:
    """The mean confidence of the robot's last runs; one that failed counts nothing.

    Places of runs not yet made count as sure: the level itself was given on evidence, and one failure among the first
    few says little.
    """
    return (sum(known.recent) + WINDOW - len(known.recent)) / WINDOW


def lower_bound(successes: int, runs: int) -> float:
    """The lower end of Wilson's 95 % interval for the true rate of success; 0 where there were no runs.

    Wilson, and not Jeffreys: where few or none failed, which is where it is asked for, it is the more cautious of the
    two, and it is a formula anybody can check by hand.
    """
    if runs <= 0:
        return 0.0
    rate, square = successes / runs, _Z * _Z
    centre = rate + square / (2 * runs)
    spread = _Z * math.sqrt(rate * (1.0 - rate) / runs + square / (4.0 * runs * runs))
    return min(1.0, max(0.0, (centre - spread) / (1.0 + square / runs)))


def share(part: int, whole: int) -> float | None:
    """A rate, where there is one."""
    return part / whole if whole else None


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.3f}".rstrip("0").rstrip(".")
