"""A day is planned from its seed: the same seed the same day, and every day shows what it must."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from rpa_vision.demo.clinic.accounts_data import MANAGER_LIMIT_CENTS, PaymentStatus, make_accounts
from rpa_vision.demo.day.agenda import SMALL, Agenda, DaySize, plan_day, unshown_cents

SEEDS = range(1, 26)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_day_holds_every_task_often_enough(seed: int) -> None:
    """P003-16: what is shown less than three times is not learned."""
    agenda = plan_day(seed)
    whole = [go for go in agenda.goes if not go.is_broken_off]
    assert Counter(go.task for go in whole) == {"slips": 5, "claims": 10, "journal": 6}
    assert sum(go.is_broken_off for go in agenda.goes) == 1
    assert sum(bool(go.expires_at) for go in agenda.goes) == 2
    assert len({go.subject for go in agenda.goes}) == len(agenda.goes)
    assert plan_day(seed) == agenda
    assert plan_day(seed + 100) != agenda


@pytest.mark.parametrize("seed", SEEDS)
def test_every_go_is_done_to_its_end_except_the_one_that_is_broken_off(seed: int) -> None:
    """L0-4: a go that was left for another is taken up again later."""
    agenda = plan_day(seed)
    for go in agenda.goes:
        turns = [turn for turn in agenda.turns if turn.go == go.name]
        assert (turns[-1].stop_after == "") is not go.is_broken_off
        assert all(turn.stop_after for turn in turns[:-1])
    left = [turn.go for turn in agenda.turns if turn.stop_after and not agenda.go(turn.go).is_broken_off]
    assert sorted(agenda.go(name).task for name in left) == ["journal", "slips"]
    for earlier, later in pairwise(agenda.turns):
        assert earlier.go != later.go


@pytest.mark.parametrize("size", [DaySize(), SMALL], ids=["whole", "small"])
@pytest.mark.parametrize("seed", SEEDS)
def test_claims_lie_on_both_sides_of_the_limit_and_next_to_it(seed: int, size: DaySize) -> None:
    """L4-4: where the rule lies can be told from the day, to the nearest claim that there is."""
    cents = {claim.number: claim.amount_cents for claim in make_accounts(seed).claims}
    shown = [go for go in plan_day(seed, size).goes if go.task == "claims" and not go.is_broken_off]
    low = [cents[go.subject] for go in shown if not go.is_high]
    high = [cents[go.subject] for go in shown if go.is_high]
    assert min(len(low), len(high)) >= 3
    assert max(low) == max(value for value in cents.values() if value < MANAGER_LIMIT_CENTS)
    assert min(high) == min(value for value in cents.values() if value >= MANAGER_LIMIT_CENTS)


@pytest.mark.parametrize("seed", SEEDS)
def test_for_runs_alone_no_claim_is_chosen_of_which_nobody_showed_the_way(seed: int) -> None:
    """L4-4: a run that stops there is right to stop."""
    low, high = unshown_cents(plan_day(seed))
    assert low < MANAGER_LIMIT_CENTS < high
    cents = {claim.number: claim.amount_cents for claim in make_accounts(seed + 1000).claims}
    chosen = plan_day(seed + 1000, DaySize(claims=6), unshown_cents=(low, high)).goes
    assert all(not low < cents[go.subject] < high for go in chosen if go.task == "claims")


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rows_of_a_slip_are_those_that_wait(seed: int) -> None:
    """L4-5"""
    status = {payment.number: payment.status for payment in make_accounts(seed).payments}
    for go in plan_day(seed).goes:
        assert all(status[row] is PaymentStatus.TO_VALIDATE for row in go.rows)
        assert bool(go.rows) is (go.task == "slips")


def test_an_agenda_is_the_same_from_its_file() -> None:
    agenda = plan_day(3)
    assert Agenda.from_json(agenda.to_json()) == agenda
