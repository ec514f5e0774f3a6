"""Monitoring sees what robots do, in words that are documented; a load balancer gets a straight answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from rpa_vision.adapters.audit import JsonlAudit
from rpa_vision.models.auto_heal import Alert, ExecutionState, StateTransition
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.audit import AuditPosition
from rpa_vision.system.health import MIN_FREE_BYTES, HealthFacts, health
from rpa_vision.system.metrics import AuditFollower, Metrics
from rpa_vision.testing.manual_clock import ManualClock

DOCS = Path(__file__).parents[3] / "docs" / "metrics.md"


@pytest.fixture
def metrics() -> Metrics:
    return Metrics()


def value(metrics: Metrics, name: str, **labels: str) -> float | None:
    return metrics.registry.get_sample_value(name, labels)


def result(status: str, failure: str | None = None) -> dict[str, object]:
    kind = FailureKind(failure) if failure else None
    return ExecutionResult(status=ExecutionStatus(status), failure_kind=kind, execution_time_ms=1500.0).to_json()


def test_every_search_for_a_target_is_counted_by_level_and_outcome(metrics: Metrics) -> None:
    """P002-7, AH-8.5: also of a step that failed, and whatever else stands in the entry"""
    tried = {"criteria": {}, "duration_ms": 12.0}
    attempts = [
        {**tried, "attempt_level": 0, "success": False, "strategy_used": "not_found"},
        {**tried, "attempt_level": 1, "success": True, "strategy_used": "som_text_match"},
    ]
    metrics.observe("step_result", {"workflow_id": "wf", "result": {**result("success"), "attempts": attempts}})
    metrics.observe("step_result", {"workflow_id": "wf", "result": {**result("failed"), "attempts": [None, 3]}})
    metrics.observe("step_result", {"workflow_id": "wf", "result": {**result("failed"), "attempts": "torn"}})
    name = "rpa_vision_healing_attempts_total"
    assert value(metrics, name, level="0", outcome="not_found", strategy="") == 1
    assert value(metrics, name, level="1", outcome="found", strategy="som_text_match") == 1
    assert value(metrics, "rpa_vision_healing_attempt_duration_seconds_count", level="1") == 1


def test_what_is_audited_is_counted(metrics: Metrics, clock: ManualClock) -> None:
    """AH-8.5"""
    metrics.observe("step_result", {"workflow_id": "wf", "result": result("success")})
    metrics.observe("step_result", {"workflow_id": "wf", "result": result("failed", "TARGET_NOT_FOUND")})
    metrics.observe("step_blocked", {"workflow_id": "wf", "state": "quarantined"})
    metrics.observe("run_ended", {"status": "halted"})
    transition = StateTransition(
        workflow_id="wf",
        from_state=ExecutionState.RUNNING,
        to_state=ExecutionState.DEGRADED,
        at=clock.now(),
        reason="3",
    )
    metrics.observe("state_transition", transition.to_json())
    assert value(metrics, "rpa_vision_steps_total", workflow_id="wf", status="success") == 1
    assert value(metrics, "rpa_vision_step_failures_total", workflow_id="wf", failure_kind="TARGET_NOT_FOUND") == 1
    assert value(metrics, "rpa_vision_steps_blocked_total", workflow_id="wf", state="quarantined") == 1
    assert value(metrics, "rpa_vision_runs_total", status="halted") == 1
    assert value(metrics, "rpa_vision_state_transitions_total", from_state="running", to_state="degraded") == 1
    assert value(metrics, "rpa_vision_workflow_state", workflow_id="wf", state="degraded") == 1
    assert value(metrics, "rpa_vision_workflow_state", workflow_id="wf", state="running") == 0
    assert value(metrics, "rpa_vision_step_duration_seconds_count") == 2
    assert value(metrics, "rpa_vision_step_duration_seconds_bucket", le="1.6") == 2


def test_windows_alerts_and_readiness_are_told(metrics: Metrics, new_alert: Callable[..., Alert]) -> None:
    """AH-8.1, AH-8.5"""
    metrics.window_fill("workflow", 5, 10, workflow_id="wf")
    metrics.window_fill("global", 3, 0)
    metrics.deliver(new_alert())
    metrics.alert_backlog(undelivered=2, dropped=1)
    metrics.ready(True)
    assert value(metrics, "rpa_vision_breaker_window_fill", level="workflow", workflow_id="wf") == 0.5
    assert value(metrics, "rpa_vision_breaker_window_fill", level="global", workflow_id="") == 0
    assert value(metrics, "rpa_vision_alerts_total", kind="quarantine") == 1
    assert value(metrics, "rpa_vision_alerts_undelivered") == 2
    assert value(metrics, "rpa_vision_ready") == 1


def test_the_supervisors_own_view_is_told(metrics: Metrics) -> None:
    """AH-8.1, AH-8.3, AH-8.5"""
    workflow = {"workflow_id": "wf", "current_state": "quarantined", "failure_count": 10}
    metrics.observe_status({"workflows": [workflow], "global_failures_in_window": 15}, AutoHealPolicy())
    assert value(metrics, "rpa_vision_workflow_state", workflow_id="wf", state="quarantined") == 1
    assert value(metrics, "rpa_vision_breaker_window_fill", level="workflow", workflow_id="wf") == 1
    assert value(metrics, "rpa_vision_breaker_window_fill", level="global", workflow_id="") == 0.5


def test_a_scraper_can_read_it_and_nothing_is_global(metrics: Metrics) -> None:
    """AH-8.5"""
    metrics.observe("run_ended", {"status": 'odd "status"\n'})
    other = Metrics()
    families = {family.name for family in text_string_to_metric_families(metrics.render().decode())}
    assert "rpa_vision_runs" in families
    assert value(other, "rpa_vision_runs_total", status='odd "status"\n') is None
    assert not any(family.name.startswith("rpa_vision") for family in REGISTRY.collect())


@pytest.mark.parametrize("kind", ["step_result", "run_ended", "step_blocked", "state_transition", "whatever"])
def test_entries_of_any_shape_are_counted(metrics: Metrics, kind: str) -> None:
    for record in ({}, {"result": 7}, {"result": {"execution_time_ms": "long"}}, {"workflow_id": None}):
        metrics.observe(kind, record)
    assert value(metrics, "rpa_vision_audit_entries_total", kind=kind) == 4


def test_every_metric_is_documented_and_every_documented_one_exists(metrics: Metrics) -> None:
    """AH-8.5"""
    documented = re.findall(r"^\| `([a-z_]+)` \| (\w+) \|([^|]*)\|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    told = {}
    for collector in list(metrics.registry._collector_to_names):
        family = next(iter(collector.collect()))
        name = family.name + "_total" if family.type == "counter" else family.name
        told[name] = (family.type, set(collector._labelnames))  # type: ignore[attr-defined]
    assert {name: (kind, set(re.findall(r"`(\w+)`", labels))) for name, kind, labels in documented} == told


def test_a_server_counts_what_robots_in_other_processes_do(
    tmp_path: Path, clock: ManualClock, metrics: Metrics
) -> None:
    """AH-8.5"""
    robot = JsonlAudit(tmp_path / "audit.jsonl", clock)
    robot.append("run_ended", {"run_id": "r0", "status": "success"})
    follower = AuditFollower(JsonlAudit(tmp_path / "audit.jsonl", clock), metrics)
    assert follower.catch_up() == 0
    robot.append("run_ended", {"run_id": "r1", "status": "success"})
    assert (follower.catch_up(), follower.catch_up()) == (1, 0)
    assert value(metrics, "rpa_vision_runs_total", status="success") == 1
    everything = Metrics()
    AuditFollower(robot, everything, since=AuditPosition()).catch_up()
    assert value(everything, "rpa_vision_runs_total", status="success") == 2


WELL = HealthFacts(
    state_store_reachable=True, audit_writable=True, free_disk_bytes=10 * MIN_FREE_BYTES, alerts_running=True
)


def test_a_machine_that_is_well_is_sent_work() -> None:
    """AH-8.3"""
    found = health(WELL)
    assert (found.live, found.ready, found.status_code) == (True, True, 200)
    assert [check.name for check in found.checks] == ["state_store", "audit", "disk", "alerts"]


@pytest.mark.parametrize(
    ("facts", "failing"),
    [
        (HealthFacts(state_store_reachable=False), "state_store"),
        (HealthFacts(audit_writable=False), "audit"),
        (HealthFacts(free_disk_bytes=MIN_FREE_BYTES - 1), "disk"),
    ],
)
def test_a_machine_that_cannot_remember_or_account_is_not_sent_work(facts: HealthFacts, failing: str) -> None:
    """AH-8.3"""
    found = health(facts)
    assert (found.live, found.ready, found.status_code) == (True, False, 503)
    assert [check.name for check in found.checks if not check.ok] == [failing]


def test_what_does_not_stop_work_is_told_and_stops_nothing() -> None:
    """AH-8.3"""
    found = health(HealthFacts(audit_writable=True, alerts_running=False, policy_error="line 3"))
    assert found.ready
    assert [check.name for check in found.checks if not check.ok] == ["alerts", "policy"]
    assert found.to_json()["ready"] is True
