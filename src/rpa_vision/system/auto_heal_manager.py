"""The supervisor: a robot goes on while it is safe, is held to more when things blur, and stops where it is dangerous.

It is asked before each step and told after it. Each decision is one transaction on the shared state, under one whole
policy, written to the audit trail before it holds. What is slow or may fail (failure cases, reports, alerts, restoring
a version) comes after the decision is stored, and never undoes it.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue

from rpa_vision.learning.version_manifest import version_name
from rpa_vision.models.auto_heal import DisplayGeometry, ExecutionState, StateTransition, StepPermission
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.models.ids import checked_id
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.auto_heal import (
    AlertSink,
    FailureRecorder,
    MiniReport,
    PolicySource,
    StateStore,
    SuccessStore,
    VersionKeeper,
)
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.ports.supervision import RunContext
from rpa_vision.system import supervisor_records as stored
from rpa_vision.system.after_the_step import AfterTheStep
from rpa_vision.system.alarms import Alarms
from rpa_vision.system.circuit_breaker import GlobalCounts
from rpa_vision.system.drift import RuntimeDrift, find_drift
from rpa_vision.system.manual_control import ManualControl
from rpa_vision.system.rollbacks import Rollbacks
from rpa_vision.system.state_machine import DEGRADED, EXECUTES, PAUSED, ROLLBACK, RUNNING
from rpa_vision.system.status_report import status_report
from rpa_vision.system.step_judge import StepJudge, is_low_margin, low_margin_reason
from rpa_vision.system.steps_in_flight import StepInFlight, StepsInFlight
from rpa_vision.system.supervisor_desk import SupervisorDesk
from rpa_vision.system.thresholds import thresholds_in_force
from rpa_vision.system.version_view import VersionView
from rpa_vision.system.workflow_book import WorkflowBook


class AutoHealManager:
    """Implements `ports.supervision.Supervisor`. Usable from several threads and processes on one data directory."""

    def __init__(
        self,
        *,
        state: StateStore,
        policy: PolicySource,
        audit: AuditLog,
        versions: VersionKeeper,
        failures: FailureRecorder,
        successes: SuccessStore,
        alerts: AlertSink,
        clock: Clock,
        ids: Ids,
        mini_report: MiniReport | None = None,
        audit_context: Mapping[str, JsonValue] | None = None,
    ) -> None:
        """`audit_context` (a run id, say) is added to every audit record."""
        me, alarms = ids.new("supervisor"), Alarms(audit, alerts, clock, ids)
        view = VersionView(versions, clock, alarms)
        self._policy = policy
        self._clock = clock
        self._versions = view
        self._desk = SupervisorDesk(
            state=state,
            policy=policy,
            audit_log=audit,
            audit_context=dict(audit_context or {}),
            clock=clock,
            ids=ids,
            alarms=alarms,
            versions=view,
            rollbacks=Rollbacks(versions, view, alarms, me),
            after=AfterTheStep(failures, successes, versions, alarms, mini_report),
            me=me,
        )
        self._manual = ManualControl(self._desk)
        self._in_flight = StepsInFlight()
        self._drifts: dict[str, RuntimeDrift] = {}

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        """Allowed or not, and why."""
        permission = self.permit_step(workflow_id, step_id)
        return permission.allowed, permission.reason

    def permit_step(self, workflow_id: str, step_id: str, *, run: RunContext | None = None) -> StepPermission:
        """Allowed or not, why, and on which terms. The terms hold until the step's result is told.

        With `run` the step is written down as that run's, and credited to the version the run has in hand.
        """
        _check(workflow_id, step_id)
        policy = self._policy.current()
        permission = None
        while permission is None:
            with self._desk.open(workflow_id, policy) as book:
                book.take_overdue_alerts()
                abandoned = book.take_over_rollback(self._desk.me)
                if abandoned is None:
                    permission = self._permission(book, step_id, run)
            self._desk.tell(book)
            self._desk.roll_back(workflow_id, abandoned)
        if permission.allowed:
            began = StepInFlight(policy, self._version_of(workflow_id, run), permission.state)
            self._in_flight.begin(workflow_id, step_id, began)
        return permission

    def on_step_result(
        self, workflow_id: str, step_id: str, result: ExecutionResult, *, run: RunContext | None = None
    ) -> None:
        """Hear how a step ended: count, judge by the policy it began with, and do what follows.

        The `run` hears of it if a version was restored, so that it can go on with that one.
        """
        _check(workflow_id, step_id)
        began = self._in_flight.end(workflow_id, step_id)
        if began is None:  # begun by another process, or before a restart
            began = StepInFlight(self._policy.current(), self._version_of(workflow_id, run), None)
        policy, version_id = began.policy, began.version_id
        failed = result.status is ExecutionStatus.FAILED
        with self._desk.open(workflow_id, policy) as book:
            self._desk.audit(
                "step_result",
                {
                    **_of_run(run),
                    "workflow_id": workflow_id,
                    "step_id": step_id,
                    "state": (began.state or book.mode).value,
                    "result": result.to_json(),
                    "version_id": version_id,
                    "policy_digest": policy.digest,
                },
            )
            everywhere = stored.load_global_failures(book.records) if failed else GlobalCounts()
            judge = StepJudge(
                book,
                everywhere,
                lambda: self._versions.all(workflow_id),
                lambda: self._versions.previous(workflow_id),
                self._clock,
                owner=self._desk.me,
            )
            verdict = judge.judge(step_id, result, version_id=version_id)
            if failed:
                stored.save_global_failures(book.records, judge.breaker.dump_global())
        case_id = self._desk.after.follow_up(book, step_id, result, verdict, began)
        if case_id is not None:
            with self._desk.open(workflow_id, policy) as reopened:
                reopened.change(last_case_id=case_id)
        self._desk.tell(book)
        outcome = self._desk.roll_back(workflow_id, verdict.rollback)
        if run is not None and outcome is not None and outcome.restored and outcome.version_id is not None:
            run.on_rollback(outcome.version_id)

    def on_runtime_drift(
        self, workflow_id: str, recorded: DisplayGeometry, live: DisplayGeometry
    ) -> RuntimeDrift | None:
        """Hear which screen the run has. If it is not the recording's, this process asks for more from now on."""
        checked_id(workflow_id, what="workflow")
        drift = find_drift(recorded, live)
        if drift == self._drifts.get(workflow_id):
            return drift
        text = drift.describe() if drift is not None else "none"
        scale = drift.pixel_scale if drift is not None else 1.0
        self._desk.audit("runtime_drift", {"workflow_id": workflow_id, "drift": text, "pixel_scale": scale})
        self._drifts.pop(workflow_id, None)
        if drift is not None:
            self._drifts[workflow_id] = drift
        return drift

    def on_node_match(self, workflow_id: str, step_id: str, margin: float) -> None:
        """Hear how clearly the screen was recognised, before the step is over. Too close a call degrades (AH-9.4)."""
        _check(workflow_id, step_id)
        policy = self._policy.current()
        if not is_low_margin(margin, policy):
            return
        with self._desk.open(workflow_id, policy) as book:
            if book.state is RUNNING:
                book.move(DEGRADED, low_margin_reason(policy))
            elif book.state is DEGRADED:
                book.change(clean_steps=0)

    def on_update(self, workflow_id: str) -> None:
        """Hear that learning made a new version: it is watched from the next step on."""
        self._versions.forget(workflow_id)

    def force_transition(
        self, workflow_id: str, new_state: ExecutionState, reason: str, *, who: str = "system"
    ) -> None:
        """Change the state: along the table for anybody, outside it for a person, written down with who and why."""
        self._manual.force_transition(workflow_id, new_state, reason, who=who)

    def roll_back_to(
        self, workflow_id: str, version_id: str, reason: str, *, who: str = "system", or_another: bool = False
    ) -> None:
        """Force ROLLBACK and restore this version, as it was shown to whoever decided; see `force_transition`.

        If it cannot be restored, another is only if that was said to be fine. The version left behind is remembered as
        undone, unless it is the same one: then only what was learned on top of it is given up.
        """
        self._manual.roll_back_to(workflow_id, version_id, reason, who=who, or_another=or_another)

    def pause(self, workflow_id: str | None = None, *, reason: str, who: str = "system") -> None:
        """Pause one workflow, or everything. Steps that have begun end."""
        self._manual.pause(workflow_id, reason, who=who)

    def resume(self, workflow_id: str | None = None, *, reason: str, who: str) -> None:
        """Let one workflow, or everything, go on where it was. Only a person may."""
        self._manual.resume(workflow_id, reason, who=who)

    def get_mode(self, workflow_id: str) -> ExecutionState:
        """What holds for a workflow now. One never heard of is RUNNING."""
        checked_id(workflow_id, what="workflow")
        with self._desk.open(workflow_id, self._policy.current()) as book:
            return book.mode

    def history(self, workflow_id: str) -> list[StateTransition]:
        """The last changes of state, the oldest first; the audit trail has them all."""
        checked_id(workflow_id, what="workflow")
        with self._desk.open(workflow_id, self._policy.current()) as book:
            return list(stored.load_history(book.records, workflow_id))

    def get_status_report(self) -> JsonObject:
        """Everything the supervisor knows now, as plain JSON."""
        policy = self._policy.current()
        with self._desk.state.transaction() as records:
            books = [self._desk.glance(records, name, policy) for name in stored.known_workflows(records)]
            for book in books:
                book.save()
            return status_report(records, books, policy, self._clock, self._drifts)

    def _version_of(self, workflow_id: str, run: RunContext | None) -> str | None:
        """The version a step is credited to: that of the document being run, else the one in use."""
        in_use = self._versions.in_use(workflow_id)
        return in_use if in_use is None or run is None else version_name(run.workflow_version)

    def _permission(self, book: WorkflowBook, step_id: str, run: RunContext | None) -> StepPermission:
        mode = book.mode
        thresholds = thresholds_in_force(book.policy, mode, self._drifts.get(book.workflow_id))
        allowed = mode in EXECUTES
        reason = mode.value if allowed else _refusal(book)
        self._desk.audit(
            "step_allowed" if allowed else "step_blocked",
            {
                **_of_run(run),
                "workflow_id": book.workflow_id,
                "step_id": step_id,
                "state": mode.value,
                "reason": reason,
                "min_confidence": thresholds.min_confidence,
                "min_margin": thresholds.min_margin,
                "learning_enabled": thresholds.learning_enabled,
                "policy_digest": thresholds.policy_digest,
            },
        )
        return StepPermission(allowed, reason, mode, thresholds)


def _of_run(run: RunContext | None) -> JsonObject:
    return {"run_id": run.run_id} if run is not None else {}


def _check(workflow_id: str, step_id: str) -> None:
    checked_id(workflow_id, what="workflow")
    checked_id(step_id, what="step")


def _refusal(book: WorkflowBook) -> str:
    everywhere, until = book.all.paused, book.record.quarantine_until
    if book.mode is PAUSED and everywhere is not None:
        return f"paused: every workflow, by {everywhere.who} ({everywhere.reason})"
    if book.mode is PAUSED:
        return "paused: until a person resumes it"
    if book.mode is ROLLBACK:
        return "rollback: the previous version is being restored"
    return f"quarantined: until {until.isoformat(timespec='seconds')}" if until is not None else "quarantined"
