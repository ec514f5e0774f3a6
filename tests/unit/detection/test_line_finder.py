"""The classical line finder on drawn pictures: what is one line, what is two, what is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.detection.line_finder import find_lines
from rpa_vision.models.geometry import Box

INK, PAPER = (40, 30, 20), (255, 255, 255)


def page(width: int = 640, height: int = 200, colour: tuple[int, int, int] = PAPER) -> np.ndarray:
    return np.full((height, width, 3), colour, np.uint8)


def write(image: np.ndarray, text: str, x: int, y: int, colour: tuple[int, int, int] = INK, scale: float = 0.5) -> Box:
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, 1)
    cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, scale, colour, 1, cv2.LINE_AA)
    return Box(x, y - height, x + width, y)


def covers(found: list[Box], wanted: Box) -> bool:
    return any(box.overlap(wanted) > 0.5 for box in found)


@pytest.mark.parametrize(
    ("ink", "paper"),
    [(INK, PAPER), ((230, 230, 230), (30, 25, 20)), ((255, 255, 255), (200, 90, 20)), ((0, 255, 255), (0, 0, 0))],
    ids=["light", "dark", "white on blue", "high contrast"],
)
def test_a_line_is_found_in_every_theme(ink, paper):
    """L2-6"""
    image = page(colour=paper)
    wanted = write(image, "Factures en attente", 40, 60, ink)
    assert covers(find_lines(image), wanted)
    assert len(find_lines(image)) == 1


def test_words_of_one_line_stay_together_and_columns_stay_apart():
    image = page()
    left = write(image, "Date de la facture", 20, 60)
    right = write(image, "Montant du", 300, 60)
    found = find_lines(image)
    assert len(found) == 2
    assert covers(found, left)
    assert covers(found, right)


def test_columns_with_a_rule_between_them_stay_apart_even_when_close():
    image = page()
    write(image, "Nom", 20, 60)
    cv2.line(image, (58, 20), (58, 120), (120, 120, 120), 1)
    write(image, "Date", 64, 60)
    assert len(find_lines(image)) == 2


def test_two_lines_close_to_each_other_are_two():
    image = page()
    write(image, "Premier rang de texte", 20, 60)
    write(image, "Second rang de texte", 20, 80)
    assert len(find_lines(image)) == 2


def test_rules_frames_and_check_boxes_are_no_text():
    image = page()
    cv2.line(image, (0, 100), (640, 100), (180, 180, 180), 1)
    cv2.rectangle(image, (20, 20), (140, 54), (150, 150, 150), 1)
    cv2.rectangle(image, (200, 30), (214, 44), (100, 100, 100), 1)
    cv2.line(image, (400, 20), (400, 180), (90, 90, 90), 1)
    assert find_lines(image) == []


def test_a_button_s_frame_does_not_widen_its_text():
    image = page()
    cv2.rectangle(image, (30, 40), (110, 66), (150, 90, 20), 1)
    text = write(image, "Oui", 55, 58)
    (found,) = find_lines(image)
    assert found.overlap(text) > 0.55


def test_a_disc_beside_a_text_is_split_off():
    image = page()
    cv2.circle(image, (28, 55), 9, (90, 90, 90), 1, cv2.LINE_AA)
    text = write(image, "Jamais", 46, 60)
    found = find_lines(image)
    assert covers(found, text)
    assert not any(box.x1 < 25 and box.x2 > 60 for box in found)


def test_a_caret_is_no_text():
    image = page()
    cv2.line(image, (100, 40), (100, 58), (0, 0, 0), 1)
    assert find_lines(image) == []


def test_accents_over_capitals_belong_to_the_line():
    """L2-6"""
    image = page()
    write(image, "ECHEANCE", 40, 80, scale=0.8)  # capitals from y 63 to 80
    cv2.line(image, (46, 59), (52, 54), INK, 2)
    (found,) = find_lines(image)
    assert found.y1 <= 55


@pytest.mark.parametrize("shape", [(1, 1, 3), (3, 200, 3), (200, 3, 3), (50, 50, 3)])
def test_blank_pictures_of_any_size_hold_no_line(shape):
    assert find_lines(np.full(shape, 200, np.uint8)) == []


def test_noise_is_survived():
    noise = np.random.default_rng(3).integers(0, 256, (300, 400, 3), dtype=np.uint8)
    for box in find_lines(noise):
        assert 0 <= box.x1 < box.x2 <= 400
        assert 0 <= box.y1 < box.y2 <= 300


def test_digits_that_touch_are_no_check_box():
    """L2-6"""
    image = page()
    for x in (40, 49):  # closed on four sides as a frame is, but with ink inside
        cv2.rectangle(image, (x, 51), (x + 7, 60), INK, 1)
        cv2.line(image, (x, 56), (x + 7, 56), INK, 1)
    wanted = write(image, "77 43 21", 64, 61)
    found = find_lines(image)
    assert len(found) == 1
    assert found[0].x1 <= 41
    assert covers(found, Box(40, 50, wanted.x2, 62))


def test_a_short_word_in_front_is_no_icon():
    """L2-6"""
    for text in ("204 place", "52 boulevard", "Log out", "LIAM BROWN"):
        image = page()
        wanted = write(image, text, 40, 60)
        found = find_lines(image)
        assert len(found) == 1, text
        assert found[0].x1 <= wanted.x1 + 2


def test_text_that_touches_its_frame_is_found_without_it():
    """L2-6"""
    image = page()
    cv2.rectangle(image, (40, 40), (240, 60), (120, 120, 120), 1)
    wanted = write(image, "Référence gg"[2:], 50, 56)
    cv2.line(image, (60, 56), (60, 60), INK, 1)
    found = find_lines(image)
    assert covers(found, wanted)
    assert all(box.height < 20 for box in found)


def test_a_field_drawn_in_relief_is_no_part_of_its_text():
    """L2-6"""
    image = page()
    cv2.line(image, (40, 40), (200, 40), (120, 120, 120), 2)  # only two sides are seen
    cv2.line(image, (40, 40), (40, 64), (120, 120, 120), 2)
    wanted = write(image, "Fiche 12", 46, 57)
    found = find_lines(image)
    assert covers(found, wanted)
    assert all(box.height <= wanted.height + 6 for box in found)
