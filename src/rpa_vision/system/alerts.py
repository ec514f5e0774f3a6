"""Tell everybody who should know, without ever holding up or failing whoever has something to tell.

`raise_alert` puts the alert into a bounded queue and returns. One thread takes it from there: first it is kept (feed
and outbox), then the quick listeners hear of it (log, metrics), then it is sent to the distant ones (webhooks), again
and again with growing pauses until they take it or it is too old. What was not delivered when the process ends is
delivered by the next one.
"""

from __future__ import annotations

import logging
import queue
import sys
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import timedelta

import structlog
from structlog.typing import FilteringBoundLogger

from rpa_vision.models.auto_heal import Alert
from rpa_vision.ports.alerts import AlertListener, AlertStore, Delivery
from rpa_vision.ports.runtime import Clock

_LONGEST_NAP_S = 60.0  # another process may have left something in the outbox


@dataclass(frozen=True, slots=True)
class RetrySettings:
    """How patient: the pause doubles from the first to the longest; what is older than the limit is given up."""

    first_pause_s: float = 1.0
    longest_pause_s: float = 300.0
    give_up_after_s: float = 24 * 3600.0
    lease_s: float = 60.0
    """How long a delivery belongs to the process that tries it; longer than any listener takes."""

    def pause_s(self, attempts: int) -> float:
        """The pause after so many failed attempts."""
        return float(min(self.longest_pause_s, self.first_pause_s * 2.0 ** min(attempts - 1, 60)))


@dataclass(frozen=True, slots=True)
class AlertCounts:
    """What became of alerts in this process."""

    raised: int
    dropped: int
    delivered: int
    failed: int
    given_up: int


def alert_log() -> FilteringBoundLogger:
    """Lines of JSON on stderr, whatever the rest of the process has set up: stdout belongs to `--json`."""
    logger: FilteringBoundLogger = structlog.wrap_logger(
        structlog.WriteLogger(sys.stderr),
        processors=[structlog.processors.add_log_level, structlog.processors.JSONRenderer(ensure_ascii=False)],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
    )
    return logger


class LogListener:
    """Alerts in the structured log."""

    name = "log"

    def __init__(self, log: FilteringBoundLogger | None = None) -> None:
        self._log = log if log is not None else alert_log()

    def deliver(self, alert: Alert) -> None:
        self._log.warning(
            "alert",
            alert_id=alert.alert_id,
            kind=alert.kind.value,
            workflow_id=alert.workflow_id,
            message=alert.message,
            at=alert.at.isoformat(),
            details=alert.details,
        )


class AlertHub:
    """Implements `ports.auto_heal.AlertSink`. `start` begins the thread; without it, `work` does the same by hand."""

    def __init__(
        self,
        store: AlertStore,
        clock: Clock,
        *,
        quick: Sequence[AlertListener] = (),
        distant: Sequence[AlertListener] = (),
        settings: RetrySettings | None = None,
        queue_size: int = 1000,
        log: FilteringBoundLogger | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._quick = tuple(quick)
        self._distant = {listener.name: listener for listener in distant}
        self._settings = settings or RetrySettings()
        self._queue: queue.Queue[Alert] = queue.Queue(queue_size)
        self._log = log if log is not None else alert_log()
        self._counts = dict.fromkeys((field.name for field in fields(AlertCounts)), 0)
        self._counting = threading.Lock()
        self._wake = threading.Event()
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def raise_alert(self, alert: Alert) -> None:
        """Tell everybody. Never raises, never waits: when the queue is full, the alert is counted as dropped."""
        try:
            self._queue.put_nowait(alert)
        except queue.Full:
            self._count("dropped")
        else:
            self._count("raised")
        self._wake.set()

    def start(self) -> None:
        """Begin to deliver, what an earlier process left first."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="alerts", daemon=True)
            self._thread.start()

    def close(self, timeout_s: float = 10.0) -> bool:
        """Keep what is queued, try what is due, and end. False: that took too long, the outbox has the rest."""
        self._closing.set()
        self._wake.set()
        if self._thread is None:
            self._work_safely()
            return True
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    @property
    def is_running(self) -> bool:
        """Whether somebody delivers."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def counts(self) -> AlertCounts:
        """What became of alerts in this process."""
        with self._counting:
            return AlertCounts(**self._counts)

    def work(self) -> float:
        """Take in what was raised, deliver what is due; says how many seconds until something is due again."""
        self._take_in()
        names = tuple(self._distant)
        while delivery := self._store.claim(names, now=self._clock.now(), lease_s=self._settings.lease_s):
            self._try(delivery)
            self._take_in()  # a slow receiver does not keep the log and the feed waiting for longer than itself
        due = self._store.next_due(names)
        wait_s = (due - self._clock.now()).total_seconds() if due is not None else _LONGEST_NAP_S
        return min(_LONGEST_NAP_S, max(0.0, wait_s))

    def _run(self) -> None:
        nap_s = 0.0
        while True:
            self._wake.wait(nap_s)
            self._wake.clear()
            is_last = self._closing.is_set()
            nap_s = self._work_safely()
            if is_last:
                return

    def _work_safely(self) -> float:
        """The top of the thread: nothing that goes wrong ends it."""
        try:
            return self.work()
        except Exception as error:
            self._log.error("alerts cannot be delivered just now", error=str(error))
            return _LONGEST_NAP_S

    def _take_in(self) -> None:
        while True:
            try:
                alert = self._queue.get_nowait()
            except queue.Empty:
                return
            try:
                is_new = self._store.accept(alert, tuple(self._distant), now=self._clock.now())
            except Exception as error:  # a full disk is no reason to keep quiet
                self._log.error("an alert cannot be kept, it is told once", alert_id=alert.alert_id, error=str(error))
                self._tell(alert, (*self._quick, *self._distant.values()))
            else:
                self._tell(alert, self._quick if is_new else ())

    def _tell(self, alert: Alert, listeners: Iterable[AlertListener]) -> None:
        for listener in listeners:
            try:
                listener.deliver(alert)
            except Exception as error:
                self._count("failed")
                self._log.error("a listener failed", listener=listener.name, error=str(error))

    def _try(self, delivery: Delivery) -> None:
        try:
            self._distant[delivery.listener].deliver(delivery.alert)
        except Exception as error:
            self._count("failed")
            self._note_failure(delivery, str(error))
        else:
            self._store.delivered(delivery)
            self._count("delivered")

    def _note_failure(self, delivery: Delivery, error: str) -> None:
        now = self._clock.now()
        self._log.warning("an alert was not delivered", listener=delivery.listener, error=error)
        if (now - delivery.accepted_at).total_seconds() >= self._settings.give_up_after_s:
            self._store.give_up(delivery, error=error)
            self._count("given_up")
        else:
            pause_s = self._settings.pause_s(delivery.attempts + 1)
            self._store.retry(delivery, at=now + timedelta(seconds=pause_s), error=error)

    def _count(self, what: str) -> None:
        with self._counting:
            self._counts[what] += 1
