"""Noise and roles, as far as one gesture tells (L0-5)."""

from __future__ import annotations

import pytest
from capture_inputs import click, key, motion, notch, seen, typed

from rpa_vision.capture.gestures import GestureMachine
from rpa_vision.capture.noise import Judgement, judge


def judged(*events) -> Judgement:
    machine = GestureMachine()
    gestures = [gesture for each in events for gesture in machine.feed(seen(each))]
    (gesture,) = gestures + machine.finish()
    return judge(gesture)


def test_idle_moves_are_noise():
    """L0-5"""
    assert judged(motion(1.0, (5, 5))).noise_flag


@pytest.mark.parametrize(
    ("what", "role"),
    [
        (typed(1.0, "é"), "input"),
        (key(1.0, "BACKSPACE"), "correction"),
        (key(1.0, "TAB"), "navigation"),
        (key(1.0, "TAB", "ALT"), "navigation"),
        (key(1.0, "ENTER"), "validation"),
        (key(1.0, "F", "CTRL"), "search"),
        (notch(1.0), "navigation"),
        (key(1.0, "S", "CTRL"), None),
        (key(1.0, "F5"), None),
    ],
)
def test_a_role_is_told_where_it_is_plain(what, role):
    """L0-5"""
    judgement = judged(what)
    assert (judgement.semantic_role, judgement.noise_flag) == (role, False)
    assert (judgement.confidence is None) == (role is None)


def test_what_a_click_is_for_only_the_screen_can_tell():
    """L0-5"""
    assert judged(*click(1.0)) == Judgement(False)
