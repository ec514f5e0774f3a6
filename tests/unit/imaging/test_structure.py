"""What a screen looks like without its colours and words."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.errors import ImageError
from rpa_vision.imaging.structure import CHANNELS, COLUMNS, ROWS, structure_maps
from rpa_vision.models.frame import Pixels


def page(width: int = 1280, height: int = 720) -> Pixels:
    """A side bar, a head, some lines of text and a button, drawn in proportion."""
    image = np.full((height, width, 3), 250, np.uint8)
    across, down = width / 1280, height / 720

    def box(x1: int, y1: int, x2: int, y2: int, grey: int) -> None:
        corners = (round(x1 * across), round(y1 * down)), (round(x2 * across), round(y2 * down))
        cv2.rectangle(image, *corners, (grey, grey, grey), -1)

    box(0, 0, 240, 720, 60)
    box(300, 40, 700, 72, 30)
    for row in range(8):
        box(300, 120 + row * 48, 860 + row % 3 * 80, 136 + row * 48, 40)
    box(300, 560, 480, 608, 120)
    return image


def near(first: Pixels, second: Pixels) -> float:
    one, two = structure_maps(first), structure_maps(second)
    assert one is not None
    assert two is not None
    return float(np.abs(one.astype(int) - two.astype(int)).mean())


def test_maps_of_any_picture_have_one_size() -> None:
    """L1-5"""
    for width, height in ((1, 1), (31, 700), (1280, 720), (3840, 2160)):
        image = np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)
        maps = structure_maps(image)
        assert maps is None or (maps.shape == (CHANNELS, ROWS, COLUMNS) and maps.dtype == np.uint8)


def test_an_inverted_theme_has_the_same_structure() -> None:
    """L1-3"""
    assert near(page(), 255 - page()) < 1.0


def test_a_device_scale_has_the_same_structure_and_another_page_has_not() -> None:
    """L1-3"""
    assert near(page(), page(1920, 1080)) < near(page(), page()[:, ::-1]) / 4


def test_a_fourth_channel_means_nothing() -> None:
    with_alpha = np.dstack([page(), np.full((720, 1280), 7, np.uint8)])
    assert near(page(), with_alpha) == 0.0


@pytest.mark.parametrize("value", [0, 128, 255])
def test_of_an_empty_picture_there_is_nothing_to_see(value: int) -> None:
    assert structure_maps(np.full((200, 300, 3), value, np.uint8)) is None


@pytest.mark.parametrize("shape", [(10, 10), (10, 10, 2), (0, 10, 3)])
def test_what_is_no_picture_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ImageError):
        structure_maps(np.zeros(shape, np.uint8))
