"""Acting on Windows: exact pixels, refused and half-taken input, people and programs in the way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.adapters.desktop.windows import WindowsDesktop
from rpa_vision.adapters.desktop.windows.gesture import normalized
from rpa_vision.errors import InputNotDeliveredError, UncertainDeliveryError, UsageError
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import MouseButton
from rpa_vision.testing.fake_windows_api import HIGH_INTEGRITY, FakeWindows
from rpa_vision.testing.manual_clock import ManualClock


@given(st.integers(1, 20_000).flatmap(lambda size: st.tuples(st.integers(0, size - 1), st.just(size))))
def test_every_pixel_comes_back_as_itself_however_windows_rounds(place: tuple[int, int]) -> None:
    """L0-3"""
    pixel, size = place
    value = normalized(pixel, size)
    assert 0 <= value <= 65535
    assert value * size // 65536 == pixel
    if size > 1:
        assert int(value * (size - 1) / 65535 + 0.5) == pixel


def test_every_corner_of_every_monitor_is_reached(clock: ManualClock) -> None:
    """L0-3"""
    pc = FakeWindows(clock, monitors=(Box(0, 0, 2560, 1600), Box(-1920, -200, 0, 880)), dpi=144)
    desktop = WindowsDesktop(pc.api, clock)
    for point in ((0, 0), (4479, 0), (0, 1799), (4479, 1799), (1919, 199), (1920, 200), (1921, 201)):
        desktop.hands.move(point)
        assert desktop.eyes.pointer() == point


def test_input_for_a_program_with_more_rights_is_refused_before_it_vanishes(
    pc: FakeWindows, desktop: WindowsDesktop
) -> None:
    """L0-3: Windows drops it and says nothing (UIPI)."""
    pc.add_window("Registry Editor", r"C:\Windows\regedit.exe", Box(0, 0, 320, 200), integrity=HIGH_INTEGRITY)
    for verb in (
        lambda: desktop.hands.click((50, 50)),
        lambda: desktop.hands.type_text("x"),
        lambda: desktop.hands.press(("CTRL", "S")),
        lambda: desktop.hands.drag((50, 50), (60, 60)),
        lambda: desktop.hands.scroll((50, 50), down=1),
    ):
        with pytest.raises(InputNotDeliveredError, match="more rights") as caught:
            verb()
        assert "administrator" in caught.value.remedy
    assert pc.input.received == []


def test_a_token_we_may_not_read_counts_as_more_rights(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    window = pc.add_window("Service", r"C:\svc.exe", Box(0, 0, 320, 200), integrity=HIGH_INTEGRITY)
    pc.machine.processes[window.pid].token_readable = False
    with pytest.raises(InputNotDeliveredError, match="more rights"):
        desktop.hands.type_text("x")


def test_a_click_beside_the_elevated_window_still_works(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.add_window("Registry Editor", r"C:\Windows\regedit.exe", Box(0, 0, 30, 30), integrity=HIGH_INTEGRITY)
    desktop.hands.click((100, 100))
    assert [m.message for m in pc.input.received] == [0x0200, 0x0201, 0x0202]


def test_a_locked_desktop_takes_nothing_and_says_so(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.machine.locked = True
    with pytest.raises(InputNotDeliveredError, match="error 5"):
        desktop.hands.move((50, 50))
    assert desktop.is_locked() is True


def test_a_chord_taken_halfway_lets_its_modifiers_go(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.input.refuse_after = 2
    with pytest.raises(UncertainDeliveryError, match="took 2"):
        desktop.hands.press(("CTRL", "SHIFT", "S"))
    assert pc.keyboard.down == set()
    assert [(m.code, bool(m.message & 1)) for m in pc.input.received] == [
        (0xA2, False),
        (0xA0, False),
        (0xA0, True),
        (0xA2, True),
    ]


def test_a_drag_that_fails_on_its_way_drops_where_it_is(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.input.refuse_after = 5
    with pytest.raises(UncertainDeliveryError):
        desktop.hands.drag((30, 30), (110, 30))
    assert pc.input.received[-1].message == 0x0202
    assert pc.input.received[-1].point == (60, 30)


def test_a_long_text_that_fails_in_a_later_piece_is_uncertain(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.input.refuse_after = 200
    with pytest.raises(UncertainDeliveryError, match="took 200"):
        desktop.hands.type_text("x" * 500)
    assert pc.keyboard.text == "x" * 100


def test_nothing_is_typed_while_a_person_holds_a_modifier(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3: CTRL + a is not a."""
    pc.person.hold("CTRL")
    with pytest.raises(InputNotDeliveredError, match="holds CTRL"):
        desktop.hands.type_text("a")
    pc.person.let_go("CTRL")
    desktop.hands.type_text("a")
    assert pc.keyboard.text == "a"


def test_a_swapped_mouse_clicks_what_was_meant(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.machine.swapped_buttons = True
    desktop.hands.click((50, 50))
    assert [m.message for m in pc.input.received] == [0x0200, 0x0201, 0x0202]
    desktop.hands.click((50, 50), button=MouseButton.RIGHT)
    assert [m.message for m in pc.input.received][3:] == [0x0200, 0x0204, 0x0205]


def test_keys_carry_scan_codes_and_the_extended_flag(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3: without the flag DELETE is the comma of the numeric pad."""
    desktop.hands.press(("DELETE",))
    desktop.hands.press(("A",))
    assert [(m.code, m.scan, m.extended) for m in pc.input.received[::2]] == [(0x2E, 0x53, True), (0x41, 0x10, False)]


def test_altgr_reaches_programs_as_altgr(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    desktop.hands.press(("ALTGR", "E"))
    assert pc.keyboard.text == "€"
    assert pc.keyboard.down == set()


def test_a_character_key_brings_the_shift_it_needs(clock: ManualClock) -> None:
    """L0-3: CTRL and + on a US keyboard."""
    pc = FakeWindows(clock, layout="us")
    WindowsDesktop(pc.api, clock).hands.press(("CTRL", "+"))
    pressed = [m.code for m in pc.input.received if not m.message & 1]
    assert pressed == [0xA2, 0xA0, 0xBB]


def test_a_character_without_a_key_is_not_pressed(clock: ManualClock) -> None:
    """L0-3"""
    pc = FakeWindows(clock, layout="us")
    with pytest.raises(InputNotDeliveredError, match="no key for"):
        WindowsDesktop(pc.api, clock).hands.press(("CTRL", "é"))
    assert pc.input.received == []


def test_lines_and_emoji_are_typed(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    desktop.hands.type_text("a\r\nb\tc😀\n")
    assert pc.keyboard.text == "a\nb\tc😀\n"


def test_control_characters_are_a_mistake_of_the_caller(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    with pytest.raises(UsageError):
        desktop.hands.type_text("a\x07")
    assert pc.input.received == []


def test_a_point_beside_the_screen_is_never_clicked_at_its_edge(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    for point in ((-1, 5), (320, 5), (5, 200)):
        with pytest.raises(InputNotDeliveredError, match="not on the screen"):
            desktop.hands.click(point)
    assert pc.input.received == []
