"""Only validated successes outside DEGRADED reach SQLite, and the trail can give them all back."""

from __future__ import annotations

from pathlib import Path

import pytest
from decision_trails import result_of, tell_result

from rpa_vision.adapters.audit import JsonlAudit
from rpa_vision.adapters.decisions import SqliteSuccessStore
from rpa_vision.errors import DocumentError, UsageError
from rpa_vision.ports.auto_heal import SuccessStore
from rpa_vision.ports.decisions import SuccessRecords
from rpa_vision.testing.manual_clock import ManualClock


@pytest.fixture
def store(path: Path, clock: ManualClock) -> SqliteSuccessStore:
    return SqliteSuccessStore(path.with_name("successes.sqlite"), clock)


@pytest.mark.parametrize("status", ["failed", "blocked"])
def test_what_is_not_a_success_is_refused(store: SqliteSuccessStore, status: str) -> None:
    """AH-5.2, P001-5"""
    with pytest.raises(UsageError, match="only successes"):
        store.record_success("wf", "E1", result_of(status))
    assert store.count("wf") == 0


def test_successes_are_found_by_workflow_and_step(store: SqliteSuccessStore, clock: ManualClock) -> None:
    """AH-5.2"""
    writing: SuccessStore = store
    reading: SuccessRecords = store
    writing.record_success("wf", "E1", result_of(confidence=0.91))
    clock.advance(10)
    later = clock.now()
    writing.record_success("wf", "E2", result_of(confidence=0.92))
    writing.record_success("other", "E1", result_of())
    assert [found.step_id for found in reading.successes("wf")] == ["E2", "E1"]
    (first,) = reading.successes("wf", "E1")
    assert first.result == result_of(confidence=0.91)
    assert [found.step_id for found in reading.successes("wf", since=later)] == ["E2"]
    assert (reading.count("wf"), reading.count("wf", "E1"), reading.count("nobody")) == (2, 1, 0)


def fill(log: JsonlAudit, store: SqliteSuccessStore) -> None:
    """What a supervisor does: everything to the trail, successes outside DEGRADED to the store."""
    for number, (status, state) in enumerate(
        [("success", "running"), ("failed", "running"), ("success", "degraded"), ("blocked", "paused"),
         ("success", "running")]
    ):  # fmt: skip
        result = result_of(status, confidence=number / 10, failure="LOW_CONFIDENCE" if status == "failed" else None)
        tell_result(log, "wf", f"E{number}", result, state=state)
        if result.success and state != "degraded":
            store.record_success("wf", f"E{number}", result, run_id="r1")


def test_the_trail_gives_the_same_successes_back(path: Path, clock: ManualClock, store: SqliteSuccessStore) -> None:
    """AH-5.2, AH-5.3, P001-5"""
    log = JsonlAudit(path, clock)
    fill(log, store)
    kept = store.successes("wf")
    assert [found.step_id for found in kept] == ["E4", "E0"]
    report = store.rebuild_from(log)
    assert (report.kept, report.left_out) == (2, 3)
    assert store.successes("wf") == kept


def test_results_whose_state_is_not_known_are_left_out(
    path: Path, clock: ManualClock, store: SqliteSuccessStore
) -> None:
    """AH-5.3: what cannot be shown to have happened outside DEGRADED did not"""
    log = JsonlAudit(path, clock)
    success = result_of().to_json()
    log.append("step_result", {"run_id": "r", "workflow_id": "wf", "step_id": "E1", "result": success})
    log.append(
        "step_result", {"run_id": "r", "workflow_id": "../wf", "step_id": "E1", "state": "running", "result": success}
    )
    log.append("step_result", {"run_id": "r", "workflow_id": "wf", "step_id": "E1", "state": "running", "result": {}})
    assert store.rebuild_from(log).left_out == 3
    assert store.count("wf") == 0


@pytest.mark.parametrize(("stored", "kept"), [(True, 1), (False, 0)])
def test_the_trail_says_what_was_stored(
    path: Path, clock: ManualClock, store: SqliteSuccessStore, stored: bool, kept: int
) -> None:
    """AH-5.3: a success that led to DEGRADED began in RUNNING, and is not kept all the same"""
    log = JsonlAudit(path, clock)
    record = {"workflow_id": "wf", "step_id": "E1", "state": "running", "result": result_of().to_json()}
    log.append("step_result", {**record, "stored": stored})
    assert store.rebuild_from(log).kept == kept


@pytest.mark.parametrize("state", ["degraded", "paused", "quarantined", "rollback"])
def test_of_an_older_trail_only_what_began_in_running_is_taken(
    path: Path, clock: ManualClock, store: SqliteSuccessStore, state: str
) -> None:
    """AH-5.3"""
    log = JsonlAudit(path, clock)
    tell_result(log, "wf", "E1", result_of(), state=state)
    assert store.rebuild_from(log).kept == 0


def test_a_missing_or_torn_store_is_made_from_its_source(
    path: Path, clock: ManualClock, store: SqliteSuccessStore
) -> None:
    log = JsonlAudit(path, clock)
    fill(log, store)
    store.close()
    file = path.with_name("successes.sqlite")
    file.write_bytes(b"nothing of this kind")
    with pytest.raises(DocumentError, match="cannot be read"):
        SqliteSuccessStore(file, clock).count("wf")
    repaired = SqliteSuccessStore(file, clock, source=log)
    assert repaired.count("wf") == 2
    repaired.close()
    file.unlink()
    assert SqliteSuccessStore(file, clock, source=log).count("wf") == 2


def test_a_torn_store_can_be_rebuilt_by_hand(path: Path, clock: ManualClock) -> None:
    log = JsonlAudit(path, clock)
    tell_result(log, "wf", "E1", result_of())
    file = path.with_name("successes.sqlite")
    file.write_bytes(b"nothing of this kind")
    assert SqliteSuccessStore(file, clock).rebuild_from(log).kept == 1
