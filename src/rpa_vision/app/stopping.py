"""The kill switch: `rpa-vision stop` ends a run between two inputs, from any process.

While a run goes on, a thread of its own looks ten times a second whether somebody wants it to end, and closes the gate
of its hands; a text that is being typed ends in the middle. What was sent stays sent, and the run says how far it came.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime

from rpa_vision.app.held_displays import hold_all
from rpa_vision.errors import RpaVisionError, UnknownIdError
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.document import JsonObject
from rpa_vision.models.running_run import StopRequest
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.queue import RunQueue
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.stopping import RunningRuns

LOOK_S = 0.1
WAIT_S = 10.0
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
) -> Stopped:
    """Have one run, or all, end before the next input, and wait until they have. All: the `queue` is held too."""
    going = [run.run_id for run in runs.all()]
    if run_id is not None and run_id not in going:
        known = f"These go on: {', '.join(going)}." if going else "No run goes on."
        raise UnknownIdError(f"the run {run_id!r} does not go on", remedy=known)
    asked = tuple(going if run_id is None else [run_id])
    began = clock.monotonic()
    # The switch first, the paper after: nothing may come between a person and the end of a run. Those that are known
    # to go on are told by name too: whether one had begun by then is a question of two clocks, and one may be wrong.
    for name in dict.fromkeys((run_id, *asked)):
        runs.request_stop(StopRequest(run_id=name, at=clock.now(), who=who, reason=reason))
    audit.append("stop_requested", {"runs": list(asked) if run_id is not None else None, "who": who, "reason": reason})
    held: tuple[str, ...] = ()
    if run_id is None and queue is not None:
        held = hold_all(queue, audit, clock, f"all runs were stopped by {who}" + (f": {reason}" if reason else ""))
    while clock.monotonic() - began < wait_s:
        if not set(asked) & {run.run_id for run in runs.all()}:
            break
        clock.sleep(_POLL_S)
    still = {run.run_id for run in runs.all()}
    return Stopped(asked, tuple(name for name in asked if name not in still), clock.monotonic() - began, held)
