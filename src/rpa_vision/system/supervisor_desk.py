"""Where the parts of the supervisor meet: the open book, the audit trail, those to be told, and rollbacks."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from rpa_vision.models.document import JsonObject
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.auto_heal import PolicySource, RollbackOutcome, StateRecords, StateStore
from rpa_vision.ports.runtime import Clock, Ids
from rpa_vision.system.after_the_step import AfterTheStep
from rpa_vision.system.alarms import Alarms
from rpa_vision.system.rollbacks import Rollbacks
from rpa_vision.system.supervisor_records import PendingRollback
from rpa_vision.system.version_view import VersionView
from rpa_vision.system.workflow_book import WorkflowBook


@dataclass(slots=True)
class SupervisorDesk:
    """Shared by everything one supervisor does. Every decision goes through `open`."""

    state: StateStore
    policy: PolicySource
    audit_log: AuditLog
    audit_context: Mapping[str, JsonValue]
    clock: Clock
    ids: Ids
    alarms: Alarms
    versions: VersionView
    rollbacks: Rollbacks
    after: AfterTheStep
    me: str
    """Who owns a rollback that this supervisor began."""
    announced: str = ""

    @contextlib.contextmanager
    def open(self, workflow_id: str, policy: AutoHealPolicy) -> Iterator[WorkflowBook]:
        """The book of a workflow, alone, saved at the end."""
        with self.state.transaction() as records:
            book = self.book(records, workflow_id, policy)
            yield book
            book.save()

    def book(self, records: StateRecords, workflow_id: str, policy: AutoHealPolicy) -> WorkflowBook:
        """A book in a transaction that is open already. A policy is written down whole before it first decides."""
        self._announce(policy)
        return WorkflowBook(records, workflow_id, policy, self.clock, self.ids, self.audit)

    def glance(self, records: StateRecords, workflow_id: str, policy: AutoHealPolicy) -> WorkflowBook:
        """A book for looking only. The policy is written down if looking ends a quarantine, and otherwise not."""

        def audit(kind: str, record: JsonObject) -> None:
            self._announce(policy)
            self.audit(kind, record)

        return WorkflowBook(records, workflow_id, policy, self.clock, self.ids, audit)

    def tell(self, book: WorkflowBook) -> None:
        """Tell what was stored, then forget that it is to be told."""
        if not book.alerts:
            return
        self.alarms.tell(book.alerts)
        with self.open(book.workflow_id, book.policy) as reopened:
            reopened.told(book.alerts)

    def roll_back(self, workflow_id: str, pending: PendingRollback | None) -> RollbackOutcome | None:
        """Carry out a rollback that was decided and stored, and say what came of it."""
        if pending is None:
            return None
        outcome = self.rollbacks.restore(workflow_id, pending)
        with self.open(workflow_id, self.policy.current()) as book:
            self.rollbacks.conclude(book, pending, outcome, self.audit)
        self.after.quarantined_without_a_step(book)
        self.tell(book)
        return outcome

    def _announce(self, policy: AutoHealPolicy) -> None:
        if policy.digest != self.announced:
            self.audit("policy_in_force", {"policy_digest": policy.digest, "policy": policy.to_json()})
            self.announced = policy.digest

    def audit(self, kind: str, record: JsonObject) -> None:
        """Write a decision down."""
        self.audit_log.append(kind, {**self.audit_context, **record})
