"""Fiche 19: every failed step is kept as a case that can be looked at and replayed; known ones are only counted.

The same step failing in the same way on the same layout is one case. Cases are bounded in number and in bytes: when
room is needed, those go first that were not seen for the longest time (by day), and among them the most often seen,
which say the least that is new.
"""

from __future__ import annotations

import threading
from contextlib import suppress
from functools import partial

from rpa_vision.errors import RpaVisionError
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.document import JsonObject
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus
from rpa_vision.models.failure_case import MAX_SENT_TO, CaseSightings, case_id_for
from rpa_vision.models.frame import Pixels
from rpa_vision.ports.failures import FailureCaseStore, StoredCase
from rpa_vision.ports.runtime import Clock
from rpa_vision.system.failure_evidence import EVIDENCE, StepEvidence, case_from, picture_after, picture_of, sent_to

MAX_CASES = 200
MAX_TOTAL_BYTES = 512 * 1024 * 1024
_MAX_PRESENTED = 16  # each holds a screen's pixels

_Key = tuple[str | None, str, str]
"""Run, workflow, step."""


class FailureCaseRecorder:
    """Implements `ports.auto_heal.FailureRecorder` over a store of cases."""

    def __init__(
        self,
        store: FailureCaseStore,
        clock: Clock,
        *,
        max_cases: int = MAX_CASES,
        max_total_bytes: int = MAX_TOTAL_BYTES,
    ) -> None:
        self._store = store
        self._clock = clock
        self._max_cases = max_cases
        self._max_total_bytes = max_total_bytes
        self._presented: dict[_Key, StepEvidence] = {}
        self._presenting = threading.Lock()

    def present(self, evidence: StepEvidence) -> None:
        """Hand over what the run knows of a failed step, before the supervisor is told of its result.

        The supervisor's hooks carry results only; the evidence waits here for the `record_failure` of the same step of
        the same run. A run has one step at a time: what waits of an earlier one will not be asked for. A blocked step
        has no case, so its evidence does not wait.
        """
        run_id, workflow_id, step_id = evidence.run_id, evidence.workflow.workflow_id, evidence.step.edge.edge_id
        key = (run_id, workflow_id, step_id)
        with self._presenting:
            for other in [one for one in self._presented if one == key or (run_id is not None and one[0] == run_id)]:
                del self._presented[other]
            if evidence.step.outcome.status is not ExecutionStatus.FAILED:
                return
            while len(self._presented) >= _MAX_PRESENTED:  # runs that died in between
                del self._presented[next(iter(self._presented))]
            self._presented[key] = evidence

    def record_failure(
        self, workflow_id: str, step_id: str, result: ExecutionResult, context: JsonObject
    ) -> str | None:
        """Keep a failed step and give the case's id; None when it is one more of a known kind, or no failure."""
        run_id = context.get("run_id")
        context = {key: value for key, value in context.items() if key != "run_id"}
        presented = None
        if result.status is ExecutionStatus.FAILED:
            with self._presenting:
                presented = self._presented.pop((run_id, workflow_id, step_id), None)
        if result.success:
            return None
        if EVIDENCE not in context and presented is not None:
            context = {**context, EVIDENCE: presented}
        evidence = context.get(EVIDENCE)
        known = evidence if isinstance(evidence, StepEvidence) else None
        layout = known.layout if known is not None else ""
        case_id = case_id_for(workflow_id, step_id, result.failure_kind, layout)
        with self._store.alone():
            if self._store.has(case_id):
                self._count(case_id, known)
                return None
            return self._keep(case_id, workflow_id, step_id, result, context, known)

    def attach_report(self, case_id: str, report: JsonObject) -> None:
        """Add a report (of a simulation) to a case; a later one takes its place."""
        with self._store.alone():
            self._store.save_report(case_id, report)

    def _count(self, case_id: str, evidence: StepEvidence | None) -> None:
        seen = self._store.sightings(case_id)
        version = evidence.workflow.version if evidence is not None else seen.last_workflow_version
        now = max(self._clock.now(), seen.last_seen)
        update: dict[str, object] = {
            "occurrences": seen.occurrences + 1,
            "last_seen": now,
            "last_workflow_version": version,
        }
        element = sent_to(evidence.step.outcome) if evidence is not None else None
        name = element.stable_id if element is not None else None
        if name is not None and (name in seen.sent_to or len(seen.sent_to) < MAX_SENT_TO):
            update["sent_to"] = {**seen.sent_to, name: seen.sent_to.get(name, 0) + 1}
        self._store.note_sightings(seen.model_copy(update=update))

    def _keep(
        self,
        case_id: str,
        workflow_id: str,
        step_id: str,
        result: ExecutionResult,
        context: JsonObject,
        evidence: StepEvidence | None,
    ) -> str | None:
        failed_before = partial(self._failed_before, workflow_id, step_id)
        case = case_from(case_id, workflow_id, step_id, result, context, self._clock.now(), failed_before)
        screen = _png(picture_of(evidence)) if evidence is not None else None
        after = _png(picture_after(evidence)) if evidence is not None else None
        look = _png(evidence.look) if evidence is not None else None
        document_bytes = len(case.model_dump_json(indent=2))
        if document_bytes + len(screen or b"") + len(look or b"") + len(after or b"") > self._max_total_bytes:
            after = None
        if document_bytes + len(screen or b"") + len(look or b"") > self._max_total_bytes:
            screen = look = None  # a case without its pictures can still be read
        if document_bytes > self._max_total_bytes:
            return None
        self._store.save(case, screen=screen, look=look, after=after)
        self._make_room(keep=case_id)
        return case_id

    def _failed_before(self, workflow_id: str, step_id: str, stable_id: str) -> int:
        """How often the step failed after something was sent to that element, as its other cases tell. Of one that was
        last seen by an earlier version only the first sighting is known; the others may have been of anything."""
        times = 0
        for one in self._store.list().items:
            if (one.seen.workflow_id, one.seen.step_id) != (workflow_id, step_id):
                continue
            counted = one.seen.sent_to
            if not counted:
                with suppress(RpaVisionError):  # a case that cannot be read tells nothing
                    counted = CaseSightings.of(self._store.load(one.seen.case_id)).sent_to
            times += counted.get(stable_id, 0)
        return times

    def _make_room(self, *, keep: str) -> None:
        """The new case stays: it is what somebody will want to look at."""
        cases = self._store.list().items
        count, total = len(cases), sum(case.size_bytes for case in cases)
        for case in sorted(cases, key=_first_out):
            if count <= self._max_cases and total <= self._max_total_bytes:
                return
            if case.seen.case_id != keep:
                self._store.delete(case.seen.case_id)
                count, total = count - 1, total - case.size_bytes


def _png(pixels: Pixels | None) -> bytes | None:
    return encode_png(pixels) if pixels is not None else None


def _first_out(case: StoredCase) -> tuple[str, int, str, str]:
    seen = case.seen
    return (seen.last_seen.date().isoformat(), -seen.occurrences, seen.last_seen.isoformat(), seen.case_id)
