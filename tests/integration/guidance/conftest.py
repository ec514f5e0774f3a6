"""The application of pictures, for each test anew."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from picture_desk import Desk, open_desk

from rpa_vision.adapters.runtime import SystemClock


@pytest.fixture
def desk(tmp_path: Path, system_clock: SystemClock, wait) -> Iterator[Desk]:
    with open_desk(tmp_path, system_clock, wait) as opened:
        yield opened
