"""Carries out a rollback that was decided, and writes down what came of it.

The target was named when the rollback was decided, so that doing it again after a crash restores the same version. If
that one cannot be restored, the keeper may choose another, as long as the bad version is still the one in use.
"""

from __future__ import annotations

from rpa_vision.models.auto_heal import AlertKind
from rpa_vision.ports.auto_heal import RollbackOutcome, VersionKeeper
from rpa_vision.system import regression_watch as watch
from rpa_vision.system.alarms import Alarms
from rpa_vision.system.state_machine import DEGRADED, QUARANTINED, ROLLBACK
from rpa_vision.system.step_judge import in_use
from rpa_vision.system.supervisor_records import PendingRollback
from rpa_vision.system.version_view import VersionView
from rpa_vision.system.workflow_book import Audit, WorkflowBook


class Rollbacks:
    """One supervisor's rollbacks."""

    def __init__(self, keeper: VersionKeeper, view: VersionView, alarms: Alarms, owner: str) -> None:
        self._keeper = keeper
        self._view = view
        self._alarms = alarms
        self._owner = owner

    def restore(self, workflow_id: str, pending: PendingRollback) -> RollbackOutcome:
        """Everything back to the target, or nothing. A keeper that breaks has restored nothing."""
        outcome = self._asked(workflow_id, pending.target_version)
        is_replaceable = pending.target_version is not None and not pending.only_target
        if outcome is not None and not outcome.restored and is_replaceable:
            outcome = self._without_the_target(workflow_id, pending, outcome)
        self._view.forget(workflow_id)
        return outcome or RollbackOutcome(restored=False, version_id=None, message="the rollback itself failed")

    def _without_the_target(
        self, workflow_id: str, pending: PendingRollback, refusal: RollbackOutcome
    ) -> RollbackOutcome | None:
        """The target is damaged, say: the keeper knows others. If the bad version is gone, that was done already."""
        current = in_use(self._view.all(workflow_id))
        left = pending.bad_version or pending.target_version
        if current is not None and current != left:
            return RollbackOutcome(restored=True, version_id=current, message=f"{current} was restored already")
        return self._asked(workflow_id, None) if current is not None else refusal

    def _asked(self, workflow_id: str, version: str | None) -> RollbackOutcome | None:
        return self._alarms.safely("rollback", lambda: self._keeper.rollback_to_previous(workflow_id, version))

    def conclude(self, book: WorkflowBook, pending: PendingRollback, outcome: RollbackOutcome, audit: Audit) -> None:
        """Leave ROLLBACK, unless somebody else already did: the change happens once."""
        details = {
            "from_version": pending.bad_version,
            "to_version": outcome.version_id,
            "restored": outcome.restored,
            "message": outcome.message,
        }
        audit("rollback_ended", {"workflow_id": book.workflow_id, "reason": pending.reason, **details})
        current = book.record.rollback
        if book.state is not ROLLBACK or current is None or current.owner != self._owner:
            return
        restored = (outcome.version_id or pending.target_version) if outcome.restored else None
        book.change(regression=watch.rolled_back(book.record.regression, pending.bad_version, restored))
        if outcome.restored:
            book.move(DEGRADED, f"{restored} restored: {pending.reason}")
            text = f"{book.workflow_id} went back to {restored}: {pending.reason}"
        else:
            book.move(QUARANTINED, f"could not be rolled back: {outcome.message}")
            text = f"{book.workflow_id} could not go back: {outcome.message}"
        book.alert(AlertKind.ROLLBACK, text, dict(details))
