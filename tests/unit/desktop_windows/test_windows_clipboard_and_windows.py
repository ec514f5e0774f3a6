"""The clipboard, the windows and the lock of Windows."""

from __future__ import annotations

import pytest

from rpa_vision.adapters.desktop.windows import WindowsDesktop
from rpa_vision.errors import DesktopError, UsageError
from rpa_vision.models.geometry import Box
from rpa_vision.testing.fake_windows_api import FakeWindows
from rpa_vision.testing.manual_clock import ManualClock


def test_a_clipboard_that_is_busy_for_a_moment_is_waited_for(
    pc: FakeWindows, desktop: WindowsDesktop, clock: ManualClock
) -> None:
    """L0-3"""
    pc.clipboard.busy_opens = 3
    desktop.clipboard.write("ours")
    assert clock.slept_s == [0.025] * 3
    assert desktop.clipboard.read() == "ours"


def test_a_clipboard_that_stays_busy_is_told_within_a_second(
    pc: FakeWindows, desktop: WindowsDesktop, clock: ManualClock
) -> None:
    """L0-3"""
    pc.clipboard.busy_opens = 10_000
    with pytest.raises(DesktopError, match="kept the clipboard open"):
        desktop.clipboard.read()
    assert sum(clock.slept_s) < 1.0
    assert pc.leaks() == []


def test_refused_data_frees_its_memory(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.clipboard.refuses_data = True
    with pytest.raises(DesktopError, match="write the clipboard"):
        desktop.clipboard.write("ours")
    assert pc.clipboard.leaked_memory() == 0
    pc.clipboard.refuses_data = False
    desktop.clipboard.write("ours")


def test_lines_are_written_as_windows_programs_expect_them(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    desktop.clipboard.write("a\nb\r\nc")
    raw = pc.clipboard.raw(13)
    assert raw is not None
    assert raw.startswith("a\r\nb\r\nc\0".encode("utf-16-le"))
    assert desktop.clipboard.read() == "a\nb\nc"


def test_pictures_files_and_formatted_text_survive_being_borrowed(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    html = pc.clipboard.registered("HTML Format")
    pc.clipboard.put(8, b"DIB" + bytes(range(13)))
    pc.clipboard.add(15, b"files-in-CF_HDROP")
    pc.clipboard.add(html, b"<b>formatted</b>")
    before = {kind: pc.clipboard.raw(kind) for kind in (8, 15, html)}
    with desktop.clipboard.borrowed():
        desktop.clipboard.write("ours")
        assert pc.clipboard.raw(8) is None
    assert {kind: pc.clipboard.raw(kind) for kind in (8, 15, html)} == before
    assert desktop.clipboard.read() is None


def test_windows_nobody_can_switch_to_are_not_listed(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    box = Box(0, 0, 50, 50)
    pc.add_window("hidden", r"C:\a.exe", box, visible=False)
    pc.add_window("suspended store app", r"C:\b.exe", box, cloaked=True)
    pc.add_window("", r"C:\c.exe", box)
    pc.add_window("palette", r"C:\d.exe", box, ex_style=0x80)
    pc.add_window("palette of its own", r"C:\e.exe", box, ex_style=0x80 | 0x40000)
    assert [w.title for w in desktop.windows.all()] == ["palette of its own", "Book1 - Excel"]


def test_the_window_with_the_focus_comes_before_those_always_on_top(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    excel = pc.machine.foreground
    pc.add_window("always on top", r"C:\clock.exe", Box(0, 0, 50, 50))
    pc.machine.foreground = excel
    assert [w.title for w in desktop.windows.all()] == ["Book1 - Excel", "always on top"]


def test_a_minimized_window_is_restored_and_activated(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    window = pc.add_window("Mail", r"C:\Office\OUTLOOK.EXE", Box(0, 0, 50, 50), minimized=True)
    given = desktop.windows.activate(app_name="outlook")
    assert given is not None
    assert given.title == "Mail"
    assert not window.minimized
    assert pc.machine.foreground == window.handle


def test_a_window_behind_its_dialog_is_in_front_when_the_dialog_is(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    main = pc.add_window("Ledger", r"C:\ledger.exe", Box(0, 0, 50, 50))
    dialog = pc.add_window("Save changes?", r"C:\ledger.exe", Box(5, 5, 30, 30), owner=main.handle)
    pc.add_window("Browser", r"C:\browser.exe", Box(0, 0, 90, 90))
    assert desktop.windows.activate(title_contains="Ledger") is not None
    assert pc.machine.foreground == dialog.handle


def test_a_refused_activation_is_an_error_and_not_a_claim(
    pc: FakeWindows, desktop: WindowsDesktop, clock: ManualClock
) -> None:
    """L0-3"""
    pc.add_window("Stubborn", r"C:\s.exe", Box(0, 0, 50, 50), refuses_front=True)
    pc.add_window("Browser", r"C:\browser.exe", Box(0, 0, 90, 90))
    with pytest.raises(DesktopError, match="did not bring 'Stubborn'"):
        desktop.windows.activate(title_contains="Stubborn")
    assert sum(clock.slept_s) < 1.0


def test_we_do_not_attach_to_a_program_that_hangs(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3: we would hang with it."""
    pc.add_window("Hangs (no response)", r"C:\h.exe", Box(0, 0, 50, 50), hung=True)
    with pytest.raises(DesktopError):
        desktop.windows.activate(title_contains="Excel")
    assert pc.machine.thread().attached_to == set()


def test_activation_leaves_no_thread_attached(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.add_window("Browser", r"C:\browser.exe", Box(0, 0, 90, 90))
    desktop.windows.activate(title_contains="Excel")
    assert pc.machine.thread().attached_to == set()


def test_activating_nothing_in_particular_is_a_mistake_of_the_caller(desktop: WindowsDesktop) -> None:
    """L0-3"""
    with pytest.raises(UsageError):
        desktop.windows.activate()


def test_the_lock_is_told(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    assert desktop.is_locked() is False
    pc.machine.locked = True
    assert desktop.is_locked() is True


def test_a_lock_that_cannot_be_told_is_not_guessed(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3: a session without a desktop of its own, such as a service's."""
    pc.machine.input_desktop_error = 1
    assert desktop.is_locked() is None
