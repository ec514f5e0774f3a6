"""Password fields are told from others, by words and by dots; doubt is a yes (L0-7)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.detection.secret_fields import FieldSecrecy, shows_bullets
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.ports.perception import FieldJudgement

from .pages import Page
from .prompts import FIELD_AT, PROMPTS, render

LOGINS = ["login_light", "login_dark", "login_placeholder"]


@pytest.fixture(scope="module")
def secrecy(text_detector) -> FieldSecrecy:
    return FieldSecrecy(text_detector)


@pytest.fixture(scope="module")
def prompts(tmp_path_factory) -> dict[str, Frame]:
    return {name: frame(image) for name, image in render(tmp_path_factory.mktemp("prompts")).items()}


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


def judged(secrecy: FieldSecrecy, before: Frame, after: Frame | None, typed: str, **how: object) -> FieldJudgement:
    clicked, late = how.get("clicked"), bool(how.get("late"))
    return secrecy.judge(before, clicked, after, typed=typed, late=late)  # type: ignore[arg-type]


def with_block_caret(seen: Frame) -> Frame:
    pixels = seen.pixels.copy()
    pixels[40:58, 560:570, :3] = 230
    return Frame(pixels, 0.0, 0.0)


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_that_shows_nothing_is_known_by_its_words_however_long(prompts, secrecy, name):
    """L0-7"""
    for after in (None, prompts[name], with_block_caret(prompts[name])):
        judgement = judged(secrecy, prompts[name], after, "S3same!")
        assert judgement.secrecy == "secret"
        assert any(word in judgement.label for word in ("passphrase", "password", "Mot de passe"))
    assert secrecy.is_secret(prompts[name], None, None)


def test_what_is_typed_and_not_drawn_is_undecided(prompts, secrecy, pages):
    """L0-7: there is no word of a secret on these screens"""
    unnamed = prompts["unnamed"]
    for after in (None, unnamed, with_block_caret(unnamed)):
        assert judged(secrecy, unnamed, after, "S3same!").secrecy == "undecided"
    listing = pages["list_light"]
    search = inside(listing, "text_input", "Rechercher une facture").center
    before = frame(listing.image)
    assert judged(secrecy, before, before, "mar", clicked=search).secrecy == "undecided"


def test_what_a_command_says_afterwards_is_not_what_was_typed(prompts, secrecy):
    """L0-7"""
    before, after = prompts["unnamed"], prompts["unnamed, entered"]
    for late in (False, True):
        assert judged(secrecy, before, after, "S3same!", late=late).secrecy == "undecided"


def test_what_is_typed_at_a_prompt_that_shows_it_is_clear(prompts, secrecy):
    """L0-7"""
    before = prompts["shell"]
    assert judged(secrecy, before, prompts["shell, written"], "grep -r").secrecy == "clear"
    assert judged(secrecy, before, prompts["shell, written"], "g").secrecy == "clear"


def test_a_page_that_comes_up_while_somebody_types_is_looked_at(prompts, secrecy):
    """L0-7: the password of a login on two pages, typed ahead"""
    mail = prompts["mail"]
    assert judged(secrecy, mail, mail, "S3same!").secrecy == "undecided"
    for second in ("password", "password, written"):
        judgement = judged(secrecy, mail, prompts[second], "S3same!")
        assert (judgement.secrecy, judgement.label) == ("secret", "Mot de passe")


@pytest.mark.parametrize("late", [False, True])
def test_letters_in_an_ordinary_field_are_clear_also_when_they_are_round(prompts, secrecy, late):
    """L0-7: « ana » is as even as three dots"""
    before, after = prompts["name"], prompts["name, written"]
    for clicked in (FIELD_AT, None):
        assert judged(secrecy, before, after, "ana", clicked=clicked, late=late).secrecy == "clear"


def test_a_field_that_shows_something_else_than_was_typed_is_undecided(prompts, secrecy):
    """L0-7: the hint of another page in the same place"""
    judgement = judged(secrecy, prompts["name"], prompts["name, other"], "hunter2", clicked=FIELD_AT)
    assert judgement.secrecy == "undecided"


@pytest.mark.parametrize("name", LOGINS)
def test_a_secret_field_says_what_it_is_called_and_how_far_it_reaches(pages, secrecy, name):
    """L0-7"""
    page = pages[name]
    field = inside(page, "password_input", "Mot de passe")
    for clicked in (field.center, None):
        judgement = judged(secrecy, frame(page.image), frame(with_dots(page.image, field, 4)), "azer", clicked=clicked)
        assert (judgement.secrecy, judgement.label) == ("secret", "Mot de passe")
        assert judgement.room is not None
        assert judgement.room.overlap(field) > 0.8


def test_a_repainted_button_is_no_text(pages, secrecy):
    """L0-7: keys that went to a button"""
    page = pages["list_light"]
    pressed = page.image.copy()
    pressed[400:436, 600:760] = 255 - pressed[400:436, 600:760] // 2
    assert judged(secrecy, frame(page.image), frame(pressed), "x").secrecy == "undecided"
