"""Two readers: what their agreement is worth."""

from __future__ import annotations

import pytest

from rpa_vision.detection.second_reader import agreement


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
