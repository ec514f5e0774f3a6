"""A stored case, resolved again, gives the candidates it was stored with."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from failing_steps import PAGE, PERMISSION, VALIDATE, book_with, cut, failed_step, variable
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from rpa_vision.adapters.failures import FileFailureCaseStore
from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.adapters.storage.paths import DataPaths
from rpa_vision.app.failures import replay_all, replay_case
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.strategy_weights import StrategyWeights, Vote, element_key
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.models.failure_case import ResolverSettings
from rpa_vision.models.precision import Claim, Tally
from rpa_vision.models.target import Neighbour, TargetSpec
from rpa_vision.ports.learning import FoundTarget, RememberedTarget
from rpa_vision.system.failure_cases import FailureCaseRecorder
from rpa_vision.system.failure_evidence import StepEvidence, failure_context, resolver_settings
from rpa_vision.system.failure_replay import replay as replay_of
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import MOMENT, Item

LABELS = ["Valider", "Valider tout", "Annuler", "Approuver", "Enregistrer", "Valide", "", "N° facture"]


def recorded(recorder: FailureCaseRecorder, evidence: StepEvidence, result: object) -> str:
    case_id = recorder.record_failure("WF_by_hand", "E1", result, failure_context(evidence))  # type: ignore[arg-type]
    assert case_id is not None
    return case_id


@st.composite
def screens(draw: DrawFn) -> list[Item]:
    """Some things beside and below each other, with labels that are alike."""
    kinds = st.sampled_from(["button", "link", "text_input", "label", "cell"])
    places = draw(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 8)), min_size=1, max_size=10, unique=True))
    return [
        Item(draw(kinds), draw(st.sampled_from(["validate", "cancel", "form_input"])), draw(st.sampled_from(LABELS)),
             (20 + 150 * column, 40 + 60 * row, 140 + 150 * column, 80 + 60 * row))
        for column, row in places
    ]  # fmt: skip


targets = st.builds(
    TargetSpec,
    label=st.sampled_from([None, *LABELS[:6], "${quoi}"]),
    type=st.sampled_from([None, "button", "link", "text_input"]),
    role=st.sampled_from([None, "validate", "cancel"]),
    neighbours=st.lists(
        st.builds(
            Neighbour,
            label=st.sampled_from(LABELS[:5]),
            direction=st.just("left"),
            offset=st.tuples(st.integers(-300, 300), st.integers(-100, 100)),
        ),
        max_size=2,
    ).map(tuple),
)


@settings(max_examples=25, deadline=None)
@given(items=screens(), target=targets, level=st.integers(0, 3), with_look=st.booleans(), data=st.data())
def test_the_resolver_run_again_on_the_stored_screen_gives_the_stored_candidates(
    items: list[Item], target: TargetSpec, level: int, with_look: bool, data: st.DataObject
) -> None:
    """AH-7.1"""
    book = book_with(items)
    look = cut(book["page"], data.draw(st.sampled_from(items)).bbox) if with_look else None
    slots = {"quoi": variable()}
    evidence, result = failed_step(book, target, values={"quoi": "Valider"}, level=level, look=look, variables=slots)
    with tempfile.TemporaryDirectory() as folder:
        store = FileFailureCaseStore(DataFiles(DataPaths(Path(folder) / "data")))
        case_id = recorded(FailureCaseRecorder(store, ManualClock()), evidence, result)
        case, again = replay_case(store, case_id)
    assert again.verdict == "same", again.why
    assert case.resolution is not None
    kept = [(one.element_id, one.score, one.strategy, one.reasons) for one in case.resolution.candidates]
    now = [(one.element.element_id, one.score, one.strategy, one.reasons) for one in again.candidates]
    assert kept == now
    assert [one.element for one in again.candidates] == [
        book["page"].state.element(one.element_id) for one in case.resolution.candidates
    ]


def test_a_changed_resolver_shows_what_its_change_would_have_done(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-7.1"""
    evidence, result = failed_step(book_with(), TargetSpec(label="Valider", type="button"))
    case_id = recorded(recorder, evidence, result)

    def stricter(kept: ResolverSettings) -> TargetResolver:
        return TargetResolver(min_score=1.1, min_margin=kept.min_margin)

    _, again = replay_case(cases, case_id, resolver_for=stricter)
    assert (again.verdict, again.why) == ("different", "then resolved, now not_found")
    assert replay_all(cases)[case_id]["verdict"] == "same"


def test_the_weights_of_that_day_can_be_built_again(recorder: FailureCaseRecorder, cases: FileFailureCaseStore) -> None:
    """AH-7.1, AH-7.4"""
    wrong = Tally.of(*[Claim("som_text_match", "WF/E1", 0.95, number % 3 == 0) for number in range(60)])
    weights = StrategyWeights({"som_text_match": wrong, "role": Tally()}, {"WF/E1": wrong, "WF/E2": wrong})
    kept = resolver_settings(min_score=0.82, weights=weights, element="WF/E1")
    evidence, result = failed_step(book_with(), TargetSpec(label="Valider", type="button"), settings=kept)
    case_id = recorded(recorder, evidence, result)
    given: list[ResolverSettings] = []

    def as_then(settings: ResolverSettings) -> TargetResolver:
        given.append(settings)
        return TargetResolver(min_score=settings.min_score, min_margin=settings.min_margin)

    replay_case(cases, case_id, resolver_for=as_then)
    assert given == [kept]
    assert (list(given[0].strategies), list(given[0].elements)) == (["som_text_match"], ["WF/E1"])
    again = StrategyWeights(given[0].strategies, given[0].elements)
    votes = [Vote("som_text_match", 0.6, 0.97), Vote("role", 0.15, 0.85)]
    assert again.combined(votes, "WF/E1") == weights.combined(votes, "WF/E1") < 0.9


def test_what_the_supervisor_asked_for_on_top_is_asked_for_again(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-2.4, AH-3.1"""
    elsewhere = Neighbour(label="Annuler", direction="left", offset=(700, 500))
    target = TargetSpec(label="Valider", type="button", neighbours=(elsewhere,))
    evidence, result = failed_step(book_with(), target)
    outcome = evidence.step.outcome
    assert isinstance(outcome.resolution, Resolved)
    outcome.terms = replace(PERMISSION.thresholds, min_confidence=0.9, min_margin=0.3)
    assert evidence.resolver is not None
    assert outcome.before is not None
    profile = HealingProfile.at_level(2)
    outcome.resolution = evidence.resolver.resolve(target, outcome.before, {}, profile, terms=outcome.terms)
    case, again = replay_case(cases, recorded(recorder, evidence, result))
    assert case.resolution is not None
    assert case.resolution.outcome == "not_found"
    assert case.resolution.candidates
    assert (case.resolution.settings.min_score, case.resolution.settings.min_margin) == (0.9, 0.3)
    assert again.verdict == "same"


def test_an_answer_the_step_overruled_is_kept_as_the_resolver_gave_it(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-7.1"""
    evidence, result = failed_step(book_with(), TargetSpec(label="Valider", type="button"))
    profile = HealingProfile.at_level(2)
    evidence.step.outcome.resolution = Unresolved("not_found", "another screen came up", (), profile)
    case, again = replay_case(cases, recorded(recorder, evidence, result))
    assert case.resolution is not None
    assert (case.resolution.overruled, case.resolution.outcome) == (True, "resolved")
    assert case.resolution.message == "another screen came up"
    assert again.verdict == "same"


def test_a_step_that_never_looked_for_its_target_is_resolved_for_the_first_time(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-7.1"""
    evidence, result = failed_step(book_with(), TargetSpec(label="Valider", type="button"))
    evidence.step.outcome.resolution = None
    _, again = replay_case(cases, recorded(recorder, evidence, result))
    assert again.verdict == "new"
    assert again.to_json()["outcome"] == "resolved"


def test_what_cannot_be_replayed_says_why(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, data: Path
) -> None:
    """AH-7.1"""
    book = book_with(PAGE)
    evidence, result = failed_step(book, TargetSpec(label="Valider"), look=cut(book["page"], VALIDATE))
    case_id = recorded(recorder, evidence, result)
    (data / "failure_cases" / case_id / "look.png").unlink()
    assert replay_case(cases, case_id)[1].why == "the picture of the target was not kept"
    (data / "failure_cases" / case_id / "screen.png").unlink()
    assert replay_case(cases, case_id)[1].why == "the screen was not kept"
    bare = recorder.record_failure("WF", "E9", result, {})
    assert bare is not None
    assert replay_case(cases, bare)[1].verdict == "not_replayable"


def test_a_case_replays_with_the_terms_the_weights_and_the_memory_of_its_day(tmp_path: Path) -> None:
    """AH-2.4: what was remembered and counted then is in the case; what is known since does not matter."""
    book = book_with()
    target = TargetSpec(
        label="Valider", type="button", neighbours=(Neighbour(label="Praticien", direction="above", offset=(500, 90)),)
    )
    share = (VALIDATE[0] / 960, VALIDATE[1] / 600, VALIDATE[2] / 960, VALIDATE[3] / 600)
    found = FoundTarget("somebody", "Valider", "button", "validate", share, "som_text_match", 0.9)
    memories = (RememberedTarget(found, 4, MOMENT, MOMENT),)
    key = element_key("WF_by_hand", "E1", target)
    counted = Tally.of(*[Claim("role", key, 0.9, True)] * 15, *[Claim("role", key, 0.9, False)] * 15)
    weights = StrategyWeights({"role": counted}, {key: counted})
    strict = replace(PERMISSION.thresholds, min_confidence=0.95, pixel_scale=2.0)
    evidence, result = failed_step(book, target, settings=resolver_settings(weights=weights, element=key))
    resolver = TargetResolver(weights=weights)
    evidence.step.outcome.resolution = resolver.resolve(
        target, book["page"], {}, HealingProfile.at_level(2), terms=strict, element=key, memories=memories
    )
    evidence.step.outcome.terms, evidence.step.outcome.memories = strict, memories
    evidence = replace(evidence, permission=replace(PERMISSION, thresholds=strict))
    store = FileFailureCaseStore(DataFiles(DataPaths(tmp_path)))
    case_id = recorded(FailureCaseRecorder(store, ManualClock()), evidence, result)
    case, replay = replay_case(store, case_id)
    assert replay.verdict == "same", replay.why
    assert case.resolution is not None
    assert "was the target before, 4 times" in case.resolution.candidates[0].reasons
    assert case.terms is not None
    assert (case.terms.min_confidence, case.terms.pixel_scale) == (0.95, 2.0)
    forgetful = case.resolution.model_copy(
        update={"settings": case.resolution.settings.model_copy(update={"memories": ()})}
    )
    without = case.model_copy(update={"resolution": forgetful})
    assert replay_of(without, book["page"].pixels).verdict == "different", "the memory mattered"
