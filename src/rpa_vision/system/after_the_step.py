"""What follows a judgement once it is stored: failure cases, mini reports, the success store, rates of versions.

All of it helps and none of it decides, so nothing that breaks here stops a run.
"""

from __future__ import annotations

from pydantic import JsonValue

from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.ports.auto_heal import FailureRecorder, MiniReport, SuccessStore, VersionKeeper
from rpa_vision.system.alarms import Alarms
from rpa_vision.system.state_machine import QUARANTINED, RUNNING
from rpa_vision.system.step_judge import Verdict
from rpa_vision.system.steps_in_flight import StepInFlight
from rpa_vision.system.workflow_book import WorkflowBook

_NO_STEP = "no-step"


class AfterTheStep:
    """Those who want to know."""

    def __init__(
        self,
        failures: FailureRecorder,
        successes: SuccessStore,
        versions: VersionKeeper,
        alarms: Alarms,
        mini_report: MiniReport | None,
    ) -> None:
        self._failures = failures
        self._successes = successes
        self._versions = versions
        self._alarms = alarms
        self._mini_report = mini_report

    def follow_up(
        self,
        book: WorkflowBook,
        step_id: str,
        result: ExecutionResult,
        verdict: Verdict,
        began: StepInFlight,
        *,
        stored: bool,
        run_id: str | None = None,
        **more: JsonValue,
    ) -> str | None:
        """Tell all of them. Gives the id of the failure case if there is a new one."""
        workflow_id = book.workflow_id
        if stored:
            self._alarms.safely(
                "success store",
                lambda: self._successes.record_success(workflow_id, step_id, result, run_id=run_id),
            )
        if verdict.rate_to_note is not None:
            version, rate = verdict.rate_to_note
            self._alarms.safely(
                "success rate", lambda: self._versions.note_success_rate(workflow_id, version, after=rate)
            )
        if result.status is not ExecutionStatus.FAILED or result.by_person:
            return None
        context = _context(book, began.version_id) | {
            "state_before": verdict.state_before.value,
            "tripped": verdict.tripped,
            "counts": dict(verdict.counts or {}),
            "run_id": run_id,
            **more,
        }
        case_id = self._record(workflow_id, step_id, result, context)
        if verdict.tripped is not None:
            # One more failure of a known kind has no case of its own: the report goes to the last one.
            self._attach_mini_report(workflow_id, case_id or book.record.last_case_id)
        return case_id

    def quarantined_without_a_step(self, book: WorkflowBook) -> None:
        """A quarantine that no failed step brought about (by hand, a rollback that failed) has a case too (AH-1.4)."""
        if book.state is not QUARANTINED or not book.alerts:
            return
        reason = "; ".join(alert.message for alert in book.alerts)
        step_id = book.record.last_failed_step or _NO_STEP
        result = ExecutionResult(status=ExecutionStatus.BLOCKED, message=reason)
        self._record(book.workflow_id, step_id, result, _context(book, book.record.regression.version_id))

    def _record(self, workflow_id: str, step_id: str, result: ExecutionResult, context: JsonObject) -> str | None:
        return self._alarms.safely(
            "failure case", lambda: self._failures.record_failure(workflow_id, step_id, result, context)
        )

    def _attach_mini_report(self, workflow_id: str, case_id: str | None) -> None:
        make = self._mini_report
        if make is None or case_id is None:
            return
        report = self._alarms.safely("mini report", lambda: make(workflow_id))
        if report is not None:
            self._alarms.safely("mini report", lambda: self._failures.attach_report(case_id, report))


def is_validated(result: ExecutionResult, began: StepInFlight, verdict: Verdict, book: WorkflowBook) -> bool:
    """A success of the robot's in a step that began and ended in RUNNING, and left it there: what the success store
    holds."""
    own = result.success and not result.by_person
    return own and {began.state or RUNNING, verdict.state_before, book.state} == {RUNNING}


def _context(book: WorkflowBook, version_id: str | None) -> JsonObject:
    return {
        "state": book.mode.value,
        "policy_digest": book.policy.digest,
        "policy": book.policy.to_json(),
        "version_id": version_id,
    }
