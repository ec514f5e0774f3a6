"""Screens beyond 1920×1080: worked on at a bounded size, told in true coordinates, followed like any other."""

from __future__ import annotations

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from edited_screens import PretendReader

from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import ReadText

WHEN = datetime(2026, 1, 2, tzinfo=UTC)


class OneWordReader:
    """Knows the one word that is drawn here."""

    name = "one_word"

    def read(self, lines):
        return [ReadText("Confirmer", 0.98) for _ in lines]


def screen(width: int, height: int, scale: int) -> tuple[np.ndarray, Box]:
    """A button in the lower right, drawn as large as the scale of the screen says."""
    image = np.full((height, width, 3), 245, np.uint8)
    x, y = width - 260 * scale, height - 120 * scale
    button = Box(x, y, x + 150 * scale, y + 34 * scale)
    image[button.y1 : button.y2, button.x1 : button.x2] = (168, 90, 30)
    place = (x + 30 * scale, y + 23 * scale)
    cv2.putText(image, "Confirmer", place, cv2.FONT_HERSHEY_SIMPLEX, 0.55 * scale, (255, 255, 255), scale, cv2.LINE_AA)
    return image, button


@pytest.mark.parametrize(
    ("width", "height", "scale"), [(2560, 1600, 1), (3840, 2160, 2), (5120, 1440, 1), (1080, 3840, 1), (7680, 4320, 4)]
)
def test_coordinates_are_those_of_the_real_screen(width, height, scale):
    """L1-5"""
    image, button = screen(width, height, scale)
    state = ScreenReader.over(OneWordReader()).read(image, screen_state_id="s", timestamp=WHEN)
    (line,) = state.perception.text_lines
    assert button.encloses(Box.of(line.bbox))
    (found,) = state.ui_elements
    assert (found.type, found.label) == ("button", "Confirmer")
    assert Box.of(found.bbox).overlap(button) > 0.85


def test_a_large_screen_is_followed_exactly():
    """L1-5"""
    image, _ = screen(2560, 1600, 1)
    following = ScreenReader.over(PretendReader())
    following.read(image, screen_state_id="s", timestamp=WHEN)
    image[700:740, 900:1100] = (40, 40, 200)
    cv2.putText(image, "Nouveau", (1300, 800), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    readers = (following, ScreenReader.over(PretendReader()))
    followed, fresh = (reader.read(image, screen_state_id="s", timestamp=WHEN) for reader in readers)
    assert followed.model_dump(exclude={"metadata"}) == fresh.model_dump(exclude={"metadata"})


def test_a_huge_picture_is_understood_within_bounds():
    """L1-5"""
    image = np.full((10_000, 10_000, 3), 255, np.uint8)
    image[9000:9100, 9000:9400] = 30
    state = ScreenReader.over(PretendReader()).read(image, screen_state_id="s", timestamp=WHEN)
    assert all(element.bbox[2] <= 10_000 and element.bbox[3] <= 10_000 for element in state.ui_elements)
