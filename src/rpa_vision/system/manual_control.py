"""What people do to workflows: change a state, pause, go on. Written down with who and why."""

from __future__ import annotations

from rpa_vision.errors import TransitionRefusedError, UsageError
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.ids import checked_id
from rpa_vision.system import supervisor_records as stored
from rpa_vision.system.circuit_breaker import GlobalCounts
from rpa_vision.system.state_machine import PAUSED, ROLLBACK, is_person
from rpa_vision.system.step_judge import in_use
from rpa_vision.system.supervisor_desk import SupervisorDesk
from rpa_vision.system.supervisor_records import PendingRollback
from rpa_vision.system.workflow_book import WorkflowBook

_NO_WORKFLOW = "all-workflows"


class ManualControl:
    """Along the table for anybody, outside it for a person."""

    def __init__(self, desk: SupervisorDesk) -> None:
        self._desk = desk

    def roll_back_to(
        self, workflow_id: str, version_id: str, reason: str, *, who: str, or_another: bool = False
    ) -> None:
        """Change to ROLLBACK and restore a given version; another one only if that was said to be fine."""
        self.force_transition(workflow_id, ROLLBACK, reason, who=who, version_id=version_id, or_another=or_another)

    def force_transition(
        self,
        workflow_id: str,
        new_state: ExecutionState,
        reason: str,
        *,
        who: str,
        version_id: str | None = None,
        or_another: bool = True,
    ) -> None:
        """Change a state. To be in it already is no change. A rollback may be told which version to restore."""
        checked_id(workflow_id, what="workflow")
        _say_why(reason)
        desk, pending = self._desk, None
        with desk.open(workflow_id, desk.policy.current()) as book:
            if book.state is new_state:
                return
            why_not = book.why_refused(new_state, by_hand=is_person(who))
            refused = why_not is not None and not is_person(who)
            if refused:
                asked = {"workflow_id": workflow_id, "to_state": new_state.value, "reason": reason, "who": who}
                desk.audit("transition_refused", {**asked, "why": why_not})
            elif new_state is ROLLBACK:
                forced = why_not is not None
                pending = self._begin_rollback(
                    book, reason, who, forced=forced, version_id=version_id, or_another=or_another
                )
            else:
                book.move(new_state, reason, who=who, forced=why_not is not None)
        if refused:
            raise TransitionRefusedError(f"{workflow_id}: {why_not}")
        desk.after.quarantined_without_a_step(book)
        desk.tell(book)
        desk.roll_back(workflow_id, pending)

    def pause(self, workflow_id: str | None, reason: str, *, who: str) -> None:
        """Pause one workflow, or everything. Steps that have begun end."""
        if workflow_id is not None:
            self.force_transition(workflow_id, PAUSED, reason, who=who)
            return
        _say_why(reason)
        with self._desk.open(_NO_WORKFLOW, self._desk.policy.current()) as book:
            if book.all.paused is None:
                book.pause_all(paused=True, reason=reason, who=who)
        self._desk.tell(book)

    def resume(self, workflow_id: str | None, reason: str, *, who: str) -> None:
        """Let one workflow, or everything, go on where it was. What is not paused stays as it is."""
        _say_why(reason)
        if not is_person(who):
            raise TransitionRefusedError("only a person may end a pause")
        if workflow_id is None:
            self._resume_all(reason, who)
            return
        checked_id(workflow_id, what="workflow")
        desk, pending = self._desk, None
        with desk.open(workflow_id, desk.policy.current()) as book:
            back_to = book.record.paused_from
            if book.state is not PAUSED or back_to is None:
                return
            if back_to is ROLLBACK:
                pending = self._begin_rollback(book, reason, who, forced=False)
            else:
                book.move(back_to, reason, who=who)
                book.end_quarantine_on_time()
        desk.roll_back(workflow_id, pending)

    def _resume_all(self, reason: str, who: str) -> None:
        with self._desk.open(_NO_WORKFLOW, self._desk.policy.current()) as book:
            if book.all.paused is not None:
                book.pause_all(paused=False, reason=reason, who=who)
                # Counting begins anew, or the very next failure would pause everything again.
                stored.save_global_failures(book.records, GlobalCounts())

    def _begin_rollback(
        self,
        book: WorkflowBook,
        reason: str,
        who: str,
        *,
        forced: bool,
        version_id: str | None = None,
        or_another: bool = True,
    ) -> PendingRollback:
        """A rollback that a pause interrupted goes on to where it was going, not one version further."""
        interrupted = book.record.rollback
        if version_id is None and interrupted is not None:
            bad, target, or_another = interrupted.bad_version, interrupted.target_version, not interrupted.only_target
        else:
            versions = self._desk.versions
            target = version_id or versions.previous(book.workflow_id)
            current = in_use(versions.all(book.workflow_id))
            bad = None if current == target else current
        return book.begin_rollback(
            self._desk.me, bad, target, reason, who=who, forced=forced, only_target=not or_another
        )


def _say_why(reason: str) -> None:
    if not reason.strip():
        raise UsageError("a change by hand needs a reason", remedy="Say why; the audit trail keeps it.")
