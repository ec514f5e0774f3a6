"""The worker of a display: takes runs from the queue one at a time, does them, and says what it is doing.

A run is claimed by one transaction and kept by a lease that a thread of its own renews. A worker that lost its lease
(it was asleep, or cut off from the disk) sends no further input: people may have been told already that it was
interrupted.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from rpa_vision.app.queue import held_batches, held_workflows
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.queue import QueuedRun, Wanted, Worker
from rpa_vision.ports.queue import RunQueue
from rpa_vision.ports.runtime import Clock

LEASE_S: Final = 10.0
_RENEW_S: Final = 1.0
_LOOK_S: Final = 0.5
_PAUSED_LOOK_S: Final = 0.2


class RunKeeper:
    """A run while it is done: keeps its lease, hears what people want, tells what is going on."""

    def __init__(self, queue: RunQueue, item: QueuedRun, worker: Callable[[], Worker], clock: Clock) -> None:
        self._queue = queue
        self._item = item
        self._worker = worker
        self._clock = clock
        self._wanted: Wanted | None = item.wanted
        self._in_step = False
        self._steps_done = 0
        self._over = threading.Event()

    @property
    def is_ours(self) -> bool:
        """Whether the lease was never lost."""
        return self._wanted is not None

    def may_go_on(self) -> bool:
        """Between steps a paused run waits here; nothing is held up in the middle of one."""
        self._renew()
        while self._wanted == "pause" and not self._in_step and not self._over.is_set():
            self._clock.sleep(_PAUSED_LOOK_S)
            self._renew()
        return self._wanted in ("go", "pause")

    def begins(self, sentence: str) -> None:
        """A step begins."""
        self._in_step = True
        self._tell("step_begins", {"doing": sentence, "step": self._steps_done + 1}, doing=sentence)

    def ended(self, body: dict[str, object]) -> None:
        """A step has ended."""
        self._in_step = False
        self._steps_done += 1
        self._tell("step_ended", {"step": self._steps_done, **body}, doing="")

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
        while not self._over.wait(_RENEW_S):
            self._renew()

    def _renew(self) -> None:
        if self._wanted is None:  # what was lost once stays lost
            return
        worker = self._worker()
        try:
            self._queue.arrive(worker)
            self._wanted = self._queue.renew(self._item.run_id, worker.worker_id, lease_until=worker.lease_until)
        except RpaVisionError:  # a busy disk; the lease itself says how long that may last
            return

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


@dataclass(slots=True)
class QueueWorker:
    """Does the runs of one display with `do`, until it is told to stop."""

    queue: RunQueue
    heal: AutoHeal
    display: str
    worker_id: str
    clock: Clock
    do: Callable[[QueuedRun, RunKeeper], Ending]
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
            self.queue.leave(self.me())
        return done

    def next_run(self) -> QueuedRun | None:
        """Claim the next run that may begin, if this display is ours."""
        me = self.me()
        if not self.queue.arrive(me):
            return None
        self._tell_interrupted()
        waiting = self.queue.items(states=["waiting"], display=self.display, limit=100_000)
        if not waiting:
            return None
        held = held_workflows(self.heal, sorted({item.workflow_id for item in waiting}))
        return self.queue.claim(
            me, now=self.clock.now(), held_workflows=list(held), held_batches=list(held_batches(self.queue))
        )

    def do_one(self, item: QueuedRun) -> None:
        """Do a claimed run, and write down how it ended; a fault of ours is an ending too."""
        keeper = RunKeeper(self.queue, item, self.me, self.clock)
        with keeper.kept():
            try:
                ending = self.do(item, keeper)
            except RpaVisionError as error:
                ending = Ending("failed", f"{error} ({error.code})")
            except Exception as error:  # the top of the worker: one broken run stops no other
                ending = Ending("failed", f"unexpected {type(error).__name__}: {error}")
        self.queue.end(item.run_id, self.worker_id, now=self.clock.now(), status=ending.status, reason=ending.reason)

    def _tell_interrupted(self) -> None:
        for lost in self.queue.sweep(now=self.clock.now()):
            record = {"run_id": lost.run_id, "workflow_id": lost.workflow_id, "display": lost.display}
            self.heal.audit.append("run_interrupted", {**record, "reason": "its worker died or was cut off"})
