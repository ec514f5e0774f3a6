"""What turns in its place is told from what blinks, ticks, plays or wanders."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from rpa_vision.imaging.turning import MIN_PICTURES, turning_at
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

Paint = Callable[[Pixels, int], None]


def pictures(paint: Paint, count: int = 6) -> list[Pixels]:
    made = []
    for number in range(count):
        page = np.full((768, 1024, 4), 250, np.uint8)
        cv2.putText(page, "Factures", (40, 60), cv2.FONT_HERSHEY_SIMPLEX, 1, (20, 20, 20, 255), 2)
        paint(page, number)
        made.append(page)
    return made


def spinner(page: Pixels, number: int) -> None:
    cv2.ellipse(page, (500, 400), (20, 20), 50 * number, 0, 90, (200, 120, 0, 255), 4)


def running_bar(page: Pixels, number: int) -> None:
    cv2.rectangle(page, (200, 500), (800, 508), (220, 220, 220, 255), -1)
    cv2.rectangle(page, (200 + 90 * number, 500), (300 + 90 * number, 508), (200, 120, 0, 255), -1)


def shimmer(page: Pixels, number: int) -> None:
    for row in range(4):
        page[200 + 40 * row : 216 + 40 * row, 100:500, :3] = 220
        page[200 + 40 * row : 216 + 40 * row, 100 + 50 * number : 140 + 50 * number, :3] = 240


def stops_for_a_moment(page: Pixels, number: int) -> None:
    spinner(page, number if number < 3 else number - 1)


def caret(page: Pixels, number: int) -> None:
    if number % 2:
        page[300:320, 250:252, :3] = 0


def clock(page: Pixels, number: int) -> None:
    cv2.putText(page, f"10:00:0{number // 4}", (850, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (0, 0, 0, 255), 1)


def film(page: Pixels, number: int) -> None:
    page[100:500, 100:700, :3] = 40 * number


def wanders(page: Pixels, number: int) -> None:
    left, top = 20 + 150 * number, 100 + 100 * number
    cv2.rectangle(page, (left, top), (left + 200, top + 120), (90, 90, 90, 255), -1)


def comes_up(page: Pixels, number: int) -> None:
    if number > 2:
        cv2.rectangle(page, (300, 300), (400, 340), (60, 60, 60, 255), -1)


@pytest.mark.parametrize(
    ("paint", "where"),
    [
        (spinner, Box(475, 375, 525, 425)),
        (running_bar, Box(195, 495, 855, 515)),
        (shimmer, Box(95, 195, 505, 220)),
        (stops_for_a_moment, Box(475, 375, 525, 425)),
    ],
)
def test_what_turns_is_seen_where_it_is(paint: Paint, where: Box) -> None:
    """EX-3: a spinner, a bar that runs, the shimmer of what is not there yet"""
    place = turning_at(pictures(paint))
    assert place is not None
    assert where.encloses(place)


@pytest.mark.parametrize("paint", [caret, clock, film, wanders, comes_up, lambda page, number: None])
def test_what_blinks_ticks_plays_or_wanders_does_not_turn(paint: Paint) -> None:
    """EX-3"""
    assert turning_at(pictures(paint)) is None


def test_too_few_pictures_and_pictures_of_two_sizes_say_nothing() -> None:
    """EX-3"""
    assert turning_at(pictures(spinner, MIN_PICTURES - 1)) is None
    assert turning_at([*pictures(spinner), np.zeros((10, 10, 4), np.uint8)]) is None
