"""Undo: the last three actions of a run are kept with how things looked, and taken back the latest first.

They are written down after each step: a run that is killed can be taken back as far as it came.
"""

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
        *,
        later: Callable[[Callable[[], None]], None] = lambda work: work(),
    ) -> None:
        """`later` has something written down in time, before anything else is done."""
        self._store = store
        self._run_id = run_id
        self._workflow = workflow
        self._clock = clock
        self._sentence = sentence
        self._shows_secrets = shows_secrets
        self._later = later
        self._entries: tuple[UndoEntry, ...] = ()
        self._shown: tuple[Pixels, Box, bytes] | None = None
        """What was written last: how one step leaves the screen, the next one finds it."""

    def begin(self) -> None:
        """Before anything is done, a log says that this run was the last; one that goes on after a rollback has one."""
        try:
            known = self._store.find(self._run_id)
            self._entries = known.entries if known is not None else ()
            self._save(is_over=False)
        except RpaVisionError:
            _log.warning("the actions of %s cannot be undone", self._run_id, exc_info=True)

    def note(self, step: ExecutedStep) -> None:
        """Write down how a step is taken back."""
        try:
            entry = undo_entry(step, self._workflow, self._sentence(step.edge))
            if entry is not None and entry.way != "none" and self._shows_secrets(step):
                entry = _without_what_was_seen(entry, "a picture of it would show a secret")
        except Exception:
            self._later(lambda: self._lose(step))
            return
        if entry is not None:
            self._later(lambda: self._keep(entry, step))

    def finish(self) -> None:
        """The run is over."""
        try:
            self._save(is_over=True)
        except RpaVisionError:
            _log.warning("the last actions of %s cannot be undone", self._run_id, exc_info=True)

    def _keep(self, entry: UndoEntry, step: ExecutedStep) -> None:
        try:
            self._add(self._seen(entry, step))
        except Exception:
            self._lose(step)

    def _lose(self, step: ExecutedStep) -> None:
        """An action that cannot be kept for undoing was still done as it should be. It is noted, so that nobody takes
        back what came before it, as if it had not been done."""
        _log.warning("the step %s cannot be undone later", step.edge.edge_id, exc_info=True)
        if not step.outcome.anything_sent:
            return
        why = "how it is taken back could not be written down"
        lost = UndoEntry(step_id=step.edge.edge_id, what=step.edge.edge_id, way="none", why_not=why, box=(0, 0, 1, 1))
        try:
            self._add(lost)
        except RpaVisionError:
            _log.warning("the log of %s cannot be written", self._run_id, exc_info=True)

    def _add(self, entry: UndoEntry) -> None:
        self._entries = (*self._entries, entry)[-MAX_UNDONE:]
        self._save(is_over=False)

    def _save(self, *, is_over: bool) -> None:
        log = UndoLog(
            run_id=self._run_id,
            workflow_id=self._workflow.workflow_id,
            at=self._clock.now(),
            entries=self._entries,
            is_over=is_over,
            has_acted=bool(self._entries),
        )
        self._store.save(log)

    def _seen(self, entry: UndoEntry, step: ExecutedStep) -> UndoEntry:
        """The entry with pictures of how the place looked before and after the action."""
        outcome = step.outcome
        if entry.way == "none" or outcome.before is None or outcome.after is None:
            return entry
        box, name = Box.of(entry.box), self._free_name()
        before = self._store.keep_picture(self._run_id, f"{name}_before", self._png(outcome.before.pixels, box))
        after = self._store.keep_picture(self._run_id, f"{name}_after", self._png(outcome.after.pixels, box))
        return entry.model_copy(update={"before": before, "after": after})

    def _png(self, pixels: Pixels, box: Box) -> bytes:
        if self._shown is None or self._shown[0] is not pixels or self._shown[1] != box:
            self._shown = (pixels, box, encode_png(_cut(pixels, box)))
        return self._shown[2]

    def _free_name(self) -> str:
        """A name that no picture has to which the log on disk refers: cut off here, it must stay true."""
        taken = [entry.before or "" for entry in self._entries]
        names = (f"undo_{number}" for number in range(1, MAX_UNDONE + 2))
        return next(name for name in names if not any(f"{name}_before" in path for path in taken))


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
    store: UndoStore,
    undoer: Undoer,
    audit: AuditLog,
    who: str,
    *,
    run_id: str | None = None,
    steps: int = 1,
    is_running: Callable[[str], bool] = lambda run_id: False,
) -> tuple[UndoLog, list[UndoneStep]]:
    """Take the last actions of a run back, the latest first, up to the first that cannot be.

    Not while it goes on (`is_running`), and not where it was cut off before it could write down what it did.
    """
    log = store.load(run_id) if run_id is not None else store.latest()
    if log is None:
        raise UsageError("no run has done anything yet", remedy="`rpa-vision run` lets a workflow be done.")
    if is_running(log.run_id):
        raise UsageError(f"the run {log.run_id} goes on", remedy=f"End it first: `rpa-vision stop {log.run_id}`.")
    if not log.is_over and not log.entries:
        raise UsageError(
            f"the run {log.run_id} was cut off before it wrote down what it did, so nothing is undone",
            remedy="Look at the screen. `rpa-vision undo RUN` takes back the actions of an earlier run.",
        )
    undone: list[UndoneStep] = []
    for entry in reversed(log.entries[-steps:]):
        hindrance = undoer.hindrance(entry, _picture(store, entry.after))
        record: dict[str, JsonValue] = {
            "run_id": log.run_id,
            "workflow_id": log.workflow_id,
            "step_id": entry.step_id,
            "what": entry.what,
            "way": entry.way,
            "refused": _without_what_is_shown(entry, hindrance),
            "who": who,
        }
        audit.append("undo_decided", record)
        if hindrance is None:  # whatever comes of it, its opposite is not done twice
            before = _picture(store, entry.before)
            log = log.model_copy(update={"entries": log.entries[:-1], "is_over": True})
            store.save(log)
            result = undoer.undo(entry, before)
        else:
            result = Undone(False, hindrance)
        undone.append(UndoneStep(entry.step_id, entry.what, result.done, result.message))
        if not result.done:
            break
    return log, undone


def _without_what_was_seen(entry: UndoEntry, why_not: str) -> UndoEntry:
    """The same, not to be taken back, and nothing that the screen showed."""
    seen = {"text": None, "texts_before": None, "texts_after": None}
    return entry.model_copy(update={"way": "none", "why_not": why_not, **seen})


def _without_what_is_shown(entry: UndoEntry, hindrance: str | None) -> str | None:
    """A reason without what the screen says now: nobody here knows which of it is secret."""
    return hindrance if hindrance is None or entry.way == "none" else hindrance.partition(":")[0]


def _picture(store: UndoStore, path: str | None) -> Pixels | None:
    try:
        return decode(store.picture(path)) if path is not None else None
    except RpaVisionError:
        return None


def _cut(pixels: Pixels, box: Box) -> Pixels:
    return np.array(pixels[box.y1 : box.y2, box.x1 : box.x2], copy=True, order="C")
