"""Who hears of alerts, and how one that could not be delivered is kept until it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from rpa_vision.models.auto_heal import Alert, AlertKind


class AlertListener(Protocol):
    """Hears of an alert. What goes wrong may be raised; nobody but this listener notices."""

    @property
    def name(self) -> str:
        """The same after a restart: what is waiting for it is found by its name."""

    def deliver(self, alert: Alert) -> None:
        """Take the alert, or raise."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """An alert that waits for one listener."""

    alert: Alert
    listener: str
    attempts: int
    accepted_at: datetime
    last_error: str = ""
    given_up: bool = False


class AlertFeed(Protocol):
    """The latest alerts, for people."""

    def recent(
        self, limit: int = 50, *, kind: AlertKind | None = None, workflow_id: str | None = None
    ) -> Sequence[Alert]:
        """The newest first."""

    def undelivered(self) -> Sequence[Delivery]:
        """What some listener has not taken yet, the oldest first; given up included."""


class AlertStore(AlertFeed, Protocol):
    """The feed, and the outbox in which alerts survive a restart. Shared by all processes on one data directory."""

    def accept(self, alert: Alert, listeners: Sequence[str], *, now: datetime) -> bool:
        """Keep an alert and note who still has to hear of it; False when it is known already."""

    def claim(self, listeners: Sequence[str], *, now: datetime, lease_s: float) -> Delivery | None:
        """Take the most pressing due delivery; nobody else gets it until the lease is over."""

    def delivered(self, delivery: Delivery) -> None:
        """It was taken."""

    def retry(self, delivery: Delivery, *, at: datetime, error: str) -> None:
        """It was not; try again then."""

    def give_up(self, delivery: Delivery, *, error: str) -> None:
        """It was not and will not be tried again; people still see it."""

    def next_due(self, listeners: Sequence[str]) -> datetime | None:
        """When the next delivery is due."""
