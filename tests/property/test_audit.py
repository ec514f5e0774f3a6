"""P001-5 and the chain, for any history: what is written is found again, and what is touched is found out."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from rpa_vision.adapters.audit import AuditSettings, JsonlAudit, JsonlTrail
from rpa_vision.adapters.audit.entries import FIRST, Draft, digest
from rpa_vision.adapters.decisions import SqliteDecisionIndex, SqliteSuccessStore
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.decisions import DecisionFilter
from rpa_vision.ports.supervision import RunContext
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.testing.auto_heal_fakes import HealWorld
from rpa_vision.testing.manual_clock import ManualClock

LAZY = AuditSettings(fsync="interval", fsync_interval_s=1e9)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
RECORDS = st.dictionaries(TEXT, JSON, max_size=4)
STEPS = st.tuples(
    st.sampled_from(["wf_a", "wf_b"]),
    st.sampled_from(["E1", "E2", "E3"]),
    st.sampled_from(ExecutionStatus),
    st.sampled_from(ExecutionState),
    st.floats(0, 1),
    st.integers(0, 4000),
)


@contextmanager
def trail_path() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder) / "audit.jsonl"


@given(kind=TEXT, record=RECORDS)
def test_an_entry_is_hashed_the_same_by_whoever_writes_and_whoever_reads_it(kind: str, record: dict[str, Any]) -> None:
    """AH-5.1"""
    written = Draft(kind, record).tied_to(FIRST, "2026-01-01T00:00:00+00:00")
    entry = json.loads(written.line)
    assert digest(entry) == entry["hash"] == written.hash
    assert (entry["kind"], entry["record"]) == (kind, record)
    assert b"\n" not in written.line


@settings(max_examples=40)
@given(records=st.lists(RECORDS, min_size=1, max_size=12), size=st.integers(200, 3000), packing=st.booleans())
def test_any_history_over_any_files_verifies_and_reads_back(
    records: list[dict[str, Any]], size: int, packing: bool
) -> None:
    """AH-5.1"""
    with trail_path() as path:
        settings = AuditSettings(fsync="interval", fsync_interval_s=1e9, max_bytes=size, compress=packing)
        log = JsonlAudit(path, ManualClock(), settings)
        for record in records:
            log.append("step_result", record)
        result = log.verify()
        assert (result.ok, result.entries) == (True, len(records))
        assert [entry.record for entry in log.entries()] == records
        log.close()


@settings(max_examples=120)
@given(data=st.data(), count=st.integers(1, 6))
def test_any_touch_of_any_byte_or_line_is_found_out(data: st.DataObject, count: int) -> None:
    """AH-5.1: every line, every byte, every way"""
    with trail_path() as path:
        log = JsonlAudit(path, ManualClock(), LAZY)
        for number in range(count):
            log.append("step_result", {"n": number, "text": "é"})
        log.close()
        whole = path.read_bytes()
        lines = whole.splitlines(keepends=True)
        touch = data.draw(st.sampled_from(["byte", "cut", "remove", "insert", "swap"]))
        place = data.draw(st.integers(0, len(whole) - 1), label="place")
        line = data.draw(st.integers(0, len(lines) - 1), label="line")
        if touch == "byte":
            other = data.draw(st.integers(0, 255).filter(lambda value: value != whole[place]))
            touched = whole[:place] + bytes([other]) + whole[place + 1 :]
        elif touch == "cut":  # the end of the last line is not part of the entry
            touched = whole[: min(place, len(whole) - 2)]
        elif touch == "remove":
            touched = b"".join(lines[:line] + lines[line + 1 :])
        elif touch == "insert":
            extra = data.draw(st.sampled_from([*lines, b"\n", b"{}\n", b'{"hash":"x"}\n', b"rubbish\n"]))
            touched = b"".join([*lines[:line], extra, *lines[line:]])
        else:
            other_line = data.draw(
                st.integers(0, len(lines) - 1).filter(lambda value: value != line or len(lines) == 1)
            )
            lines[line], lines[other_line] = lines[other_line], lines[line]
            touched = b"".join(lines)
        path.write_bytes(touched)
        result = JsonlTrail(path).verify()
        assert result.ok is (touched == whole), result


@settings(max_examples=20)
@given(steps=st.lists(STEPS, max_size=25), restarts=st.sets(st.integers(0, 24), max_size=3))
def test_every_decision_is_in_the_trail_and_only_validated_successes_outside_degraded_are_in_sqlite(
    steps: list[tuple[str, str, ExecutionStatus, ExecutionState, float, int]], restarts: set[int]
) -> None:
    """P001-5, AH-5.1, AH-5.2, AH-5.3, AH-5.4: and both SQLite files can be lost without losing anything."""
    with trail_path() as path:
        clock = ManualClock()
        log = JsonlAudit(path, clock, AuditSettings(fsync="interval", fsync_interval_s=1e9, max_bytes=2000))
        store = SqliteSuccessStore(path.with_name("successes.sqlite"), clock)
        index = SqliteDecisionIndex(path.with_name("decisions.sqlite"), log)
        for number, (workflow_id, step_id, status, state, confidence, pause_s) in enumerate(steps):
            result = ExecutionResult(status=status, confidence=confidence)
            log.append(
                "step_result",
                {"run_id": "r", "workflow_id": workflow_id, "step_id": step_id, "state": state.value,
                 "result": result.to_json()},
            )  # fmt: skip
            if result.success and state is ExecutionState.RUNNING:
                store.record_success(workflow_id, step_id, result, run_id="r")
            if number in restarts:
                index.refresh()
                log.close()
            clock.advance(pause_s)
        kept = {workflow_id: store.successes(workflow_id) for workflow_id in ("wf_a", "wf_b")}
        expected = [step for step in steps if step[2] is ExecutionStatus.SUCCESS and step[3] == "running"]
        assert sum(len(found) for found in kept.values()) == len(expected)
        assert store.rebuild_from(log).kept == len(expected)
        assert kept == {workflow_id: store.successes(workflow_id) for workflow_id in ("wf_a", "wf_b")}

        index.refresh()
        answers = [(found.workflow_id, found.step_id, found.status, found.state, found.confidence)
                   for found in index.find(DecisionFilter(), newest_first=False)]  # fmt: skip
        assert answers == [(step[0], step[1], step[2].value, step[3].value, step[4]) for step in steps]
        index.rebuild()
        assert len(index.find(DecisionFilter())) == len(steps)
        store.close()
        index.close()
        log.close()


DEEDS = st.tuples(
    st.sampled_from(["ask", "tell", "pause", "resume", "pause all", "resume all", "to running", "learn"]),
    st.sampled_from(["run_a", "run_b", None]),
    st.sampled_from(["E1", "E2"]),
    st.sampled_from(ExecutionStatus),
    st.sampled_from([None, 0.01, 0.5]),
)


@settings(max_examples=60)
@given(deeds=st.lists(DEEDS, max_size=40))
def test_the_trail_gives_back_exactly_the_successes_that_the_supervisor_had_stored(
    deeds: list[tuple[str, str | None, str, ExecutionStatus, float | None]],
) -> None:
    """P001-5, AH-5.2, AH-5.3: begun, judged and ended in RUNNING, of a version in use; with the run it was"""
    with trail_path() as path:
        world = HealWorld()
        log = JsonlAudit(path, world.clock, LAZY)
        store = SqliteSuccessStore(path.with_name("successes.sqlite"), world.clock)
        world.policy.policy = AutoHealPolicy(step_fail_streak_to_degraded=2, step_success_streak_to_running=1)
        world.audit, world.successes = log, store  # type: ignore[assignment]
        manager, runs = world.manager(), {name: RunContext(name, 1) for name in ("run_a", "run_b")}
        world.versions.add("wf_a")
        for what, name, step_id, status, margin in deeds:
            run = runs[name] if name is not None else None
            if what == "ask":
                manager.permit_step("wf_a", step_id, run=run)
            elif what == "tell":
                result = ExecutionResult(status=status, margin=margin)
                manager.on_step_result("wf_a", step_id, result, run=run)
            else:
                _by_hand(what, manager, world)
            world.clock.advance(1)
        kept = store.successes("wf_a")
        store.rebuild_from(log)
        assert store.successes("wf_a") == kept
        assert all(found.result.margin != 0.01 for found in kept), "what degrades is not kept"
        store.close()
        log.close()


def _by_hand(what: str, manager: AutoHealManager, world: HealWorld) -> None:
    if what == "learn":
        world.versions.add("wf_a")
        manager.on_update("wf_a")
    elif what == "to running":
        manager.force_transition("wf_a", ExecutionState.RUNNING, "fixed", who="anne")
    elif what.startswith("pause"):
        manager.pause(None if what.endswith("all") else "wf_a", reason="look", who="anne")
    else:
        manager.resume(None if what.endswith("all") else "wf_a", reason="seen", who="anne")
