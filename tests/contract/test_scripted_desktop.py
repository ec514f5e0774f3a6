"""The scripted desktop and the manual clock as their users use them."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest

from rpa_vision.errors import InputNotDeliveredError, UncertainDeliveryError, UsageError
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.input import MouseButton
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.scripted_desktop import Deed, ScriptedDesktop, on_click, on_press, on_text


def grey(level: int) -> Pixels:
    return np.full((40, 60, 3), level, np.uint8)


@pytest.fixture
def screens() -> dict[str, Pixels]:
    return {"login": grey(10), "home": grey(20), "saved": grey(30)}


def test_a_table_leads_from_screen_to_screen(screens: dict[str, Pixels]) -> None:
    """L0-3"""
    script = [
        on_text("login", "secret", to="home"),
        on_press("home", "CTRL", "S", to="saved"),
        on_click("saved", Box(10, 10, 20, 20), to="login", button=MouseButton.RIGHT),
    ]
    desktop = ScriptedDesktop(screens, start="login", script=script)
    desktop.hands.press(("CTRL", "S"))
    assert desktop.screen == "login"
    desktop.hands.type_text("secret")
    assert desktop.screen == "home"
    desktop.hands.press(("CTRL", "S"))
    desktop.hands.click((15, 15))
    assert desktop.screen == "saved"
    desktop.hands.click((15, 15), button=MouseButton.RIGHT)
    assert desktop.screen == "login"
    assert desktop.eyes.grab().pixels[0, 0, 0] == 10


def test_a_function_leads_from_screen_to_screen(screens: dict[str, Pixels]) -> None:
    """L0-3"""
    desktop = ScriptedDesktop(screens, start="login", script=lambda screen, deed: "home" if deed.text else None)
    desktop.hands.click((5, 5))
    assert desktop.screen == "login"
    desktop.hands.type_text("x")
    assert desktop.screen == "home"


def test_what_was_done_is_kept_apart_for_hands_and_person(screens: dict[str, Pixels]) -> None:
    """L0-3"""
    desktop = ScriptedDesktop(screens, start="login")
    desktop.hands.click((5, 6), count=2)
    desktop.person.scroll((1, 2), down=3)
    assert desktop.deeds == [Deed("click", at=(5, 6), count=2)]
    assert desktop.persons_deeds == [Deed("scroll", at=(1, 2), scroll=(0, 3))]


def test_refused_input_is_no_deed_and_leads_nowhere(screens: dict[str, Pixels]) -> None:
    """L0-3"""
    desktop = ScriptedDesktop(screens, start="login", script=lambda _screen, _deed: "home")
    desktop.refuse_input()
    with pytest.raises(InputNotDeliveredError):
        desktop.hands.click((5, 5))
    desktop.refuse_input(after=1)
    with pytest.raises(UncertainDeliveryError):
        desktop.hands.click((5, 5))
    assert desktop.deeds == []
    assert desktop.screen == "login"


def test_each_change_is_watched_once(screens: dict[str, Pixels]) -> None:
    """L0-3"""
    desktop = ScriptedDesktop(screens, start="login")
    frames: list[Frame] = []
    with desktop.eyes.watch(frames.append):
        desktop.show("home")
        desktop.show("home")
        desktop.show("saved")
    assert [int(frame.pixels[0, 0, 0]) for frame in frames] == [10, 20, 30]


def test_screens_of_different_sizes_are_a_mistake_of_the_caller() -> None:
    """L0-3"""
    with pytest.raises(UsageError):
        ScriptedDesktop({"a": grey(1), "b": grey(1)[:10]}, start="a")


def test_a_manual_clock_moves_only_when_told() -> None:
    """L0-3"""
    clock = ManualClock(datetime(2025, 3, 1, tzinfo=UTC), monotonic_s=5.0)
    clock.sleep(2.5)
    clock.advance(1.0)
    assert clock.monotonic() == 8.5
    assert clock.now() == datetime(2025, 3, 1, 0, 0, 3, 500_000, tzinfo=UTC)
    assert clock.slept_s == [2.5]
    with pytest.raises(ValueError, match="forward"):
        clock.advance(-1)
