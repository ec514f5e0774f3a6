"""The worker of a display: takes runs from the queue one at a time, does them, and says what it is doing.

A run is claimed by one transaction and kept by a lease that a thread of its own renews. A worker that lost its lease
(it was asleep, or cut off from the disk) sends no further input: people may have been told already that it was
interrupted. It knows by its own clock, which nobody sets, until when the lease is surely its own. A worker that is to
stop lets its run end before the next step; what does not end in time is kept from sending more. A run that a person
stops sends nothing more, in the middle of a step too. Where a person stopped the robot, no other run begins until a
person says so; the stop key is heard from before the first run is taken to after the last one has ended.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import count
from typing import Final

import structlog

from rpa_vision.app.held_displays import hold_now, write_down_held
from rpa_vision.app.queue import held_batches, held_workflows
from rpa_vision.app.stop_ears import StopEars
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.errors import RpaVisionError
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.execution import RunWarning
from rpa_vision.models.queue import QueuedRun, Wanted, Worker
from rpa_vision.ports.queue import RunQueue
from rpa_vision.ports.runtime import Clock

_log = structlog.get_logger("rpa_vision.workers")
LEASE_S: Final = 10.0
_WANTED_S: Final = 0.1
_RENEW_EVERY: Final = 10
_LOOK_S: Final = 0.5
_PAUSED_LOOK_S: Final = 0.2
STOP_S: Final = 8.0
"""How long a run may take to end by itself when its worker is to stop; then its hands are tied."""


class RunKeeper:
    """A run while it is done: keeps its lease, hears what people want, tells what is going on."""

    def __init__(
        self,
        queue: RunQueue,
        item: QueuedRun,
        worker: Callable[[], Worker],
        clock: Clock,
        stopping: threading.Event | None = None,
        hold: Callable[[str], None] | None = None,
    ) -> None:
        """`hold` holds the display, as soon as a person stops the robot."""
        self.gate = InputGate()
        """What the hands of the run go through."""
        self._queue = queue
        self._item = item
        self._worker = worker
        self._clock = clock
        self._wanted: Wanted | None = item.wanted
        self._in_step = False
        self._doing = ""
        self._steps_done = 0
        self._has_begun = False
        self._over = threading.Event()
        self._stopping = stopping or threading.Event()
        self._stopping_since_s: float | None = None
        self._hold = hold
        left = (item.lease_until - clock.now()).total_seconds() if item.lease_until is not None else 0.0
        self._sure_until_s = clock.monotonic() + left

    @property
    def is_ours(self) -> bool:
        """Whether the lease was never lost, and is not over."""
        return self._wanted is not None and self._clock.monotonic() < self._sure_until_s

    @property
    def has_begun(self) -> bool:
        """Whether any step was begun: something may have been sent."""
        return self._has_begun

    @property
    def step(self) -> int:
        """The number of the step that is being done."""
        return self._steps_done + 1

    def may_go_on(self) -> bool:
        """Between steps a paused run waits here; nothing is held up in the middle of one."""
        self._renew()
        while self._wanted == "pause" and not self._in_step and not self._over.is_set() and self._may():
            self._clock.sleep(_PAUSED_LOOK_S)
            self._renew()
        return self._wanted in ("go", "pause") and self._may()

    def begins(self, sentence: str) -> None:
        """A step begins."""
        self._in_step = self._has_begun = True
        self._doing = sentence
        self._tell("step_begins", {"doing": sentence, "step": self.step}, doing=sentence)

    def found(self, body: dict[str, object]) -> None:
        """What the step is aimed at is known, and its input is about to be sent."""
        self._tell("target_found", {"step": self.step, **body}, doing=self._doing)

    def ended(self, body: dict[str, object]) -> None:
        """A step has ended."""
        self._in_step = False
        self._steps_done += 1
        self._tell("step_ended", {"step": self._steps_done, **body}, doing="")

    def warns(self, warning: RunWarning) -> None:
        """Something should be known of the run, whatever comes of it."""
        _log.warning("run_warned", run_id=self._item.run_id, said=warning.said, remedy=warning.remedy)
        self._tell("run_warned", {"said": warning.said, "remedy": warning.remedy}, doing=self._doing)

    def asks(self, question_id: str, why: str) -> None:
        """The run wants to be shown something."""
        self._tell("run_asks", {"question_id": question_id, "why": why}, doing=f"asks: {why}")

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Renew the lease in a thread of its own until the block ends."""
        thread = threading.Thread(target=self._keep, name=f"lease of {self._item.run_id}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _keep(self) -> None:
        for look in count(1):
            if self._over.wait(_WANTED_S):
                return
            self._renew() if look % _RENEW_EVERY == 0 else self._look()
            self.tie_hands()

    def tie_hands(self) -> None:
        """Let no further input through when a person stopped the run, when it is no longer ours, or does not end though
        it is to."""
        if self._wanted == "stop":
            self.gate.close("stopped by a person")
        self._hold_display()
        if not self.is_ours:
            self.gate.close("the worker was cut off from the queue")
        if self._stopping.is_set():
            now = self._clock.monotonic()
            self._stopping_since_s = self._stopping_since_s if self._stopping_since_s is not None else now
            if now - self._stopping_since_s >= STOP_S:
                self.gate.close("the worker was stopped")

    def _hold_display(self) -> None:
        """Where a person stopped the robot: once, and before the run ends. A worker that dies over its report leaves
        nothing that begins."""
        if self._hold is None or not self.gate.is_stopped_by_person:
            return
        with suppress(RpaVisionError):  # a busy disk; the next look tries again
            self._hold(self.gate.refusal() or "stopped by a person")
            self._hold = None

    def _may(self) -> bool:
        return self.is_ours and not self._stopping.is_set()

    def _look(self) -> None:
        if self._wanted is None:
            return
        with suppress(RpaVisionError):
            self._wanted = self._queue.wanted(self._item.run_id, self._worker().worker_id)

    def _renew(self) -> None:
        if self._wanted is None:  # what was lost once stays lost
            return
        worker, began_s = self._worker(), self._clock.monotonic()
        try:
            self._queue.arrive(worker)
            self._wanted = self._queue.renew(self._item.run_id, worker.worker_id, lease_until=worker.lease_until)
        except RpaVisionError:  # a busy disk; the lease itself says how long that may last
            return
        self._sure_until_s = began_s + (worker.lease_until - worker.since).total_seconds()

    def _tell(self, kind: str, body: dict[str, object], *, doing: str) -> None:
        try:
            self._queue.progress(self._item.run_id, self._worker().worker_id, doing=doing, steps_done=self._steps_done)
            self._queue.tell(
                kind, body, now=self._clock.now(), run_id=self._item.run_id, workflow_id=self._item.workflow_id
            )
        except RpaVisionError:  # only whoever watches misses something
            return


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of a run, for the queue."""

    status: str
    reason: str
    input_sent: bool | None = None
    """Whether it may have sent anything; None where nobody knows."""


@dataclass(slots=True)
class QueueWorker:
    """Does the runs of one display with `do`, until it is told to stop."""

    queue: RunQueue
    heal: AutoHeal
    display: str
    worker_id: str
    clock: Clock
    do: Callable[[QueuedRun, RunKeeper], Ending]
    ears: StopEars | None = None
    """Hears the stop key on the display; without it only the runs themselves do."""
    lease_s: float = LEASE_S
    stopping: threading.Event = field(default_factory=threading.Event)

    def me(self) -> Worker:
        """This worker, with a lease from now."""
        now = self.clock.now()
        return Worker(self.display, self.worker_id, now, now + timedelta(seconds=self.lease_s))

    def work(self, *, until_empty: bool = False) -> int:
        """Do runs until told to stop (or, if wanted, until nothing is left); says how many."""
        done = 0
        try:
            while not self.stopping.is_set():
                item = self.next_run()
                if item is not None:
                    self.do_one(item)
                    done += 1
                elif until_empty:
                    break
                else:
                    self.stopping.wait(_LOOK_S)
        finally:
            self._close_ears()
            self.queue.leave(self.me())
        return done

    def next_run(self) -> QueuedRun | None:
        """Claim the next run that may begin, if this display is ours."""
        if not self.queue.arrive(self.me()):
            return None
        self._tell_interrupted()
        waiting = self.queue.waiting_workflows(self.display)
        if not waiting or any(one.display == self.display for one in self.queue.held_displays()):
            self._close_ears()
            return None
        if not self._listens() or self._was_stopped():
            return None
        workflows, batches = held_workflows(self.heal, waiting), held_batches(self.queue)
        me = self.me()
        return self.queue.claim(me, now=me.since, held_workflows=list(workflows), held_batches=list(batches))

    def do_one(self, item: QueuedRun) -> None:
        """Do a claimed run, and write down how it ended; a fault of ours is an ending too."""
        keeper = RunKeeper(
            self.queue, item, self.me, self.clock, self.stopping,
            hold=lambda why: hold_now(self.queue, self.clock, (self.display,), why),
        )  # fmt: skip
        with keeper.kept(), self._heard_by(keeper.gate):
            try:
                ending = self.do(item, keeper)
            except RpaVisionError as error:
                ending = Ending("failed", f"{error} ({error.code})", keeper.has_begun)
            except Exception as error:  # the top of the worker: one broken run stops no other
                ending = Ending("failed", f"unexpected {type(error).__name__}: {error}", keeper.has_begun)
        if keeper.gate.is_stopped_by_person:
            self._hold(keeper.gate.refusal() or ending.reason)
        self.queue.end(
            item.run_id, self.worker_id, now=self.clock.now(), status=ending.status, reason=ending.reason,
            input_sent=ending.input_sent,
        )  # fmt: skip

    def _hold(self, why: str) -> None:
        """Hold the display. Where the disk refuses, nothing else is done until it is held or the worker is ended."""
        while True:
            try:
                hold_now(self.queue, self.clock, (self.display,), why)
                break
            except RpaVisionError as error:
                _log.warning("display_not_held", display=self.display, error=str(error))
                if self.stopping.wait(_LOOK_S):
                    return
        if self.ears is not None:
            self.ears.forget()
        try:
            write_down_held(self.heal.audit, (self.display,), why)
        except RpaVisionError as error:  # it is held, and that is what counts; the queue has its own line
            _log.warning("hold_not_written_down", display=self.display, error=str(error))

    @contextmanager
    def _heard_by(self, gate: InputGate) -> Iterator[None]:
        if self.ears is None:
            yield
            return
        self.ears.guard(gate)
        try:
            yield
        finally:
            self.ears.guard(None)

    def _listens(self) -> bool:
        """Whether the stop key is heard. Where it cannot be just now nothing begins, and the next look tries again."""
        try:
            if self.ears is not None:
                self.ears.listen()
        except RpaVisionError as error:
            _log.warning("stop_key_not_heard", display=self.display, error=str(error))
            return False
        return True

    def _was_stopped(self) -> bool:
        """Whether the stop key was pressed between two runs; then the display is held."""
        if self.ears is None or self.ears.heard is None:
            return False
        self._hold(self.ears.heard)
        return True

    def _close_ears(self) -> None:
        if self.ears is not None:
            self.ears.rest()
            self._was_stopped()

    def _tell_interrupted(self) -> None:
        lost_runs = self.queue.sweep(
            now=self.clock.now(), monotonic_s=self.clock.monotonic(), lease_s=self.lease_s
        )  # fmt: skip
        for lost in lost_runs:
            record = {"run_id": lost.run_id, "workflow_id": lost.workflow_id, "display": lost.display}
            self.heal.audit.append("run_interrupted", {**record, "reason": "its worker died or was cut off"})
