"""The kill switch: `rpa-vision stop` ends a run between two inputs, from any process.

While a run goes on, a thread of its own looks ten times a second whether somebody wants it to end, and closes the gate
of its hands; a text that is being typed ends in the middle. What was sent stays sent, and the run says how far it came.
"""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from rpa_vision.app.held_displays import displays_in_use, hold_now, write_down_held
from rpa_vision.errors import RpaVisionError, UnknownIdError
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.execution.run_outcome import RunOutcome
from rpa_vision.execution.step_runner import STOPPED
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import ItemState
from rpa_vision.models.running_run import StopRequest
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.queue import RunQueue
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.stopping import RunningRuns

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

LOOK_S = 0.1
WAIT_S = 10.0
_WAIT_HERE_S = 2.0
_POLL_S = 0.05


@contextmanager
def announced(runs: RunningRuns | None, run_id: str, workflow_id: str, began_at: datetime) -> Iterator[None]:
    """While entered, others see that the run goes on: from the first question to the last line of its report."""
    if runs is None:
        yield
        return
    with suppress(RpaVisionError):  # a disk that takes no note of the run does not keep it from running
        runs.begin(run_id, workflow_id, began_at)
    try:
        yield
    finally:
        runs.end(run_id)


@contextmanager
def heeding_stops(
    runs: RunningRuns | None, run_id: str, began_at: datetime, gate: InputGate, *, look_s: float = LOOK_S
) -> Iterator[None]:
    """While entered, whoever asks for it ties the hands of the run for good."""
    if runs is None:
        yield
        return
    over = threading.Event()

    def look() -> None:
        while not over.is_set():
            try:
                request = runs.stop_for(run_id, began_at)
            except Exception as error:  # a request that cannot be read is one, and so is whatever ends this thread
                request = StopRequest(run_id=run_id, at=began_at, who="somebody", reason=str(error))
            if request is not None:
                gate.close(request.told())
                return
            over.wait(look_s)

    watcher = threading.Thread(target=look, name=f"stop-{run_id}", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()


def say_what_stopped(outcome: RunOutcome, gate: InputGate) -> None:
    """Who stopped a run, or what did, where its last words do not say."""
    why = None if gate.is_open else gate.refusal()
    if why is not None and outcome.status != "success" and why not in outcome.reason:
        outcome.reason = why if outcome.reason == STOPPED else f"{outcome.reason}; {why}"


@contextmanager
def stopped_as_one(
    runs: RunningRuns | None, name: str, workflow_id: str, clock: Clock, gate: InputGate
) -> Iterator[None]:
    """While entered, a row of runs that share a gate goes on as one under that name: whoever says stop between two of
    them means those that follow."""
    began_at = clock.now()
    with announced(runs, name, workflow_id, began_at), heeding_stops(runs, name, began_at, gate):
        yield


@dataclass(frozen=True, slots=True)
class Stopped:
    """What came of asking runs to end."""

    asked: tuple[str, ...]
    ended: tuple[str, ...]
    waited_s: float
    held: tuple[str, ...] = ()
    """Displays whose queue waits now until a person releases it."""

    @property
    def still_going(self) -> tuple[str, ...]:
        return tuple(name for name in self.asked if name not in self.ended)

    def to_json(self) -> JsonObject:
        """For scripts."""
        return {
            "asked": list(self.asked),
            "ended": list(self.ended),
            "still_going": list(self.still_going),
            "waited_s": round(self.waited_s, 3),
            "held": list(self.held),
        }


def stop_runs(
    runs: RunningRuns,
    audit: AuditLog,
    clock: Clock,
    *,
    who: str,
    reason: str = "",
    run_id: str | None = None,
    wait_s: float = WAIT_S,
    queue: RunQueue | None = None,
    displays: Iterable[str] = (),
) -> Stopped:
    """Have one run, or all, end before the next input, and wait until they have. All: the `queue` is held too, on
    these `displays` also where nothing waits.

    A run of the queue that its worker has taken and not yet begun is told through the queue: it looks there from the
    moment it was taken.
    """
    going, began = tuple(runs.all()), clock.monotonic()
    names, held, taken = [run.run_id for run in going], tuple[str, ...](), list[str]()
    if run_id is not None and run_id not in names and run_id not in (taken := _taken(queue, clock)):
        known = f"These go on: {', '.join([*names, *taken])}." if names or taken else "No run goes on."
        raise UnknownIdError(f"the run {run_id!r} does not go on", remedy=known)
    reason = StopRequest(at=clock.now(), who=who, reason=reason).reason
    why = f"all runs were stopped by {who}" + (f": {reason}" if reason else "")
    # The switch first, the paper after: nothing may come between a person and the end of a run, and where one way to
    # tell the runs is broken the other one is taken all the same. Those that are known to go on are told by name too:
    # whether one had begun by then is a question of two clocks, and one may be wrong.
    with ExitStack() as paper:
        told: JsonObject = {"runs": None if run_id is None else [run_id], "who": who, "reason": reason}
        paper.callback(lambda: audit.append("stop_requested", told))
        try:
            runs.request_stop(StopRequest(run_id=run_id, at=clock.now(), who=who, reason=reason))
            if run_id is None:  # read again: who is not there by now begins after the request was written, and sees it
                going = tuple({run.run_id: run for run in (*going, *runs.all())}.values())
                names = [run.run_id for run in going]
                for name in names:
                    runs.request_stop(StopRequest(run_id=name, at=clock.now(), who=who, reason=reason))
        finally:
            if queue is not None and run_id is None:
                held = displays_in_use(queue, going, displays)
                hold_now(queue, clock, held, why)  # what no worker has taken by now, none will take
            if queue is not None:
                taken = _taken(queue, clock)
                for one, _, state in queue.line():
                    if state == "running" and run_id in (None, one):
                        queue.want(one, "stop", now=clock.now(), who=who)
    write_down_held(audit, held, why)
    asked = tuple(dict.fromkeys([*names, *taken])) if run_id is None else (run_id,)
    while (still := _still(runs, queue, clock, asked)) and clock.monotonic() - began < wait_s:
        clock.sleep(_POLL_S)
    return Stopped(asked, tuple(name for name in asked if name not in still), clock.monotonic() - began, held)


def stop_all(office: Office, *, who: str, reason: str = "") -> Stopped:
    """Stop everything on behalf of somebody at the dashboard: told within a moment, and waited for a little."""
    return stop_runs(
        office.running, office.heal.audit, office.clock, who=who, reason=reason, wait_s=_WAIT_HERE_S,
        queue=office.queue, displays=office.displays,
    )  # fmt: skip


def _taken(queue: RunQueue | None, clock: Clock) -> list[str]:
    """The runs of the queue that a worker has taken, and keeps: of one that died nobody waits for the end."""
    if queue is None:
        return []
    running: tuple[ItemState, ...] = ("running",)
    found, now = queue.items(states=running), clock.now()
    return [item.run_id for item in found if item.lease_until is None or item.lease_until > now]


def _still(runs: RunningRuns, queue: RunQueue | None, clock: Clock, asked: Collection[str]) -> set[str]:
    """Those that were asked to end and have not."""
    return set(asked) & {*(run.run_id for run in runs.all()), *_taken(queue, clock)}
