"""Which words name a field, and what stands in it."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.detection.captions import caption_fields
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.detection.text_detector import TextDetector
from rpa_vision.detection.ui_detector import UIDetector
from rpa_vision.models.geometry import Box
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


def named(*others: Draft) -> Draft:
    """A field among words and marks, after it was named."""
    scene = Scene(np.full((300, 640, 3), 255, np.uint8), [], [])
    field = Draft("text_input", Box(*FIELD), 0.9)
    caption_fields(scene, [field, *others])
    return field


def words(text: str, bbox, kind="label") -> Draft:
    return Draft(kind, Box(*bbox), 0.9, text, 0.95, text)


def test_a_caption_at_the_left_beats_a_heading_above():
    """L2-1"""
    field = named(words("Coordonnées", (200, 65, 320, 89), "heading"), words("Ville", (60, 100, 100, 120)))
    assert (field.label, field.metadata["label_from"]) == ("Ville", "left")
    assert field.label_confidence == pytest.approx(0.95)


def test_a_heading_above_names_a_field_where_nothing_else_does():
    """L2-1"""
    assert named(words("Recherche", (200, 65, 320, 89), "heading")).label == "Recherche"


def test_the_words_of_a_mark_are_no_caption():
    """L2-1"""
    mark = Draft("checkbox", Box(60, 102, 76, 118), 0.9, "Facturer", 0.95)
    field = named(mark, words("Facturer", (82, 100, 140, 120)), words("Adresse", (200, 68, 260, 88)))
    assert field.label == "Adresse"


def test_two_captions_as_near_as_each_other_leave_the_name_doubtful():
    """L2-1"""
    field = named(words("Ville", (140, 100, 190, 120)), words("Pays", (200, 70, 240, 90)))
    assert field.label_confidence <= 0.5


@pytest.mark.parametrize(
    ("button", "name"),
    [((194, 97, 300, 123), "Nom"), ((184, 97, 196, 123), ""), ((140, 140, 200, 160), "Nom")],
    ids=["marked words in it", "a button before it", "a button below"],
)
def test_what_lies_in_a_field_does_not_part_it_from_its_name(button, name):
    """L2-1: a dialog marks the name it proposes, and the mark may be taken for a button that begins before the field"""
    assert named(words("Nom:", (140, 100, 180, 120)), words("", button, "button")).label == name
