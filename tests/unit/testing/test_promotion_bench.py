"""The simulation of promotions lives by the rules, and says the same twice."""

from __future__ import annotations

import random

from rpa_vision.testing.promotion_bench import break_down, grow_up, lines, measure


def test_better_workflows_come_further_and_stay_longer() -> None:
    """L4-11"""
    poor, fair, good = (grow_up(rate, 0.0, 60, 120, random.Random(1)) for rate in (0.70, 0.90, 1.0))
    assert poor.confirmed < fair.confirmed <= good.confirmed == 1.0
    assert poor.alone < fair.alone < good.alone
    assert (good.median_runs_until, good.failed_alone, good.median_stay) == (35.0, 0.0, None), "5 + 10 + 20"


def test_what_is_broken_is_sent_back_at_once_or_after_two_runs() -> None:
    """L4-11, P003-10"""
    halting, clicking = (break_down(0.0, share, 20, random.Random(1)) for share in (0.0, 1.0))
    assert (halting.median_runs, halting.most_runs, halting.never) == (2.0, 2, 0.0)
    assert (clicking.median_runs, clicking.most_runs, clicking.never) == (1.0, 1, 0.0)


def test_the_same_seed_gives_the_same_tables() -> None:
    """UX-1"""
    assert measure(10, 40, seed=3) == measure(10, 40, seed=3)
    assert len(lines(measure(10, 40))) == 1 + 8 + 2 + 9
