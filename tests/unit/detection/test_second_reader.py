"""Two readers: what their agreement is worth."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.detection.second_reader import AgreeingReaders, agreement
from rpa_vision.ports.perception import ReadText, SecondReader


class Saying:
    """Says what it was told to say."""

    name = "saying"

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def read(self, lines):
        assert len(lines) == len(self.texts)
        return [ReadText(text, 0.9) for text in self.texts]


LINE = np.zeros((10, 40, 3), np.uint8)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("1 050,78 €", "1050,78€", "same"),
        ("l’équipe", "l'équipe", "same"),
        ("Chargement…", "Chargement...", "same"),
        ("Favourites", "★ Favourites", "same"),
        ("Valider", "• Valider", "same"),
        ("INÈS", "INÉS", "alike"),
        ("Valider", "valider", "alike"),
        ("1050,78", "1060,78", "different"),
        ("Order", "0rder", "different"),
        ("rder", "Order", "different"),
        ("Valider", "", "unseen"),
        ("", "", "same"),
    ],
)
def test_readings_agree_by_letters_and_not_by_spaces_or_signs_of_icons(first, second, expected):
    """L2-6"""
    assert agreement(first, second) == expected


def test_agreement_raises_the_confidence_and_difference_takes_it_away():
    """L2-6"""
    readers: SecondReader = AgreeingReaders(Saying("Valider", "Valide", "VALIDER", ""))
    first = [ReadText("Valider", 0.9)] * 4
    same, different, alike, unseen = readers.confirm([LINE] * 4, first)
    assert same.confidence > 0.98
    assert same.confidence > first[0].confidence > unseen.confidence
    assert alike.confidence < first[0].confidence
    assert different.confidence < 0.6
    assert (different.first.text, different.second.text) == ("Valider", "Valide")


def test_a_sure_first_reader_is_still_doubted_when_the_second_differs():
    """L2-6"""
    opinion = AgreeingReaders(Saying("1 060,00 €")).confirm([LINE], [ReadText("1 050,00 €", 1.0)])[0]
    assert opinion.agreement == "different"
    assert opinion.confidence < 0.995


def test_nothing_to_confirm_asks_nobody():
    assert AgreeingReaders(Saying("never asked")).confirm([], []) == []


def test_the_name_says_who_the_second_is():
    assert AgreeingReaders(Saying()).name == "second:saying"
