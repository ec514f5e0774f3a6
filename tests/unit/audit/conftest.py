"""A trail to write to, in small files, and a clock that only moves when told."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from rpa_vision.testing.manual_clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(datetime(2026, 3, 31, 23, 0, tzinfo=UTC))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit" / "audit.jsonl"
