"""Pictures compared by their outlines."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.imaging.outlines import likeness, places_like, scaled_edges
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box


def noise(height: int, width: int) -> Pixels:
    return np.random.default_rng(7).integers(0, 255, (height, width, 3)).astype(np.uint8)


@pytest.mark.parametrize("size", [10, 14, 40])
def test_the_very_picture_is_just_like_itself_whatever_lies_around_it(size: int) -> None:
    """EX-4: what lay around a small picture is not in it, and must not count"""
    screen = noise(200, 300)
    box = Box(120, 80, 120 + size, 80 + size)
    picture = scaled_edges(screen[box.y1 : box.y2, box.x1 : box.x2], 1.0)
    assert picture is not None
    assert likeness(screen, box, picture) == pytest.approx(1.0, abs=1e-3)
    assert likeness(255 - screen, box, picture) == pytest.approx(1.0, abs=1e-3)
    assert likeness(noise(400, 600)[:200, 300:], box, picture) < 0.6


def test_the_place_of_a_picture_is_found() -> None:
    """EX-4"""
    screen = np.full((200, 300, 3), 230, np.uint8)
    screen[80:120, 120:160] = noise(40, 40)
    places = places_like(screen, screen[80:120, 120:160].copy(), 1.0)
    assert places[0][1] > 0.95
    assert max(abs(a - b) for a, b in zip(places[0][0].bbox, (120, 80, 160, 120), strict=True)) <= 6
