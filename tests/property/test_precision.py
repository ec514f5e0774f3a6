"""Properties of the precision metrics, for any history of claims (AH-7.4)."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.execution import calibration
from rpa_vision.execution.calibration import ELEMENT_FLOOR, MIN_EVIDENCE, STRATEGY_FLOOR, Calibration, reliability
from rpa_vision.execution.strategy_weights import StrategyWeights, Vote
from rpa_vision.models.precision import Claim, Tally

scores = st.floats(0.0, 1.0) | st.integers(0, 10_000).map(lambda units: units / 10_000)
claims = st.builds(Claim, strategy=st.just("s"), element=st.just("e"), score=scores, correct=st.booleans())
histories = st.lists(claims, max_size=60) | st.lists(claims, min_size=MIN_EVIDENCE, max_size=60)
votes = st.lists(
    st.builds(Vote, strategy=st.sampled_from("stu"), weight=st.floats(0.01, 1.0), score=st.none() | scores),
    min_size=1,
    max_size=6,
)
often = settings(max_examples=60, deadline=None)


@often
@given(histories)
def test_everything_stays_on_its_scale(history: list[Claim]) -> None:
    """AH-7.4"""
    tally = Tally.of(*history)
    assert STRATEGY_FLOOR <= reliability(tally) <= 1.0
    assert ELEMENT_FLOOR <= reliability(tally, floor=ELEMENT_FLOOR) <= 1.0
    for measure in (calibration.precision, calibration.mean_claim, calibration.brier, calibration.calibration_error):
        value = measure(tally)
        assert (value is None) == (not history)
        assert value is None or 0.0 <= value <= 1.0
    assert sum(point.claims for point in calibration.curve(tally)) == len(history)


@often
@given(histories, st.randoms(use_true_random=False), st.integers(0, 120))
def test_the_order_of_claims_and_how_they_are_added_up_do_not_matter(
    history: list[Claim], shuffler: random.Random, cut: int
) -> None:
    """AH-7.4"""
    shuffled = list(history)
    shuffler.shuffle(shuffled)
    assert Tally.of(*shuffled) == Tally.of(*history) == Tally.of(*history[:cut]) + Tally.of(*history[cut:])


@often
@given(histories, scores, scores)
def test_a_calibrated_score_never_exceeds_the_claim_and_never_decreases_with_it(
    history: list[Claim], one: float, other: float
) -> None:
    """AH-7.4"""
    calibrated = Calibration(Tally.of(*history))
    low, high = min(one, other), max(one, other)
    assert 0.0 <= calibrated(low) <= low
    assert calibrated(low) <= calibrated(high) + 1e-12


@often
@given(st.lists(claims, min_size=MIN_EVIDENCE, max_size=60), st.data(), scores)
def test_being_right_once_more_never_costs_trust(history: list[Claim], data: st.DataObject, score: float) -> None:
    """AH-7.4"""
    place = data.draw(st.integers(0, len(history) - 1))
    old = history[place]
    right, wrong = (
        Tally.of(*history[:place], Claim("s", "e", old.score, correct), *history[place + 1 :])
        for correct in (True, False)
    )
    assert reliability(right) >= reliability(wrong)
    assert Calibration(right)(score) >= Calibration(wrong)(score) - 1e-12


@often
@given(st.lists(claims, max_size=MIN_EVIDENCE - 1), scores)
def test_too_little_evidence_changes_nothing(history: list[Claim], score: float) -> None:
    """AH-7.4"""
    tally = Tally.of(*history)
    assert reliability(tally) == 1.0
    assert Calibration(tally)(score) == score


@often
@given(st.integers(MIN_EVIDENCE, 2000), scores)
def test_a_strategy_that_is_always_right_is_always_believed(count: int, score: float) -> None:
    """AH-7.4"""
    tally = Tally.of(*[Claim("s", "e", score, True)] * count)
    assert reliability(tally) == 1.0
    assert Calibration(tally)(score) >= score - 1e-4


@often
@given(votes, histories, histories)
def test_a_past_never_lifts_the_combined_score_and_no_past_leaves_it_alone(
    said: list[Vote], first: list[Claim], second: list[Claim]
) -> None:
    """AH-7.4"""
    tallies = {"s": Tally.of(*first), "t": Tally.of(*second)}
    plain = StrategyWeights().combined(said, "e")
    combined = StrategyWeights(tallies, {"e": tallies["s"]}).combined(said, "e")
    assert 0.0 <= combined <= plain <= 1.0 + 1e-12
    total = sum(vote.weight for vote in said)
    assert abs(plain - sum(vote.weight * (vote.score or 0.0) for vote in said) / total) < 1e-12


@often
@given(votes, histories, st.data())
def test_a_better_vote_never_lowers_the_combined_score(
    said: list[Vote], history: list[Claim], data: st.DataObject
) -> None:
    """AH-7.4"""
    place = data.draw(st.integers(0, len(said) - 1))
    old = said[place]
    better = Vote(old.strategy, old.weight, data.draw(st.floats(old.score or 0.0, 1.0)))
    weights = StrategyWeights({"s": Tally.of(*history)})
    assert weights.combined([*said[:place], better, *said[place + 1 :]]) >= weights.combined(said) - 1e-12
