"""Decisions can be asked about; the index that answers is never more than a copy of the trail."""

from __future__ import annotations

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from decision_trails import result_of, tell_result, tell_transition

from rpa_vision.adapters.audit import AuditSettings, JsonlAudit
from rpa_vision.adapters.decisions import SqliteDecisionIndex
from rpa_vision.models.auto_heal import ExecutionState, StateTransition
from rpa_vision.ports.decisions import DecisionFilter, DecisionIndex
from rpa_vision.system.decision_queries import DecisionQueries, durations
from rpa_vision.testing.manual_clock import ManualClock

RUNNING, DEGRADED, PAUSED = ExecutionState.RUNNING, ExecutionState.DEGRADED, ExecutionState.PAUSED
FAILED = result_of("failed", confidence=0.4, failure="TARGET_NOT_FOUND")
TIMED_OUT = result_of("failed", confidence=None, failure="WATCHDOG_TIMEOUT")


@pytest.fixture
def log(path: Path, clock: ManualClock) -> JsonlAudit:
    return JsonlAudit(path, clock, AuditSettings(max_bytes=2000, compress=True))


@pytest.fixture
def index(path: Path, log: JsonlAudit) -> SqliteDecisionIndex:
    return SqliteDecisionIndex(path.with_name("decisions.sqlite"), log)


@pytest.fixture
def queries(index: SqliteDecisionIndex, clock: ManualClock) -> DecisionQueries:
    return DecisionQueries(index, clock)


@pytest.fixture
def told(log: JsonlAudit, clock: ManualClock) -> JsonlAudit:
    """Two workflows on one evening, one of them in trouble."""
    log.append("run_requested", {"run_id": "r1", "workflow_id": "wf_a", "mode": "auto"})
    tell_result(log, "wf_a", "E1", result_of(confidence=0.95))
    clock.advance(60)
    for _ in range(3):
        tell_result(log, "wf_a", "E2", FAILED)
        clock.advance(60)
    tell_transition(log, clock, "wf_a", "running", "degraded")
    tell_result(log, "wf_a", "E1", result_of(confidence=0.85), state="degraded")
    clock.advance(3600)
    tell_result(log, "wf_b", "E1", TIMED_OUT, run="r2")
    tell_transition(log, clock, "wf_a", "degraded", "quarantined")
    clock.advance(1800)
    log.append("run_ended", {"run_id": "r1", "status": "halted", "reason": "quarantined"})
    return log


ASKED: dict[str, tuple[DecisionFilter, int]] = {
    "everything": (DecisionFilter(), 10),
    "workflow, the end of its run included": (DecisionFilter(workflow_id="wf_a"), 9),
    "step": (DecisionFilter(workflow_id="wf_a", step_id="E2"), 3),
    "run": (DecisionFilter(run_id="r2"), 1),
    "kind": (DecisionFilter(kinds=("run_requested", "run_ended")), 2),
    "state": (DecisionFilter(states=("degraded",)), 2),
    "status": (DecisionFilter(statuses=("failed",)), 4),
    "failure kind": (DecisionFilter(failure_kinds=("WATCHDOG_TIMEOUT",)), 1),
    "confidence": (DecisionFilter(min_confidence=0.85, max_confidence=0.95), 2),
    "low confidence": (DecisionFilter(max_confidence=0.5), 3),
    "nothing": (DecisionFilter(workflow_id="wf_c"), 0),
    "a name that is no name": (DecisionFilter(workflow_id="' OR 1=1 --"), 0),
}


@pytest.mark.parametrize("question", ASKED)
@pytest.mark.usefixtures("told")
def test_decisions_are_found_by_what_is_asked(queries: DecisionQueries, question: str) -> None:
    """AH-5.4, AH-5.5"""
    which, count = ASKED[question]
    assert len(queries.history(which)) == queries.count(which) == count


def test_a_time_range_holds_its_beginning_and_not_its_end(
    queries: DecisionQueries, told: JsonlAudit, clock: ManualClock
) -> None:
    """AH-5.5"""
    now = clock.now()
    last = DecisionFilter(since=now, until=now + timedelta(seconds=1))
    assert [decision.kind for decision in queries.history(last)] == ["run_ended"]
    assert queries.count(DecisionFilter(until=now)) == 9


@pytest.mark.usefixtures("told")
def test_a_decision_carries_what_was_decided_and_where_it_is_written(queries: DecisionQueries, log: JsonlAudit) -> None:
    """AH-5.4: metadata including confidence and state"""
    decision = queries.history(DecisionFilter(step_id="E2"), newest_first=False)[0]
    assert (decision.workflow_id, decision.state, decision.status) == ("wf_a", "running", "failed")
    assert (decision.confidence, decision.execution_time_ms) == (0.4, 800.0)
    entry = next(log.entries(decision.position))
    assert entry.record == decision.record


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize("newest_first", [True, False])
def test_pages_follow_each_other(queries: DecisionQueries, newest_first: bool) -> None:
    whole = [decision.number for decision in queries.history(newest_first=newest_first)]
    pages: list[int] = []
    while page := queries.history(limit=3, newest_first=newest_first, before=pages[-1] if pages else None):
        pages += [decision.number for decision in page]
    assert pages == whole


@pytest.mark.usefixtures("told")
def test_the_step_that_fails_most_comes_first(queries: DecisionQueries) -> None:
    """AH-5.5: patterns"""
    first, second = queries.most_failing_steps()
    assert (first.workflow_id, first.step_id, first.failures, first.failure_ratio) == ("wf_a", "E2", 3, 1.0)
    assert (second.workflow_id, second.failures) == ("wf_b", 1)


@pytest.mark.usefixtures("told")
def test_failures_are_counted_by_kind_and_workflow(queries: DecisionQueries) -> None:
    """AH-5.5"""
    counts = {(found.workflow_id, found.failure_kind): found.failures for found in queries.failure_kinds()}
    assert counts == {("wf_a", "TARGET_NOT_FOUND"): 3, ("wf_b", "WATCHDOG_TIMEOUT"): 1}


@pytest.mark.usefixtures("told")
def test_confidence_is_told_over_time(queries: DecisionQueries) -> None:
    """AH-5.5"""
    points = queries.confidence_over_time(DecisionFilter(workflow_id="wf_a"), bucket_s=60)
    assert [(point.results, round(point.mean, 2), point.lowest) for point in points] == [
        (1, 0.95, 0.95), (1, 0.4, 0.4), (1, 0.4, 0.4), (1, 0.4, 0.4), (1, 0.85, 0.85)]  # fmt: skip
    assert points[0].begin.isoformat() == "2026-03-31T23:00:00+00:00"


@pytest.mark.usefixtures("told")
def test_transitions_and_how_long_each_state_lasted_are_known(queries: DecisionQueries) -> None:
    """AH-8.2"""
    transitions = queries.transitions(DecisionFilter(workflow_id="wf_a"))
    assert [transition.to_state for transition in transitions] == [ExecutionState.DEGRADED, ExecutionState.QUARANTINED]
    degraded, quarantined = queries.state_durations("wf_a")
    assert (degraded.state, degraded.times, degraded.total_s, degraded.is_current) == ("degraded", 1, 3600.0, False)
    assert (quarantined.total_s, quarantined.mean_s, quarantined.is_current) == (1800.0, 1800.0, True)


def test_a_change_that_never_held_and_the_time_before_the_first_one_are_accounted_for(clock: ManualClock) -> None:
    """AH-8.2: a process that dies between writing and storing leaves a number that is given again"""
    begin = clock.now()
    common = {"workflow_id": "wf", "reason": "r"}
    transitions = [
        StateTransition(**common, from_state=RUNNING, to_state=DEGRADED, at=begin, number=1, lasted_s=100.0),
        StateTransition(**common, from_state=DEGRADED, to_state=PAUSED, at=begin + timedelta(seconds=5), number=2),
        StateTransition(**common, from_state=DEGRADED, to_state=RUNNING, at=begin + timedelta(seconds=9), number=2),
    ]
    found = {one.state: (one.times, one.total_s) for one in durations(transitions, until=begin + timedelta(seconds=10))}
    assert found == {RUNNING: (2, 101.0), DEGRADED: (1, 9.0)}


def test_what_was_decided_a_moment_ago_is_in_the_answer(
    queries: DecisionQueries, told: JsonlAudit, index: SqliteDecisionIndex
) -> None:
    assert queries.count() == 10
    tell_result(told, "wf_a", "E9", FAILED)
    assert queries.count() == 11
    tell_result(told, "wf_a", "E9", FAILED)
    assert index.refresh() == 1


def damaged(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)


def foreign(path: Path) -> None:
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE somebody_elses (x)")


def of_the_future(path: Path) -> None:
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize("spoil", [damaged, foreign, of_the_future, Path.unlink])
def test_an_index_that_is_missing_torn_or_not_ours_is_built_again(
    path: Path, told: JsonlAudit, index: SqliteDecisionIndex, spoil: object
) -> None:
    """SPEC AH: a disposable index"""
    assert index.refresh() == 10
    index.close()
    spoil(path.with_name("decisions.sqlite"))  # type: ignore[operator]
    again: DecisionIndex = SqliteDecisionIndex(path.with_name("decisions.sqlite"), told)
    again.refresh()
    assert again.count(DecisionFilter()) == 10


def test_an_index_removed_under_its_user_is_built_again(
    path: Path, told: JsonlAudit, index: SqliteDecisionIndex
) -> None:
    index.refresh()
    for file in path.parent.glob("decisions.sqlite*"):
        file.unlink()
    assert index.count(DecisionFilter()) == 10
    assert index.rebuild() == 10


@pytest.mark.parametrize("length", [1, 10, 40])
def test_an_index_of_another_trail_is_built_again(
    path: Path, told: JsonlAudit, index: SqliteDecisionIndex, clock: ManualClock, length: int
) -> None:
    """Shorter, as long, longer: the next entry is not tied to the last one known."""
    index.refresh()
    told.close()
    for file in [*path.parent.glob("audit*"), *path.parent.glob(".audit*")]:
        file.unlink()
    other = JsonlAudit(path, clock)
    for number in range(length):
        other.append("run_ended", {"run_id": f"other_{number}"})
    index.refresh()
    assert index.count(DecisionFilter()) == length
    assert index.count(DecisionFilter(workflow_id="wf_a")) == 0


def test_entries_of_any_shape_are_taken_in(path: Path, log: JsonlAudit, index: SqliteDecisionIndex) -> None:
    for record in (
        {},
        {"workflow_id": 7, "run_id": None},
        {"result": "none", "state": []},
        {"result": {"confidence": True}},
    ):
        log.append("step_result", record)  # type: ignore[arg-type]
    with path.open("ab") as file:
        file.write(b"torn")
    assert index.refresh() == 4
    assert index.refresh() == 0
    assert index.count(DecisionFilter(workflow_id="7")) == 0


def test_a_question_by_workflow_and_time_is_looked_up_not_searched(
    index: SqliteDecisionIndex, told: JsonlAudit
) -> None:
    index.refresh()
    clock = ManualClock()
    plan = index.plan(DecisionFilter(workflow_id="wf_a", since=clock.now(), kinds=("step_result",)))
    assert "decision_by_workflow (workflow_id=? AND at_us>?)" in plan
    assert "TEMP B-TREE" not in plan


def test_two_users_of_one_index_take_each_entry_in_once(
    path: Path, told: JsonlAudit, index: SqliteDecisionIndex
) -> None:
    other = SqliteDecisionIndex(path.with_name("decisions.sqlite"), told)
    assert index.refresh() + other.refresh() == 10
    tell_result(told, "wf_a", "E9", FAILED)
    assert other.refresh() + index.refresh() == 1
    assert index.count(DecisionFilter()) == other.count(DecisionFilter()) == 11
