"""Seeing on Windows: real pixels, negative monitors, windows as a person sees them."""

from __future__ import annotations

import threading

import pytest

from rpa_vision.adapters.desktop.windows import WindowsDesktop
from rpa_vision.errors import DesktopError, UsageError
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.testing.fake_windows.machine import FakeProcess
from rpa_vision.testing.fake_windows_api import FakeWindows
from rpa_vision.testing.manual_clock import ManualClock

LEFT_AND_HIGHER = (Box(0, 0, 320, 200), Box(-160, -40, 0, 120))


def test_a_monitor_at_negative_coordinates_is_part_of_the_desktop(clock: ManualClock) -> None:
    """L0-3"""
    pc = FakeWindows(clock, monitors=LEFT_AND_HIGHER)
    pc.machine.pixels[0, 0, :3] = (1, 2, 3)
    pc.machine.cursor = (-160, -40)
    eyes = WindowsDesktop(pc.api, clock).eyes
    assert eyes.info().resolution == (480, 240)
    assert eyes.info().monitors == ((160, 40, 480, 240), (0, 0, 160, 160))
    assert eyes.grab().pixels[0, 0, :3].tolist() == [1, 2, 3]
    assert eyes.grab(Box(0, 0, 1, 1)).pixels[0, 0, :3].tolist() == [1, 2, 3]
    assert eyes.pointer() == (0, 0)


@pytest.mark.parametrize("already_set", [False, True])
def test_a_scaled_screen_is_seen_in_its_real_pixels(clock: ManualClock, already_set: bool) -> None:
    """L0-3: also when the process was declared not DPI aware before we came."""
    pc = FakeWindows(clock, monitors=(Box(0, 0, 2560, 1600),), dpi=144, dpi_already_set=already_set)
    pc.add_window("Editor", r"C:\edit.exe", Box(100, 100, 900, 700), compositor_tells=False)
    eyes = WindowsDesktop(pc.api, clock).eyes
    assert eyes.info().resolution == (2560, 1600)
    assert eyes.info().scale == 1.5
    assert eyes.grab().pixels.shape == (1600, 2560, 4)
    window = eyes.active_window()
    assert window is not None
    assert window.geometry == (93, 100, 907, 707)
    assert window.screen_resolution == (2560, 1600)


def test_the_thread_of_the_caller_keeps_its_own_dpi_setting(clock: ManualClock) -> None:
    """L0-3"""
    pc = FakeWindows(clock, dpi=144, dpi_already_set=True)
    before = pc.api.GetThreadDpiAwarenessContext()
    WindowsDesktop(pc.api, clock).eyes.grab()
    assert pc.api.GetThreadDpiAwarenessContext() == before


def test_the_invisible_border_of_a_window_is_not_part_of_it(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    window = desktop.eyes.active_window()
    assert window is not None
    assert window.geometry == (20, 20, 300, 180)
    assert (window.title, window.app_name) == ("Book1 - Excel", "EXCEL.EXE")


def test_a_store_app_is_named_by_its_own_program(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    pc.machine.processes[77] = FakeProcess(77, r"C:\Apps\Calculator.exe")
    pc.add_window("Rechner", r"C:\Windows\ApplicationFrameHost.exe", Box(0, 0, 50, 50), inner_pid=77)
    window = desktop.eyes.active_window()
    assert window is not None
    assert window.app_name == "Calculator.exe"


def test_a_protected_program_still_has_its_title(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    window = pc.add_window("Task Manager", r"C:\Windows\Taskmgr.exe", Box(0, 0, 50, 50))
    pc.machine.processes[window.pid].protected = True
    told = desktop.eyes.active_window()
    assert told is not None
    assert (told.title, told.app_name, told.pid) == ("Task Manager", "", window.pid)


def test_a_desktop_without_focus_has_no_active_window(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    pc.machine.foreground = 0
    assert desktop.eyes.active_window() is None
    assert desktop.eyes.grab().window is None


def test_a_locked_screen_cannot_be_seen_and_leaves_nothing_open(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.machine.locked = True
    with pytest.raises(DesktopError, match="error 5") as caught:
        desktop.eyes.grab()
    assert "Unlock" in caught.value.remedy
    assert pc.leaks() == []


def test_a_region_beside_the_screen_is_a_mistake_of_the_caller(desktop: WindowsDesktop) -> None:
    """L0-3"""
    with pytest.raises(UsageError):
        desktop.eyes.grab(Box(5000, 5000, 5010, 5010))


def test_a_thousand_grabs_leave_no_handle_behind(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    for _ in range(1000):
        desktop.eyes.grab(Box(0, 0, 4, 4))
    assert pc.leaks() == []


def test_an_error_of_the_watcher_is_raised_where_watching_ends(desktop: WindowsDesktop) -> None:
    """L0-2"""
    called = threading.Event()

    def broken(_frame: Frame) -> None:
        called.set()
        raise ValueError("no room for the frame")

    with pytest.raises(ValueError, match="no room"), desktop.eyes.watch(broken):
        assert called.wait(10)


def test_watching_takes_no_more_frames_than_asked(pc: FakeWindows, desktop: WindowsDesktop, clock: ManualClock) -> None:
    """L0-2"""
    seen = threading.Event()
    start_s = clock.monotonic()
    with desktop.eyes.watch(lambda _: seen.set(), max_fps=10.0):
        assert seen.wait(10)
    slept_s = sum(clock.slept_s)
    assert max(clock.slept_s, default=0) <= 0.1
    assert clock.monotonic() - start_s == pytest.approx(slept_s)


def test_the_process_is_declared_dpi_aware_before_anything_else(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    assert desktop.eyes.info().scale == 1.0
    assert pc.api.AreDpiAwarenessContextsEqual(pc.machine.process_dpi_context, -4)
