"""The macOS adapter over its fake: permissions, Retina, and what only macOS does."""

from __future__ import annotations

import sys

import pytest

from rpa_vision.adapters.desktop.macos import MacDesktop, MacDisplay, MacEvent, MacWindow, load_mac_api
from rpa_vision.adapters.desktop.macos.api import FLAGS_CHANGED, KEY_DOWN, OPTION, RIGHT_OPTION
from rpa_vision.errors import DesktopError, EnvironmentMissingError, InputNotDeliveredError
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.testing.fake_mac_api import FakeMac
from rpa_vision.testing.manual_clock import ManualClock


@pytest.fixture
def mac() -> FakeMac:
    mac = FakeMac(ManualClock())
    mac.front_to_back = [MacWindow(31, "Numbers", "Budget", 0, 0, 0, 320, 200)]
    return mac


@pytest.fixture
def desktop(mac: FakeMac) -> MacDesktop:
    return MacDesktop(mac, mac.clock, mac.run)


@pytest.mark.skipif(sys.platform == "darwin", reason="it loads there")
def test_elsewhere_the_error_says_that_it_needs_macos() -> None:
    """L0-3"""
    with pytest.raises(EnvironmentMissingError, match="needs macOS"):
        load_mac_api()


def test_each_missing_permission_is_named_with_the_place_to_grant_it(mac: FakeMac, desktop: MacDesktop) -> None:
    """L0-3"""
    mac.sees = mac.listens = mac.controls = False
    with pytest.raises(EnvironmentMissingError) as seeing:
        desktop.eyes.grab()
    assert "Screen Recording" in seeing.value.remedy
    with pytest.raises(EnvironmentMissingError) as hearing, desktop.ears.listen(lambda _: None):
        pytest.fail("listening began")
    assert "Input Monitoring" in hearing.value.remedy
    with pytest.raises(InputNotDeliveredError) as acting:
        desktop.hands.click((5, 5))
    assert "Accessibility" in acting.value.remedy
    mac.front_to_back.append(MacWindow(32, "Mail", "Inbox", 0, 0, 0, 50, 50))
    with pytest.raises(EnvironmentMissingError) as moving:
        desktop.windows.activate(title_contains="Inbox")
    assert "Accessibility" in moving.value.remedy
    assert mac.events == []


def test_every_pixel_of_a_retina_display_can_be_clicked() -> None:
    """L0-3"""
    mac = FakeMac(ManualClock(), [MacDisplay(0, 0, 160, 100, 320, True), MacDisplay(-80, -20, 80, 60, 80, False)])
    desktop = MacDesktop(mac, mac.clock, mac.run)
    assert desktop.eyes.info().resolution == (480, 240)
    assert desktop.eyes.info().scale == 2.0
    assert desktop.eyes.info().monitors == ((160, 40, 480, 240), (0, 0, 160, 120))
    for point in ((0, 0), (161, 41), (479, 239), (1, 1)):
        desktop.hands.move(point)
        assert desktop.eyes.pointer() == point


def test_the_menu_bar_is_not_the_active_window(desktop: MacDesktop) -> None:
    """L0-2"""
    window = desktop.eyes.active_window()
    assert window is not None
    assert window.title == "Budget"
    assert [w.title for w in desktop.windows.all()] == ["Budget"]


def test_the_right_option_key_is_altgr(mac: FakeMac, desktop: MacDesktop) -> None:
    """L0-2"""
    events: list[InputEvent] = []
    flags = OPTION | RIGHT_OPTION
    with desktop.ears.listen(events.append):
        mac.happen(MacEvent(FLAGS_CHANGED, 0, 1, 1, key_code=61, flags=flags))
        mac.happen(MacEvent(KEY_DOWN, 0, 1, 1, key_code=14, text="€", flags=flags))
        mac.happen(MacEvent(FLAGS_CHANGED, 0, 1, 1, key_code=61))
    assert [(e.kind, e.key, e.char, set(e.modifiers)) for e in events] == [
        (InputKind.KEY_PRESS, "ALTGR", None, set()),
        (InputKind.KEY_PRESS, "E", "€", {"ALTGR"}),
        (InputKind.KEY_RELEASE, "ALTGR", None, set()),
    ]


def test_arrow_keys_write_nothing(mac: FakeMac, desktop: MacDesktop) -> None:
    """L0-2: macOS gives them private characters."""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        mac.happen(MacEvent(KEY_DOWN, 0, 1, 1, key_code=123, text="\uf702"))
    assert [(e.key, e.char) for e in events] == [("LEFT", None)]


def test_a_letter_is_named_by_what_it_writes(mac: FakeMac, desktop: MacDesktop) -> None:
    """L0-2: the place of Q on a US keyboard is A on a French one."""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        mac.happen(MacEvent(KEY_DOWN, 0, 1, 1, key_code=12, text="a"))
    assert [(e.key, e.char) for e in events] == [("A", "a")]


def test_an_event_is_as_old_as_its_time_stamp_says(mac: FakeMac, desktop: MacDesktop) -> None:
    """L0-2"""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        mac.person.click((5, 5))
    assert [e.at_s for e in events] == sorted(e.at_s for e in events)
    assert all(e.at_s <= e.heard_s for e in events)


def test_a_picture_of_the_wrong_size_is_not_a_frame(mac: FakeMac, desktop: MacDesktop) -> None:
    """L0-3: displays may change between asking and capturing."""
    mac.pixels = mac.pixels[:100]
    with pytest.raises(DesktopError, match="no picture"):
        desktop.eyes.grab(Box(0, 0, 5, 5))


def test_a_clipboard_program_that_fails_is_told(mac: FakeMac) -> None:
    """L0-3"""
    desktop = MacDesktop(mac, mac.clock, lambda _command, _given: (1, b""))
    with pytest.raises(DesktopError, match="pbpaste ended with 1"):
        desktop.clipboard.read()


def test_a_missing_clipboard_program_is_told(mac: FakeMac) -> None:
    """L0-3"""

    def missing(_command: object, _given: bytes) -> tuple[int, bytes]:
        raise FileNotFoundError("pbcopy")

    with pytest.raises(DesktopError, match="cannot be run"):
        MacDesktop(mac, mac.clock, missing).clipboard.write("x")


def test_a_window_that_does_not_come_is_an_error(mac: FakeMac, desktop: MacDesktop) -> None:
    """L0-3"""
    mac.front_to_back.append(MacWindow(32, "Mail", "Inbox", 0, 0, 0, 50, 50))
    mac.refuses_front = True
    with pytest.raises(DesktopError, match="did not bring 'Inbox'"):
        desktop.windows.activate(title_contains="Inbox")
