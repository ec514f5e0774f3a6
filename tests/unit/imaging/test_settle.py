"""When the screen has come to rest."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.imaging.settle import SettleDetector
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box


def screen(*boxes: Box) -> Pixels:
    pixels = np.zeros((120, 160, 4), np.uint8)
    for number, box in enumerate(boxes, 1):
        pixels[box.y1 : box.y2, box.x1 : box.x2, :3] = 40 * number
    return pixels


BEFORE = screen()
DIALOG = screen(Box(20, 20, 120, 90))
CARET = Box(50, 40, 52, 60)


def test_a_screen_that_has_not_changed_yet_is_not_settled():
    """L0-2"""
    detector = SettleDetector(BEFORE, 10.0, quiet_s=0.3, change_timeout_s=1.0)
    assert not detector.feed(BEFORE, 10.5)
    assert not detector.feed(BEFORE, 10.99)
    assert not detector.changed


def test_without_any_change_it_settles_when_the_wait_for_one_is_over():
    """L0-2"""
    detector = SettleDetector(BEFORE, 10.0, change_timeout_s=1.0)
    assert detector.feed(BEFORE, 11.0)
    assert not detector.changed
    assert detector.last_change_s is None


def test_after_a_change_it_settles_when_it_has_been_quiet():
    """L0-2"""
    detector = SettleDetector(BEFORE, 10.0, quiet_s=0.3)
    assert not detector.feed(DIALOG, 10.1)
    assert not detector.feed(DIALOG, 10.39)
    assert detector.feed(DIALOG, 10.41)
    assert detector.changed
    assert detector.last_change_s == 10.1


def test_each_change_begins_the_quiet_anew():
    detector = SettleDetector(BEFORE, 0.0, quiet_s=0.3)
    assert not detector.feed(DIALOG, 0.1)
    assert not detector.feed(BEFORE, 0.35)
    assert not detector.feed(BEFORE, 0.6)
    assert detector.feed(BEFORE, 0.66)


def test_a_change_after_it_settled_unsettles_it():
    detector = SettleDetector(BEFORE, 0.0, quiet_s=0.3)
    detector.feed(DIALOG, 0.1)
    assert detector.feed(DIALOG, 0.5)
    assert not detector.feed(BEFORE, 0.6)
    assert not detector.settled


def test_a_blinking_caret_does_not_keep_the_screen_from_settling():
    """L0-2"""
    with_caret = screen(Box(20, 20, 120, 90), CARET)
    detector = SettleDetector(BEFORE, 0.0, quiet_s=0.3)
    detector.feed(DIALOG, 0.1)
    assert not detector.feed(with_caret, 0.2)
    assert not detector.feed(DIALOG, 0.3)
    assert detector.feed(with_caret, 0.45)


def test_a_caret_is_no_effect_of_the_action():
    detector = SettleDetector(BEFORE, 0.0, change_timeout_s=1.0)
    assert not detector.feed(screen(CARET), 0.5)
    assert not detector.changed


@pytest.mark.parametrize(("width", "height", "counts"), [(8, 48, False), (9, 48, True), (8, 49, True)])
def test_what_is_larger_than_a_caret_counts(width, height, counts):
    detector = SettleDetector(BEFORE, 0.0)
    detector.feed(screen(Box(10, 10, 10 + width, 10 + height)), 0.1)
    assert detector.changed is counts


def test_known_animations_are_overlooked():
    spinner = Box(100, 80, 140, 110)
    detector = SettleDetector(BEFORE, 0.0, quiet_s=0.3, ignored=[spinner])
    detector.feed(screen(Box(10, 10, 60, 60)), 0.1)
    for step in range(1, 4):
        settled = detector.feed(screen(Box(10, 10, 60, 60), *[spinner] * step), 0.1 + step * 0.15)
    assert settled


ICON = Box(130, 5, 142, 17)


def test_an_icon_that_comes_after_its_page_is_not_waited_for():
    """L0-2"""
    detector = SettleDetector(BEFORE, 0.0, quiet_s=0.3, icon_px=(20, 20))
    assert not detector.feed(DIALOG, 0.1)
    assert not detector.feed(screen(Box(20, 20, 120, 90), ICON), 0.35)
    assert detector.feed(screen(Box(20, 20, 120, 90), ICON), 0.41)


def test_what_turns_like_a_wheel_is_waited_for_although_it_is_small():
    """L0-2"""
    detector = SettleDetector(BEFORE, 0.0, quiet_s=0.3, icon_px=(20, 20))
    detector.feed(DIALOG, 0.1)
    detector.feed(screen(Box(20, 20, 120, 90), ICON), 0.25)
    assert not detector.feed(DIALOG, 0.4)
    assert detector.feed(DIALOG, 0.71)


def test_a_mark_that_is_all_that_changes_is_an_effect():
    detector = SettleDetector(BEFORE, 0.0, quiet_s=0.3, icon_px=(20, 20))
    assert not detector.feed(screen(ICON), 0.1)
    assert detector.changed


@given(st.lists(st.tuples(st.booleans(), st.floats(0.001, 0.5)), min_size=1, max_size=20))
def test_it_is_settled_exactly_when_the_last_change_is_quiet_long_enough(steps):
    quiet_s, change_timeout_s = 0.3, 1.0
    detector = SettleDetector(BEFORE, 0.0, quiet_s=quiet_s, change_timeout_s=change_timeout_s)
    now_s, shown, last_change_s = 0.0, BEFORE, None
    for toggle, wait_s in steps:
        now_s += wait_s
        if toggle:
            shown, last_change_s = (DIALOG if shown is BEFORE else BEFORE), now_s
        expected = now_s >= change_timeout_s if last_change_s is None else now_s - last_change_s >= quiet_s
        assert detector.feed(shown, now_s) is expected
