"""Telling our own input from a person's, and stopping in the middle of it, on a real X server."""

from __future__ import annotations

import threading

import pytest

from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.errors import UncertainDeliveryError
from rpa_vision.execution.guarded_desktop import GuardedDesktop, InputGate
from rpa_vision.models.input import InputKind
from rpa_vision.testing.stop_bench import measure


def is_last(event) -> bool:
    return (event.key, event.kind) == ("CTRL", InputKind.KEY_RELEASE)


@pytest.fixture
def somebody(virtual_desktop, system_clock):
    """Another person at the same desktop."""
    with X11Desktop(virtual_desktop.display, system_clock) as other:
        yield other


def test_our_hands_are_known_to_our_ears_and_a_persons_are_not(x11, somebody, wait):
    """L4-12: every event of clicks, drags, scrolls, texts and chords, in whatever order they mix."""
    heard = []
    with x11.ears.listen(heard.append):
        for hands, text in ((x11.hands, "Été «œuf» 12 €"), (somebody.hands, "Été"), (x11.hands, "again")):
            before = len(heard)
            hands.move((50, 60))
            hands.click((200, 210), count=2)
            hands.scroll((220, 230), down=3)
            hands.drag((100, 100), (160, 140))
            hands.type_text(text)
            hands.press(("CTRL", "A"))
            ours = hands is x11.hands
            wait.until(lambda first=before: any(is_last(event) for event in heard[first:]), what="the end of it")
            assert {event.own for event in heard[before:]} == {ours}


def test_a_key_that_we_hold_and_the_server_repeats_is_ours(x11, wait, system_clock):
    """L4-12"""
    heard = []
    with x11.ears.listen(heard.append):
        from rpa_vision.adapters.desktop.x11.injection import Injection

        hands = x11.hands
        with Injection(hands._connection, "a held key", hands._sent_input) as injection, injection.held_key(38):
            wait.until(lambda: sum(e.kind is InputKind.KEY_PRESS for e in heard) >= 3, what="repeated keys")
        wait.until(lambda: heard[-1].kind is InputKind.KEY_RELEASE, what="the release")
    assert all(event.own for event in heard)


def test_a_text_is_stopped_in_the_middle_and_nothing_stays_pressed(x11, wait):
    """L4-12"""
    gate, heard = InputGate(), []
    hands = GuardedDesktop(x11, gate).hands
    problems = []

    def type_for_long() -> None:
        try:
            hands.type_text("ABCDEFGH " * 100)
        except UncertainDeliveryError as error:
            problems.append(error)

    with x11.ears.listen(heard.append):
        robot = threading.Thread(target=type_for_long)
        robot.start()
        wait.until(lambda: len(heard) > 20, what="some letters")
        gate.close("stopped with CTRL+ALT+END")
        robot.join(5.0)
    assert not robot.is_alive()
    assert "stopped with CTRL+ALT+END" in str(problems[0])
    pressed = [e.key for e in heard if e.kind is InputKind.KEY_PRESS]
    released = [e.key for e in heard if e.kind is InputKind.KEY_RELEASE]
    assert sorted(map(str, pressed)) == sorted(map(str, released))
    assert len(pressed) < 900


def test_stop_key_and_mouse_tie_the_hands_within_a_fifth_of_a_second():
    """L4-12: the quick variant of `rpa-vision bench stop`; the median, as this machine may be busy."""
    report = measure(5)
    assert report["stop_key"]["all"]["median_ms"] < 200.0
    assert report["mouse"]["all"]["median_ms"] < 200.0
    assert report["stop_key"]["all"]["count"] == 5
