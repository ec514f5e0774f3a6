"""Password fields are told from others, by words and by dots; doubt is a yes (L0-7)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.detection.secret_fields import FieldSecrecy, shows_bullets
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box

from .pages import Page

LOGINS = ["login_light", "login_dark", "login_placeholder"]


@pytest.fixture(scope="module")
def secrecy(text_detector) -> FieldSecrecy:
    return FieldSecrecy(text_detector)


def frame(image: np.ndarray) -> Frame:
    return Frame(np.dstack([image, np.zeros(image.shape[:2], np.uint8)]), 0.0, 0.0)


def inside(page: Page, kind: str, name: str) -> Box:
    return Box(*(round(value) for value in page.control(kind, name)))


def with_dots(image: np.ndarray, box: Box, count: int) -> np.ndarray:
    drawn = image.copy()
    ink = (20, 20, 20) if image[box.center[1], box.center[0]].mean() > 127 else (230, 230, 230)
    for index in range(count):
        cv2.circle(drawn, (box.x1 + 16 + 9 * index, box.center[1]), 3, ink, -1, cv2.LINE_AA)
    return drawn


def with_text(image: np.ndarray, box: Box, text: str) -> np.ndarray:
    drawn = image.copy()
    ink = (20, 20, 20) if image[box.center[1], box.center[0]].mean() > 127 else (230, 230, 230)
    at = (box.x1 + 12, box.center[1] + 5)
    cv2.putText(drawn, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, 1, cv2.LINE_AA)
    return drawn


@pytest.mark.parametrize("name", LOGINS)
def test_a_password_field_is_known_by_its_words(pages, secrecy, name):
    """L0-7"""
    field = inside(pages[name], "password_input", "Mot de passe")
    for point in (field.center, (field.x1 + 6, field.y1 + 5), (field.x2 - 8, field.y2 - 4)):
        assert secrecy.is_secret(frame(pages[name].image), point, None)


@pytest.mark.parametrize("name", LOGINS)
def test_the_field_beside_it_is_none(pages, secrecy, name):
    """L0-7"""
    field = inside(pages[name], "text_input", "Identifiant")
    assert not secrecy.is_secret(frame(pages[name].image), field.center, None)


@pytest.mark.parametrize(
    ("name", "label"),
    [("detail_light", "Montant"), ("detail_dark", "Échéance"), ("detail_contrast", "Référence"),
     ("list_light", "Rechercher une facture"), ("settings_english", "Full name")],
)  # fmt: skip
def test_ordinary_fields_are_none(pages, secrecy, name, label):
    """L0-7"""
    field = inside(pages[name], "text_input", label)
    assert not secrecy.is_secret(frame(pages[name].image), field.center, None)


def test_dots_give_a_secret_away_whatever_the_words_say(pages, secrecy):
    """L0-7"""
    page = pages["detail_light"]
    field = inside(page, "text_input", "Référence")
    before, dots, text = page.image, with_dots(page.image, field, 4), with_text(page.image, field, "azerty")
    assert secrecy.is_secret(frame(before), field.center, frame(dots))
    assert not secrecy.is_secret(frame(before), field.center, frame(text))


@pytest.mark.parametrize("name", LOGINS)
def test_focus_by_keyboard_is_found_by_what_changed(pages, secrecy, name):
    """L0-7"""
    page = pages[name]
    secret, plain = inside(page, "password_input", "Mot de passe"), inside(page, "text_input", "Identifiant")
    assert secrecy.is_secret(frame(page.image), None, frame(with_dots(page.image, secret, 3)))
    assert secrecy.is_secret(frame(page.image), None, frame(with_text(page.image, secret, "abc")))
    blank = page.image.copy()
    blank[plain.y1 + 2 : plain.y2 - 2, plain.x1 + 2 : plain.x2 - 2] = blank[plain.y1 + 4, plain.x1 + 4]
    assert not secrecy.is_secret(frame(blank), None, frame(with_text(blank, plain, "marie")))


def test_focus_that_moved_away_from_the_click_is_followed(pages, secrecy):
    """L0-7"""
    page = pages["login_light"]
    secret, plain = inside(page, "password_input", "Mot de passe"), inside(page, "text_input", "Identifiant")
    assert secrecy.is_secret(frame(page.image), plain.center, frame(with_dots(page.image, secret, 2)))


def test_doubt_on_a_screen_with_a_password_field_is_a_yes(pages, secrecy):
    """L0-7"""
    assert secrecy.is_secret(frame(pages["login_light"].image), None, None)
    assert secrecy.is_secret(frame(pages["login_light"].image), (300, 900), None)
    assert not secrecy.is_secret(frame(pages["list_light"].image), None, None)


def test_filled_password_fields_are_known_too(pages, secrecy):
    """L0-7"""
    page = pages["settings_english"]
    assert secrecy.is_secret(frame(page.image), inside(page, "password_input", "New password").center, None)


@pytest.mark.parametrize("count", [1, 2, 5, 12])
def test_dots_are_told_from_letters(count):
    image = np.full((60, 300, 4), 255, np.uint8)
    for index in range(count):
        cv2.circle(image, (30 + 10 * index, 30), 3, (0, 0, 0, 0), -1, cv2.LINE_AA)
    assert shows_bullets(image, Box(24, 24, 36 + 10 * count, 36))


@pytest.mark.parametrize("text", ["a", "abc", "Marie", "12/05", "il", "oo8o", "1111"])
def test_letters_are_told_from_dots(text):
    image = np.full((60, 300, 4), 255, np.uint8)
    cv2.putText(image, text, (20, 36), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0, 0), 1, cv2.LINE_AA)
    assert not shows_bullets(image, Box(18, 18, 30 + 12 * len(text), 42))
