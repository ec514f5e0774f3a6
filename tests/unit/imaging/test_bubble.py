"""The bubble: what it says, where its buttons are, where it goes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rpa_vision.app.guidance_words import choices
from rpa_vision.imaging.bubble import draw_bubble, draw_sign, frame_bars, place_aside, place_bubble
from rpa_vision.models.geometry import Box
from rpa_vision.models.guidance import Suggestion

MONITORS = [Box(0, 0, 1920, 1080), Box(1920, 0, 3840, 1080)]
ANSWERS = ("do_it", "not_this", "show_me", "not_now")


@pytest.mark.parametrize("language", ["fr", "en"])
def test_every_button_is_inside_and_apart_from_the_others(language):
    """UX-5"""
    suggestion = Suggestion("Étape 3 sur 7", "Cliquer sur « Valider »", choices=choices(language, ANSWERS))
    bubble = draw_bubble(suggestion)
    boxes = [box for box, _ in bubble.buttons]
    assert [choice.answer for _, choice in bubble.buttons] == list(ANSWERS)
    assert all(Box(0, 0, *bubble.size).encloses(box) for box in boxes)
    assert all(one.intersection(other) is None for one in boxes for other in boxes if one != other)


def test_long_words_stay_in_the_bubble():
    """UX-5"""
    bubble = draw_bubble(Suggestion("W" * 300, "une phrase " * 60, choices=choices("fr", ANSWERS)))
    assert bubble.size[0] <= 380
    assert draw_sign("RPA Vision").shape[2] == 4


@given(x=st.integers(0, 3700), y=st.integers(0, 1000), width=st.integers(1, 139), height=st.integers(1, 79))
def test_the_bubble_is_on_the_monitor_of_its_target_and_not_over_it(x, y, width, height):
    """UX-5"""
    target = Box(x, y, x + width, y + height)
    left, top = place_bubble((340, 170), target, MONITORS)
    bubble = Box(left, top, left + 340, top + 170)
    room = max(MONITORS, key=lambda one: one.intersection(target).area if one.intersection(target) else 0)
    assert room.encloses(bubble)
    assert bubble.intersection(target) is None


@pytest.mark.parametrize(("busy", "place"), [("right", "left"), ("bottom", "top")])
def test_without_a_target_it_hides_as_little_as_it_can(busy, place):
    """UX-5: the buttons of a dialog are often where a corner is"""
    room, size = Box(1920, 0, 3840, 1080), (340, 170)
    screen = np.full((1080, 3840, 4), 90, np.uint8)
    dialog = Box(2800, 0, 3840, 1080) if busy == "right" else Box(1920, 500, 3840, 1080)
    screen[dialog.y1 : dialog.y2, dialog.x1 : dialog.x2 : 9] = 250
    x, y = place_aside(size, room, lambda box: screen[box.y1 : box.y2, box.x1 : box.x2])
    bubble = Box(x, y, x + size[0], y + size[1])
    assert room.encloses(bubble)
    assert (bubble.center[0] < room.center[0]) == (place == "left")
    assert (bubble.center[1] < room.center[1]) == (place == "top")


def test_the_frame_leaves_the_target_free():
    """UX-5"""
    target = Box(100, 100, 200, 140)
    outer, bars = frame_bars(target)
    for bar in bars:
        assert bar.moved(outer.x1, outer.y1).intersection(target) is None
