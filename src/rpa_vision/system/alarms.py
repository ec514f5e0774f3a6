"""Tells people, and keeps what fails on the way from stopping a robot.

Recorders, reports and listeners are there to help. When one of them breaks, that is written to the audit trail and the
run goes on: this is the supervisor's `except Exception`, and the only one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from rpa_vision.models.auto_heal import Alert, AlertKind
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.auto_heal import AlertSink
from rpa_vision.ports.runtime import Clock, Ids

T = TypeVar("T")


class Alarms:
    """Alerts out to the world, and a safe way to ask those who may fail."""

    def __init__(self, audit: AuditLog, alerts: AlertSink, clock: Clock, ids: Ids) -> None:
        self._audit = audit
        self._alerts = alerts
        self._clock = clock
        self._ids = ids

    def tell(self, alerts: Iterable[Alert]) -> None:
        """Tell everybody; what is written down already."""
        for alert in alerts:
            self.safely(f"alert {alert.kind}", partial(self._alerts.raise_alert, alert))

    def policy_error(self, message: str) -> None:
        """The policy file is broken. Give this to `PolicyFile` as `on_error`."""
        self._audit.append("policy_error", {"message": message})
        alert_id = self._ids.new("alert")
        self.tell([Alert(alert_id=alert_id, kind=AlertKind.POLICY_ERROR, at=self._clock.now(), message=message)])

    def safely(self, what: str, act: Callable[[], T]) -> T | None:
        """Do it; when it breaks, write that down and go on."""
        try:
            return act()
        except Exception as error:
            self._audit.append("supervisor_trouble", {"what": what, "error": f"{type(error).__name__}: {error}"})
            return None
