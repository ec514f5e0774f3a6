"""The command line on a desktop of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from script_view import CommandLine

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.runtime import SystemClock


@pytest.fixture
def desktop() -> Iterator[VirtualDesktop]:
    with VirtualDesktop(clock=SystemClock()) as virtual:
        yield virtual


@pytest.fixture
def command_line(desktop: VirtualDesktop, tmp_path: Path) -> CommandLine:
    return CommandLine(desktop.env, tmp_path / "data")
