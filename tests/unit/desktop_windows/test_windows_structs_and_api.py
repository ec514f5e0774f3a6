"""The C side of the Windows adapter: layouts and signatures of 64-bit Windows."""

from __future__ import annotations

import ctypes
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.adapters.desktop.windows import structs as s
from rpa_vision.adapters.desktop.windows.api import PROTOTYPES, WindowsApi, load_windows_api
from rpa_vision.errors import EnvironmentMissingError
from rpa_vision.testing.fake_windows_api import FakeWindows
from rpa_vision.testing.manual_clock import ManualClock


@pytest.mark.parametrize(
    ("structure", "size"),
    [
        (s.INPUT, 40),
        (s.MOUSEINPUT, 32),
        (s.KEYBDINPUT, 24),
        (s.MSLLHOOKSTRUCT, 32),
        (s.KBDLLHOOKSTRUCT, 24),
        (s.MSG, 48),
        (s.BITMAPINFOHEADER, 40),
        (s.BITMAPINFO, 44),
        (s.MONITORINFO, 40),
        (s.POINT, 8),
        (s.RECT, 16),
        (s.SID_AND_ATTRIBUTES, 16),
    ],
)
def test_structures_have_the_sizes_of_64_bit_windows(structure: type[ctypes.Structure], size: int) -> None:
    """L0-3"""
    assert ctypes.sizeof(structure) == size


def test_unions_and_pointers_lie_where_windows_reads_them() -> None:
    """L0-3"""
    assert s.INPUT.u.offset == 8
    assert s.MOUSEINPUT.dwExtraInfo.offset == 24
    assert s.KEYBDINPUT.dwExtraInfo.offset == 16
    assert s.MSLLHOOKSTRUCT.dwExtraInfo.offset == 24
    assert s.MSG.time.offset == 32


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_text_survives_the_way_through_utf_16(text: str) -> None:
    """L0-3"""
    units = s.wide(text)
    assert s.text_of(units, len(units) - 1) == text
    assert units[len(units) - 1] == 0


def test_handles_keep_their_64_bits_through_every_signature() -> None:
    """L0-3"""
    for name, prototype in PROTOTYPES.items():
        handles = [a for a in prototype.arguments if a is s.HANDLE]
        assert all(ctypes.sizeof(handle) == 8 for handle in handles), name


def test_a_function_outside_the_table_is_named_in_the_error() -> None:
    """L0-3"""
    with pytest.raises(AttributeError, match="FormatDisk"):
        _ = WindowsApi({}, lambda: 0).FormatDisk


def test_the_fake_offers_exactly_the_functions_of_the_table() -> None:
    """L0-3"""
    api = FakeWindows(ManualClock()).api
    assert all(callable(getattr(api, name)) for name in PROTOTYPES)


@pytest.mark.skipif(sys.platform == "win32", reason="it loads there")
def test_elsewhere_the_error_says_that_it_needs_windows() -> None:
    """L0-3"""
    with pytest.raises(EnvironmentMissingError, match="needs Windows"):
        load_windows_api()


def test_send_input_with_a_wrong_structure_size_sends_nothing() -> None:
    """L0-3: the fake checks what Windows checks."""
    windows = FakeWindows(ManualClock())
    events = (s.INPUT * 1)()
    assert windows.api.SendInput(1, events, 28) == 0
    assert windows.api.last_error() == 87


def test_a_hook_without_a_module_is_refused() -> None:
    """L0-3: the fake checks what Windows checks."""
    windows = FakeWindows(ManualClock())
    procedure = s.HOOKPROC(lambda *_: 0)
    assert windows.api.SetWindowsHookExW(14, procedure, 0, 0) == 0
    assert windows.api.last_error() == 1428


def test_a_thread_without_a_queue_gets_no_message() -> None:
    """L0-3: the fake checks what Windows checks."""
    windows = FakeWindows(ManualClock())
    assert windows.api.PostThreadMessageW(windows.api.GetCurrentThreadId(), 0x12, 0, 0) == 0
    assert windows.api.last_error() == 1444
