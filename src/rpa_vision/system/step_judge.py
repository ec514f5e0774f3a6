"""What follows from the result of one step.

Pure judgement over an open book: count, compare with the policy the step began with, change the state at most once.
The order of the questions is the order of the seeds: did the last update do this (rollback)? is it dangerous
(quarantine)? is it blurred (degraded)? is it clear again (running)?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rpa_vision.models.auto_heal import ExecutionState, VersionInfo
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.models.policy import AutoHealPolicy
from rpa_vision.ports.runtime import Clock
from rpa_vision.system import regression_watch as watch
from rpa_vision.system.circuit_breaker import UNCLASSIFIED, CircuitBreaker, GlobalCounts
from rpa_vision.system.regression_watch import Look
from rpa_vision.system.state_machine import DEGRADED, EXECUTES, QUARANTINED, RUNNING
from rpa_vision.system.supervisor_records import PendingRollback
from rpa_vision.system.workflow_book import AUTO_HEAL, WorkflowBook


@dataclass(slots=True)
class Verdict:
    """What is to be done once the judgement is stored."""

    state_before: ExecutionState
    tripped: str | None = None
    """Why a breaker tripped, if one did."""
    rollback: PendingRollback | None = None
    rate_to_note: tuple[str, float] | None = None
    """A version whose window is full, and how well it did."""
    counts: dict[str, int] | None = None


class StepJudge:
    """Judges one result. Only when it matters are `versions` (newest first) and `previous` (to go back to) asked."""

    def __init__(
        self,
        book: WorkflowBook,
        global_counts: GlobalCounts,
        versions: Callable[[], Sequence[VersionInfo]],
        previous: Callable[[], str | None],
        clock: Clock,
        *,
        owner: str,
    ) -> None:
        self._book = book
        self._policy: AutoHealPolicy = book.policy
        self._versions = versions
        self._previous = previous
        self._owner = owner
        self.breaker = CircuitBreaker(book.policy, clock, counts=global_counts)
        self.breaker.load(book.workflow_id, book.record.counts)

    def judge(self, step_id: str, result: ExecutionResult, *, version_id: str | None) -> Verdict:
        """Count the result and change the state if it must be. A blocked step is neither success nor failure."""
        book, verdict = self._book, Verdict(self._book.state)
        if result.status is ExecutionStatus.BLOCKED:
            return verdict
        failed = not result.success
        self._count(step_id, result)
        self._compare_versions(result.success, version_id, verdict)
        low_margin = is_low_margin(result.margin, self._policy)
        if book.state in EXECUTES:
            self._decide(step_id, failed, low_margin, verdict)
        if failed:
            self._maybe_pause_everything(verdict)
        verdict.counts = self.breaker.get_failure_counts(book.workflow_id)
        return verdict

    def _count(self, step_id: str, result: ExecutionResult) -> None:
        book = self._book
        if result.success:
            self.breaker.record_success(book.workflow_id, step_id)
        else:
            self.breaker.record_failure(book.workflow_id, step_id, result.failure_kind or UNCLASSIFIED)
            book.change(last_failure=book.now, last_failed_step=step_id)
        book.change(counts=self.breaker.dump(book.workflow_id))

    def _compare_versions(self, success: bool, version_id: str | None, verdict: Verdict) -> None:
        """Keep the tally of the version in use. A step of an outdated version (a slower process) tells nothing."""
        record = self._book.record.regression
        if version_id != record.version_id:
            record = noted_version(record, self._versions())
        if version_id == record.version_id:
            tried = record.after.tried
            record = watch.stepped(record, success, self._policy)
            is_full = record.after.tried >= self._policy.regression_window_steps
            if record.version_id is not None and is_full and record.after.tried > tried:
                verdict.rate_to_note = (record.version_id, record.after.rate)
        self._book.change(regression=record)

    def _decide(self, step_id: str, failed: bool, low_margin: bool, verdict: Verdict) -> None:
        book, policy = self._book, self._policy
        dangerous = failed and self.breaker.should_trigger_quarantine(book.workflow_id)
        blurred = failed and self.breaker.should_trigger_degraded(book.workflow_id, step_id)
        full = watch.window_full(book.record.regression, policy)
        if dangerous:
            look = Look.WORKFLOW_TRIP
        elif blurred:
            look = Look.STEP_STREAK
        else:
            look = Look.WINDOW_FULL if full else Look.IN_PASSING
        trip = self._trip_reason(step_id, dangerous=dangerous, blurred=blurred)
        if watch.regressed(book.record.regression, policy, look) and self._roll_back(trip, verdict):
            return
        if full:
            book.change(regression=book.record.regression.model_copy(update={"watching": False}))
        if dangerous:
            book.move(QUARANTINED, trip)
            verdict.tripped = trip
        elif blurred and book.state is RUNNING:
            book.move(DEGRADED, trip)
            verdict.tripped = trip
        elif low_margin and book.state is RUNNING:
            book.move(DEGRADED, low_margin_reason(policy))
        elif book.state is DEGRADED:
            self._count_clean_steps(clean=not failed and not low_margin)

    def _roll_back(self, trip: str, verdict: Verdict) -> bool:
        """Undo the update, if it is still in use and there is something to go back to.

        What was learned on top of it without a version goes first, and the version is then judged by itself.
        """
        book, record = self._book, self._book.record.regression
        target = self._previous() if in_use(self._versions()) == record.version_id else None
        on_top = target == record.version_id
        if target is None or (on_top and record.changes_undone):
            return False
        before = record.before.count("1") / len(record.before)
        culprit = f"what was learned on top of {target}" if on_top else record.version_id
        reason = (
            f"{culprit} made it worse: {record.after.succeeded} of {record.after.tried} steps succeeded, "
            f"{before:.0%} before" + (f" ({trip})" if trip else "")
        )
        verdict.tripped = trip or None
        verdict.rollback = book.begin_rollback(self._owner, None if on_top else record.version_id, target, reason)
        return True

    def _count_clean_steps(self, *, clean: bool) -> None:
        book = self._book
        book.change(clean_steps=book.record.clean_steps + 1 if clean else 0)
        if book.record.clean_steps >= self._policy.step_success_streak_to_running:
            book.move(RUNNING, f"{book.record.clean_steps} clean steps in a row")

    def _maybe_pause_everything(self, verdict: Verdict) -> None:
        if self._book.all.paused is None and self.breaker.should_trigger_global_pause():
            count = self.breaker.get_failure_counts(self._book.workflow_id)["global_window"]
            reason = f"{count} failures of all workflows in {self._policy.global_fail_window_s} s"
            self._book.pause_all(paused=True, reason=reason, who=AUTO_HEAL)
            verdict.tripped = verdict.tripped or reason

    def _trip_reason(self, step_id: str, *, dangerous: bool, blurred: bool) -> str:
        counts = self._book.record.counts
        if dangerous:
            count = self.breaker.get_failure_counts(self._book.workflow_id)["workflow_window"]
            return f"{count} failures in {self._policy.workflow_fail_window_s} s"
        return f"step {step_id} failed {counts.streaks.get(step_id, 0)} times in a row" if blurred else ""


def is_low_margin(margin: float | None, policy: AutoHealPolicy) -> bool:
    """The two nearest screens are too close to tell apart (AH-9.4)."""
    return margin is not None and margin < policy.min_margin_top1_top2_normal


def low_margin_reason(policy: AutoHealPolicy) -> str:
    """For the record."""
    return (
        f"{FailureKind.LOW_CONFIDENCE}: the two nearest screens are closer than {policy.min_margin_top1_top2_normal:g}"
    )


def in_use(versions: Sequence[VersionInfo]) -> str | None:
    """The version in use, if there are versions."""
    return next((version.version_id for version in versions if version.in_use), None)


def noted_version(record: watch.RegressionRecord, versions: Sequence[VersionInfo]) -> watch.RegressionRecord:
    """Notice that another version is in use: a newer one is an update, an older one is not."""
    current = in_use(versions)
    if current is None or current == record.version_id:
        return record
    order = [version.version_id for version in versions]
    known = record.version_id in order
    newer = not known or order.index(current) < order.index(str(record.version_id))
    return watch.updated(record, current) if newer else watch.switched(record, current)
