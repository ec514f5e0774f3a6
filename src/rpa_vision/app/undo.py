"""Undo: the last three actions of a run are kept with how things looked, and taken back the latest first."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from pydantic import JsonValue

from rpa_vision.errors import RpaVisionError, UsageError
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.undo import Undoer, Undone, undo_entry
from rpa_vision.imaging.codec import decode, encode_png
from rpa_vision.models.document import JsonObject
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.undo import MAX_UNDONE, UndoEntry, UndoLog
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.undo import UndoStore

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class _Last:
    """An action, and how the place looked before and after it."""

    entry: UndoEntry
    before: Pixels | None = None
    after: Pixels | None = None


class RunUndo:
    """Keeps the last actions of one run. What goes wrong with that stops no run."""

    def __init__(
        self,
        store: UndoStore,
        run_id: str,
        workflow: Workflow,
        clock: Clock,
        sentence: Callable[[WorkflowEdge], str],
        shows_secrets: Callable[[ExecutedStep], bool] = lambda step: False,
    ) -> None:
        self._store = store
        self._run_id = run_id
        self._workflow = workflow
        self._clock = clock
        self._sentence = sentence
        self._shows_secrets = shows_secrets
        self._last: list[_Last] = []

    def note(self, step: ExecutedStep) -> None:
        """Keep in mind how a step is taken back."""
        try:
            entry = undo_entry(step, self._workflow, self._sentence(step.edge))
            if entry is not None:
                self._last = [*self._last, self._seen(entry, step)][-MAX_UNDONE:]
        except Exception:
            # An action that cannot be kept for undoing was still done as it should be.
            _log.warning("the step %s cannot be undone later", step.edge.edge_id, exc_info=True)

    def finish(self) -> None:
        """The run is over: write down how its last actions are taken back. Pictures are made only now, of these."""
        if not self._last:
            return
        try:
            entries = tuple(self._written(number, last) for number, last in enumerate(self._last, start=1))
            log = UndoLog(
                run_id=self._run_id, workflow_id=self._workflow.workflow_id, at=self._clock.now(), entries=entries
            )
            self._store.save(log)
        except RpaVisionError:
            _log.warning("the last actions of %s cannot be undone", self._run_id, exc_info=True)

    def _seen(self, entry: UndoEntry, step: ExecutedStep) -> _Last:
        outcome = step.outcome
        if entry.way == "none" or outcome.before is None or outcome.after is None:
            return _Last(entry)
        if self._shows_secrets(step):
            why = "a picture of it would show a secret"
            return _Last(entry.model_copy(update={"way": "none", "why_not": why}))
        box = Box.of(entry.box)
        return _Last(entry, _cut(outcome.before.pixels, box), _cut(outcome.after.pixels, box))

    def _written(self, number: int, last: _Last) -> UndoEntry:
        if last.before is None or last.after is None:
            return last.entry
        keep, run_id = self._store.keep_picture, self._run_id
        before = keep(run_id, f"undo_{number}_before", encode_png(last.before))
        after = keep(run_id, f"undo_{number}_after", encode_png(last.after))
        return last.entry.model_copy(update={"before": before, "after": after})


@dataclass(frozen=True, slots=True)
class UndoneStep:
    """One action, taken back or not."""

    step_id: str
    what: str
    done: bool
    message: str

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {"step_id": self.step_id, "what": self.what, "done": self.done, "message": self.message}


def undo_run(
    store: UndoStore, undoer: Undoer, audit: AuditLog, who: str, *, run_id: str | None = None, steps: int = 1
) -> tuple[UndoLog, list[UndoneStep]]:
    """Take the last actions of a run back, the latest first, up to the first that cannot be."""
    log = store.load(run_id) if run_id is not None else store.latest()
    if log is None:
        raise UsageError("no run has done anything yet", remedy="`rpa-vision run` lets a workflow be done.")
    undone: list[UndoneStep] = []
    for entry in reversed(log.entries[-steps:]):
        hindrance = undoer.hindrance(entry, _picture(store, entry.after))
        record: dict[str, JsonValue] = {
            "run_id": log.run_id,
            "workflow_id": log.workflow_id,
            "step_id": entry.step_id,
            "what": entry.what,
            "way": entry.way,
            "refused": hindrance,
            "who": who,
        }
        audit.append("undo_decided", record)
        result = Undone(False, hindrance) if hindrance else undoer.undo(entry, _picture(store, entry.before))
        undone.append(UndoneStep(entry.step_id, entry.what, result.done, result.message))
        if hindrance is None:  # whatever came of it, its opposite is not done twice
            log = log.model_copy(update={"entries": log.entries[:-1]})
            store.save(log)
        if not result.done:
            break
    return log, undone


def _picture(store: UndoStore, path: str | None) -> Pixels | None:
    try:
        return decode(store.picture(path)) if path is not None else None
    except RpaVisionError:
        return None


def _cut(pixels: Pixels, box: Box) -> Pixels:
    return np.array(pixels[box.y1 : box.y2, box.x1 : box.x2], copy=True, order="C")
