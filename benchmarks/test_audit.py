"""Issue 3: what writing decisions down costs, and a million of them asked by workflow and time in < 100 ms."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rpa_vision.adapters.audit import AuditSettings, JsonlAudit, JsonlTrail
from rpa_vision.adapters.audit.entries import FIRST, Draft
from rpa_vision.adapters.decisions import SqliteDecisionIndex
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.ports.decisions import DecisionFilter
from rpa_vision.system.decision_queries import DecisionQueries

LINES = 1_000_000
QUERY_LIMIT_S = 0.100
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
ALLOWED = {"run_id": "run_1", "workflow_id": "wf_1", "step_id": "E1", "state": "running"}
RESULT = {"status": "success", "message": "", "failure_kind": None, "confidence": 0.93, "margin": 0.2,
          "execution_time_ms": 812.0}  # fmt: skip


@pytest.mark.parametrize("fsync", ["every", "interval"])
def test_the_pair_of_entries_of_a_step(benchmark: BenchmarkFixture, tmp_path: Path, fsync: str) -> None:
    """AH-5.1: what a step's two decisions cost, forced to the disk or handed to the operating system."""
    log = JsonlAudit(tmp_path / "audit.jsonl", SystemClock(), AuditSettings(fsync=fsync))  # type: ignore[arg-type]

    def pair() -> None:
        log.append("step_allowed", dict(ALLOWED))
        log.append("step_result", {**ALLOWED, "result": RESULT})

    benchmark(pair)


def trail_lines() -> Iterator[bytes]:
    """A year of fifty workflows: every 31 seconds a decision, every twelfth result a failure."""
    prev = FIRST
    for number in range(LINES // 2):
        ids = {"run_id": f"run_{number // 12}", "workflow_id": f"wf_{number // 12 % 50}", "step_id": f"E{number % 12}"}
        at = (BEGIN + timedelta(seconds=62 * number)).isoformat()
        failed = number * 7919 % 12 == 0
        result = RESULT | {"confidence": number % 100 / 100}
        if failed:
            result |= {"status": "failed", "failure_kind": "TARGET_NOT_FOUND"}
        for kind, record in (
            ("step_allowed", ids | {"state": "running"}),
            ("step_result", ids | {"state": "running", "result": result}),
        ):
            written = Draft(kind, record).tied_to(prev, at)  # type: ignore[arg-type]
            prev = written.hash
            yield written.line + b"\n"


@pytest.fixture(scope="module")
def trail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trail") / "audit.jsonl"
    with path.open("wb") as file:
        file.writelines(trail_lines())
    return path


@pytest.fixture(scope="module")
def queries(trail: Path) -> DecisionQueries:
    clock = SystemClock()
    began = clock.monotonic()
    index = SqliteDecisionIndex(trail.with_name("decisions.sqlite"), JsonlTrail(trail))
    assert index.refresh() == LINES
    took_s = clock.monotonic() - began
    size_mb = trail.with_name("decisions.sqlite").stat().st_size / 1e6
    print(f"\n{LINES:,} lines ({trail.stat().st_size / 1e6:.0f} MB) indexed in {took_s:.1f} s, index {size_mb:.0f} MB")
    return DecisionQueries(index, clock)


WEEK = DecisionFilter(workflow_id="wf_7", since=BEGIN + timedelta(days=100), until=BEGIN + timedelta(days=107))


def test_a_million_lines_are_asked_by_workflow_and_time(benchmark: BenchmarkFixture, queries: DecisionQueries) -> None:
    """AH-5.5, issue 3"""
    found = benchmark(lambda: queries.history(WEEK, limit=1000))
    assert 300 < len(found) < 1000
    benchmark.extra_info["aim_s"] = QUERY_LIMIT_S


def test_the_most_failing_steps_of_a_workflow_in_a_month(benchmark: BenchmarkFixture, queries: DecisionQueries) -> None:
    """AH-5.5"""
    month = DecisionFilter(workflow_id="wf_7", since=BEGIN + timedelta(days=100), until=BEGIN + timedelta(days=130))
    found = benchmark(lambda: queries.most_failing_steps(month))
    assert found
    benchmark.extra_info["aim_s"] = QUERY_LIMIT_S


def test_a_decision_is_found_right_after_it_was_made(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """AH-5.5: append, take in, ask."""
    log = JsonlAudit(tmp_path / "audit.jsonl", SystemClock(), AuditSettings(fsync="interval"))
    queries = DecisionQueries(SqliteDecisionIndex(tmp_path / "decisions.sqlite", log), SystemClock())

    def write_and_ask() -> None:
        log.append("step_allowed", dict(ALLOWED))
        assert queries.history(DecisionFilter(workflow_id="wf_1"), limit=1)

    benchmark(write_and_ask)


def test_a_hundred_thousand_lines_are_verified(benchmark: BenchmarkFixture, tmp_path: Path, trail: Path) -> None:
    """AH-5.1"""
    path = tmp_path / "audit.jsonl"
    with trail.open("rb") as whole, path.open("wb") as file:
        file.writelines(line for _, line in zip(range(100_000), whole, strict=False))
    result = benchmark.pedantic(JsonlTrail(path).verify, rounds=1)
    assert (result.ok, result.entries) == (True, 100_000), json.dumps(str(result))
