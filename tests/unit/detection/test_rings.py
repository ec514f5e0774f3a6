"""Radio buttons that nothing but their drawing tells."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.detection.rings import find_rings
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine

LABEL = TextLine(text="Chaque semaine", bbox=(61, 20, 150, 40), confidence=0.9)


def blank() -> np.ndarray:
    image = np.full((60, 200, 3), 255, np.uint8)
    image[24:36, 64:147:4] = 30  # something like letters
    return image


def ring(image: np.ndarray, *, radius: int = 7, dot: int = 0, filled: bool = False) -> np.ndarray:
    cv2.circle(image, (48, 30), radius, (180, 90, 20), -1 if filled else 1, cv2.LINE_AA)
    if dot:
        cv2.circle(image, (48, 30), dot, (180, 90, 20), -1, cv2.LINE_AA)
    return image


def rings(image: np.ndarray, drafts: list[Draft] | None = None) -> list[Draft]:
    return find_rings(Scene(image, [], [LABEL]), drafts or [])


@pytest.mark.parametrize(("dot", "is_on"), [(0, False), (3, True)])
def test_a_ring_before_words_is_a_radio_button_and_its_dot_says_that_it_is_on(dot, is_on):
    """L2-1, L2-3"""
    (found,) = rings(ring(blank(), dot=dot))
    assert (found.kind, found.label, found.checked) == ("radio", "Chaque semaine", is_on)
    assert found.box.contains((48, 30))
    assert 13 <= found.box.width <= 18


def test_what_is_no_ring_is_none():
    """L2-1"""
    assert rings(blank()) == []
    assert rings(ring(blank(), filled=True)) == []  # a status light, an avatar
    assert rings(ring(blank(), radius=3)) == []  # a bullet
    square = blank()
    cv2.rectangle(square, (41, 23), (55, 37), (0, 0, 0), 2)
    assert rings(square) == []


def test_what_is_known_already_is_not_told_twice():
    """P003-13"""
    known = Draft("radio", Box(40, 22, 56, 38), 0.7)
    assert rings(ring(blank()), [known]) == []
