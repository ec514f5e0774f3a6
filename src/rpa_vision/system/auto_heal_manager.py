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
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.ids import checked_id
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.auto_heal import (
    AlertSink,
    FailureRecorder,
    MiniReport,
    PolicySource,
    RollbackOutcome,
    StateStore,
    SuccessStore,
    VersionKeeper,
)
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.ports.supervision import RunContext
from rpa_vision.system import supervisor_records as stored
from rpa_vision.system.after_the_step import AfterTheStep, is_validated
from rpa_vision.system.alarms import Alarms
from rpa_vision.system.circuit_breaker import GlobalCounts
from rpa_vision.system.drift import RuntimeDrift, find_drift
from rpa_vision.system.manual_control import ManualControl
from rpa_vision.system.rollbacks import Rollbacks
from rpa_vision.system.state_machine import DEGRADED, EXECUTES, PAUSED, ROLLBACK, RUNNING
from rpa_vision.system.status_report import status_report
from rpa_vision.system.step_judge import StepJudge, Verdict, is_low_margin, low_margin_reason
from rpa_vision.system.steps_in_flight import StepInFlight, StepsInFlight
from rpa_vision.system.supervisor_desk import SupervisorDesk
from rpa_vision.system.thresholds import thresholds_in_force
from rpa_vision.system.version_view import VersionView
from rpa_vision.system.workflow_book import WorkflowBook

_LOST_TO_DRIFT = (FailureKind.TARGET_NOT_FOUND, FailureKind.LOW_CONFIDENCE)


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

        With `run` the step is written down as that run's, and credited to the version the run has in hand. If that one
        is not in use any more, the step is refused and the run hears which is.
        """
        _check(workflow_id, step_id)
        policy = self._policy.current()
        permission, instead = None, None
        while permission is None:
            with self._desk.open(workflow_id, policy) as book:
                book.take_overdue_alerts()
                abandoned = book.take_over_rollback(self._desk.me)
                if abandoned is None:
                    if instead is None and run is not None and book.mode in EXECUTES:
                        instead = self._instead_of(version_name(run.workflow_version), book)
                    permission = self._permission(book, step_id, run, instead)
            self._desk.tell(book)
            outcome = self._desk.roll_back(workflow_id, abandoned)
            if abandoned is not None and abandoned.bad_version is None:
                instead = _restored(outcome)  # the version stays: only that tells that it is not what the run holds
        if run is not None and instead is not None:
            run.on_rollback(instead)
        if permission.allowed:
            began = StepInFlight(policy, self._version_of(workflow_id, run), permission.state)
            self._in_flight.begin(workflow_id, step_id, began)
        return permission

    def on_step_result(
        self, workflow_id: str, step_id: str, result: ExecutionResult, *, run: RunContext | None = None
    ) -> None:
        """Hear how a step ended: count, judge by the policy it began with, and do what follows.

        The `run` hears of it if a version was restored, so that it can go on with that one. What a version did that is
        not in use any more is written down and kept, but says nothing about the one that is.
        """
        _check(workflow_id, step_id)
        began = self._in_flight.end(workflow_id, step_id)
        if began is None:  # begun by another process, or before a restart
            began = StepInFlight(self._policy.current(), self._version_of(workflow_id, run), None)
        policy, version_id = began.policy, began.version_id
        result, told = self._classified(workflow_id, result)
        with self._desk.open(workflow_id, policy) as book:
            instead = self._instead_of(version_id, book) if run is not None and version_id is not None else None
            state, held_back = began.state or book.mode, list[tuple[str, JsonObject]]()
            book.audit_to(lambda kind, record: held_back.append((kind, record)))
            verdict = Verdict(book.state) if instead is not None else self._judged(book, step_id, result, version_id)
            is_stored = instead is None and is_validated(result, began, verdict, book)
            self._desk.audit(
                "step_result",
                {
                    **_of_run(run),
                    "workflow_id": workflow_id,
                    "step_id": step_id,
                    "state": state.value,
                    "result": result.to_json(),
                    **told,
                    "version_id": version_id,
                    "counted": instead is None and not result.by_person,
                    "stored": is_stored,
                    "policy_digest": policy.digest,
                },
            )
            for kind, record in held_back:  # what followed from the result stands behind it
                self._desk.audit(kind, record)
            book.audit_to(self._desk.audit)
        case_id = self._desk.after.follow_up(
            book, step_id, result, verdict, began, stored=is_stored, run_id=self._run_id(run), **told
        )
        if case_id is not None:
            with self._desk.open(workflow_id, policy) as reopened:
                reopened.change(last_case_id=case_id)
        self._desk.tell(book)
        instead = _restored(self._desk.roll_back(workflow_id, verdict.rollback)) or instead
        if run is not None and instead is not None:
            run.on_rollback(instead)

    def still_learns(self, workflow_id: str, *, run: RunContext | None = None) -> bool:
        """Whether what a step proved may be remembered now: the state learns, and the run's version is in use."""
        checked_id(workflow_id, what="workflow")
        policy = self._policy.current()
        with self._desk.open(workflow_id, policy) as book:
            if not thresholds_in_force(policy, book.mode).learning_enabled:
                return False
            return run is None or self._instead_of(version_name(run.workflow_version), book) is None

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
        began = self._in_flight.get(workflow_id, step_id)
        policy = began.policy if began is not None else self._policy.current()
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

    def _instead_of(self, held: str, book: WorkflowBook) -> str | None:
        """Which version is in use, if it is not the one held."""
        return self._versions.instead_of(held, book.workflow_id, book.record.regression.version_id)

    def _run_id(self, run: RunContext | None) -> str | None:
        known = run.run_id if run is not None else self._desk.audit_context.get("run_id")
        return known if isinstance(known, str) else None

    def _classified(self, workflow_id: str, result: ExecutionResult) -> tuple[ExecutionResult, JsonObject]:
        """A screen or target that was not found on another screen than the recording's was lost to the drift."""
        if workflow_id not in self._drifts or result.failure_kind not in _LOST_TO_DRIFT:
            return result, {}
        told = {"failure_kind_told": result.failure_kind.value}
        return result.model_copy(update={"failure_kind": FailureKind.RUNTIME_DRIFT}), told

    def _judged(self, book: WorkflowBook, step_id: str, result: ExecutionResult, version_id: str | None) -> Verdict:
        failed = result.status is ExecutionStatus.FAILED
        judge = StepJudge(
            book,
            stored.load_global_failures(book.records) if failed else GlobalCounts(),
            lambda: self._versions.all(book.workflow_id),
            lambda: self._versions.previous(book.workflow_id),
            self._clock,
            owner=self._desk.me,
        )
        verdict = judge.judge(step_id, result, version_id=version_id)
        if failed:
            stored.save_global_failures(book.records, judge.breaker.dump_global())
        return verdict

    def _permission(
        self, book: WorkflowBook, step_id: str, run: RunContext | None, instead: str | None
    ) -> StepPermission:
        mode = book.mode
        thresholds = thresholds_in_force(book.policy, mode, self._drifts.get(book.workflow_id))
        allowed = mode in EXECUTES and (run is None or instead is None)
        reason = mode.value if allowed else _refusal(book, instead)
        self._desk.audit(
            "step_allowed" if allowed else "step_blocked",
            {
                **_of_run(run),
                "workflow_id": book.workflow_id,
                "step_id": step_id,
                "state": mode.value,
                "reason": reason,
                **({"in_use": instead} if instead is not None else {}),
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


def _restored(outcome: RollbackOutcome | None) -> str | None:
    return outcome.version_id if outcome is not None and outcome.restored else None


def _refusal(book: WorkflowBook, instead: str | None) -> str:
    everywhere, until = book.all.paused, book.record.quarantine_until
    if book.mode in EXECUTES:
        return f"outdated: {instead} is in use now"
    if book.mode is PAUSED and everywhere is not None:
        return f"paused: every workflow, by {everywhere.who} ({everywhere.reason})"
    if book.mode is PAUSED:
        return "paused: until a person resumes it"
    if book.mode is ROLLBACK:
        return "rollback: the previous version is being restored"
    return f"quarantined: until {until.isoformat(timespec='seconds')}" if until is not None else "quarantined"
