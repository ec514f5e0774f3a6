"""Autonomy that is earned: who may do what with a workflow follows from what was seen of it, and is lost again.

Every run that proved something is counted once. What it leads to (a level up, a level down) is decided in the same
transaction, and one line of the audit trail with all its numbers is written before it holds: a process that dies in
between leaves either nothing or all of it. Nobody gets to AUTO_CONFIRMÉ without a person.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Final

from pydantic import JsonValue

from rpa_vision.errors import NotAcknowledgedError, NotEarnedError, UsageError
from rpa_vision.learning import maturity_rules as rules
from rpa_vision.learning.deeds import deeds_digest
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.models.ids import checked_id
from rpa_vision.models.maturity import Approval, CountedRun, Maturity
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED, LearningStateName, LearningThresholds
from rpa_vision.ports.maturity import MaturityBook, MaturityPages
from rpa_vision.ports.runtime import Clock, Ids

MACHINE: Final = "learning"
"""Who moves a workflow when nobody does."""


class LearningManager:
    """The levels of all workflows of a data directory. Usable from several threads and processes."""

    def __init__(
        self,
        book: MaturityBook,
        clock: Clock,
        ids: Ids,
        *,
        thresholds: Callable[[str], LearningThresholds] = lambda workflow_id: LearningThresholds(),
        on_change: Callable[[Maturity, LearningStateName], None] = lambda known, before: None,
    ) -> None:
        """`thresholds` are a workflow's own; `on_change` hears of every change of level, once it holds."""
        self._book = book
        self._clock = clock
        self._ids = ids
        self._thresholds = thresholds
        self._on_change = on_change

    def maturity(self, workflow_id: str) -> Maturity:
        """Where a workflow stands. One never heard of is at OBSERVATION."""
        with self._book.open() as pages:
            return _known(pages, workflow_id)

    def all(self) -> list[Maturity]:
        """Where every workflow stands of which something was counted."""
        with self._book.open() as pages:
            return pages.all()

    def level(self, workflow: Workflow) -> LearningStateName:
        """What a workflow may be trusted with now; one that does something else than before is trusted less."""
        return self.settle(workflow).state

    def settle(self, workflow: Workflow) -> Maturity:
        """See that what is counted belongs to what the workflow does now: what was earned by other deeds is lost."""
        deeds = deeds_digest(workflow)
        with self._book.open() as pages:
            before = _known(pages, workflow.workflow_id)
            after = before
            if before.deeds is None and before != Maturity(workflow_id=workflow.workflow_id):
                after = before.model_copy(update={"deeds": deeds})
                self._write(pages, before, after, "what it does is noted")
            elif before.deeds is not None and before.deeds != deeds:
                after = self._by_other_deeds(pages, before, deeds, workflow.version)
        self._tell(before, after)
        return after

    def missing(self, workflow_id: str) -> rules.NextLevel:
        """What the next level asks for, and what there is of it."""
        return rules.next_level(self.maturity(workflow_id), self._thresholds(workflow_id))

    def observed(
        self, workflow_id: str, similarity: float, source: str, *, workflow: Workflow | None = None
    ) -> Maturity:
        """A person did the workflow by hand, so much like it was learned. `source` is the stretch of the session
        (`<session_id>@<seconds>`): the same one is counted once, whoever saw it."""
        return self.count(
            workflow_id, CountedRun(way="observed", source=source, confidence=similarity), workflow=workflow
        )

    def count(self, workflow_id: str, run: CountedRun, *, workflow: Workflow | None = None) -> Maturity:
        """Count a run, and do what follows from it. One that was counted already changes nothing. `workflow` is what
        was run: the first one that is known is what trust is tied to, and what was changed while it ran proves nothing
        of what it is now."""
        checked_id(workflow_id, what="workflow")
        thresholds = self._thresholds(workflow_id)
        deeds = deeds_digest(workflow) if workflow is not None else None
        with self._book.open() as pages:
            before = _known(pages, workflow_id)
            if pages.is_counted(workflow_id, run.source):
                return before
            if run.succeeded and None not in (before.deeds, deeds) and before.deeds != deeds:
                run = run.model_copy(update={"verified": False})
            after, why = rules.after_run(before, run, thresholds)
            if after.state != before.state:
                after = after.model_copy(update={"since": self._clock.now()})
            if before.deeds is None and deeds is not None:
                after = after.model_copy(update={"deeds": deeds})
            self._write(pages, before, after, why, run=run)
        self._tell(before, after)
        return after

    def update_workflow_stats(self, workflow_id: str, execution_result: ExecutionResult) -> Maturity:
        """Count a run of the kind that the workflow's level is judged by. What was blocked proves nothing."""
        state = self.maturity(workflow_id).state
        ways = {"AUTO_CANDIDATE": "supervised", AUTO_CONFIRMED: "alone"}
        run = CountedRun.model_validate(
            {
                "way": ways.get(state, "assisted"),
                "source": self._ids.new("result"),
                "verified": execution_result.status is not ExecutionStatus.BLOCKED,
                "succeeded": execution_result.success,
                "confidence": execution_result.confidence,
            }
        )
        return self.count(workflow_id, run)

    def approve(
        self,
        workflow_id: str,
        *,
        who: str,
        reason: str,
        acknowledge: bool = False,
        consented_steps: tuple[str, ...] = (),
        under: AbstractContextManager[object] | None = None,
    ) -> Maturity:
        """A person lets a workflow run alone, having seen what speaks for it. What is entered with `under` holds until
        it is written: that the workflow is the one that was seen."""
        if not who.strip() or not reason.strip():
            raise UsageError("an approval has a name and a reason", remedy="Say who approves it, and why.")
        thresholds = self._thresholds(workflow_id)
        with under or nullcontext(), self._book.open() as pages:
            before = _known(pages, workflow_id)
            above = rules.next_level(before, thresholds)
            if not above.by_person or not above.is_earned:
                raise NotEarnedError(_why_not(workflow_id, above))
            runs, successes = before.auto_candidate_runs, before.auto_candidate_successes
            bound = rules.lower_bound(successes, runs)
            if bound < rules.MIN_LOWER_BOUND and not acknowledge:
                raise NotAcknowledgedError(
                    f"{successes} of {runs} runs prove a success rate of {bound:.2f} only, which is below "
                    f"{rules.MIN_LOWER_BOUND:.2f}"
                )
            approval = Approval(
                who=who,
                at=self._clock.now(),
                reason=reason,
                runs=runs,
                successes=successes,
                lower_bound=bound,
                acknowledged=acknowledge,
                consented_steps=consented_steps,
            )
            after = self._moved(before, AUTO_CONFIRMED).model_copy(update={"approval": approval})
            self._write(pages, before, after, f"approved: {reason}", who=who)
        self._tell(before, after)
        return after

    def withdraw(self, workflow_id: str, *, who: str, reason: str) -> Maturity:
        """Take back what was allowed: the workflow is at COACHING again."""
        with self._book.open() as pages:
            before = _known(pages, workflow_id)
            if not rules.may_follow(before.state, "COACHING") or before.state not in rules.AUTO_LEVELS:
                raise UsageError(
                    f"{workflow_id} is at {before.state}: there is nothing to take back",
                    remedy="`rpa-vision heal pause` keeps a workflow from running at all.",
                )
            after = self._moved(before, "COACHING")
            self._write(pages, before, after, f"withdrawn: {reason}", who=who)
        self._tell(before, after)
        return after

    def judged_wrong(self, workflow_id: str, run_id: str, *, who: str, note: str = "") -> Maturity:
        """A person found that a run which called itself done did something wrong: nothing speaks more against it."""
        with self._book.open() as pages:
            before = _known(pages, workflow_id)
            if before.state == "OBSERVATION":
                return before
            # A run of COACHING that went wrong unseen makes doubtful what those beside it proved: they count no more.
            young = before.state == "COACHING"
            after = rules.at_level(before, "COACHING") if young else self._moved(before, "COACHING")
            self._write(
                pages, before, after, f"run {run_id} did something wrong: {note or 'a person says so'}", who=who
            )
        self._tell(before, after)
        return after

    def _by_other_deeds(self, pages: MaturityPages, before: Maturity, deeds: str, version: int) -> Maturity:
        why = f"what it does was changed (version {version})"
        after = before
        if before.state != "OBSERVATION":
            after = rules.at_level(before, "COACHING")
            if before.state != "COACHING":
                after = self._moved(before, "COACHING")
        after = after.model_copy(update={"deeds": deeds})
        self._write(pages, before, after, why)
        return after

    def _moved(self, known: Maturity, state: LearningStateName) -> Maturity:
        assert rules.may_follow(known.state, state)
        return rules.at_level(known, state).model_copy(update={"since": self._clock.now()})

    def _write(
        self,
        pages: MaturityPages,
        before: Maturity,
        after: Maturity,
        why: str,
        *,
        who: str = MACHINE,
        run: CountedRun | None = None,
    ) -> None:
        changed = before.state != after.state
        record: dict[str, JsonValue] = {"workflow_id": after.workflow_id, "who": who}
        if changed:
            record |= {"from_state": before.state, "to_state": after.state, "numbers": _numbers(before, run)}
        if why:
            record["reason"] = why
        if run is not None:
            record["run"] = run.model_dump(mode="json")
            record["source"] = run.source
        record["maturity"] = after.to_json()
        kind = "maturity_changed" if changed else "run_counted" if run is not None else "maturity_noted"
        pages.audit(kind, record)

    def _tell(self, before: Maturity, after: Maturity) -> None:
        if before.state != after.state:
            self._on_change(after, before.state)


def _known(pages: MaturityPages, workflow_id: str) -> Maturity:
    return pages.get(checked_id(workflow_id, what="workflow")) or Maturity(workflow_id=workflow_id)


def _numbers(known: Maturity, run: CountedRun | None) -> dict[str, JsonValue]:
    """What decided, in one place: the counts with the run in them, before the new level begins its own."""
    counted = rules.counted(known, run) if run is not None else known
    runs, successes = counted.auto_candidate_runs, counted.auto_candidate_successes
    return {
        "observed_runs": counted.observed_runs,
        "avg_similarity": counted.avg_similarity,
        "assist_runs": counted.assist_runs,
        "assist_successes": counted.assist_successes,
        "auto_candidate_runs": runs,
        "auto_candidate_successes": successes,
        "auto_confirmed_runs": counted.auto_confirmed_runs,
        "auto_confirmed_successes": counted.auto_confirmed_successes,
        "recent_confidence": rules.recent_confidence(counted),
        "lower_bound": rules.lower_bound(successes, runs),
    }


def _why_not(workflow_id: str, above: rules.NextLevel) -> str:
    if not above.by_person:
        return f"{workflow_id} is at {above.state}: there is nothing to approve"
    lacking = ", ".join(
        f"{need.name} {'none' if need.have is None else f'{need.have:.3g}'} of {need.need:g}" for need in above.missing
    )
    return f"{workflow_id} has not earned it yet: {lacking}"
