"""Clicks, drags, scrolls, moves and keys from raw input (L0-2)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from capture_inputs import click, event, key, motion, notch, press, release, seen, typed
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.capture.gestures import Gesture, GestureMachine, GestureSettings
from rpa_vision.models.input import InputEvent, InputKind, MouseButton


def played(events: list[InputEvent]) -> list[Gesture]:
    machine = GestureMachine()
    gestures = [gesture for each in events for gesture in machine.feed(seen(each))]
    return gestures + machine.finish()


def told(events: list[InputEvent]) -> list[tuple[object, ...]]:
    """The gestures, each as its type and what matters of it."""
    return [
        (each.type, *(value for value in (each.clicks, each.end_pos, each.scroll, each.key) if value is not None))
        for each in played(events)
    ]


def test_a_double_click_is_one_event():
    """L0-2"""
    assert told(click(1.0) + click(1.3)) == [("mouse_click", 2)]
    assert told(click(1.0) + click(1.3) + click(1.6)) == [("mouse_click", 3)]


@pytest.mark.parametrize(
    "second",
    [click(1.5), click(1.2, (110, 100)), click(1.2, button=MouseButton.RIGHT)],
    ids=["too late", "too far", "another button"],
)
def test_clicks_that_do_not_belong_together_stay_apart(second):
    """L0-2"""
    assert told(click(1.0) + second) == [("mouse_click", 1), ("mouse_click", 1)]


def test_a_fourth_click_begins_anew():
    """L0-2"""
    assert told(click(1.0) + click(1.2) + click(1.4) + click(1.6)) == [("mouse_click", 3), ("mouse_click", 1)]


def test_a_click_waits_for_a_second_one_and_no_longer():
    """L0-2"""
    machine = GestureMachine()
    assert [gesture for each in click(1.0) for gesture in machine.feed(seen(each))] == []
    assert machine.flush(1.4) == []
    assert [gesture.clicks for gesture in machine.flush(1.41)] == [1]
    assert not machine.waiting


@pytest.mark.parametrize(
    "other", [key(1.1, "A", char="a"), notch(1.1), motion(1.1, (140, 100))], ids=["key", "scroll", "move away"]
)
def test_anything_else_ends_the_wait_of_a_click(other):
    """L0-2"""
    machine = GestureMachine()
    for each in click(1.0):
        machine.feed(seen(each))
    assert [gesture.type for gesture in machine.feed(seen(other))][:1] == ["mouse_click"]


def test_a_trembling_hand_double_clicks_all_the_same():
    """L0-2"""
    events = [*click(1.0), motion(1.06, (101, 100)), motion(1.07, (102, 101)), *click(1.38, (102, 101))]
    assert told(events) == [("mouse_click", 2)]


def test_press_move_release_is_a_drag_from_press_to_release():
    """L0-2"""
    (drag,) = played([press(1.0, (10, 10)), motion(1.2, (60, 10)), motion(1.4, (200, 50)), release(1.5, (200, 50))])
    assert (drag.type, drag.pos, drag.end_pos, drag.at_s, drag.ended_s) == ("mouse_drag", (10, 10), (200, 50), 1.0, 1.5)


def test_a_second_press_that_becomes_a_drag_leaves_the_first_click_a_click():
    """L0-2"""
    assert told([*click(1.0), press(1.2), release(1.9, (300, 100))]) == [("mouse_click", 1), ("mouse_drag", (300, 100))]


def test_notches_within_a_moment_are_one_scroll():
    """L0-2"""
    assert told([notch(1.0), notch(1.2), notch(1.4)]) == [("mouse_scroll", (0, 3))]
    assert told([notch(1.0), notch(1.5)]) == [("mouse_scroll", (0, 1)), ("mouse_scroll", (0, 1))]
    assert told([notch(1.0), notch(1.1, -1)]) == [("mouse_scroll", (0, 1)), ("mouse_scroll", (0, -1))]
    assert told([notch(1.0), notch(1.1, pos=(400, 400))]) == [("mouse_scroll", (0, 1)), ("mouse_scroll", (0, 1))]


def test_a_long_scroll_comes_in_pieces_and_loses_no_notch():
    """L0-2"""
    pieces = played([notch(1.0 + index / 10) for index in range(40)])
    assert len(pieces) > 3
    assert sum(piece.scroll[1] for piece in pieces if piece.scroll) == 40


def test_moves_are_thinned_and_the_rest_is_kept():
    """L0-2"""
    path = [motion(1.0 + index / 100, (100 + 4 * index, 100)) for index in range(200)]
    moves = played(path)
    assert len(moves) <= 6
    assert [move.at_rest for move in moves[-2:]] == [False, True]
    assert moves[-1].pos == path[-1].pos


def test_the_way_to_a_click_ends_in_the_click():
    """L0-2"""
    assert told([motion(1.0, (10, 10)), motion(1.1, (50, 50)), *click(1.2, (50, 50))]) == [
        ("mouse_move",),
        ("mouse_click", 1),
    ]


def test_keys_are_kept_one_by_one_and_modifiers_with_the_key_they_modify():
    """L0-2"""
    events = [key(1.0, "CTRL"), key(1.1, "S", "CTRL"), key(1.2, "SHIFT"), typed(1.3, "É"), typed(1.4, "a")]
    gestures = played(events)
    assert [(each.key, each.char, each.modifiers) for each in gestures] == [
        ("S", None, ("CTRL",)),
        ("É", "É", ()),
        ("A", "a", ()),
    ]


def test_auto_repeat_is_kept_as_presses():
    """L0-2"""
    assert told([key(1.0 + index / 30, "BACKSPACE") for index in range(5)]) == [("key_press", "BACKSPACE")] * 5


def test_a_dead_key_is_kept_in_the_letter_it_makes():
    """L0-2"""
    (letter,) = played([key(1.0, "^"), key(1.1, "E", char="ê")])
    assert letter.char == "ê"


def test_a_click_comes_before_the_key_that_was_typed_while_the_button_was_down():
    """L0-2"""
    events = [press(1.0), typed(1.03, "a"), release(1.06), typed(1.1, "b")]
    assert [each.type for each in played(events)] == ["mouse_click", "key_press", "key_press"]


def test_a_button_held_down_holds_nothing_else_up():
    """L0-2"""
    machine = GestureMachine()
    machine.feed(seen(press(1.0)))
    assert machine.feed(seen(typed(1.5, "a"))) == []
    assert [each.type for each in machine.flush(1.9)] == ["key_press"]
    (late,) = machine.feed(seen(release(3.0, (300, 100))))
    assert (late.type, late.at_s, late.end_pos) == ("mouse_drag", 3.0, (300, 100))


def test_what_was_pressed_before_the_recording_is_not_a_click():
    """L0-2"""
    assert told([release(1.0)]) == []


BUTTONS = st.sampled_from(list(MouseButton))
PLACES = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda at: (at[0] * 7, at[1] * 7))


@st.composite
def streams(draw: st.DrawFn) -> list[InputEvent]:
    """Whatever devices can say, sane or not: any order of presses and releases, any pace."""
    at_s, events = 10.0, []
    for _ in range(draw(st.integers(0, 40))):
        at_s += draw(st.sampled_from([0.0, 0.01, 0.1, 0.29, 0.35, 0.41, 0.9, 3.0]))
        pos = draw(PLACES)
        kind = draw(st.sampled_from(list(InputKind)))
        if kind in (InputKind.BUTTON_PRESS, InputKind.BUTTON_RELEASE):
            events.append(event(kind, at_s, pos, button=draw(BUTTONS)))
        elif kind is InputKind.SCROLL:
            events.append(notch(at_s, draw(st.sampled_from([-1, 1])), pos))
        elif kind is InputKind.MOTION:
            events.append(motion(at_s, pos))
        else:
            name = draw(st.sampled_from(["A", "ENTER", "SHIFT", "BACKSPACE"]))
            events.append(event(kind, at_s, pos, key=name, char="a" if name == "A" else None))
    return events


def with_flushes(events: list[InputEvent], ticks: list[bool]) -> list[Gesture]:
    machine, gestures = GestureMachine(), []
    for each, tick in zip(events, ticks, strict=True):
        if tick:
            gestures += machine.flush(each.at_s)
        gestures += machine.feed(seen(each))
    gestures += machine.finish()
    assert not machine.waiting
    return gestures


@given(streams(), st.data())
def test_any_stream_gives_well_formed_gestures_in_order(events, data):
    """L0-2"""
    gestures = with_flushes(events, data.draw(st.lists(st.booleans(), min_size=len(events), max_size=len(events))))
    assert all(one.at_s <= other.at_s for one, other in pairwise(gestures))
    assert all(each.at_s <= each.ended_s for each in gestures)
    for each in gestures:
        if each.type == "mouse_click":
            assert each.clicks in (1, 2, 3)
            assert each.end_pos is None
        elif each.type == "mouse_drag":
            assert each.end_pos is not None
        elif each.type == "mouse_scroll":
            assert each.scroll not in (None, (0, 0))
        elif each.type == "key_press":
            assert each.key not in (None, "SHIFT")


@given(streams(), st.data())
def test_nothing_is_lost(events, data):
    """L0-2: every press is a click or a drag, every notch in a scroll, every key an event."""
    gestures = with_flushes(events, data.draw(st.lists(st.booleans(), min_size=len(events), max_size=len(events))))
    presses = sum(each.kind is InputKind.BUTTON_PRESS for each in events)
    assert sum(each.clicks or 0 for each in gestures) + sum(each.type == "mouse_drag" for each in gestures) == presses
    assert sum(each.scroll[1] for each in events if each.scroll) == sum(
        each.scroll[1] for each in gestures if each.scroll
    )
    keys = [each.key for each in events if each.kind is InputKind.KEY_PRESS and each.key != "SHIFT"]
    assert [each.key for each in gestures if each.type == "key_press"] == keys


@given(streams())
def test_nothing_waits_longer_than_it_may_once_the_buttons_are_up(events):
    """L0-2"""
    machine = GestureMachine()
    for each in events:
        machine.feed(seen(each))
    for button in MouseButton:
        machine.feed(seen(release(events[-1].at_s if events else 10.0, button=button)))
    end_s = events[-1].at_s if events else 10.0
    machine.flush(end_s + GestureSettings().multi_click_s + 0.001)
    assert not machine.waiting
