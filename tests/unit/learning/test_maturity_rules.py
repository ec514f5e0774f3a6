"""The thresholds of the design, over what was counted."""

from __future__ import annotations

from typing import Any

import pytest

from rpa_vision.learning import maturity_rules as rules
from rpa_vision.models.maturity import WINDOW, CountedRun, Maturity
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LEARNING_STATES, LearningThresholds

DEFAULT = LearningThresholds()


def known(**facts: Any) -> Maturity:
    return Maturity(workflow_id="WF_one", **facts)


def run(**facts: Any) -> CountedRun:
    return CountedRun(**({"way": "supervised", "source": "run_1"} | facts))


@pytest.mark.parametrize(
    ("facts", "following"),
    [
        ({"observed_runs": 4, "similarity_total": 4.0}, None),
        ({"observed_runs": 5, "similarity_total": 4.45}, None),
        ({"observed_runs": 5, "similarity_total": 4.5}, "COACHING"),
        ({"observed_runs": 5, "similarity_total": 5.0}, "COACHING"),
        ({"state": "COACHING", "observed_runs": 50, "assist_runs": 9, "assist_successes": 9}, None),
        ({"state": "COACHING", "assist_runs": 10, "assist_successes": 8}, None),
        ({"state": "COACHING", "assist_runs": 10, "assist_successes": 9}, "AUTO_CANDIDATE"),
        ({"state": "AUTO_CANDIDATE", "auto_candidate_runs": 1000, "auto_candidate_successes": 1000}, None),
        ({"state": AUTO_CONFIRMED, "auto_confirmed_runs": 1000, "auto_confirmed_successes": 1000}, None),
    ],
)
def test_a_level_is_earned_by_the_thresholds_of_the_design(facts: Any, following: str | None) -> None:
    """L4-11: ≥5 observed and similarity ≥ .90; ≥10 assisted and success ≥ .90; the last step is a person's."""
    up = rules.step_up(known(**facts), DEFAULT)
    assert (up[0] if up is not None else None) == following


@pytest.mark.parametrize(
    ("runs", "successes", "earned"), [(19, 19, False), (20, 18, False), (20, 19, True), (40, 38, True), (41, 38, False)]
)
def test_what_a_person_may_approve(runs: int, successes: int, earned: bool) -> None:
    """L4-11: ≥20 runs, success ≥ .95, and then a person"""
    above = rules.next_level(
        known(state="AUTO_CANDIDATE", auto_candidate_runs=runs, auto_candidate_successes=successes), DEFAULT
    )
    assert (above.following, above.by_person, above.is_earned) == (AUTO_CONFIRMED, True, earned)


def test_a_workflow_has_thresholds_of_its_own() -> None:
    """L4-11"""
    strict = LearningThresholds(min_observed_runs_for_coaching=9)
    seen = known(observed_runs=8, similarity_total=8.0)
    assert rules.step_up(seen, DEFAULT) is not None
    assert rules.step_up(seen, strict) is None
    assert [(need.name, need.have, need.need) for need in rules.next_level(seen, strict).missing] == [
        ("observed_runs", 8, 9)
    ]


def test_what_was_not_verified_does_not_count() -> None:
    """L4-11"""
    here = known(state="AUTO_CANDIDATE", auto_candidate_runs=3, auto_candidate_successes=3, recent=(1.0, 1.0, 1.0))
    after = rules.counted(here, run(verified=False))
    assert after == here.model_copy(update={"unverified_runs": 1})


@pytest.mark.parametrize("way", ["assisted", "supervised", "alone", "authorised", "observed"])
@pytest.mark.parametrize("state", LEARNING_STATES)
def test_only_runs_of_its_own_kind_lift_a_level(way: Any, state: Any) -> None:
    """L4-11: what a person authorised for once earns nothing"""
    here = known(state=state, similarity_total=0.0)
    before = rules.next_level(here, DEFAULT).needs
    after = rules.next_level(rules.counted(here, run(way=way, confidence=1.0)), DEFAULT).needs
    counts = {("OBSERVATION", "observed"), ("COACHING", "assisted"), ("AUTO_CANDIDATE", "supervised")}
    assert (before != after) == ((state, way) in counts)


def test_one_failure_is_no_drop_and_two_are() -> None:
    """L4-11, P003-10: below .90 the workflow goes back"""
    here = known(state=AUTO_CONFIRMED, recent=(0.98,) * WINDOW)
    once = rules.counted(here, run(way="alone", succeeded=False))
    assert rules.step_down(once, run(way="alone", succeeded=False)) is None
    twice = rules.counted(once, run(way="alone", succeeded=False))
    assert rules.recent_confidence(twice) == pytest.approx(0.98 * 18 / 20)
    why = rules.step_down(twice, run(way="alone", succeeded=False))
    assert why is not None
    assert "0.882" in why


def test_unsure_successes_are_a_drop_too() -> None:
    """P003-10"""
    here = known(state=AUTO_CONFIRMED, recent=(0.91,) * WINDOW)
    for _ in range(WINDOW):
        assert rules.step_down(here, run(way="alone", confidence=0.91)) is None
        here = rules.counted(here, run(way="alone", confidence=0.91))
    here = here.model_copy(update={"recent": (0.89,) * WINDOW})
    assert rules.step_down(here, run(way="alone", confidence=0.89)) is not None


@pytest.mark.parametrize("state", LEARNING_STATES)
def test_an_anomaly_leads_down_from_the_auto_levels_only(state: Any) -> None:
    """L4-11"""
    why = rules.step_down(known(state=state), run(succeeded=False, anomaly="a wrong click"))
    assert (why is not None) == (state in ("AUTO_CANDIDATE", AUTO_CONFIRMED))


@pytest.mark.parametrize("one", LEARNING_STATES)
@pytest.mark.parametrize("other", LEARNING_STATES)
def test_which_level_may_follow_which(one: Any, other: Any) -> None:
    """P003-9"""
    here, there = LEARNING_STATES.index(one), LEARNING_STATES.index(other)
    assert rules.may_follow(one, other) == (there == here + 1 or (here >= 2 and other == "COACHING"))


@pytest.mark.parametrize(
    ("successes", "runs", "bound"),
    [
        (0, 0, 0.0),
        (5, 5, 0.5655),
        (19, 20, 0.7639),
        (20, 20, 0.8389),
        (38, 40, 0.8350),
        (99, 100, 0.9455),
        (0, 20, 0.0),
    ],
)
def test_the_lower_bound_is_wilsons(successes: int, runs: int, bound: float) -> None:
    """L4-11"""
    assert rules.lower_bound(successes, runs) == pytest.approx(bound, abs=5e-4)


def test_progress_is_that_of_what_lacks_most() -> None:
    """L4-11"""
    above = rules.next_level(known(observed_runs=2, similarity_total=2.0), DEFAULT)
    assert above.progress_percent == 40.0
    assert rules.next_level(known(state=AUTO_CONFIRMED), DEFAULT).progress_percent == 100.0
