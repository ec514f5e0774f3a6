"""Hearing on Windows: times, AltGr, dead keys, wheels, and never standing in the person's way."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.adapters.desktop.windows import WindowsDesktop
from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.characters import combine
from rpa_vision.adapters.desktop.windows.hearing import EventTimes
from rpa_vision.errors import DesktopError
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import InputEvent, InputKind, MouseButton
from rpa_vision.testing.fake_windows_api import FakeWindows
from rpa_vision.testing.manual_clock import ManualClock


def presses(events: list[InputEvent]) -> list[tuple[str | None, str | None, set[str]]]:
    return [(e.key, e.char, set(e.modifiers)) for e in events if e.kind is InputKind.KEY_PRESS]


def test_altgr_is_one_key_and_not_ctrl_and_alt(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        pc.person.type_text("€")
    assert presses(events) == [("ALTGR", None, set()), ("E", "€", {"ALTGR"})]
    releases = [(e.key, set(e.modifiers)) for e in events if e.kind is InputKind.KEY_RELEASE]
    assert releases == [("E", {"ALTGR"}), ("ALTGR", {"ALTGR"})]


def test_the_right_alt_of_a_layout_without_altgr_is_alt(clock: ManualClock) -> None:
    """L0-2"""
    pc = FakeWindows(clock, layout="us")
    desktop = WindowsDesktop(pc.api, clock)
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        pc.person.press(("ALTGR", "F5"))
    assert presses(events) == [("ALT", None, set()), ("F5", None, {"ALT"})]


def test_a_dead_key_is_heard_combined_and_still_reaches_the_person(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        pc.person.type_text("être naïf")
    assert "".join(e.char or "" for e in events) == "être naïf"
    assert pc.keyboard.text == "être naïf"


@pytest.mark.parametrize(
    ("accent", "text", "together"),
    [("^", "e", "ê"), ("\u00a8", "U", "Ü"), ("^", " ", "^"), ("^", "x", "^x"), ("^", "ê", "ê"), ("?", "a", "?a")],
)
def test_an_accent_combines_where_it_fits(accent: str, text: str, together: str) -> None:
    """L0-2"""
    assert combine(accent, text) == together


def test_the_digit_row_of_azerty_keeps_its_names(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        pc.person.type_text("é2")
    assert presses(events) == [("2", "é", set()), ("SHIFT", None, set()), ("2", "2", {"SHIFT"})]


def test_caps_lock_is_followed(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        pc.person.press(("CAPS_LOCK",))
        pc.person.press(("A",))
        pc.person.press(("CAPS_LOCK",))
        pc.person.press(("A",))
    assert [char for _, char, _ in presses(events)] == [None, "A", None, "a"]


def test_text_a_program_injects_is_heard_as_characters(pc: FakeWindows, clock: ManualClock) -> None:
    """L0-2: on-screen keyboards and dictation send UTF-16 units, two for an emoji."""
    watching, typing = WindowsDesktop(pc.api, clock), WindowsDesktop(pc.api, clock)
    events: list[InputEvent] = []
    with watching.ears.listen(events.append):
        typing.hands.type_text("é😀")
    assert presses(events) == [("É", "é", set()), ("😀", "😀", set())]


def test_our_own_hands_can_be_left_out_but_never_those_of_others(pc: FakeWindows, clock: ManualClock) -> None:
    """L0-2"""
    desktop = WindowsDesktop(pc.api, clock, hears_own_hands=False)
    other = WindowsDesktop(pc.api, clock)
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        desktop.hands.click((50, 50))
        other.hands.click((60, 60))
        pc.person.click((70, 70))
    assert [e.pos for e in events if e.kind is InputKind.BUTTON_PRESS] == [(60, 60), (70, 70)]


def test_parts_of_a_notch_add_up(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        for _ in range(6):
            pc.person.wheel(-40)
        pc.person.wheel(-60)
        pc.person.wheel(120)
    assert [e.scroll for e in events] == [(0, 1), (0, 1), (0, -1)]


def test_a_pointer_pushed_over_the_edge_is_heard_at_the_edge(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        pc.person.move((-5, 900))
    assert events[0].pos == (0, 199)


def test_a_swapped_mouse_is_heard_as_the_person_means_it(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    pc.machine.swapped_buttons = True
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        pc.person.click((50, 50), button=MouseButton.RIGHT)
    assert {e.button for e in events if e.button} == {MouseButton.LEFT}


def test_programs_that_listened_before_us_still_hear_everything(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    with desktop.ears.listen(lambda _: None):
        pc.person.click((50, 50))
        pc.person.press(("A",))
    assert pc.input.older_hook_heard == [0x0200, 0x0201, 0x0202, 0x0100, 0x0101]


def test_a_slow_callback_does_not_hold_up_the_persons_input(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""
    go_on = threading.Event()
    heard: list[InputEvent] = []

    def slow(event: InputEvent) -> None:
        go_on.wait(10)
        heard.append(event)

    with desktop.ears.listen(slow):
        pc.person.click((50, 50), count=3)
        assert len(pc.input.received) == 7
        assert heard == []
        go_on.set()
    assert len(heard) == 7


def test_an_error_of_the_listener_is_raised_where_listening_ends(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-2"""

    def broken(_event: InputEvent) -> None:
        raise ValueError("disk full")

    with pytest.raises(ValueError, match="disk full"), desktop.ears.listen(broken):
        pc.person.click((50, 50))


def test_forbidden_hooks_are_told_when_listening_begins(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    pc.input.forbids_hooks = True
    with pytest.raises(DesktopError, match="error 5"), desktop.ears.listen(lambda _: None):
        pytest.fail("listening began")


def test_closing_the_desktop_takes_its_hooks_away(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3"""
    listening = desktop.ears.listen(lambda _: None)
    listening.__enter__()
    assert pc.input.hook_count == 2
    desktop.close()
    assert pc.input.hook_count == 0
    listening.__exit__(None, None, None)


def test_clicks_on_a_monitor_at_negative_coordinates_are_heard_in_place(clock: ManualClock) -> None:
    """L0-3: also with scaling in a process that is not DPI aware."""
    monitors = (Box(0, 0, 320, 200), Box(-160, -40, 0, 120))
    pc = FakeWindows(clock, monitors=monitors, dpi=192, dpi_already_set=True)
    desktop = WindowsDesktop(pc.api, clock)
    events: list[InputEvent] = []
    with desktop.ears.listen(events.append):
        pc.person.click((3, 7))
    assert {e.pos for e in events} == {(3, 7)}


def times(now_ms: int) -> EventTimes:
    return EventTimes(WindowsApi({"GetTickCount": lambda: now_ms & 0xFFFFFFFF}, lambda: 0))


def test_an_event_from_before_the_tick_wrap_keeps_its_age() -> None:
    """L0-3: the counter starts anew after 49.7 days."""
    assert times(20).of(2**32 - 30, heard_s=100.0) == pytest.approx(99.95)


def test_a_nonsense_time_counts_as_now() -> None:
    """L0-3"""
    assert times(1000).of(5000, heard_s=100.0) == 100.0
    assert times(10_000_000).of(1, heard_s=100.0) == 100.0


@given(
    st.integers(0, 2**33),
    st.lists(st.tuples(st.integers(0, 40), st.integers(0, 50)), min_size=2, max_size=30),
)
def test_event_times_never_go_back_and_never_lie_ahead(start_ms: int, steps: list[tuple[int, int]]) -> None:
    """L0-3: with ticks of 16 ms, any start, any delay."""
    now_ms = start_ms
    ticks = [0]
    measured = EventTimes(WindowsApi({"GetTickCount": lambda: ticks[0]}, lambda: 0))
    last_s = float("-inf")
    for passed_ms, delay_ms in steps:
        now_ms += passed_ms
        event_tick = now_ms // 16 * 16 & 0xFFFFFFFF
        now_ms += delay_ms
        ticks[0] = now_ms // 16 * 16 & 0xFFFFFFFF
        at_s = measured.of(event_tick, heard_s=now_ms / 1000)
        assert last_s <= at_s <= now_ms / 1000
        assert at_s >= (now_ms - delay_ms - 16) / 1000 - 1e-6
        last_s = at_s


def test_listening_can_be_ended_from_its_first_moment(pc: FakeWindows, desktop: WindowsDesktop) -> None:
    """L0-3: a thread without a message queue could not be told to stop."""
    with desktop.ears.listen(lambda _: None):
        assert pc.input.hooks_without_queue == 0
