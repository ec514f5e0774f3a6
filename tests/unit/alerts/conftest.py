"""Alerts, somewhere to keep them, and a clock that only moves when told."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rpa_vision.adapters.alerts import SqliteAlertStore
from rpa_vision.models.auto_heal import Alert, AlertKind
from rpa_vision.testing.manual_clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "alerts" / "alerts.sqlite"


@pytest.fixture
def store(path: Path) -> SqliteAlertStore:
    return SqliteAlertStore(path, keep=5)


@pytest.fixture
def new_alert(clock: ManualClock) -> Callable[..., Alert]:
    def make(number: int = 1, kind: AlertKind = AlertKind.QUARANTINE, workflow_id: str | None = "wf_a") -> Alert:
        return Alert(
            alert_id=f"alert_{number}",
            kind=kind,
            at=clock.now(),
            workflow_id=workflow_id,
            message="wf_a est en quarantaine jusqu'à 10 h 30",
            details={"failures": 10},
        )

    return make
