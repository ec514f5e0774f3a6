"""One workflow inside one transaction: what it may do now, and its changes of state.

Whoever opens the book is alone with it. Every change is written to the audit trail first and stored when the
transaction ends; a process that dies in between leaves an audit line whose number the next change of that workflow
bears again.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

from pydantic import JsonValue

from rpa_vision.models.auto_heal import Alert, AlertKind, ExecutionState, StateTransition
from rpa_vision.models.document import JsonObject
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.auto_heal import StateRecords
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.system import supervisor_records as stored
from rpa_vision.system.circuit_breaker import WorkflowCounts
from rpa_vision.system.state_machine import DEGRADED, PAUSED, QUARANTINED, ROLLBACK, RUNNING, is_person, why_refused
from rpa_vision.system.supervisor_records import PauseEvent, PendingRollback, WorkflowRecord

AUTO_HEAL = "auto_heal"
_LEASE_S = 60.0
_ALERT_OVERDUE_S = 60.0

Audit = Callable[[str, JsonObject], None]


class WorkflowBook:
    """The records of one workflow and of all together, open for change."""

    def __init__(
        self, records: StateRecords, workflow_id: str, policy: AutoHealPolicy, clock: Clock, ids: Ids, audit: Audit
    ) -> None:
        self.records = records
        self._ids = ids
        self._audit = audit
        self.policy = policy
        self.now: datetime = clock.now()
        self._stored = stored.load_workflow(records, workflow_id)
        self.record = self._stored or WorkflowRecord(workflow_id=workflow_id, state_since=self.now)
        self._global_stored = stored.load_global(records)
        self.all = self._global_stored
        self.alerts: list[Alert] = []
        """To be told once this is stored."""
        self.end_quarantine_on_time()

    @property
    def workflow_id(self) -> str:
        return self.record.workflow_id

    @property
    def state(self) -> ExecutionState:
        """The workflow's own state."""
        return self.record.state

    @property
    def mode(self) -> ExecutionState:
        """What holds for it now: a global pause lies over every state but a rollback, which it lets end."""
        return PAUSED if self.all.paused is not None and self.state is not ROLLBACK else self.state

    @property
    def quarantine_is_over(self) -> bool:
        return self.record.quarantine_until is None or self.now >= self.record.quarantine_until

    def why_refused(
        self, to_state: ExecutionState, *, by_hand: bool = False, restored: bool | None = None
    ) -> str | None:
        """Why the table does not open this way, or None."""
        return why_refused(
            self.state,
            to_state,
            by_hand=by_hand,
            time_is_up=self.quarantine_is_over,
            restored=restored,
            paused_from=self.record.paused_from,
        )

    def audit_to(self, audit: Audit) -> None:
        """Write to this from now on."""
        self._audit = audit

    def change(self, **fields: object) -> None:
        """Change fields of the workflow's record."""
        self.record = self.record.model_copy(update=fields)

    def move(self, to_state: ExecutionState, reason: str, *, who: str = AUTO_HEAL, forced: bool = False) -> None:
        """Change the state, having written that down first."""
        old = self.record
        transition = StateTransition(
            workflow_id=self.workflow_id,
            from_state=old.state,
            to_state=to_state,
            at=self.now,
            reason=reason,
            who=who,
            forced=forced,
            number=old.transitions + 1,
            lasted_s=max(0.0, (self.now - old.state_since).total_seconds()),
        )
        self._audit("state_transition", {**transition.to_json(), "policy_digest": self.policy.digest})
        self.change(
            state=to_state,
            state_since=self.now,
            quarantine_until=self._quarantine_until(to_state),
            paused_from=old.state if to_state is PAUSED else None,
            clean_steps=0,
            transitions=transition.number,
            rollback=old.rollback if to_state in (ROLLBACK, PAUSED) else None,
        )
        repaired_by_hand = to_state is RUNNING and is_person(who) and old.state is not PAUSED
        if repaired_by_hand or (old.state is ROLLBACK and to_state is DEGRADED):
            self.change(counts=WorkflowCounts(total=old.counts.total))  # the cause is gone: old failures say nothing
        stored.add_history(self.records, transition)
        if to_state is QUARANTINED and old.paused_from is not QUARANTINED:  # else it was told when it began
            self.alert(AlertKind.QUARANTINE, f"{self.workflow_id} is quarantined: {reason}", {"who": who})

    def begin_rollback(
        self,
        owner: str,
        bad: str | None,
        target: str | None,
        reason: str,
        *,
        who: str = AUTO_HEAL,
        forced: bool = False,
        only_target: bool = False,
    ) -> PendingRollback:
        """Enter ROLLBACK. The owner restores the target after this is stored."""
        pending = PendingRollback(
            owner=owner,
            lease_until=self._lease(),
            bad_version=bad,
            target_version=target,
            only_target=only_target,
            reason=reason,
        )
        self.move(ROLLBACK, reason, who=who, forced=forced)
        self.change(rollback=pending)
        return pending

    def take_over_rollback(self, owner: str) -> PendingRollback | None:
        """The rollback of an owner that did not end it in time, now ours."""
        pending = self.record.rollback
        if self.state is not ROLLBACK or pending is None:
            return None
        left_s = (pending.lease_until - self.now).total_seconds()
        if 0.0 < left_s <= _LEASE_S:  # a lease that ends later than any can was written by a wrong clock
            return None
        self._audit("rollback_taken_over", {"workflow_id": self.workflow_id, "from": pending.owner, "by": owner})
        pending = pending.model_copy(update={"owner": owner, "lease_until": self._lease()})
        self.change(rollback=pending)
        return pending

    def pause_all(self, *, paused: bool, reason: str, who: str) -> None:
        """Pause everything, or let it go on."""
        event = PauseEvent(paused=paused, at=self.now, who=who, reason=reason)
        kind = "global_pause" if paused else "global_resume"
        self._audit(kind, {"reason": reason, "who": who, "policy_digest": self.policy.digest})
        pauses = (*self.all.pauses, event)[-stored.MAX_PAUSES :]
        self.all = self.all.model_copy(update={"paused": event if paused else None, "pauses": pauses})
        if paused:
            self.alert(AlertKind.GLOBAL_PAUSE, f"every workflow is paused: {reason}", {"who": who}, everywhere=True)

    def alert(self, kind: AlertKind, message: str, details: dict[str, JsonValue], *, everywhere: bool = False) -> None:
        """Tell people, once this is stored."""
        alert = Alert(
            alert_id=self._ids.new("alert"),
            kind=kind,
            at=self.now,
            workflow_id=None if everywhere else self.workflow_id,
            message=message,
            details=details,
        )
        self.alerts.append(alert)
        self._set_pending((*self.all.pending_alerts, alert)[-stored.MAX_PENDING_ALERTS :])

    def take_overdue_alerts(self) -> None:
        """Alerts that a process stored and then died before telling."""
        overdue = [a for a in self.all.pending_alerts if abs((self.now - a.at).total_seconds()) > _ALERT_OVERDUE_S]
        if overdue:
            self.alerts += overdue
            self._set_pending(tuple(a for a in self.all.pending_alerts if a not in overdue))

    def told(self, alerts: list[Alert]) -> None:
        """Forget alerts that were told."""
        told = {alert.alert_id for alert in alerts}
        self._set_pending(tuple(a for a in self.all.pending_alerts if a.alert_id not in told))

    def save(self) -> None:
        """Hand to the transaction what changed, and nothing else."""
        if self.record != (self._stored or WorkflowRecord(workflow_id=self.workflow_id, state_since=self.now)):
            stored.save_workflow(self.records, self.record)
        if self.all != self._global_stored:
            stored.save_global(self.records, self.all)

    def end_quarantine_on_time(self) -> None:
        """A quarantine whose time is up is over, whoever looks and whenever."""
        if self.state is QUARANTINED and self.quarantine_is_over:
            self.move(DEGRADED, "the quarantine has lasted its time")

    def _quarantine_until(self, to_state: ExecutionState) -> datetime | None:
        until = self.record.quarantine_until
        if to_state is PAUSED:
            return until
        if to_state is not QUARANTINED:
            return None
        if self.record.paused_from is QUARANTINED and until is not None:
            return until
        return self.now + timedelta(seconds=self.policy.quarantine_duration_s)

    def _lease(self) -> datetime:
        return self.now + timedelta(seconds=_LEASE_S)

    def _set_pending(self, alerts: tuple[Alert, ...]) -> None:
        self.all = self.all.model_copy(update={"pending_alerts": alerts})
