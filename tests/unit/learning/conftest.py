"""A small learned world on a memory disk where there is one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rpa_vision.testing.learned import LearnedWorld, open_world
from rpa_vision.testing.manual_clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def world(tmp_path: Path, clock: ManualClock) -> Iterator[LearnedWorld]:
    opened = open_world(tmp_path / "data", clock=clock)
    yield opened
    opened.close()
