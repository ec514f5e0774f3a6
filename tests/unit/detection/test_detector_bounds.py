"""What holds for any picture: bounds, uniqueness, determinism. The reader is a fake; the boxes are real."""

from __future__ import annotations

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest
from edited_screens import WORDS, PretendReader
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.detection.screen_reader import ScreenReader
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import DetectorSettings, UIDetector
from rpa_vision.errors import ImageError
from rpa_vision.imaging.draw import draw_elements, draw_target
from rpa_vision.models.geometry import Box


def detector(min_confidence: float = 0.4) -> UIDetector:
    return UIDetector(TextDetector(PretendReader()), DetectorSettings(min_confidence))


@st.composite
def screens(draw):
    width, height = draw(st.integers(1, 420)), draw(st.integers(1, 300))
    colour = st.tuples(*[st.integers(0, 255)] * 3)
    image = np.full((height, width, 3), draw(colour), np.uint8)
    for _ in range(draw(st.integers(0, 14))):
        x, y = draw(st.integers(-20, width)), draw(st.integers(-20, height))
        w, h = draw(st.integers(1, 260)), draw(st.integers(1, 90))
        kind = draw(st.sampled_from(["fill", "frame", "text", "disc"]))
        if kind == "text":
            cv2.putText(image, draw(st.sampled_from(WORDS[:3])), (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, draw(colour), 1)
        elif kind == "disc":
            cv2.circle(image, (x, y), min(w, h), draw(colour), 1)
        else:
            cv2.rectangle(image, (x, y), (x + w, y + h), draw(colour), -1 if kind == "fill" else 1)
    return image


@given(image=screens())
@settings(max_examples=60, deadline=None)
def test_every_element_is_inside_unique_and_of_bounded_confidence(image):
    """P003-3 P003-13 L2-2"""
    elements = detector().detect_elements(image)
    height, width = image.shape[:2]
    ids = [element.element_id for element in elements]
    assert len(ids) == len(set(ids))
    for element in elements:
        x1, y1, x2, y2 = element.bbox
        assert 0 <= x1 < x2 <= width
        assert 0 <= y1 < y2 <= height
        assert 0.4 <= element.confidence <= 1.0
        assert 0.0 <= element.label_confidence <= 1.0
        assert element.parent_id is None or element.parent_id in ids


@given(image=screens())
@settings(max_examples=20, deadline=None)
def test_the_same_pixels_give_the_same_elements(image):
    """L2-2"""
    assert detector().detect_elements(image) == detector().detect_elements(image.copy())


@given(image=screens(), least=st.floats(0.0, 1.0))
@settings(max_examples=20, deadline=None)
def test_nothing_below_the_threshold_is_told(image, least):
    """P003-3"""
    assert all(element.confidence >= least - 1e-4 for element in detector(least).detect_elements(image))


@given(image=screens())
@settings(max_examples=15, deadline=None)
def test_drawing_never_changes_the_picture_given(image):
    before = image.copy()
    elements = detector().detect_elements(image)
    drawn = draw_elements(image, elements)
    assert drawn.shape == image.shape
    assert (image == before).all()


def test_a_target_is_framed_and_captioned():
    image = np.full((200, 300, 4), 200, np.uint8)
    drawn = draw_target(image, Box(100, 80, 160, 110), caption="Valider 0.93", runner_up=Box(10, 10, 50, 40))
    assert drawn.shape == (200, 300, 3)
    assert tuple(drawn[77, 130]) == (40, 20, 230)
    assert (drawn[95, 130] == 200).all()
    assert (drawn[190, 290] < 200).all()


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "screenshot.png",
        np.zeros((10, 10, 3), np.float32),
        np.zeros((10, 10, 2), np.uint8),
        np.zeros((0, 5, 3), np.uint8),
    ],
)
def test_what_is_no_picture_is_refused_clearly(wrong):
    with pytest.raises(ImageError):
        detector().detect_elements(wrong)


@pytest.mark.parametrize("shape", [(1, 1, 3), (7, 900, 3), (600, 4, 4), (300, 300), (300, 300, 4)])
def test_blank_and_tiny_pictures_hold_nothing(shape):
    reader = ScreenReader.over(PretendReader())
    state = reader.read(np.full(shape, 90, np.uint8), screen_state_id="s1", timestamp=datetime(2026, 1, 2, tzinfo=UTC))
    assert state.ui_elements == ()
    assert state.perception.text_lines == ()
    assert state.perception.confidence_avg == 0.0
