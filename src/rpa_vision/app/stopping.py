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

from rpa_vision.errors import RpaVisionError, UnknownIdError
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.document import JsonObject
from rpa_vision.models.running_run import StopRequest
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.stopping import RunningRuns

LOOK_S = 0.1
WAIT_S = 10.0
_POLL_S = 0.05


@contextmanager
def heeding_stops(
    runs: RunningRuns | None,
    run_id: str,
    workflow_id: str,
    began_at: datetime,
    gate: InputGate,
    *,
    look_s: float = LOOK_S,
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
            except RpaVisionError as error:  # a request that cannot be read is a request
                request = StopRequest(run_id=run_id, at=began_at, who="somebody", reason=str(error))
            if request is not None:
                gate.close(request.told())
                return
            over.wait(look_s)

    with suppress(RpaVisionError):  # a disk that takes no note of the run does not keep it from running
        runs.begin(run_id, workflow_id, began_at)
    watcher = threading.Thread(target=look, name=f"stop-{run_id}", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        runs.end(run_id)


@dataclass(frozen=True, slots=True)
class Stopped:
    """What came of asking runs to end."""

    asked: tuple[str, ...]
    ended: tuple[str, ...]
    waited_s: float

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
) -> Stopped:
    """Have one run, or all, end before the next input, and wait until they have."""
    going = [run.run_id for run in runs.all()]
    if run_id is not None and run_id not in going:
        known = f"These go on: {', '.join(going)}." if going else "No run goes on."
        raise UnknownIdError(f"the run {run_id!r} does not go on", remedy=known)
    asked = tuple(going if run_id is None else [run_id])
    began = clock.monotonic()
    # The switch first, the paper after: nothing may come between a person and the end of a run.
    runs.request_stop(StopRequest(run_id=run_id, at=clock.now(), who=who, reason=reason))
    audit.append("stop_requested", {"runs": list(asked) if run_id is not None else None, "who": who, "reason": reason})
    while clock.monotonic() - began < wait_s:
        if not set(asked) & {run.run_id for run in runs.all()}:
            break
        clock.sleep(_POLL_S)
    still = {run.run_id for run in runs.all()}
    return Stopped(asked, tuple(name for name in asked if name not in still), clock.monotonic() - began)
