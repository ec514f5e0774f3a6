"""Numbers for monitoring, in Prometheus' text format, in a registry of their own.

The numbers are told, or read from the audit trail: `observe` takes an entry as it was written, so a process that only
serves the dashboard counts what robots in other processes do. docs/metrics.md lists every metric.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from rpa_vision.models.auto_heal import Alert, ExecutionState
from rpa_vision.models.document import JsonObject
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.audit import AuditPosition, AuditTrail

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
_SEARCH_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_STEP_SECONDS = (0.1, 0.25, 0.5, 1.0, 1.6, 2.5, 5.0, 10.0, 30.0, 60.0)


class Metrics:
    """What is counted. Nothing here raises on odd input: a number that cannot be told is not told."""

    name = "metrics"  # it hears of alerts as a quick listener

    def __init__(self) -> None:
        self.registry = registry = CollectorRegistry()
        self._runs = Counter("rpa_vision_runs", "Runs that ended", ["status"], registry=registry)
        self._steps = Counter("rpa_vision_steps", "Steps that ended", ["workflow_id", "status"], registry=registry)
        self._failures = Counter(
            "rpa_vision_step_failures", "Steps that failed", ["workflow_id", "failure_kind"], registry=registry
        )
        self._blocked = Counter(
            "rpa_vision_steps_blocked",
            "Steps the supervisor did not allow",
            ["workflow_id", "state"],
            registry=registry,
        )
        self._step_seconds = Histogram(
            "rpa_vision_step_duration_seconds", "How long steps took", buckets=_STEP_SECONDS, registry=registry
        )
        self._healing = Counter(
            "rpa_vision_healing_attempts",
            "Searches for a target, by how tolerant they were and what came of them",
            ["level", "outcome", "strategy"],
            registry=registry,
        )
        self._healing_seconds = Histogram(
            "rpa_vision_healing_attempt_duration_seconds", "How long searches for a target took",
            ["level"], buckets=_SEARCH_SECONDS, registry=registry,
        )  # fmt: skip
        self._state = Gauge(
            "rpa_vision_workflow_state", "1 for the state a workflow is in, else 0", ["workflow_id", "state"],
            registry=registry,
        )  # fmt: skip
        self._transitions = Counter(
            "rpa_vision_state_transitions", "Changes of state", ["from_state", "to_state"], registry=registry
        )
        self._window = Gauge(
            "rpa_vision_breaker_window_fill",
            "Failures in the sliding window, as a share of what trips the breaker",
            ["level", "workflow_id"],
            registry=registry,
        )
        self._alerts = Counter("rpa_vision_alerts", "Alerts raised", ["kind"], registry=registry)
        self._undelivered = Gauge("rpa_vision_alerts_undelivered", "Alerts waiting for a receiver", registry=registry)
        self._dropped = Gauge("rpa_vision_alerts_dropped", "Alerts lost to a full queue", registry=registry)
        self._audit_entries = Counter(
            "rpa_vision_audit_entries", "Entries of the audit trail", ["kind"], registry=registry
        )
        self._queued = Gauge("rpa_vision_queue_runs", "Runs in the queue", ["state"], registry=registry)
        self._ready = Gauge("rpa_vision_ready", "1 when work may be sent here", registry=registry)

    def observe(self, kind: str, record: dict[str, Any]) -> None:
        """Count an entry of the audit trail."""
        self._audit_entries.labels(kind).inc()
        workflow_id = str(record.get("workflow_id", ""))
        if kind == "run_ended":
            self._runs.labels(str(record.get("status", "unknown"))).inc()
        elif kind == "step_result":
            self._observe_result(workflow_id, record.get("result"))
        elif kind == "step_blocked":
            self._blocked.labels(workflow_id, str(record.get("state", "unknown"))).inc()
        elif kind == "state_transition":
            self._transitions.labels(str(record.get("from_state")), str(record.get("to_state"))).inc()
            self.workflow_state(workflow_id, str(record.get("to_state")))

    def deliver(self, alert: Alert) -> None:
        """Count an alert."""
        self._alerts.labels(alert.kind.value).inc()

    def workflow_state(self, workflow_id: str, state: str) -> None:
        """The state a workflow is in now."""
        for known in ExecutionState:
            self._state.labels(workflow_id, known.value).set(1.0 if known.value == state else 0.0)

    def window_fill(self, level: str, failures: int, limit: int, *, workflow_id: str = "") -> None:
        """How full a window of the circuit breaker is: level step, workflow or global."""
        self._window.labels(level, workflow_id).set(failures / limit if limit > 0 else 0.0)

    def observe_status(self, report: JsonObject, policy: AutoHealPolicy) -> None:
        """The supervisor's own view (`get_status_report`): states and windows, whoever changed them."""
        for workflow in report["workflows"]:
            workflow_id = workflow["workflow_id"]
            self.workflow_state(workflow_id, workflow["current_state"])
            failures, limit = workflow["failure_count"], policy.workflow_fail_max_in_window
            self.window_fill("workflow", failures, limit, workflow_id=workflow_id)
        self.window_fill("global", report["global_failures_in_window"], policy.global_fail_max_in_window)

    def alert_backlog(self, *, undelivered: int, dropped: int) -> None:
        """What waits for a receiver, and what was lost to a full queue."""
        self._undelivered.set(undelivered)
        self._dropped.set(dropped)

    def queue(self, counts: Mapping[str, int]) -> None:
        """How many runs wait, run, ended and were interrupted."""
        for state in ("waiting", "running", "ended", "interrupted", "cancelled"):
            self._queued.labels(state).set(counts.get(state, 0))

    def ready(self, is_ready: bool) -> None:
        """Whether work may be sent here."""
        self._ready.set(1.0 if is_ready else 0.0)

    def render(self) -> bytes:
        """Everything, as a scraper reads it."""
        return generate_latest(self.registry)

    def _observe_result(self, workflow_id: str, result: object) -> None:
        if not isinstance(result, dict):
            return
        status = str(result.get("status", "unknown"))
        self._steps.labels(workflow_id, status).inc()
        if status == "failed":
            self._failures.labels(workflow_id, str(result.get("failure_kind") or "unknown")).inc()
        duration_ms = result.get("execution_time_ms")
        if isinstance(duration_ms, int | float):
            self._step_seconds.observe(duration_ms / 1000.0)
        attempts = result.get("attempts")
        for attempt in attempts if isinstance(attempts, list) else ():
            self._observe_attempt(attempt)

    def _observe_attempt(self, attempt: object) -> None:
        if not isinstance(attempt, dict):
            return
        level, how = str(attempt.get("attempt_level")), str(attempt.get("strategy_used"))
        found = attempt.get("success") is True
        self._healing.labels(level, "found" if found else how, how if found else "").inc()
        duration_ms = attempt.get("duration_ms")
        if isinstance(duration_ms, int | float):
            self._healing_seconds.labels(level).observe(duration_ms / 1000.0)


class AuditFollower:
    """Counts what is appended to the trail, by whichever process. Ask it before each scrape."""

    def __init__(self, trail: AuditTrail, metrics: Metrics, *, since: AuditPosition | None = None) -> None:
        self._trail = trail
        self._metrics = metrics
        self._position = since if since is not None else trail.end()
        self._lock = threading.Lock()

    def catch_up(self) -> int:
        """Count what is new; says how many entries."""
        count = 0
        with self._lock:
            for entry in self._trail.entries(self._position):
                self._metrics.observe(entry.kind, entry.record)
                self._position = entry.end
                count += 1
        return count
