"""Which way, and why: rules the data supports, questions where it does not."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.graph.rule_induction import MAX_CHANCE, Observation, induce_rule, induce_rules
from rpa_vision.graph.rule_literals import round_day, round_number
from rpa_vision.models.branch_rule import BranchQuestion, BranchRule
from rpa_vision.models.expression import Constant, parse
from rpa_vision.models.expression_value import holds

AMOUNTS = (120, 300, 560, 870, 950, 1020, 1400, 2300, 5000, 1100)


def by_amount(amounts: tuple[float, ...] = AMOUNTS, **constant: Constant) -> list[Observation]:
    return [Observation("validate" if a < 1000 else "send", {"amount": a, **constant}) for a in amounts]


def rule(observations: list[Observation]) -> BranchRule:
    found = induce_rule(observations)
    assert isinstance(found, BranchRule), found
    return found


def question(observations: list[Observation]) -> BranchQuestion:
    found = induce_rule(observations)
    assert isinstance(found, BranchQuestion), found
    return found


def test_a_threshold_is_the_roundest_between_two_observed_values_and_says_between_which() -> None:
    """L4-4"""
    found = rule(by_amount())
    assert (found.expression, found.on_true, found.on_false) == ("variables.amount < 1000", "validate", "send")
    assert (found.support.demonstrations, found.support.holds, found.support.fails) == (10, 5, 5)
    assert found.support.chance <= MAX_CHANCE
    (doubt,) = found.doubts
    assert (float(doubt.above), float(doubt.up_to), doubt.chosen) == (950, 1020, "1000")


def test_amounts_and_dates_are_understood_as_people_write_them() -> None:
    """L4-3, L4-4"""
    texts = ["120,00 €", "300,00 €", "870,50 €", "999,99 €", "1 020,00 €", "1 400,00 €", "2 300,00 €", "5 000,00 €"]
    assert rule(
        [Observation("a" if at < 4 else "b", {"montant": text}) for at, text in enumerate(texts)]
    ).expression == ("variables.montant < 1000")
    days = [f"{day:02d}/0{month}/2026" for month in (1, 2, 3, 4) for day in (3, 20)]
    found = rule([Observation("old" if at < 4 else "new", {"jour": day}) for at, day in enumerate(days)])
    assert found.expression == "variables.jour < 2026-03-01"


def test_a_category_decides() -> None:
    """L4-4"""
    seen = [
        Observation("boss" if c in "AC" else "self", {"client": c, "n": f"F{at}"}) for at, c in enumerate("ABCDABCDBD")
    ]
    assert rule(seen).expression == 'variables.client in ["A", "C"]'
    assert rule([Observation("x" if o.values["client"] == "B" else "y", o.values) for o in seen]).expression == (
        'variables.client == "B"'
    )


def test_two_variables_together_decide_where_one_does_not() -> None:
    """L4-4"""
    seen = [
        Observation("x" if a < 1000 and c == "A" else "y", {"amount": a, "client": c})
        for a in (100, 400, 900, 1200, 2000, 3000)
        for c in "AB"
    ]
    assert rule(seen).expression == 'variables.amount < 1000 and variables.client == "A"'


def test_few_demonstrations_are_not_enough_however_well_they_fit() -> None:
    """L4-4: three and three could go apart in 20 ways, and a threshold explains two of them"""
    asked = question(by_amount((300, 560, 870, 1400, 2300, 5000)))
    assert asked.reason == "by_chance"
    assert "variables.amount < 1000" in asked.candidates
    assert asked.missing_demonstrations >= 1
    assert question(by_amount((300, 560, 1400))).reason == "too_few"


def test_many_variables_make_an_accident_more_likely() -> None:
    """L4-4: what one variable supports, one of twenty does not"""
    amounts = (100, 200, 300, 400, 1100, 1200, 1300, 1400)
    assert isinstance(induce_rule(by_amount(amounts)), BranchRule)
    clutter = [
        Observation(one.way, {**one.values, **{f"v{n}": (at * (n + 3)) % 7 for n in range(12)}})
        for at, one in enumerate(by_amount(amounts))
    ]
    assert question(clutter).reason in ("by_chance", "several_rules")


def test_two_rules_that_explain_the_same_are_asked_about() -> None:
    """L4-4"""
    twins = [Observation(one.way, {**one.values, "weight": one.values["amount"]}) for one in by_amount()]
    asked = question(twins)
    assert asked.reason == "several_rules"
    assert {"variables.amount < 1000", "variables.weight < 1000"} <= set(asked.candidates)


def test_the_same_seen_and_another_way_gone_is_a_contradiction() -> None:
    """L4-4"""
    asked = question([*by_amount(), Observation("send", {"amount": 300})])
    assert (asked.reason, asked.contradicting) == ("contradiction", (1, 10))


def test_what_nothing_visible_explains_is_asked() -> None:
    """L4-4"""
    assert (
        question([Observation("ab"[at % 2], {"amount": at, "id": f"F-{at}"}) for at in range(12)]).reason
        == "unexplained"
    )


def test_a_variable_that_is_not_always_visible_explains_nothing() -> None:
    """L4-4"""
    seen = by_amount()
    seen[3] = Observation(seen[3].way, {"other": "x"})
    assert isinstance(induce_rule(seen), BranchQuestion)


def test_names_made_of_digits_have_no_order() -> None:
    """L4-4"""
    seen = [Observation("a" if at < 5 else "b", {"file": f"000{at}"}) for at in range(10)]
    assert question(seen).reason == "unexplained"


def test_three_ways_are_a_list_of_rules() -> None:
    """L4-4"""
    ways = [
        Observation("low" if a < 500 else "mid" if a < 1500 else "high", {"amount": a}) for a in range(100, 2500, 120)
    ]
    found = induce_rules(ways)
    assert isinstance(found, list)
    assert [(one.expression, one.on_true) for one in found] == [
        ("variables.amount < 500", "low"),
        ("variables.amount < 1500", "mid"),
    ]
    assert found[-1].on_false == "high"


def test_a_second_explanation_is_found_however_many_numbers_are_visible() -> None:
    """L4-4: what makes a rule a question is never left out for want of room"""
    amounts = [50 + 61 * at for at in range(15)] + [1100 + 97 * at for at in range(15)]
    seen = [
        Observation(
            "validate" if amount < 1000 else "send",
            {
                "amount": amount,
                "with_tax": round(amount * 1.2),
                **{f"n_{n:02d}": (amount * (n + 7)) % 997 for n in range(14)},
            },
        )
        for amount in amounts
    ]
    assert question(seen).reason == "several_rules"


def test_two_bricks_among_too_many_to_be_tried_are_asked_about() -> None:
    """L4-4: nobody knows what else would explain as much"""
    seen = [
        Observation(
            "send" if at % 3 and at >= 20 else "validate",
            {"a": at, "b": "yes" if at % 3 else "no", **{f"z_{n:02d}": (at * (n + 3) * 31) % 101 for n in range(12)}},
        )
        for at in range(40)
    ]
    few = [Observation(one.way, {name: one.values[name] for name in ("a", "b")}) for one in seen]
    assert "and" in rule(few).expression
    assert question(seen).reason == "by_chance"


def test_what_names_the_case_has_no_threshold() -> None:
    """L4-4: a number that runs on explains nothing"""
    seen = [Observation("validate" if at < 6 else "send", {"number": str(1031 + at)}) for at in range(12)]
    assert rule(seen).expression == "variables.number < 1037"
    found = induce_rule(seen, naming={"number"})
    assert isinstance(found, BranchQuestion)
    assert (found.reason, found.candidates) == ("unexplained", ())


def due(days: Iterable[int], shown: date, late: int = 0) -> list[Observation]:
    """Due so many days after the day on which it was shown; sent where that is less than `late`."""
    return [
        Observation(
            "send" if day < late else "keep", {"due": (shown + timedelta(days=day)).isoformat(), "today": shown}
        )
        for day in days
    ]


def test_a_day_about_the_day_of_the_demonstration_is_asked_about() -> None:
    """L4-4: overdue, or before the fifth of January?"""
    shown = date(2026, 1, 5)
    found = induce_rule(due((-30, -12, -4, -2, -1, 0, 2, 5, 19, 33), shown), today="today")
    assert isinstance(found, BranchQuestion)
    assert found.reason == "several_rules"
    assert {"variables.due < 2026-01-05", "variables.due < variables.today"} <= set(found.candidates)
    soon = induce_rule(due((-30, -12, -4, -2, 1, 4, 8, 12, 19, 33), shown, late=6), today="today")
    assert isinstance(soon, BranchQuestion)
    assert soon.reason == "by_chance"
    long_ago = induce_rule(due((-900, -800, -700, -690, -650, -300, -280, -200, -100, -60), shown, -400), today="today")
    assert isinstance(long_ago, BranchRule)


def test_shown_on_several_days_what_is_overdue_is_before_the_day_of_the_run() -> None:
    """L4-4"""
    days = (-30, -12, -4, -1, 1, 2, 5, 19)
    seen = [*due(days, date(2026, 1, 5)), *due(days, date(2026, 2, 9))]
    found = induce_rule(seen, today="today")
    assert isinstance(found, BranchRule)
    assert (found.expression, found.on_true, found.doubts) == ("variables.due < variables.today", "send", ())
    assert not holds(parse(found.expression), {"due": "09/03/2026", "today": "2026-03-09"})


def test_one_threshold_is_one_number_in_all_rules() -> None:
    """L4-4: the second rule is found without what the first has taken, and must not say another number"""
    amounts = (12, 15, 22, 31, 120, 150, 180, 210, 340, 360, 410, 450)
    seen = [
        Observation(
            "nothing" if amount < 100 else "send" if at % 2 == 0 else "validate",
            {"amount": amount, "urgent": "yes" if at % 2 == 0 else "no"},
        )
        for at, amount in enumerate(amounts)
    ]
    found = induce_rules(sorted(seen, key=lambda one: ("send", "validate", "nothing").index(one.way)))
    assert isinstance(found, list)
    gaps = {(doubt.above, doubt.up_to, doubt.chosen) for one in found for doubt in one.doubts}
    assert gaps == {("31.0", "120.0", "80")}
    assert all("80" in one.expression for one in found)


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.integers(-50, 50), st.sampled_from("xyz")), min_size=1, max_size=14)
)
def test_a_rule_explains_every_demonstration_and_anything_else_is_a_question(
    seen: list[tuple[str, int, str]],
) -> None:
    """L4-4"""
    observations = [Observation(way, {"n": number, "c": text}) for way, number, text in seen]
    found = induce_rule(observations)
    if isinstance(found, BranchRule):
        expression = parse(found.expression)
        for one in observations:
            assert one.way == (found.on_true if holds(expression, one.values) else found.on_false)
        assert found.support.chance <= MAX_CHANCE
        assert BranchRule.from_json(found.to_json()) == found
    else:
        assert found.question.endswith("?")


@pytest.mark.parametrize(
    ("low", "high", "chosen"),
    [(950, 1020, 1000), (1, 2, 2), (3, 4.5, 4), (0.12, 0.19, 0.15), (-30, -4, -20), (980, 999, 990), (-5, 5, 0),
     (10, 1000, 500)],
)  # fmt: skip
def test_round_numbers(low: float, high: float, chosen: float) -> None:
    """L4-4"""
    assert round_number(low, high) == chosen


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e6))
def test_a_round_number_lies_where_it_must(low: float, width: float) -> None:
    """L4-4"""
    high = low + width
    if high > low:
        assert low < round_number(low, high) <= high


def test_round_days() -> None:
    """L4-4"""
    assert round_day(date(2025, 12, 20), date(2026, 1, 10)) == date(2026, 1, 1)
    assert round_day(date(2026, 2, 20), date(2026, 3, 10)) == date(2026, 3, 1)
    assert date(2026, 3, 2) < round_day(date(2026, 3, 2), date(2026, 3, 5)) <= date(2026, 3, 5)
