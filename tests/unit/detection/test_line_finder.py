"""The classical line finder on drawn pictures: what is one line, what is two, what is none."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from edited_screens import PretendReader

from rpa_vision.detection.line_finder import find_lines
from rpa_vision.detection.regions import Region
from rpa_vision.detection.text_detector import TextDetector
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


def badge(image: np.ndarray, text: str, x: int, y: int, *, is_round: bool) -> Box:
    """White letters on a red badge of 62 × 20 px, its round ends drawn eight times as large."""
    shape = np.full((160, 496), 0 if is_round else 255, np.uint8)
    cv2.circle(shape, (80, 80), 79, (255,), -1)
    cv2.circle(shape, (415, 80), 79, (255,), -1)
    shape[:, 80:416] = 255
    share = cv2.resize(shape, (62, 20), interpolation=cv2.INTER_AREA)[:, :, None] / 255
    part = image[y - 15 : y + 5, x : x + 62]
    part[:] = np.rint(part * (1 - share) + np.array((40, 40, 220)) * share)
    return write(image, text, x + 8, y, (255, 255, 255))


@pytest.mark.parametrize("is_round", [False, True], ids=["square", "round"])
def test_a_badge_beside_a_text_is_a_line_of_its_own(is_round):
    """L2-6: it has another paper, and a reader wants one."""
    image = page()
    plain = write(image, "Facture 12", 20, 60)
    red = badge(image, "Payee", plain.x2 + 12, 60, is_round=is_round)
    found = find_lines(image)
    assert len(found) == 2
    assert max(box.x2 for box in found if box.x1 < 60) < red.x1 - 8
    (inside,) = [box for box in found if box.x1 > 60]
    assert red.x1 - 3 <= inside.x1 <= red.x1 + 3
    assert red.x2 - 4 <= inside.x2 <= red.x2 + 3
    assert inside.height < 17


def test_a_large_c_is_no_badge():
    """L2-6: its top and bottom are dark on light, too."""
    image = page()
    cv2.ellipse(image, (40, 60), (14, 16), 0, 50, 310, INK, 4, cv2.LINE_AA)
    write(image, "ontrat", 60, 74, scale=1.0)
    (found,) = find_lines(image)
    assert found.x1 <= 28


def test_a_selected_row_is_no_badge():
    """L2-6: its text has no outline around it, and nothing of it is cut off."""
    plain, selected = page(), page()
    selected[40:70, 10:400] = (200, 120, 30)
    write(plain, "N'est pas l'adresse", 20, 60)
    wanted = write(selected, "N'est pas l'adresse", 20, 60, (255, 255, 255))
    assert [box for box in find_lines(selected) if box.overlap(wanted) > 0.5] == find_lines(plain)


def test_the_dots_of_a_colon_in_large_type_belong_to_the_line():
    image = page()
    write(image, "Poids", 40, 80, scale=1.2)
    end = 40 + cv2.getTextSize("Poids", cv2.FONT_HERSHEY_SIMPLEX, 1.2, 1)[0][0] + 9
    for y in (62, 76):
        cv2.rectangle(image, (end, y), (end + 3, y + 3), INK, -1)
    (found,) = find_lines(image)
    assert found.x2 >= end + 3


def test_a_letter_that_touches_the_rule_beside_it_is_not_cut_off():
    image = page()
    wanted = write(image, "61,10", 43, 60)
    cv2.line(image, (41, 10), (41, 150), (120, 120, 120), 1)
    first = np.flatnonzero((image[wanted.y1 : wanted.y2, 43:60, 0] < 150).any(axis=0))[0] + 43
    (found,) = [box for box in find_lines(image) if box.overlap(wanted) > 0.3]
    assert found.x1 <= first + 1


def test_the_dots_behind_a_word_belong_to_it():
    """L2-6: « Parcourir… » is asked for with its dots."""
    image = page()
    word = write(image, "Parcourir", 20, 60, scale=0.9)
    for x in (5, 12, 19):
        cv2.rectangle(image, (word.x2 + x, 56), (word.x2 + x + 3, 60), INK, -1)
    assert any(box.x1 <= word.x1 + 3 and box.x2 >= word.x2 + 20 for box in find_lines(image))


def test_the_rules_of_a_cell_are_not_cut_out_with_its_text():
    """L2-6"""
    image = page()
    text = write(image, "Date", 30, 60)
    cv2.line(image, (25, text.y1 - 3), (25, 70), (170, 170, 170), 1)
    (found,) = (box for box in find_lines(image) if box.overlap(text) > 0.2)
    assert found.x1 >= 28
    assert found.y2 <= 64


@pytest.mark.parametrize("text", ["la vue", "mener al", "les mars"])
@pytest.mark.parametrize("scale", [0.6, 0.8, 1.0])
def test_a_small_l_at_the_end_of_a_line_is_no_rule(text, scale):
    """It goes from the top of the line to its foot, but not beyond its neighbours there."""
    image = page()
    wanted = write(image, text, 40, 60, scale=scale)
    (found,) = find_lines(image)
    assert found.x1 <= wanted.x1 + 4 * scale + 2
    assert found.x2 >= wanted.x2 - 4 * scale - 2


def test_dividers_between_tabs_part_their_texts():
    image = page()
    tabs = [write(image, text, x, 60) for text, x in (("Favoris", 20), ("Calendrier", 92), ("Documents", 180))]
    for x in (81, 169):
        cv2.line(image, (x, 42), (x, 68), (60, 60, 60), 1)
    found = find_lines(image)
    assert len(found) == 3
    assert all(covers(found, tab) for tab in tabs)
    assert all(box.height < 18 for box in found)


def test_a_bar_among_words_stays_in_its_line():
    image = page()
    write(image, "Aide | Contact", 20, 60)
    assert len(find_lines(image)) == 1


def test_the_rule_of_a_cell_goes_also_where_the_text_stands_at_its_top():
    image = page()
    wanted = write(image, "Date", 40, 60)
    cv2.line(image, (36, 47), (36, 78), (60, 60, 60), 1)
    (found,) = find_lines(image)
    assert found.x1 >= 38
    assert found.y2 <= wanted.y2 + 3


PANEL, DIALOG = Box(40, 20, 400, 152), Box(200, 100, 620, 260)


def covered_panel() -> tuple[np.ndarray, Box]:
    """A dialog over the corner of a panel, and the place of its title: where the panel's lower edge would run."""
    image = page(height=300, colour=(0, 0, 0))
    for box in (PANEL, DIALOG):
        cv2.rectangle(image, (box.x1, box.y1), (box.x2 - 1, box.y2 - 1), (255, 255, 255), 1)
        image[box.y1 + 1 : box.y2 - 1, box.x1 + 1 : box.x2 - 1] = 0
    return image, write(image, "Confirmer la validation", 240, 153, (255, 255, 255))


def test_the_edge_of_a_panel_that_a_dialog_covers_cuts_no_words_of_the_dialog():
    """L2-6: a title whose feet were cut off is read as another one"""
    image, title = covered_panel()
    (alone,) = find_lines(image, [DIALOG])
    assert covers([alone], title)
    assert find_lines(image, [PANEL, DIALOG]) == [alone]
    (cut,) = find_lines(image, [DIALOG, PANEL])
    assert cut.height < alone.height, "the one that lies in front comes last"


@pytest.mark.parametrize("covered_first", [True, False])
def test_the_less_square_of_two_boxes_that_cross_is_the_covered_one(covered_first):
    """L2-6"""
    image, _ = covered_panel()
    panel = Region(PANEL, 0.6, (0, 0, 0), (0, 0, 0), (255, 255, 255))
    dialog = Region(DIALOG, 0.95, (0, 0, 0), (0, 0, 0), (255, 255, 255))
    detector = TextDetector(PretendReader())
    alone = detector.find(image, [dialog])
    assert detector.find(image, [panel, dialog] if covered_first else [dialog, panel]) == alone
