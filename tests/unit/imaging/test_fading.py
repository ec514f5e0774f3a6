"""Fainter than it was, or painted otherwise: mixed with what lies behind, or in other colours."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.imaging.fading import is_faded, visible_share
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

PAPER = (250, 250, 250)
PLACE = Box(30, 20, 130, 56)


def painted(fill: tuple[int, int, int], ink: tuple[int, int, int], share: float = 1.0) -> Pixels:
    """A button on paper, at an opacity."""
    page = np.full((80, 160, 4), (*PAPER, 255), np.uint8)
    button = np.full((PLACE.height, PLACE.width, 3), fill, np.uint8)
    cv2.putText(button, "Valider", (12, 24), cv2.FONT_HERSHEY_SIMPLEX, 0.6, ink, 2, cv2.LINE_AA)
    mixed = share * button + (1 - share) * np.array(PAPER)
    page[PLACE.y1 : PLACE.y2, PLACE.x1 : PLACE.x2, :3] = mixed.astype(np.uint8)
    return page


def cut(page: Pixels) -> Pixels:
    return page[PLACE.y1 : PLACE.y2, PLACE.x1 : PLACE.x2]


STRONG = painted((253, 110, 13), (255, 255, 255))
NATIVE = painted((239, 239, 239), (0, 0, 0))


@pytest.mark.parametrize("share", [0.3, 0.45, 0.65])
def test_what_is_mixed_with_its_paper_is_faded(share: float) -> None:
    """EX-7"""
    blue = painted((253, 110, 13), (255, 255, 255), share)
    assert visible_share(cut(STRONG), blue, PLACE) == pytest.approx(share, abs=0.05)
    assert is_faded(cut(STRONG), blue, PLACE)


def test_what_is_as_it_was_is_not_faded_however_faint() -> None:
    """EX-5: it looked so when it was recorded"""
    faint = painted((253, 110, 13), (255, 255, 255), 0.4)
    assert not is_faded(cut(faint), faint, PLACE)
    assert not is_faded(cut(faint), STRONG, PLACE)


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (STRONG, painted((80, 175, 76), (255, 255, 255))),  # another colour
        (NATIVE, painted((40, 40, 40), (230, 230, 230))),  # dark
        (NATIVE, painted((244, 244, 244), (85, 85, 85))),  # grey, and still read easily
        (NATIVE, painted((239, 239, 239), (0, 0, 0), 0.9)),  # under the pointer
    ],
)
def test_another_theme_is_not_faded(then: Pixels, now: Pixels) -> None:
    """EX-5"""
    assert not is_faded(cut(then), now, PLACE)


def test_other_words_are_not_faded() -> None:
    """EX-7: something else in its place is for others to tell"""
    other = painted((253, 110, 13), (253, 110, 13), 0.5)
    assert visible_share(cut(STRONG), other, PLACE) is None
