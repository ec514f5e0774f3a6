"""The watchdog: a step or a run that takes too long gets no more hands, and is reported, even while it hangs.

It has a thread of its own, so it wakes up when the run's thread is stuck in a call that never returns. On expiry the
gate of the hands is closed for good, and only then is the timeout told. A step has exactly one result: the watchdog's
when it came first, the loop's when the step ended in time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, Self

from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.auto_heal import StepPermission
from rpa_vision.models.execution import ExecutionResult, ExecutionStatus, FailureKind
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.supervision import Supervisor

STEP_TIMEOUT_S = 120.0
RUN_TIMEOUT_S = 3600.0

Wait = Callable[[threading.Condition, float | None], object]
"""Waits, holding the condition, until it is notified or so many seconds have passed."""


@dataclass(frozen=True, slots=True)
class Expiry:
    """What ran out, and what was going on."""

    scope: Literal["step", "run"]
    after_s: float
    workflow_id: str
    step_id: str | None
    input_under_way: bool
    """A single input had begun and had not returned: whether it arrived only the screen can tell."""

    @property
    def message(self) -> str:
        doing = "; an input was being sent" if self.input_under_way else ""
        return f"the {self.scope} did not end within {self.after_s:g} s{doing}"

    def result(self) -> ExecutionResult:
        """The result of the step that was under way."""
        return ExecutionResult(
            status=ExecutionStatus.FAILED,
            message=self.message,
            failure_kind=FailureKind.WATCHDOG_TIMEOUT,
            execution_time_ms=self.after_s * 1000.0,
        )


@dataclass(frozen=True, slots=True)
class _Step:
    step_id: str
    allowed_s: float
    deadline: float


class Watchdog:
    """Guards one run. Entered, it watches; left, its thread is gone."""

    def __init__(
        self,
        gate: InputGate,
        clock: Clock,
        *,
        workflow_id: str,
        on_expired: Callable[[Expiry], None],
        step_timeout_s: float = STEP_TIMEOUT_S,
        run_timeout_s: float = RUN_TIMEOUT_S,
        wait: Wait = threading.Condition.wait,
    ) -> None:
        self._gate = gate
        self._clock = clock
        self._workflow_id = workflow_id
        self._on_expired = on_expired
        self._step_timeout_s = step_timeout_s
        self._run_timeout_s = run_timeout_s
        self._wait = wait
        self._changed = threading.Condition()
        self._run_deadline: float | None = None
        self._step: _Step | None = None
        self._expiry: Expiry | None = None
        self._ended = False
        self._problem: Exception | None = None
        self._thread: threading.Thread | None = None

    @property
    def expiry(self) -> Expiry | None:
        """What ran out, if anything did."""
        with self._changed:
            return self._expiry

    def begin_step(self, step_id: str, *, timeout_s: float | None = None) -> bool:
        """Give a step its time. False: the run's or an earlier step's is up, so the step may not begin."""
        with self._changed:
            now = self._clock.monotonic()
            if self._expiry is not None or now >= self._run_ends():
                return False
            allowed_s = self._step_timeout_s if timeout_s is None else timeout_s
            self._step = _Step(step_id, allowed_s, now + allowed_s)
            self._changed.notify_all()
            return True

    def end_step(self) -> bool:
        """The step is over. False: the watchdog came first and has reported it."""
        with self._changed:
            in_time = self._expiry is None
            self._step = None
            self._changed.notify_all()
            return in_time

    def poke(self) -> None:
        """Look at the clock now: for clocks that move by hand."""
        with self._changed:
            self._changed.notify_all()

    def __enter__(self) -> Self:
        self._run_deadline = self._clock.monotonic() + self._run_timeout_s
        self._thread = threading.Thread(target=self._watch, name=f"watchdog-{self._workflow_id}", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        if self._problem is not None and kind is None:
            raise self._problem

    def _watch(self) -> None:
        try:
            expiry = self._expired()
            if expiry is not None:
                self._on_expired(expiry)
        except Exception as error:
            # The hands are tied already; what went wrong with telling is raised where the run ends.
            self._problem = error

    def _expired(self) -> Expiry | None:
        """Wait for something to run out; None when the run ended first."""
        with self._changed:
            while not self._ended:
                now = self._clock.monotonic()
                due = self._due(now)
                if due is not None:
                    self._expiry = due
                    return due
                self._wait(self._changed, self._next_deadline() - now)
            return None

    def _due(self, now: float) -> Expiry | None:
        """What has run out. The gate is closed with the finding, and says whether an input had slipped in before."""
        step = self._step
        step_id = step.step_id if step is not None else None
        if step is not None and now >= step.deadline:
            under_way = self._gate.close("the watchdog's time for the step is up")
            return Expiry("step", step.allowed_s, self._workflow_id, step_id, under_way)
        if now >= self._run_ends():
            under_way = self._gate.close("the watchdog's time for the run is up")
            return Expiry("run", self._run_timeout_s, self._workflow_id, step_id, under_way)
        return None

    def _next_deadline(self) -> float:
        return min(self._run_ends(), self._step.deadline) if self._step is not None else self._run_ends()

    def _run_ends(self) -> float:
        assert self._run_deadline is not None
        return self._run_deadline


class WatchedSupervisor:
    """A supervisor behind a watchdog: the step's time runs from its permission to its result, which is told once."""

    def __init__(
        self,
        inner: Supervisor,
        gate: InputGate,
        clock: Clock,
        *,
        workflow_id: str,
        step_timeout_s: float = STEP_TIMEOUT_S,
        run_timeout_s: float = RUN_TIMEOUT_S,
        wait: Wait = threading.Condition.wait,
        by_person: bool = False,
    ) -> None:
        """`by_person`: a person does the steps, and it is the person who is too slow."""
        self._inner = inner
        self._by_person = by_person
        self.watchdog = Watchdog(
            gate,
            clock,
            workflow_id=workflow_id,
            on_expired=self._tell,
            step_timeout_s=step_timeout_s,
            run_timeout_s=run_timeout_s,
            wait=wait,
        )

    def should_execute_step(self, workflow_id: str, step_id: str) -> tuple[bool, str]:
        """Ask the supervisor, and start the step's time."""
        expiry = self.watchdog.expiry
        if expiry is not None:
            return False, expiry.message
        allowed, why = self._inner.should_execute_step(workflow_id, step_id)
        if allowed and not self.watchdog.begin_step(step_id):
            return False, "the watchdog's time for the run is up"
        return allowed, why

    def permit_step(self, workflow_id: str, step_id: str) -> StepPermission:
        """The same, with the supervisor's terms."""
        permission = self._inner.permit_step(workflow_id, step_id)
        expiry = self.watchdog.expiry
        if expiry is not None:
            return replace(permission, allowed=False, reason=expiry.message)
        if permission.allowed and not self.watchdog.begin_step(step_id):
            return replace(permission, allowed=False, reason="the watchdog's time for the run is up")
        return permission

    def on_step_result(self, workflow_id: str, step_id: str, result: ExecutionResult) -> None:
        """Tell the supervisor, unless the watchdog has."""
        if self.watchdog.end_step():
            self._inner.on_step_result(workflow_id, step_id, result)

    def still_learns(self, workflow_id: str) -> bool:
        """Never after the watchdog came first: what it reported as failed proves nothing."""
        return self.watchdog.expiry is None and self._inner.still_learns(workflow_id)

    def _tell(self, expiry: Expiry) -> None:
        if expiry.step_id is not None:
            result = expiry.result().model_copy(update={"by_person": self._by_person})
            self._inner.on_step_result(expiry.workflow_id, expiry.step_id, result)

    def __enter__(self) -> Self:
        self.watchdog.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.watchdog.__exit__(*error)
