"""Fiche 10: claims are counted exactly, and the count decides how far a strategy is trusted."""

from __future__ import annotations

import threading
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.adapters.precision import SqlitePrecisionStore
from rpa_vision.errors import DocumentError
from rpa_vision.execution import calibration
from rpa_vision.execution.action_executor import StepOutcome
from rpa_vision.execution.calibration import Calibration
from rpa_vision.execution.execution_loop import ExecutedStep
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.strategy_weights import StrategyWeights, Vote, element_key
from rpa_vision.execution.target_resolver import Candidate, Resolved, TargetResolver
from rpa_vision.models.action import Action
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.precision import Claim, Tally
from rpa_vision.models.target import Neighbour, TargetSpec
from rpa_vision.models.workflow_graph import PostConditions, WorkflowEdge
from rpa_vision.system.precision import PrecisionMetrics, claims_of
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import ScreenBook

TEXT, ROLE = "som_text_match", "role"
TODAY = date(2025, 1, 1)


def tally(*, hits: int, misses: int, score: float = 0.95) -> Tally:
    return Tally.of(
        *[Claim(TEXT, "e", score, True)] * hits,
        *[Claim(TEXT, "e", score, False)] * misses,
    )


@pytest.fixture
def store(tmp_path: Path) -> SqlitePrecisionStore:
    return SqlitePrecisionStore(tmp_path / "learning" / "precision.db")


@pytest.fixture(scope="module")
def book() -> ScreenBook:
    made = ScreenBook()
    page = [("button", "validate", "Valider", (40, 40, 140, 80)), ("label", "x", "Praticien", (40, 120, 160, 144))]
    made.draw("page", page)  # type: ignore[arg-type]
    return made


def step(book: ScreenBook, *, expects: str | None = "done", **outcome: Any) -> ExecutedStep:
    target = TargetSpec(label="Valider", type="button")
    edge = WorkflowEdge(
        edge_id="E1",
        from_node="page",
        to_node="done",
        action=Action(type="mouse_click", target=target),
        post_conditions=PostConditions(expected_node=expects),
    )
    resolution = TargetResolver().resolve(target, book["page"], {}, HealingProfile.at_level(0))
    assert isinstance(resolution, Resolved)
    told: dict[str, Any] = {"resolution": resolution, "input_sent": True, "after": book["page"], **outcome}
    return ExecutedStep(edge, StepOutcome(**told), 10.0)


HELD: dict[str, Any] = {"status": ExecutionStatus.SUCCESS, "verified": True}
MISSED: dict[str, Any] = {"status": ExecutionStatus.FAILED, "failure_kind": FailureKind.POSTCONDITION_FAILED}


def test_precision_brier_and_curve_are_those_of_the_formulas() -> None:
    """AH-7.4"""
    some = Tally.of(
        Claim(TEXT, "e", 0.9, True),
        Claim(TEXT, "e", 0.9, True),
        Claim(TEXT, "e", 0.9, False),
        Claim(TEXT, "e", 0.5, True),
    )
    assert calibration.precision(some) == 0.75
    assert calibration.mean_claim(some) == pytest.approx(0.8)
    assert calibration.brier(some) == pytest.approx((0.01 + 0.01 + 0.81 + 0.25) / 4)
    assert calibration.calibration_error(some) == pytest.approx((abs(2 - 2.7) + abs(1 - 0.5)) / 4)
    low, high = calibration.curve(some)
    assert (low.lower, low.claims, low.mean_claim, low.precision) == (0.5, 1, 0.5, 1.0)
    assert (high.lower, high.claims, high.precision) == (0.9, 3, pytest.approx(2 / 3))
    assert calibration.precision(Tally()) is None
    assert calibration.curve(Tally()) == ()


def test_a_strategy_less_precise_than_it_claims_is_weighted_down_and_calibrated() -> None:
    """AH-7.4"""
    poor = tally(hits=60, misses=40)
    assert calibration.reliability(poor) == pytest.approx((60 + 10) / (95 + 10))
    assert Calibration(poor)(0.95) == pytest.approx((60 + 9.5) / 110)
    assert Calibration(poor)(1.0) < 0.7
    good = tally(hits=97, misses=3)
    assert calibration.reliability(good) == 1.0
    assert Calibration(good)(0.95) == 0.95


def test_a_few_claims_say_nothing() -> None:
    """AH-7.4"""
    few = tally(hits=0, misses=calibration.MIN_EVIDENCE - 1)
    assert calibration.reliability(few) == 1.0
    assert Calibration(few)(0.95) == 0.95
    assert calibration.reliability(tally(hits=0, misses=calibration.MIN_EVIDENCE)) == calibration.STRATEGY_FLOOR


def test_without_a_past_the_score_is_the_plain_weighted_mean_to_the_last_bit() -> None:
    """AH-7.4"""
    votes = [Vote(TEXT, 0.6, 0.913), Vote(ROLE, 0.15, 0.85), Vote("spatial_anchor", 0.15, None), Vote("t", 0.1, 0.37)]
    plain = (0.6 * 0.913 + 0.15 * 0.85 + 0.1 * 0.37) / (((0.6 + 0.15) + 0.15) + 0.1)
    assert StrategyWeights().combined(votes) == plain
    assert StrategyWeights({TEXT: tally(hits=5, misses=5)}).combined(votes) == plain
    assert StrategyWeights().combined([]) == 0.0


def test_the_combined_score_of_a_real_screen_is_the_resolvers_when_there_is_no_past(book: ScreenBook) -> None:
    """AH-7.4: the resolver keeps its behaviour."""
    neighbour = Neighbour(label="Praticien", direction="below", offset=(-10, -72))
    target = TargetSpec(label="Valider", type="button", role="validate", neighbours=(neighbour,))
    resolved = TargetResolver().resolve(target, book["page"], {}, HealingProfile.at_level(0))
    assert isinstance(resolved, Resolved)
    best: Candidate = resolved.best
    votes = [Vote(TEXT, 0.60, 1.0), Vote(ROLE, 0.15, 1.0), Vote("spatial_anchor", 0.15, 1.0)]
    assert round(StrategyWeights().combined(votes), 4) == best.score


def test_trust_moves_to_the_strategies_that_deserve_it_and_never_lifts_the_score() -> None:
    """AH-7.4"""
    weights = StrategyWeights({TEXT: tally(hits=50, misses=50)})
    agreeing, doubting = [Vote(TEXT, 0.6, 1.0), Vote(ROLE, 0.4, 1.0)], [Vote(TEXT, 0.6, 0.2), Vote(ROLE, 0.4, 1.0)]
    assert 0.7 < weights.combined(agreeing) < 1.0
    assert weights.combined(doubting) <= StrategyWeights().combined(doubting)
    assert weights.reliability(TEXT) == pytest.approx((50 + 10) / (95 + 10))


def test_an_element_with_a_bad_past_needs_more_but_a_perfect_match_still_passes_when_degraded() -> None:
    """AH-7.4, AH-3.1"""
    bad = StrategyWeights(elements={"WF/E1": tally(hits=0, misses=50)})
    perfect = [Vote(TEXT, 0.6, 1.0), Vote(ROLE, 0.4, 1.0)]
    assert bad.combined(perfect, "WF/E1") == calibration.ELEMENT_FLOOR >= 0.82
    assert bad.combined(perfect, "WF/E2") == 1.0
    assert bad.combined(perfect) == 1.0


def test_an_element_is_known_by_its_template_not_by_todays_value() -> None:
    """AH-7.4"""
    key = element_key("WF", "E3", TargetSpec(label="Facture ${numéro}", type="link"))
    assert key == "WF/E3/link/facture ${numero}"
    assert element_key("WF", "E3", TargetSpec()) == "WF/E3/any/"


def test_what_a_step_proves(book: ScreenBook) -> None:
    """AH-7.4"""
    [held] = claims_of("WF", step(book, **HELD))
    assert (held.strategy, held.element, held.correct) == (TEXT, "WF/E1/button/valider", True)
    [missed] = claims_of("WF", step(book, **MISSED))
    assert not missed.correct
    proves_nothing = [
        step(book, **HELD, expects=None),
        step(book, **{**HELD, "input_sent": False}),
        step(book, status=ExecutionStatus.BLOCKED),
        step(book, status=ExecutionStatus.FAILED, failure_kind=FailureKind.WATCHDOG_TIMEOUT),
        step(book, **{**MISSED, "after": None}),
        step(book, **{**MISSED, "resolution": None}),
    ]
    assert [claims_of("WF", one) for one in proves_nothing] == [()] * 6


def test_claims_are_counted_over_restarts_and_old_ones_are_forgotten(
    store: SqlitePrecisionStore, book: ScreenBook
) -> None:
    """AH-7.4"""
    clock = ManualClock()
    metrics = PrecisionMetrics(store, clock, window_days=30)
    assert metrics.report().strategies == ()
    for _ in range(30):
        metrics.note("WF", step(book, **MISSED))
    store.close()
    assert metrics.weights().reliability(TEXT) == calibration.STRATEGY_FLOOR
    [strategy] = metrics.report().strategies
    assert (strategy.name, strategy.claims, strategy.hits, strategy.precision) == (TEXT, 30, 0, 0.0)
    [element] = metrics.report().elements
    assert (element.name, element.reliability) == ("WF/E1/button/valider", calibration.ELEMENT_FLOOR)
    clock.advance(31 * 86_400)
    assert metrics.weights().reliability(TEXT) == 1.0
    metrics.note("WF", step(book, **HELD))
    assert sum(one.total.claims for one in store.tallies(date.min).values()) == 1
    store.close()


def test_several_robots_count_into_one_file(store: SqlitePrecisionStore, tmp_path: Path) -> None:
    """AH-7.4"""
    claims = [Claim(TEXT, "a", 0.9, True), Claim(TEXT, "b", 0.4, False), Claim(ROLE, "a", 1.0, True)]
    robots = [SqlitePrecisionStore(tmp_path / "learning" / "precision.db") for _ in range(4)]
    threads = [
        threading.Thread(target=lambda robot=robot: [robot.add(claims, TODAY) for _ in range(25)]) for robot in robots
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    counted = store.tallies(TODAY)
    assert {key: one.total.claims for key, one in counted.items()} == {
        (TEXT, "a"): 100,
        (TEXT, "b"): 100,
        (ROLE, "a"): 100,
    }
    assert counted[TEXT, "a"] == sum((Tally.of(claims[0]) for _ in range(100)), Tally())
    assert store.tallies(TODAY + timedelta(days=1)) == {}
    for robot in (*robots, store):
        robot.close()


def test_a_broken_file_of_counts_never_stops_a_run(tmp_path: Path, book: ScreenBook) -> None:
    """AH-7.4, EX-6"""
    path = tmp_path / "precision.db"
    path.write_bytes(b"this is no database" * 100)
    metrics = PrecisionMetrics(SqlitePrecisionStore(path), ManualClock())
    assert metrics.note("WF", step(book, **HELD))
    assert metrics.lost_claims == 1
    assert metrics.weights().reliability(TEXT) == 1.0
    with pytest.raises(DocumentError):
        metrics.report()


def test_the_resolver_weighs_a_strategy_down_that_was_wrong_more_often_than_it_said(book: ScreenBook) -> None:
    """AH-7.4: by the documented formula, and never up."""
    target = TargetSpec(label="Valider", type="button", role="validate")
    profile = HealingProfile.at_level(0)
    plain = TargetResolver().resolve(target, book["page"], {}, profile)
    assert isinstance(plain, Resolved)
    poor = StrategyWeights({TEXT: tally(hits=60, misses=40)})
    weighed = TargetResolver(weights=poor).resolve(target, book["page"], {}, profile)
    votes = [Vote(TEXT, 0.60, 1.0), Vote(ROLE, 0.15, 1.0)]
    score = weighed.best.score if isinstance(weighed, Resolved) else weighed.candidates[0].score
    assert score == round(poor.combined(votes), 4) < plain.best.score
    good = StrategyWeights({TEXT: tally(hits=100, misses=0)})
    assert TargetResolver(weights=good).resolve(target, book["page"], {}, profile) == plain


def test_the_past_of_an_element_counts_for_that_element_only(book: ScreenBook) -> None:
    """AH-7.4"""
    target = TargetSpec(label="Valider", type="button", role="validate")
    mine = element_key("WF", "E1", target)
    resolver = TargetResolver(weights=StrategyWeights({}, {mine: tally(hits=10, misses=30)}))
    asked = {name: resolver.resolve(target, book["page"], {}, HealingProfile.at_level(0), element=name)
             for name in (mine, "WF/E2/button/valider", None)}  # fmt: skip
    scores = {name: one.best.score for name, one in asked.items() if isinstance(one, Resolved)}
    assert scores == {mine: 0.85, "WF/E2/button/valider": 1.0, None: 1.0}


def test_without_a_past_the_resolver_says_what_it_always_said(book: ScreenBook) -> None:
    """AH-7.4"""
    target = TargetSpec(label="Valider", type="button", role="validate")
    profile = HealingProfile.at_level(0)
    few = StrategyWeights({TEXT: tally(hits=1, misses=18)})
    said = [TargetResolver(weights=weights).resolve(target, book["page"], {}, profile) for weights in (None, few)]
    assert said[0] == said[1] == TargetResolver().resolve(target, book["page"], {}, profile)
