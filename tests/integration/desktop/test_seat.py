"""Two robots never act on one display."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.x11.desktop import X11Desktop
from rpa_vision.adapters.desktop.x11.seat import seat
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.storage.running_runs import FileRunningRuns
from rpa_vision.app.wiring_run import display_of, has_robot, running_runs
from rpa_vision.errors import DesktopError

_OTHER = """
import sys, time
from rpa_vision.adapters.desktop.x11.seat import seat
with seat(sys.argv[1]):
    print("acting", flush=True)
    time.sleep(60)
"""


def test_one_robot_at_a_time_on_a_display_by_any_of_its_names(virtual_desktop: VirtualDesktop) -> None:
    """EX-8: also when the other one is another process, and free again once that is killed"""
    display = virtual_desktop.env["DISPLAY"]
    with seat(display), pytest.raises(DesktopError, match="another run"), seat(f"{display}.0"):
        pass
    other = subprocess.Popen([sys.executable, "-c", _OTHER, display], stdout=subprocess.PIPE, text=True)
    try:
        assert other.stdout is not None
        assert other.stdout.readline() == "acting\n"
        with pytest.raises(DesktopError, match="another run"), seat(display):
            pass
    finally:
        other.kill()
        other.wait()
    with seat(display):
        pass


def test_an_observer_is_blind_for_the_robot_of_its_own_display_only(
    virtual_desktop: VirtualDesktop, system_clock: SystemClock, tmp_path: Path
) -> None:
    """L4-12: a robot of any data directory here, a run that guides somebody here; not one that works elsewhere"""
    data = FileDataDirectory(tmp_path / "data", clock=system_clock)
    data.claim()
    display = virtual_desktop.env["DISPLAY"]
    with X11Desktop(f"{display}.0", system_clock) as screen:
        assert display_of(screen) == display
        acts = has_robot(data, screen)
        FileRunningRuns(data.files, platform.node(), ":4711").begin("run_elsewhere", "WF", system_clock.now())
        assert not acts()
        with seat(display):
            assert acts()
        assert not acts()
        guided = running_runs(data, screen)
        guided.begin("run_here", "WF", system_clock.now())
        assert acts()
        guided.end("run_here")
        assert not acts()
