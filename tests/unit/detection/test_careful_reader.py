"""A second look, and slips put right."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.detection.careful_reader import CarefulReader, glyph_runs, spaced_amount, tidy
from rpa_vision.ports.perception import ReadText


@pytest.mark.parametrize(
    ("read", "meant"),
    [
        ("Exporter (CsV)", "Exporter (CSV)"),
        ("LEMAîTRE Julie", "LEMAÎTRE Julie"),
        ("LEFÈVRE LUcas", "LEFÈVRE Lucas"),
        ("Dupré-Lacoste Maéëlle", "Dupré-Lacoste Maëlle"),
        ("À  valider", "À valider"),
        ("rapport.csV", "rapport.csv"),
    ],
)
def test_slips_that_cannot_be_text_are_put_right(read, meant):
    """L2-6"""
    assert tidy(read) == meant


@pytest.mark.parametrize(
    "text",
    ["Échec", "Créée le 3 août", "McDonald", "PDFs", "iPhone", "n° 12", "FAC-2026-00123", "CPAM de l'Hérault"],
)
def test_real_words_are_left_alone(text):
    assert tidy(text) == text


def marks(*centres: int) -> list[tuple[int, int]]:
    return [(centre - 3, centre + 3) for centre in centres]


def test_the_narrow_space_of_an_amount_comes_back_where_the_picture_shows_it():
    """L2-6"""
    assert spaced_amount("1050,78€", marks(5, 15, 23, 31, 37, 43, 51, 61)) == "1 050,78€"
    assert spaced_amount("1050,78€", marks(5, 13, 21, 29, 35, 41, 49, 59)) == "1050,78€"
    touching = [*marks(5), (12, 26), *marks(31, 37, 43, 51, 61)]
    assert spaced_amount("1050,78€", touching) == "1 050,78€"


def test_an_amount_whose_marks_cannot_be_counted_is_left_alone():
    assert spaced_amount("1050,78 €", marks(5, 18)) == "1050,78 €"
    assert spaced_amount("FAC-2026-00123", marks(*range(0, 112, 8))) == "FAC-2026-00123"


class Dropping:
    """Drops a digit at first sight, and sees it when the cut is another."""

    name = "dropping"

    def __init__(self) -> None:
        self.first = True

    def read(self, lines):
        answer = "225" if self.first else "2325"
        self.first = False
        return [ReadText(answer, 0.99) for _ in lines]


def test_a_digit_that_was_dropped_is_found_at_the_second_look():
    image = np.full((24, 80, 3), 255, np.uint8)
    for index, digit in enumerate("2325"):
        cv2.putText(image, digit, (4 + 18 * index, 18), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1)
    assert len(glyph_runs(image)) == 4
    assert CarefulReader(Dropping()).read([image])[0].text == "2325"


def test_a_blank_line_has_no_marks():
    assert glyph_runs(np.full((20, 50, 3), 9, np.uint8)) == []
