"""The state of everything, for people, dashboards and scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rpa_vision.models.auto_heal import ExecutionState, ExecutionStateInfo
from rpa_vision.models.document import JsonObject
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.auto_heal import StateRecords
from rpa_vision.ports.runtime import Clock
from rpa_vision.system import supervisor_records as stored
from rpa_vision.system.circuit_breaker import CircuitBreaker
from rpa_vision.system.drift import RuntimeDrift
from rpa_vision.system.thresholds import thresholds_in_force
from rpa_vision.system.workflow_book import WorkflowBook


def status_report(
    records: StateRecords,
    books: Sequence[WorkflowBook],
    policy: AutoHealPolicy,
    clock: Clock,
    drifts: Mapping[str, RuntimeDrift],
) -> JsonObject:
    """One entry per workflow, and what holds for all."""
    everything = stored.load_global(records)
    breaker = CircuitBreaker(policy, clock, counts=stored.load_global_failures(records))
    workflows = [_workflow(book, breaker, policy, drifts.get(book.workflow_id)) for book in books]
    states = [workflow["current_state"] for workflow in workflows]
    paused = everything.paused
    return {
        "at": clock.now().isoformat(),
        "policy": {"mode": policy.mode, "digest": policy.digest},
        "global_pause": None if paused is None else paused.model_dump(mode="json"),
        "global_failures_in_window": breaker.get_failure_counts("none")["global_window"],
        "states": {state.value: states.count(state.value) for state in ExecutionState},
        "workflows": workflows,
    }


def _workflow(
    book: WorkflowBook, breaker: CircuitBreaker, policy: AutoHealPolicy, drift: RuntimeDrift | None
) -> JsonObject:
    record = book.record
    breaker.load(book.workflow_id, record.counts)
    counts = breaker.get_failure_counts(book.workflow_id)
    thresholds = thresholds_in_force(policy, book.mode, drift)
    info = ExecutionStateInfo(
        workflow_id=book.workflow_id,
        current_state=book.mode,
        state_since=record.state_since,
        failure_count=counts["workflow_window"],
        last_failure=record.last_failure,
        confidence_threshold=thresholds.min_confidence,
        learning_enabled=thresholds.learning_enabled,
        quarantine_until=record.quarantine_until,
    )
    watched = record.regression
    return {
        **info.to_json(),
        "own_state": record.state.value,
        "paused_from": None if record.paused_from is None else record.paused_from.value,
        "transitions": record.transitions,
        "clean_steps": record.clean_steps,
        "min_margin": thresholds.min_margin,
        "failures": dict(counts),
        "version": {
            "in_use": watched.version_id,
            "watching": watched.watching,
            "steps_after": watched.after.tried,
            "rate_after": round(watched.after.rate, 4) if watched.after.tried else None,
            "rate_before": round(watched.before.count("1") / len(watched.before), 4) if watched.before else None,
            "rolled_back": list(watched.rolled_back),
        },
        "drift": None if drift is None else drift.describe(),
    }
