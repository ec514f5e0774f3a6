"""Fiche 19: what failed is kept whole, once, within bounds, and without secrets."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from pathlib import Path

import pytest
from failing_steps import HERE, PAGE, PERMISSION, VALIDATE, book_with, cut, failed_step, variable

from rpa_vision.adapters.failures import FileFailureCaseStore
from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.adapters.storage.paths import DataPaths
from rpa_vision.app.failures import CaseFilter, list_cases, show_case
from rpa_vision.errors import DocumentError, InvalidIdError, UnknownIdError
from rpa_vision.execution.target_resolver import Resolved
from rpa_vision.imaging.codec import decode
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.failure_case import FailureCase
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import InteractionHistory
from rpa_vision.ports.auto_heal import FailureRecorder
from rpa_vision.ports.learning import FoundTarget, RememberedTarget
from rpa_vision.system.failure_cases import FailureCaseRecorder
from rpa_vision.system.failure_evidence import failure_context
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.screens import Item

APPROVE = TargetSpec(label="Approuver", type="button")
FAILED = ExecutionResult(
    status=ExecutionStatus.FAILED, message="gone", failure_kind=FailureKind.TARGET_NOT_FOUND, confidence=0.4
)


def test_a_failed_step_is_kept_with_all_that_is_needed_to_understand_it(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, clock: ManualClock, data: Path
) -> None:
    """AH-2.4, AH-7.1"""
    book = book_with()
    look = cut(book["page"], VALIDATE)
    evidence, result = failed_step(book, TargetSpec(label="Valider ${quoi}", type="button"), values={"quoi": "tout"},
                                   look=look, variables={"quoi": variable()})  # fmt: skip
    port: FailureRecorder = recorder
    case_id = port.record_failure("WF_by_hand", "E1", result, failure_context(evidence, streak=3))
    assert case_id is not None
    assert {path.name for path in (data / "failure_cases" / case_id).iterdir()} == {
        "case.json", "seen.json", "screen.png", "look.png",
    }  # fmt: skip
    case = show_case(cases, case_id)
    assert (case.workflow_id, case.workflow_version, case.step_id, case.run_id) == ("WF_by_hand", 3, "E1", "run_1")
    assert (case.failure_kind, case.result) == (FailureKind.TARGET_NOT_FOUND, result)
    assert case.edge == evidence.step.edge
    assert case.target is not None
    assert case.target.label == "Valider ${quoi}"
    assert case.values == {"quoi": "tout"}
    assert case.screen_state is not None
    assert case.screen_state.ui_elements == book["page"].state.ui_elements
    assert case.screen_state.raw.screenshot_path == f"failure_cases/{case_id}/screen.png"
    assert case.resolution is not None
    assert case.resolution.outcome == "not_found"
    assert case.resolution.tolerance.attempt_level == 2
    assert case.resolution.settings.min_score == 0.72
    assert [score.node_id for score in case.node_scores] == ["page"]
    assert case.terms is not None
    assert case.terms.policy_digest == PERMISSION.thresholds.policy_digest
    assert case.environment == HERE
    assert case.details == {"streak": 3}
    assert (case.first_seen, case.last_seen, case.occurrences) == (clock.now(), clock.now(), 1)
    screen, kept_look = cases.picture(case_id, "screen"), cases.picture(case_id, "look")
    assert screen is not None
    assert kept_look is not None
    assert (decode(screen)[:, :, :3] == book["page"].pixels[:, :, :3]).all()
    assert (decode(kept_look)[:, :, :3] == look[:, :, :3]).all()


def test_what_was_seen_after_the_input_is_kept_too_and_only_then(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-7.1, L0-7: a click that changed the wrong thing is understood from both pictures, secrets black in both."""
    secret = "hunter2-Ünlock"
    book = book_with()
    book.draw("after", [*PAGE, Item("text_input", "form_input", "Code", (400, 180, 700, 210), value=secret)])
    for step_id, sent in (("E1", True), ("E2", False)):
        evidence, result = failed_step(book, APPROVE, step_id=step_id, secrets={"secret_1": secret})
        evidence.step.outcome.after, evidence.step.outcome.input_sent = book["after"], sent
        case_id = recorder.record_failure("WF", step_id, result, failure_context(evidence))
        assert case_id is not None
        after = cases.picture(case_id, "after")
        if not sent:
            assert after is None
            continue
        assert after is not None
        pixels = decode(after)
        assert not pixels[181:209, 401:699, :3].any(), "the line that shows the secret is blacked out"
        assert (pixels[:100, :, :3] == book["after"].pixels[:100, :, :3]).all()


def test_what_was_acted_on_says_how_that_went_before_and_now(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, clock: ManualClock
) -> None:
    """L2-5, AH-7.1"""
    evidence, result = failed_step(book_with(), TargetSpec(label="Valider"), kind=FailureKind.POSTCONDITION_FAILED)
    outcome = evidence.step.outcome
    assert isinstance(outcome.resolution, Resolved)
    best = outcome.resolution.best.element
    assert best.stable_id is not None
    found = FoundTarget(best.stable_id, best.label, best.type, best.role, (0.1, 0.1, 0.2, 0.2), "text", 0.9)
    outcome.memories = (RememberedTarget(found, 3, clock.now(), clock.now()),)
    histories = {}
    for step_id, sent in (("E1", True), ("E2", False)):
        outcome.input_sent = sent
        case_id = recorder.record_failure("WF", step_id, result, failure_context(evidence))
        assert case_id is not None
        screen = cases.load(case_id).screen_state
        assert screen is not None
        histories[step_id] = {one.label: one.interaction_history for one in screen.ui_elements}
    assert histories["E1"].pop("Valider") == InteractionHistory(click_count=4, success_rate=0.75)
    assert set(histories["E1"].values()) == {None}
    assert set(histories["E2"].values()) == {None}, "nothing was sent"


def test_failures_before_this_one_count_against_what_was_acted_on(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, clock: ManualClock
) -> None:
    """L2-5, AH-7.1"""
    rates = []
    for kind, times in ((FailureKind.POSTCONDITION_FAILED, 2), (FailureKind.WATCHDOG_TIMEOUT, 1)):
        evidence, result = failed_step(book_with(), TargetSpec(label="Valider"), kind=kind)
        outcome = evidence.step.outcome
        assert isinstance(outcome.resolution, Resolved)
        best = outcome.resolution.best.element
        assert best.stable_id is not None
        found = FoundTarget(best.stable_id, best.label, best.type, best.role, (0.1, 0.1, 0.2, 0.2), "text", 0.9)
        outcome.memories, outcome.input_sent = (RememberedTarget(found, 3, clock.now(), clock.now()),), True
        told = [recorder.record_failure("WF", "E1", result, failure_context(evidence)) for _ in range(times)]
        assert told[0] is not None
        screen = cases.load(told[0]).screen_state
        assert screen is not None
        rates += [one.interaction_history for one in screen.ui_elements if one.label == "Valider"]
    assert rates == [
        InteractionHistory(click_count=4, success_rate=0.75),
        InteractionHistory(click_count=6, success_rate=0.5),
    ], "two failures before, seen as one case, and this one"


def test_only_failures_after_something_was_sent_to_it_count_against_an_element(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """L2-5, AH-7.1: one case is one step, kind and layout; not all its sightings are of one element"""

    def failed(kind: FailureKind, *, sent: bool, label: str = "Valider") -> str | None:
        evidence, result = failed_step(book_with(), TargetSpec(label=label), kind=kind)
        evidence.step.outcome.input_sent = sent
        return recorder.record_failure("WF", "E1", result, failure_context(evidence))

    effectless = failed(FailureKind.POSTCONDITION_FAILED, sent=True)
    for sent, label in ((False, "Valider"), (True, "Annuler"), (True, "Annuler"), (True, "Valider")):
        assert failed(FailureKind.POSTCONDITION_FAILED, sent=sent, label=label) is None
    assert effectless is not None
    assert cases.sightings(effectless).occurrences == 5
    assert sorted(cases.sightings(effectless).sent_to.values()) == [2, 2]
    late = failed(FailureKind.WATCHDOG_TIMEOUT, sent=True)
    assert late is not None
    screen = cases.load(late).screen_state
    assert screen is not None
    (history,) = [one.interaction_history for one in screen.ui_elements if one.label == "Valider"]
    assert history == InteractionHistory(click_count=3, success_rate=0.0), "two before, and this one"

    old = cases.sightings(effectless).model_copy(update={"sent_to": {}})
    cases.note_sightings(old)
    later = failed(FailureKind.LOW_CONFIDENCE, sent=True)
    assert later is not None
    screen = cases.load(later).screen_state
    assert screen is not None
    (history,) = [one.interaction_history for one in screen.ui_elements if one.label == "Valider"]
    assert history is not None
    assert history.click_count == 3, "of an earlier version's case the first sighting, the one that came late, and this"


def test_candidates_are_kept_with_scores_strategies_and_reasons(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-7.1"""
    book = book_with([*PAGE, ("button", "validate", "Valider", (500, 300, 620, 340))])
    evidence, result = failed_step(book, TargetSpec(label="Valider", type="button"))
    case_id = recorder.record_failure("WF_by_hand", "E1", result, failure_context(evidence))
    assert case_id is not None
    resolution = cases.load(case_id).resolution
    assert resolution is not None
    assert resolution.outcome == "ambiguous"
    assert [candidate.element_id for candidate in resolution.candidates] == ["button_3", "button_5"]
    assert all(candidate.score == 1.0 and candidate.reasons for candidate in resolution.candidates)
    assert {candidate.strategy for candidate in resolution.candidates} == {"som_text_match"}


def test_the_same_failure_again_is_counted_and_not_kept_again(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, clock: ManualClock
) -> None:
    """AH-7.1"""
    evidence, result = failed_step(book_with(), APPROVE)
    case_id = recorder.record_failure("WF_by_hand", "E1", result, failure_context(evidence))
    assert case_id is not None
    began = clock.now()
    clock.advance(60)
    newer, _ = failed_step(book_with(), APPROVE, version=4)
    assert recorder.record_failure("WF_by_hand", "E1", result, failure_context(newer)) is None
    case = cases.load(case_id)
    assert (case.occurrences, case.first_seen, case.last_seen) == (2, began, began + timedelta(seconds=60))
    assert (case.workflow_version, case.last_workflow_version) == (3, 4)
    assert len(cases.list().items) == 1


def test_other_content_on_the_same_layout_is_the_same_case_and_another_screen_step_or_kind_is_not(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-7.1"""

    def recorded(items: list[Item], step: str = "E1", kind: FailureKind = FailureKind.TARGET_NOT_FOUND) -> str | None:
        evidence, result = failed_step(book_with([*PAGE, *items]), APPROVE, step_id=step, kind=kind)
        return recorder.record_failure("WF_by_hand", step, result, failure_context(evidence))

    assert recorded([Item("label", "data_display", "Facture 12", (500, 60, 700, 90))]) is not None
    assert recorded([Item("label", "data_display", "Facture 13", (500, 60, 700, 90))]) is None
    assert recorded([Item("button", "delete", "Supprimer", (500, 60, 700, 90))]) is not None
    assert recorded([Item("label", "data_display", "Facture 12", (500, 60, 700, 90))], step="E2") is not None
    assert recorded([], kind=FailureKind.POSTCONDITION_FAILED) is not None
    assert len(cases.list().items) == 4


def test_a_success_is_no_case(recorder: FailureCaseRecorder, cases: FileFailureCaseStore) -> None:
    """AH-7.1"""
    assert recorder.record_failure("WF", "E1", ExecutionResult(status=ExecutionStatus.SUCCESS), {}) is None
    assert cases.list().items == ()


def test_a_failure_nobody_has_evidence_of_is_kept_all_the_same(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-2.4"""
    case_id = recorder.record_failure("WF", "E1", FAILED, {"state": "running", "odd": object()})
    assert case_id is not None
    case = cases.load(case_id)
    assert (case.result, case.screen_state, case.details) == (FAILED, None, {"state": "running"})
    assert cases.picture(case_id, "screen") is None


def test_evidence_presented_before_the_supervisor_is_told_finds_its_case(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-7.1: the supervisor's hooks carry results only."""
    evidence, result = failed_step(book_with(), APPROVE)
    recorder.present(evidence)
    other = recorder.record_failure("WF_by_hand", "E2", FAILED, {"run_id": "run_1"})
    case_id = recorder.record_failure("WF_by_hand", "E1", result, {"state": "running", "run_id": "run_1"})
    assert case_id is not None
    assert other is not None
    assert cases.load(other).screen_state is None
    assert cases.load(case_id).screen_state is not None
    assert cases.load(case_id).details == {"state": "running"}
    cases.delete(case_id)
    again = recorder.record_failure("WF_by_hand", "E1", result, {"run_id": "run_1"})
    assert again is not None
    assert cases.load(again).screen_state is None, "evidence is of one failure only"


def test_evidence_is_of_one_run(recorder: FailureCaseRecorder, cases: FileFailureCaseStore) -> None:
    """AH-7.1: after a watchdog's expiry nobody asks for it any more; the next run's failure has its own, or none"""
    recorder.present(failed_step(book_with(), APPROVE, run_id="run_1")[0])
    case_id = recorder.record_failure("WF_by_hand", "E1", FAILED, {"run_id": "run_2"})
    assert case_id is not None
    assert cases.load(case_id).screen_state is None


def test_a_run_has_one_step_at_a_time(recorder: FailureCaseRecorder, cases: FileFailureCaseStore) -> None:
    """AH-7.1"""
    recorder.present(failed_step(book_with(), APPROVE, step_id="E1")[0])
    recorder.present(failed_step(book_with(), APPROVE, step_id="E2")[0])
    case_id = recorder.record_failure("WF_by_hand", "E1", FAILED, {"run_id": "run_1"})
    assert case_id is not None
    assert cases.load(case_id).screen_state is None


def test_evidence_of_a_blocked_step_does_not_wait(recorder: FailureCaseRecorder, cases: FileFailureCaseStore) -> None:
    """AH-7.1: a person said no; that is no failure, and its screen is not that of the next one"""
    evidence, _ = failed_step(book_with(), APPROVE)
    evidence.step.outcome.status = ExecutionStatus.BLOCKED
    recorder.present(evidence)
    case_id = recorder.record_failure("WF_by_hand", "E1", FAILED, {"run_id": "run_1"})
    assert case_id is not None
    assert cases.load(case_id).screen_state is None


def test_a_quarantine_without_a_step_takes_no_ones_evidence(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-1.4, AH-7.1"""
    evidence, result = failed_step(book_with(), APPROVE, run_id=None)
    recorder.present(evidence)
    by_hand = ExecutionResult(status=ExecutionStatus.BLOCKED, message="quarantined by hand")
    assert recorder.record_failure("WF_by_hand", "E1", by_hand, {}) is not None
    case_id = recorder.record_failure("WF_by_hand", "E1", result, {})
    assert case_id is not None
    assert cases.load(case_id).screen_state is not None


def test_evidence_nobody_asks_for_does_not_pile_up(recorder: FailureCaseRecorder, cases: FileFailureCaseStore) -> None:
    """AH-7.1"""
    book = book_with()
    for number in range(20):
        recorder.present(failed_step(book, APPROVE, step_id=f"E{number}", run_id=f"run_{number}")[0])
    kept = [
        recorder.record_failure("WF_by_hand", f"E{number}", FAILED, {"run_id": f"run_{number}"}) for number in range(20)
    ]
    with_screen = [case_id for case_id in kept if case_id and cases.load(case_id).screen_state is not None]
    assert len(with_screen) == 16


def test_secrets_are_kept_by_name_only(recorder: FailureCaseRecorder, data: Path) -> None:
    """L0-7, AH-7.1"""
    secret, code = "hunter2-Ünlock", "4711-0815"
    items = [*PAGE, Item("text_input", "form_input", "Code", (400, 180, 700, 210), value=f"{secret} ok")]
    evidence, result = failed_step(
        book_with(items),
        TargetSpec(label="Valider ${pin}", type="button"),
        values={"pin": code, "motif": "visite"},
        variables={"pin": variable(subtype="secret"), "motif": variable()},
        secrets={"secret_1": secret},
        message=f"typed {secret}, then {code}",
    )
    case_id = recorder.record_failure("WF", "E1", result, failure_context(evidence, note=f"it was {secret}"))
    assert case_id is not None
    folder = data / "failure_cases" / case_id
    for path in folder.iterdir():
        content = path.read_bytes()
        for hidden in (secret, code):
            assert hidden.encode() not in content
            assert json.dumps(hidden).strip('"').encode() not in content
    case = FailureCase.from_json((folder / "case.json").read_bytes())
    assert case.values == {"pin": "secret:pin", "motif": "visite"}
    assert case.result.message == "typed secret:secret_1, then secret:pin"
    pixels = decode((folder / "screen.png").read_bytes())
    assert not pixels[181:209, 401:699, :3].any(), "the line that shows the secret is blacked out"
    assert pixels[60:100, 40:240, :3].any()


def test_a_secret_that_is_a_word_of_the_document_costs_the_evidence_not_the_case(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """L0-7"""
    evidence, result = failed_step(book_with(), APPROVE, secrets={"secret_1": "button"}, message="a button is missing")
    case_id = recorder.record_failure("WF", "E1", result, failure_context(evidence))
    assert case_id is not None
    assert cases.load(case_id).result.message == "a secret:secret_1 is missing"


def test_a_report_is_attached_and_a_later_one_takes_its_place(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore
) -> None:
    """AH-2.5, AH-7.2"""
    case_id = recorder.record_failure("WF", "E1", FAILED, {})
    assert case_id is not None
    recorder.attach_report(case_id, {"final_state": "degraded"})
    recorder.attach_report(case_id, {"final_state": "quarantined"})
    assert cases.load(case_id).report == {"final_state": "quarantined"}
    with pytest.raises(UnknownIdError):
        recorder.attach_report("case_none", {})
    with pytest.raises(DocumentError):
        recorder.attach_report(case_id, {"odd": object()})


def test_cases_are_bounded_in_number_the_oldest_day_first_and_there_the_most_often_seen(
    cases: FileFailureCaseStore, clock: ManualClock
) -> None:
    """AH-7.1"""
    recorder = FailureCaseRecorder(cases, clock, max_cases=3)

    def fail(step: str, times: int = 1) -> str | None:
        first = recorder.record_failure("WF", step, FAILED, {})
        for _ in range(times - 1):
            clock.advance(1)
            assert recorder.record_failure("WF", step, FAILED, {}) is None
        return first

    fail("rare")
    fail("often", times=5)
    clock.advance(86_400)
    fail("next_day")
    kept = [["next_day", "rare"], ["next_day", "new"], ["new", "newer"], ["newer", "newest"]]
    for step, others in zip(("next_day", "new", "newer", "newest"), kept, strict=True):
        fail(step)
        clock.advance(1)
        assert set(others) <= {case.seen.step_id for case in cases.list().items}
        assert len(cases.list().items) <= 3
    assert "often" not in {case.seen.step_id for case in cases.list().items}


def test_cases_are_bounded_in_bytes_and_the_new_one_stays(
    cases: FileFailureCaseStore, clock: ManualClock, data: Path
) -> None:
    """AH-7.1"""
    evidence, result = failed_step(book_with(), APPROVE)
    FailureCaseRecorder(cases, clock).record_failure("WF", "E0", result, failure_context(evidence))
    one = cases.list().items[0].size_bytes
    assert one == sum(path.stat().st_size for path in (data / "failure_cases").glob("*/*"))
    recorder = FailureCaseRecorder(cases, clock, max_total_bytes=3 * one + 500)
    for number in range(1, 8):
        clock.advance(1)
        recorder.record_failure("WF", f"E{number}", result, failure_context(evidence))
        assert sum(case.size_bytes for case in cases.list().items) <= 3 * one + 500
    assert [case.seen.step_id for case in cases.list().items] == ["E7", "E6", "E5"]


def test_a_case_too_large_for_its_place_loses_its_pictures_first(
    cases: FileFailureCaseStore, clock: ManualClock
) -> None:
    """AH-7.1"""
    evidence, result = failed_step(book_with(), APPROVE)
    case_id = FailureCaseRecorder(cases, clock).record_failure("WF", "E0", result, failure_context(evidence))
    assert case_id is not None
    size = cases.list().items[0].size_bytes - len(cases.picture(case_id, "screen") or b"")
    small = FailureCaseRecorder(cases, clock, max_total_bytes=size + 200)
    other = small.record_failure("WF", "E1", result, failure_context(evidence))
    assert other is not None
    assert cases.picture(other, "screen") is None
    assert cases.load(other).screen_state is not None
    tiny = FailureCaseRecorder(cases, clock, max_total_bytes=100)
    assert tiny.record_failure("WF", "E2", result, failure_context(evidence)) is None


def test_what_a_killed_process_left_is_no_case_and_is_swept_away(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, data: Path
) -> None:
    """AH-7.1"""
    left = data / "failure_cases" / "case_half"
    recorder.record_failure("WF", "E1", FAILED, {})
    left.mkdir()
    (left / "screen.png").write_bytes(b"half a picture")
    assert not cases.has("case_half")
    assert len(cases.list().items) == 1
    recorder.record_failure("WF", "E2", FAILED, {})
    assert not left.exists()


def test_a_lost_count_and_a_torn_case_take_no_other_with_them(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, data: Path
) -> None:
    """AH-7.1"""
    first, second = (recorder.record_failure("WF", step, FAILED, {}) for step in ("E1", "E2"))
    assert first is not None
    assert second is not None
    (data / "failure_cases" / first / "seen.json").write_bytes(b'{"occurr')
    assert cases.load(first).occurrences == 1
    (data / "failure_cases" / second / "seen.json").unlink()
    (data / "failure_cases" / second / "case.json").write_bytes(b"{")
    listed = cases.list()
    assert [case.seen.case_id for case in listed.items] == [first]
    assert [entry.name for entry in listed.unreadable] == [f"failure_cases/{second}"]


def test_two_robots_on_one_directory_lose_no_count(data: Path, clock: ManualClock) -> None:
    """AH-7.1"""
    DataFiles(DataPaths(data)).claim()
    robots = [FailureCaseRecorder(FileFailureCaseStore(DataFiles(DataPaths(data))), clock) for _ in range(4)]
    made: list[str | None] = []

    def work(robot: FailureCaseRecorder) -> None:
        made.extend(robot.record_failure("WF", "E1", FAILED, {}) for _ in range(10))

    threads = [threading.Thread(target=work, args=(robot,)) for robot in robots]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(case_id is not None for case_id in made) == 1
    [case] = FileFailureCaseStore(DataFiles(DataPaths(data))).list().items
    assert case.seen.occurrences == 40


def test_cases_are_listed_by_workflow_step_and_kind(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, clock: ManualClock
) -> None:
    """AH-7.1"""
    for workflow, step in (("WF1", "E1"), ("WF1", "E2"), ("WF2", "E1")):
        clock.advance(1)
        recorder.record_failure(workflow, step, FAILED, {})
    everything = list_cases(cases).items
    assert [(seen.workflow_id, seen.step_id) for seen in everything] == [("WF2", "E1"), ("WF1", "E2"), ("WF1", "E1")]
    assert len(list_cases(cases, CaseFilter(workflow_id="WF1")).items) == 2
    assert len(list_cases(cases, CaseFilter(step_id="E1")).items) == 2
    assert list_cases(cases, CaseFilter(failure_kind=FailureKind.LOW_CONFIDENCE)).items == ()


def test_an_id_that_is_a_path_is_refused_and_a_case_can_be_forgotten(
    recorder: FailureCaseRecorder, cases: FileFailureCaseStore, data: Path
) -> None:
    """AH-7.1"""
    case_id = recorder.record_failure("WF", "E1", FAILED, {})
    assert case_id is not None
    with pytest.raises(InvalidIdError):
        cases.load("../workflows")
    cases.delete(case_id)
    assert not (data / "failure_cases" / case_id).exists()
    with pytest.raises(UnknownIdError):
        cases.delete(case_id)
