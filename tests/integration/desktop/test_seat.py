"""Two robots never act on one display."""

from __future__ import annotations

import subprocess
import sys

import pytest

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.x11.seat import seat
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
