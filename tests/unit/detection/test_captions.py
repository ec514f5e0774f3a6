"""Which words name a field, and what stands in it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.models.screen_state import TextLine
from rpa_vision.ports.perception import ReadText

FIELD = (200, 95, 460, 125)


class Silent:
    """A reader that is not asked."""

    name = "silent"

    def read(self, lines):
        return [ReadText("", 0.0) for _ in lines]


def page() -> np.ndarray:
    image = np.full((300, 640, 3), 255, np.uint8)
    x1, y1, x2, y2 = FIELD
    cv2.rectangle(image, (x1, y1), (x2 - 1, y2 - 1), (120, 120, 120), 1)
    return image


def seen(image, *texts):
    lines = [TextLine(text=text, bbox=bbox, confidence=0.95) for text, bbox in texts]
    found = UIDetector(TextDetector(Silent())).detect_elements(image, text_lines=lines)
    return {element.bbox: element for element in found}


def near(elements, bbox):
    return next(each for box, each in elements.items() if max(abs(a - b) for a, b in zip(box, bbox, strict=True)) <= 2)


@pytest.mark.parametrize(("dots", "kind"), [(6, "password_input"), (2, "password_input"), (1, "text_input")])
def test_dots_in_a_field_hide_a_password_whatever_was_read(dots, kind):
    """L2-1"""
    image = page()
    for dot in range(dots):
        cv2.circle(image, (212 + 10 * dot, 110), 3, (30, 30, 30), -1, cv2.LINE_AA)
    read = [("aaa", (206, 100, 214 + 10 * dots, 120))] if dots > 1 else []
    field = near(seen(image, ("Code", (140, 100, 180, 120)), *read), FIELD)
    assert field.type == kind
    if kind == "password_input":
        assert "value" not in field.metadata


def test_letters_in_a_field_hide_nothing():
    """L2-1"""
    image = page()
    cv2.putText(image, "ana", (208, 114), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
    field = near(seen(image, ("Code", (140, 100, 180, 120)), ("ana", (205, 102, 240, 120))), FIELD)
    assert (field.type, field.metadata["value"]) == ("text_input", "ana")
