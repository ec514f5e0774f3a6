"""A fake PC with one program in front, and the Windows adapter on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from rpa_vision.adapters.desktop.windows import WindowsDesktop
from rpa_vision.models.geometry import Box
from rpa_vision.testing.fake_windows_api import FakeWindows
from rpa_vision.testing.manual_clock import ManualClock


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def pc(clock: ManualClock) -> FakeWindows:
    pc = FakeWindows(clock)
    pc.add_window("Book1 - Excel", r"C:\Office\EXCEL.EXE", Box(20, 20, 300, 180))
    return pc


@pytest.fixture
def desktop(pc: FakeWindows, clock: ManualClock) -> Iterator[WindowsDesktop]:
    desktop = WindowsDesktop(pc.api, clock)
    yield desktop
    desktop.close()
    assert pc.leaks() == []
    assert pc.input.hook_count == 0
