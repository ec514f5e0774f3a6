"""Hearing what a person does, who is another process."""

from __future__ import annotations

import pytest

from rpa_vision.models.input import InputKind, MouseButton

# Key numbers of a PC keyboard, the same on every layout.
SHIFT, CTRL, ALTGR, CAPS, NUM = 50, 37, 108, 66, 77
DIGIT_2, DIGIT_5, DIGIT_9, DIGIT_0 = 11, 14, 18, 19
Q, E, RIGHT_OF_P, N, S, ENTER, SPACE, KEYPAD_1, F5 = 24, 26, 34, 57, 39, 36, 65, 87, 71


@pytest.fixture
def heard(x11, person, wait):
    """Say what was heard while a person pressed keys."""

    def hear(keys: str) -> list:
        events = []
        with x11.ears.listen(events.append):
            person(keys)
            taps = sum(2 if token[0] not in "+-" else 1 for token in keys.split())
            wait.until(lambda: len(keyboard(events)) >= taps, what=f"{taps} key events")
        return keyboard(events)

    return hear


def keyboard(events):
    return [event for event in events if event.kind in (InputKind.KEY_PRESS, InputKind.KEY_RELEASE)]


def written(events):
    return "".join(event.char or "" for event in events if event.kind == InputKind.KEY_PRESS)


def names(events):
    return [event.key for event in events if event.kind == InputKind.KEY_PRESS]


def test_letters_digits_and_named_keys_are_heard(heard, layout):
    """L0-2"""
    events = heard(f"{Q} +{SHIFT} {Q} {DIGIT_2} -{SHIFT} {SPACE} {ENTER} {F5}")
    assert written(events) == "qQ@ "
    assert names(events) == ["Q", "SHIFT", "Q", "2", "SPACE", "ENTER", "F5"]
    shifted = [event.modifiers for event in events if event.kind == InputKind.KEY_PRESS][2]
    assert shifted == {"SHIFT"}


def test_a_chord_writes_nothing_and_names_its_modifiers(heard, layout):
    """L0-2"""
    press = next(event for event in heard(f"+{CTRL} {S} -{CTRL}") if event.key == "S")
    assert press.char is None
    assert press.modifiers == {"CTRL"}


def test_a_french_keyboard_is_heard(heard, layout):
    """L0-2, L2-6"""
    layout("fr")
    assert written(heard(f"{Q} {DIGIT_2} {DIGIT_9} {DIGIT_0} +{SHIFT} {DIGIT_2} -{SHIFT}")) == "aéçà2"


def test_altgr_is_heard(heard, layout):
    """L0-2"""
    layout("fr")
    events = heard(f"+{ALTGR} {E} {DIGIT_5} -{ALTGR}")
    assert written(events) == "€["
    assert names(events) == ["ALTGR", "E", "("]
    assert events[1].modifiers == {"ALTGR"}


def test_dead_keys_are_composed(heard, layout):
    """L0-2"""
    layout("fr")
    circumflex, diaeresis = f"{RIGHT_OF_P}", f"+{SHIFT} {RIGHT_OF_P} -{SHIFT}"
    events = heard(f"{circumflex} {E} {diaeresis} {E} {circumflex} +{SHIFT} {E} -{SHIFT} {circumflex} {SPACE}")
    assert written(events) == "êëÊ^"
    assert names(events)[0] == "^"


def test_caps_lock_and_num_lock_are_heeded(heard, layout):
    layout("fr")
    events = heard(f"{CAPS} {E} +{SHIFT} {E} -{SHIFT} {CAPS} {E} {NUM} {KEYPAD_1} {NUM} {KEYPAD_1}")
    assert written(events) == "Eee1"
    assert names(events)[-3:] == ["1", "NUM_LOCK", "END"]


def test_a_layout_changed_while_listening_is_noticed(x11, layout, person, wait):
    """L0-2"""
    events = []
    with x11.ears.listen(events.append):
        person(f"{Q}")
        layout("fr")
        person(f"{Q} {DIGIT_2}")
        layout("us")
        person(f"{Q}")
        wait.until(lambda: len(keyboard(events)) == 8)
    assert written(events) == "qaéq"


def test_a_text_typed_by_hands_is_heard_whole(x11, layout, wait):
    """L0-2, L2-6"""
    text = "Été à ça: 12€ ñ œ [Z]@# É"
    for name in ("us", "fr"):
        layout(name)
        events = []
        with x11.ears.listen(events.append):
            x11.hands.type_text(text)
            wait.until(lambda events=events: len(written(events)) >= len(text), what=text)
        assert written(events) == text


def test_the_mouse_is_heard(x11, open_window, wait):
    """L0-2"""
    open_window("Mouse", 200, 150)
    events = []
    with x11.ears.listen(events.append):
        x11.hands.click((300, 300), count=2)
        x11.hands.click((310, 310), button=MouseButton.RIGHT)
        x11.hands.drag((300, 300), (400, 350))
        x11.hands.scroll((300, 300), down=2)
        x11.hands.scroll((300, 300), right=-1)
        wait.until(lambda: [event.scroll for event in events if event.scroll] == [(0, 1), (0, 1), (-1, 0)])
    presses = [event for event in events if event.kind == InputKind.BUTTON_PRESS]
    assert [(event.button, event.pos) for event in presses] == [
        (MouseButton.LEFT, (300, 300)),
        (MouseButton.LEFT, (300, 300)),
        (MouseButton.RIGHT, (310, 310)),
        (MouseButton.LEFT, (300, 300)),
    ]
    releases = [event for event in events if event.kind == InputKind.BUTTON_RELEASE]
    assert releases[-1].pos == (400, 350)
    dragged = [event.pos for event in events if event.kind == InputKind.MOTION and event.at_s < releases[-1].at_s]
    assert len(dragged) > 5


def test_events_tell_the_time_and_the_window_of_the_deed(x11, open_window, wait, system_clock):
    """L0-2: the window is the one that was active before the click, not the one the click brought up."""
    open_window("Behind", 100, 100)
    open_window("Front", 800, 500)
    events = []
    with x11.ears.listen(events.append):
        before_s = system_clock.monotonic()
        x11.hands.click((200, 200))
        wait.until(lambda: x11.eyes.active_window().title == "Behind")
        x11.hands.click((210, 210))
        presses = wait.until(
            lambda: (found := [each for each in events if each.kind == InputKind.BUTTON_PRESS])[1:] and found
        )
    assert [event.window.title for event in presses] == ["Front", "Behind"]
    for event in presses:
        # The server's clock lags up to 10 ms.
        assert before_s - 0.011 <= event.at_s <= event.heard_s <= system_clock.monotonic()


def test_a_receiver_that_fails_is_not_silent(x11, person, wait, layout):
    """A recorder that went deaf must not look like one that heard nothing."""
    called = []

    def receive(event):
        called.append(event)
        raise RuntimeError("full")

    def press_and_wait():
        person(f"{Q}")
        wait.until(lambda: called)

    with pytest.raises(RuntimeError, match="full"), x11.ears.listen(receive):
        press_and_wait()


def test_nothing_is_heard_after_listening(x11, person, wait, layout):
    events = []
    with x11.ears.listen(events.append):
        pass
    person(f"{Q}")
    assert wait.stays(lambda: not events, for_s=0.1)
