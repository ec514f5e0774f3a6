"""How often the regression watch is wrong, measured: on noise it must not act, on a real drop it must."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.system import regression_watch as watch
from rpa_vision.system.regression_watch import Look, RegressionRecord, Tally, chance_of_so_few

POLICY = AutoHealPolicy()
STEPS_PER_RUN = 8
UPDATES = 2000


def is_rolled_back(rng: np.random.Generator, before: float, after: float, baseline: int, *, slow: bool) -> bool:
    """One update: steps in runs that end at their first failure, judged as the supervisor judges them.

    Slow runs are so far apart that the workflow's breaker never trips; otherwise all failures fall into its window.
    """
    record = RegressionRecord(version_id="v001", recent="".join("01"[int(ok)] for ok in rng.random(baseline) < before))
    record = watch.updated(record, "v002")
    step, failures, streaks = 0, 0, [0] * STEPS_PER_RUN
    for success in rng.random(POLICY.regression_window_steps) < after:
        record = watch.stepped(record, bool(success), POLICY)
        look = Look.WINDOW_FULL if watch.window_full(record, POLICY) else Look.IN_PASSING
        if success:
            streaks[step], step = 0, (step + 1) % STEPS_PER_RUN
        else:
            streaks[step], failures = streaks[step] + 1, failures + 1
            if failures >= POLICY.workflow_fail_max_in_window and not slow:
                look = Look.WORKFLOW_TRIP
            elif streaks[step] >= POLICY.step_fail_streak_to_degraded:
                look = Look.STEP_STREAK
            step = 0
        if watch.regressed(record, POLICY, look):
            return True
    return False


def share_rolled_back(
    before: float, after: float, baseline: int, updates: int = UPDATES, *, slow: bool = False
) -> float:
    rng = np.random.default_rng([int(before * 100), int(after * 100), baseline])
    return sum(is_rolled_back(rng, before, after, baseline, slow=slow) for _ in range(updates)) / updates


@pytest.mark.parametrize("baseline", [20, 50, 100])
@pytest.mark.parametrize("rate", [0.90, 0.95])
@pytest.mark.parametrize("slow", [False, True])
def test_an_update_that_changes_nothing_is_rolled_back_in_less_than_one_percent(rate: float, baseline: int, slow: bool):
    """AH-4.4; issue 3: no rollback on noise"""
    assert share_rolled_back(rate, rate, baseline, slow=slow) < 0.01


@pytest.mark.parametrize(("baseline", "share"), [(50, 0.95), (100, 0.95), (20, 0.90)])
def test_a_drop_from_95_to_60_percent_is_caught_within_50_steps(baseline: int, share: float):
    """AH-4.4; the fewer steps there were before, the less can be told"""
    assert share_rolled_back(0.95, 0.60, baseline, updates=1000) > share


def test_a_drop_of_less_than_the_policys_share_is_never_rolled_back():
    """AH-4.4: more than 20 percentage points"""
    record = RegressionRecord(version_id="v2", before="1" * 100, after=Tally(tried=50, succeeded=40), watching=True)
    assert not watch.regressed(record, POLICY, Look.WORKFLOW_TRIP)
    worse = record.model_copy(update={"after": Tally(tried=50, succeeded=39)})
    assert watch.regressed(worse, POLICY, Look.IN_PASSING)


@pytest.mark.parametrize(("before", "after"), [(45, 34), (40, 29), (50, 39), (25, 14)])
def test_with_full_windows_a_drop_of_more_than_20_points_is_enough(before: int, after: int):
    """AH-4.4: 50 steps against 50 need no statistics"""
    assert watch.regressed(fifty(before, after), POLICY, Look.IN_PASSING)
    assert not watch.regressed(fifty(before, after + 1), POLICY, Look.IN_PASSING), "20 points are not more than 20"


@given(st.integers(0, 50), st.integers(0, 50))
def test_full_windows_are_judged_by_the_drop_alone(before: int, after: int):
    """AH-4.4; whatever the rates"""
    assert watch.regressed(fifty(before, after), POLICY, Look.WINDOW_FULL) == (before - after > 10)


def test_fewer_steps_still_need_evidence():
    """AH-4.4: no rollback on noise, also where the policy's window is short"""
    short = AutoHealPolicy(regression_window_steps=10)
    record = RegressionRecord(
        version_id="v2", before="1" * 45 + "0" * 5, after=Tally(tried=10, succeeded=6), watching=True
    )
    assert not watch.regressed(record, short, Look.WINDOW_FULL)
    few = RegressionRecord(version_id="v2", before="1" * 9 + "0", after=Tally(tried=50, succeeded=34), watching=True)
    assert not watch.regressed(few, POLICY, Look.WINDOW_FULL)


def fifty(before: int, after: int) -> RegressionRecord:
    """50 steps before an update and 50 after it, so many of them good."""
    tally = Tally(tried=50, succeeded=after)
    return RegressionRecord(version_id="v2", before="1" * before + "0" * (50 - before), after=tally, watching=True)


def tallies(most: int) -> st.SearchStrategy[Tally]:
    def tally(tried: int) -> st.SearchStrategy[Tally]:
        return st.builds(Tally, tried=st.just(tried), succeeded=st.integers(0, tried))

    make: Callable[[int], st.SearchStrategy[Tally]] = tally
    return st.integers(1, most).flatmap(make)


@given(tallies(12), tallies(12))
def test_the_chance_is_the_share_of_orders_with_so_few_successes_at_the_end(before: Tally, after: Tally):
    """AH-4.4: Fisher's exact test, counted another way"""
    succeeded, failed = before.succeeded + after.succeeded, 0
    failed = before.tried + after.tried - succeeded
    ways = {0: 1.0}  # successes among the steps after the update, drawn one by one
    for drawn in range(after.tried):
        grown: dict[int, float] = {}
        for hits, share in ways.items():
            left = succeeded + failed - drawn
            grown[hits + 1] = grown.get(hits + 1, 0.0) + share * (succeeded - hits) / left
            grown[hits] = grown.get(hits, 0.0) + share * (failed - (drawn - hits)) / left
        ways = grown
    expected = sum(share for hits, share in ways.items() if hits <= after.succeeded)
    assert math.isclose(chance_of_so_few(before, after), expected, abs_tol=1e-9)


@given(tallies(40), tallies(40))
def test_one_more_failure_never_makes_chance_more_likely(before: Tally, after: Tally):
    """AH-4.4"""
    worse = Tally(tried=after.tried + 1, succeeded=after.succeeded)
    assert chance_of_so_few(before, worse) <= chance_of_so_few(before, after) + 1e-12
