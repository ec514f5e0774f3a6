"""The supervisor's pair of hooks beside two circuit breakers from PyPI, in one run; and a million failures in memory.

The breakers of others count in memory and forget with the process. Ours decides in a transaction shared by all robots,
forced to the disk, with the audit trail off and on: what that costs is the difference.
"""

from __future__ import annotations

import sys
import tracemalloc
from pathlib import Path

import circuitbreaker
import pybreaker
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.auto_heal import PolicyFile, SqliteState
from rpa_vision.adapters.runtime import RandomIds, SystemClock
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.auto_heal import StateStore
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.system.circuit_breaker import CircuitBreaker
from rpa_vision.testing.auto_heal_fakes import (
    MemoryAlerts,
    MemoryFailures,
    MemoryState,
    MemoryVersions,
)
from rpa_vision.testing.manual_clock import ManualClock

OK = ExecutionResult(status=ExecutionStatus.SUCCESS, confidence=0.9, margin=0.3)
OVERHEAD_LIMIT_S = 0.050
MILLION = 1_000_000


class Nothing:
    """Implements `AuditLog` and `SuccessStore` by forgetting."""

    def append(self, kind: str, record: object) -> None:
        return

    def record_success(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        return


def manager(tmp_path: Path, state: StateStore, audit: AuditLog) -> AutoHealManager:
    clock = SystemClock()
    return AutoHealManager(
        state=state,
        policy=PolicyFile(tmp_path / "auto_heal_policy.json", clock, on_error=lambda message: None),
        audit=audit,
        versions=MemoryVersions(ManualClock()),
        failures=MemoryFailures(),
        successes=Nothing(),
        alerts=MemoryAlerts(),
        clock=clock,
        ids=RandomIds(),
    )


def pair(supervisor: AutoHealManager) -> None:
    supervisor.should_execute_step("invoices", "s1")
    supervisor.on_step_result("invoices", "s1", OK)


@pytest.mark.benchmark(group="pair of hooks")
@pytest.mark.parametrize("audit", ["audit off", "audit on"])
def test_hooks_on_disk(benchmark: BenchmarkFixture, tmp_path: Path, audit: str) -> None:
    """PF: part of the 50 ms overhead of an action"""
    log = JsonlAudit(tmp_path / "audit.jsonl", SystemClock()) if audit == "audit on" else Nothing()
    supervisor = manager(tmp_path, SqliteState(tmp_path / "auto_heal.db"), log)
    benchmark.pedantic(pair, args=(supervisor,), rounds=300, warmup_rounds=20)  # waits for the disk: no calibration
    _print(f"pair of hooks on disk, {audit}", benchmark, OVERHEAD_LIMIT_S)


@pytest.mark.benchmark(group="pair of hooks")
def test_hooks_in_memory(benchmark: BenchmarkFixture, tmp_path: Path) -> None:
    """What the deciding itself costs."""
    benchmark(pair, manager(tmp_path, MemoryState(), Nothing()))


@pytest.mark.benchmark(group="pair of hooks")
def test_counting_alone(benchmark: BenchmarkFixture) -> None:
    """Our `CircuitBreaker` by itself: what the libraries below do."""
    breaker = CircuitBreaker(AutoHealPolicy(), SystemClock())

    def call() -> None:
        breaker.should_trigger_quarantine("invoices")
        breaker.record_success("invoices", "s1")

    benchmark(call)


@pytest.mark.benchmark(group="pair of hooks")
def test_pybreaker(benchmark: BenchmarkFixture) -> None:
    breaker = pybreaker.CircuitBreaker(fail_max=10, reset_timeout=1800)
    benchmark(breaker.call, lambda: OK)


@pytest.mark.benchmark(group="pair of hooks")
def test_circuitbreaker(benchmark: BenchmarkFixture) -> None:
    breaker = circuitbreaker.CircuitBreaker(failure_threshold=10, recovery_timeout=1800)
    benchmark(breaker.call, lambda: OK)


def test_a_million_failures_stay_in_bounded_memory(benchmark: BenchmarkFixture) -> None:
    """Issue 3: 1 M recorded failures stay in bounded memory"""
    clock = ManualClock()
    breaker = CircuitBreaker(AutoHealPolicy(), clock)

    def record(count: int) -> None:
        for number in range(count):
            breaker.record_failure("invoices", f"s{number % 5000}", "TARGET_NOT_FOUND")
            clock.advance(0.01)

    record(20_000)
    tracemalloc.start()
    record(20_000)
    early, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    benchmark.pedantic(record, args=(MILLION,), rounds=1)
    tracemalloc.start()
    record(20_000)
    late, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    kept = len(breaker.dump("invoices").failures) + len(breaker.dump_global().failures)
    sys.stdout.write(f"\na million failures: {kept} kept, {early / 1024:.0f} KiB before, {late / 1024:.0f} KiB after\n")


def _print(what: str, benchmark: BenchmarkFixture, limit_s: float) -> None:
    stats = benchmark.stats
    if stats is not None:
        sys.stdout.write(f"\n{what}: median {stats['median'] * 1000:.2f} ms (limit {limit_s * 1000:.0f} ms)\n")
