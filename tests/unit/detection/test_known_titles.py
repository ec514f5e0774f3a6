"""What a title bar says is known from the desktop."""

from __future__ import annotations

import pytest

from rpa_vision.detection.window_titles import with_known_title
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.window import WindowContext

TITLE = "Facture FAC-2026-00171 — Clinique des Lilas"


def said(text: str, y: int = 2, title: str = TITLE, geometry=(1, 18, 1919, 1075)) -> str:
    line = TextLine(text=text, bbox=(840, y, 1080, y + 15), confidence=0.7)
    (told,) = with_known_title([line], WindowContext(title=title, geometry=geometry))
    assert (told.bbox, told.confidence) == (line.bbox, line.confidence)
    return told.text


@pytest.mark.parametrize(
    "misread",
    [
        "Facture FAC-2026-00171— Clinique des Lïlas",
        "Facture FAC-2026-00171 — Clin ique des Lilas",
        "Facture FAC-2026-00171 = Cliniqne des Lllas",
        TITLE,
    ],
)
def test_a_title_that_was_misread_is_the_title(misread):
    """L2-6"""
    assert said(misread) == TITLE


@pytest.mark.parametrize(
    "other",
    [
        "Facture FAC-2026-00177 — Clinique des Lilas",
        "Facture FAC-2026-0017 — Clinique des Lilas",
        "Facture FAC-2026-00171",
        "Règlement FAC-2026-00171 — Clinique des Lilas",
    ],
)
def test_another_number_or_other_words_are_another_title(other):
    """L2-6 EX-7"""
    assert said(other) == other


@pytest.mark.parametrize(
    ("title", "other"),
    [
        ("Dossier A", "Dossier B"),
        ("Dossiers du patient A", "Dossiers du patient B"),
        ("Patient Dupont Marie", "Patient Dupond Marie"),
        ("Devis Paris", "Devi5 Paris"),
    ],
)
def test_one_letter_may_be_the_whole_difference(title, other):
    """EX-7: a tab beside the title is not the title"""
    assert said(other, title=title) == other


def test_where_two_lines_may_be_the_title_and_beside_the_window_nothing_is_put_right():
    """EX-7"""
    misread = "Facture FAC-2026-00171 — Clinique des Lïlas"
    assert said(misread, geometry=(1, 18, 700, 1075)) == misread
    lines = [TextLine(text=text, bbox=(840, 2, 1080, 17), confidence=0.7) for text in (misread, TITLE)]
    assert with_known_title(lines, WindowContext(title=TITLE, geometry=(1, 18, 1919, 1075))) == tuple(lines)


def test_only_what_stands_at_the_top_of_the_window_is_its_title():
    """L2-6"""
    misread = "Facture FAC-2026-00171 — Clinique des Lïlas"
    assert said(misread, y=300) == misread
    assert said(misread, geometry=None) == misread
    assert said("0K", title="OK") == "0K"
