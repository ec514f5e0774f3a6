"""Alerts: the feed and the outbox on disk, and webhooks."""

from rpa_vision.adapters.alerts.alert_store import SqliteAlertStore
from rpa_vision.adapters.alerts.webhook import Webhook

__all__ = ["SqliteAlertStore", "Webhook"]
