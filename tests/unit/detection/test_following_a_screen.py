"""A screen that is followed is understood exactly as if it were seen for the first time."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
from edited_screens import PretendReader, edited, edits, first_screen
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.detection.components import components
from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import FoundElement

WHEN = datetime(2026, 1, 2, tzinfo=UTC)


class SquareFinder:
    """Finds small red squares by their pixels."""

    name = "squares"

    def find(self, image):
        red = ((image[:, :, 2] > 200) & (image[:, :, 0] < 50)).astype(np.uint8)
        _, stats = components(red)
        small = [(x, y, w, h) for x, y, w, h, _ in stats[1:].tolist() if w <= 30 and h <= 30]
        return sorted(
            (FoundElement(Box(x, y, x + w, y + h), "icon", 0.9) for x, y, w, h in small), key=lambda each: each.box
        )


def understood(reader: ScreenReader, image) -> dict[str, object]:
    state = reader.read(image, window=WindowContext(title="T"), screen_state_id="s", timestamp=WHEN, screenshot_id="p")
    return state.model_dump(exclude={"metadata"})


@given(seed=st.integers(0, 50), changes=edits())
@settings(max_examples=20)
def test_following_gives_what_a_first_look_gives(seed, changes):
    """L1-3 L2-2"""
    image, following = first_screen(seed), ScreenReader.over(PretendReader())
    for change in (None, *changes):
        image = image if change is None else edited(image, change)
        assert understood(following, image) == understood(ScreenReader.over(PretendReader()), image)


class CountingFinder(SquareFinder):
    """Tells how many screens are followed with it."""

    def __init__(self):
        self.followers = []

    def following(self):
        self.followers.append(SquareFinder())
        return self.followers[-1]


def test_each_screen_is_followed_by_a_finder_of_its_own():
    """L2-7: what one reader remembers of its screen never answers for another's."""
    finder, text = CountingFinder(), TextDetector(PretendReader())
    detector = UIDetector(text, finder=finder)
    for _ in range(2):
        ScreenReader(text, detector)
    assert len(finder.followers) == 2
    assert UIDetector(text, finder=SquareFinder()).following().name == detector.name


def test_what_a_finder_finds_becomes_an_element():
    """L2-7"""
    image = np.full((300, 400, 3), 250, np.uint8)
    image[100:120, 200:220] = (0, 0, 255)
    text = TextDetector(PretendReader())
    plain = UIDetector(text)
    detector = UIDetector(text, finder=SquareFinder())
    assert detector.name == f"{plain.name}+squares"
    wanted = Box(200, 100, 220, 120)
    assert any(Box.of(element.bbox).overlap(wanted) > 0.5 for element in detector.detect_elements(image))


def test_the_unused_byte_of_a_frame_changes_nothing():
    reader = ScreenReader.over(PretendReader())
    pixels = np.dstack([first_screen(1), np.zeros((420, 700), np.uint8)])
    first = reader.read(Frame(pixels, 0.0, 0.0), screen_state_id="a", timestamp=WHEN)
    other = pixels.copy()
    other[:, :, 3] = 255
    again = reader.read(Frame(other, 1.0, 1.0), screen_state_id="b", timestamp=WHEN)
    assert again.metadata["seen_before"] is True
    assert again.ui_elements == first.ui_elements


def test_a_buffer_that_is_drawn_over_is_another_screen():
    """Who grabs the screen may use one buffer again and again."""
    reader, image = ScreenReader.over(PretendReader()), first_screen(1)
    reader.read(image, screen_state_id="a", timestamp=WHEN)
    image[100:200, 100:300] = (90, 20, 200)
    again = reader.read(image, screen_state_id="b", timestamp=WHEN)
    assert again.metadata["seen_before"] is False


def test_a_screen_seen_lately_is_known_when_it_comes_back():
    reader = ScreenReader.over(PretendReader())
    for seed in (1, 2, 3):
        reader.read(first_screen(seed), screen_state_id=f"s{seed}", timestamp=WHEN)
    back = reader.read(first_screen(1), screen_state_id="back", timestamp=WHEN)
    assert back.metadata["seen_before"] is True
    elsewhere = reader.read(first_screen(1), window=WindowContext(title="Other"), screen_state_id="x", timestamp=WHEN)
    assert elsewhere.metadata["seen_before"] is False
