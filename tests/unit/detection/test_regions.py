"""Boxes and discs found by their even inside, to the pixel."""

from __future__ import annotations

import cv2
import numpy as np

from rpa_vision.detection.regions import find_regions
from rpa_vision.models.geometry import Box


def page() -> np.ndarray:
    return np.full((200, 400, 3), (248, 246, 244), np.uint8)


def region_at(image: np.ndarray, point: tuple[int, int]):
    around = [region for region in find_regions(image) if region.box.contains(point)]
    return min(around, key=lambda region: region.box.area)


def test_a_filled_button_is_found_to_the_pixel():
    image = page()
    image[50:84, 60:160] = (168, 90, 30)
    found = region_at(image, (100, 60))
    assert found.box == Box(60, 50, 160, 84)
    assert found.is_filled
    assert found.is_tinted
    assert not found.is_bordered


def test_a_bordered_field_is_found_to_the_pixel():
    image = page()
    cv2.rectangle(image, (60, 50), (259, 83), (170, 160, 150), 1)
    image[51:83, 61:259] = 255
    found = region_at(image, (100, 60))
    assert found.box == Box(60, 50, 260, 84)
    assert found.is_bordered
    assert not found.is_filled


def test_text_inside_does_not_change_the_outline():
    image = page()
    image[50:84, 60:160] = (168, 90, 30)
    cv2.putText(image, "Valider", (75, 72), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    assert region_at(image, (63, 53)).box == Box(60, 50, 160, 84)


def test_a_blank_picture_has_no_boxes():
    assert find_regions(page()) == []
