"""A person beside the robot: who may act when, without a desktop."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rpa_vision.errors import InputNotDeliveredError, UsageError
from rpa_vision.execution.foreign_input import AttentionSettings, PersonWatch
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.input import InputEvent, InputKind, MouseButton
from rpa_vision.testing.manual_clock import ManualClock

STOP = InputEvent(InputKind.KEY_PRESS, 0, 0, (0, 0), key="END", modifiers=frozenset({"CTRL", "ALT"}), own=False)


def click(own: bool | None) -> InputEvent:
    return InputEvent(InputKind.BUTTON_PRESS, 0, 0, (50, 50), button=MouseButton.LEFT, own=own)


def moved_to(x: int, *, own: bool = False) -> InputEvent:
    return InputEvent(InputKind.MOTION, 0, 0, (x, 50), own=own)


class RestlessClock(ManualClock):
    """During whose sleep somebody may do something."""

    disturb = staticmethod(lambda: None)

    def sleep(self, seconds: float) -> None:
        super().sleep(seconds)
        self.disturb()


class Beside:
    def __init__(self, **settings: float) -> None:
        self.clock, self.gate, self.changes = RestlessClock(), InputGate(), list[str]()
        self.watch = PersonWatch(self.gate, self.clock, AttentionSettings(**settings), on_change=self.changes.append)

    @property
    def may_send(self) -> bool:
        try:
            with self.gate.passing():
                return True
        except InputNotDeliveredError:
            return False


def test_a_persons_click_ties_the_hands_until_she_has_been_quiet():
    """L4-12"""
    beside = Beside(quiet_s=3.0)
    beside.watch.hear(click(own=False))
    assert not beside.may_send
    began = beside.clock.monotonic()
    assert beside.watch.may_go_on()
    assert beside.clock.monotonic() - began >= 3.0
    assert beside.may_send
    assert beside.changes == ["paused", "acting"]


def test_our_own_input_pauses_nothing_and_what_cannot_be_told_neither():
    """L4-12"""
    beside = Beside()
    for event in (click(own=True), click(own=None), moved_to(400, own=True)):
        beside.watch.hear(event)
    assert beside.may_send
    assert beside.watch.presence == "acting"


def test_the_stop_key_closes_the_gate_for_good():
    """L4-12"""
    beside = Beside()
    beside.watch.hear(STOP)
    beside.watch.hear(click(own=False))
    assert not beside.watch.may_go_on()
    assert not beside.may_send
    assert beside.gate.refusal() == "stopped with CTRL+ALT+END"


@pytest.mark.parametrize("besides", ["SHIFT", "ALTGR", "SUPER"])
def test_the_stop_key_stops_whatever_else_is_held(besides):
    """L4-12: our own hands hold Shift while they write a capital"""
    beside = Beside(quiet_s=3.0)
    beside.watch.hear(replace(STOP, modifiers=STOP.modifiers | {besides}))
    beside.clock.sleep(10.0)
    assert not beside.watch.may_go_on()
    assert not beside.may_send


def test_a_robot_that_hears_nobody_any_more_does_not_go_on():
    """L4-12: the sign that says « paused » could not be drawn, which ends the thread that hears the stop key"""

    def no_display(presence: str) -> None:
        raise OSError(f"{presence}: the overlay is gone")

    clock, gate = ManualClock(), InputGate()
    watch = PersonWatch(gate, clock, AttentionSettings(quiet_s=3.0), on_change=no_display)
    with pytest.raises(OSError, match="the overlay is gone"):
        watch.hear(click(own=False))
    clock.sleep(10.0)
    assert not gate.is_open
    assert "can no longer be heard" in str(gate.refusal())


def test_a_key_that_our_hands_sent_does_not_stop_us():
    """L4-12"""
    beside = Beside()
    own = InputEvent(InputKind.KEY_PRESS, 0, 0, (0, 0), key="END", modifiers=frozenset({"CTRL", "ALT"}), own=True)
    beside.watch.hear(own)
    assert beside.may_send


def test_a_shaking_table_is_no_person_but_a_moving_mouse_is():
    """L4-12"""
    beside = Beside()
    beside.watch.hear(moved_to(100, own=True))
    for x in (101, 99, 102, 100):
        beside.watch.hear(moved_to(x))
    assert beside.may_send
    beside.watch.hear(moved_to(110))
    assert not beside.may_send


def test_a_person_who_goes_on_working_has_taken_over():
    """L4-12"""
    beside = Beside(quiet_s=3.0, patience_s=10.0)
    beside.watch.hear(click(own=False))

    beside.clock.disturb = lambda: beside.watch.hear(click(own=False))
    assert not beside.watch.may_go_on()
    assert beside.watch.presence == "stopped"
    assert not beside.may_send


def test_an_answer_to_our_question_is_no_interruption():
    """L4-12, UX-5"""
    gate = InputGate()
    watch = PersonWatch(gate, ManualClock(), is_answer=lambda event: event.pos == (50, 50))
    watch.hear(click(own=False))
    assert gate.refusal() is None


def test_a_stop_key_without_a_modifier_is_refused():
    """L4-12"""
    with pytest.raises(UsageError):
        PersonWatch(InputGate(), ManualClock(), AttentionSettings(stop_key="END"))


def test_who_waits_for_free_hands_need_not_stop_to_have_them_freed():
    """L4-12"""
    beside = Beside(quiet_s=3.0)
    beside.watch.hear(click(own=False))
    beside.watch.let_on_if_quiet()
    assert not beside.may_send
    beside.clock.sleep(3.0)
    beside.watch.let_on_if_quiet()
    assert beside.may_send
