"""What was accepted in other words is said to be."""

from __future__ import annotations

import pytest
from run_by_hand import PAGE, VALIDATE, Robot, edge

from rpa_vision.app.sayings import in_french
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook
from rpa_vision.testing.scripted_desktop import on_click

SAID = "seen in other words: « Facture FAC-12 approuvée » for « Facture FAC-12 validée »"


def done(book: ScreenBook, told: str, *, expects: str | None, condition: str) -> tuple[bool, str]:
    after: list[AnyItem] = [
        ("heading", "title", "Liste des factures", (300, 60, 640, 100)),
        ("label", "data_display", told, (300, 200, 640, 230)),
        ("cell", "data_display", "FAC-12", (300, 300, 400, 324)),
        ("cell", "data_display", "Approuvée", (420, 300, 540, 324)),
    ]
    book.draw("page", PAGE, title="Clinique")
    book.draw("done", after, title="Clinique")
    robot = Robot(book, script=[on_click("page", Box(*VALIDATE), to="done")])
    outcome = robot.do(edge(expects=expects, conditions=[condition]))
    return outcome.verified, outcome.observed


@pytest.mark.parametrize(
    ("expects", "seen"), [("done", "the screen « done » (1.00); " + SAID), (None, SAID)], ids=["a screen too", "alone"]
)
def test_a_verified_step_says_which_words_were_accepted_for_which(
    book: ScreenBook, expects: str | None, seen: str
) -> None:
    """EX-6, UX-4: « validée » was expected and « approuvée » is what the screen says"""
    told = done(book, "Facture FAC-12 approuvée", expects=expects, condition="text_appears:Facture FAC-12 validée")
    assert told == (True, seen)


def test_the_very_words_are_not_said_to_be_others(book: ScreenBook) -> None:
    """EX-6, UX-4"""
    told = done(book, "Facture FAC-12 validée", expects="done", condition="text_appears:Facture FAC-12 validée")
    assert told == (True, "the screen « done » (1.00)")


def test_it_is_said_in_french_too() -> None:
    """UX-2"""
    french = "vu en d'autres mots : « Facture FAC-12 approuvée » pour « Facture FAC-12 validée »"
    assert in_french(f"the screen « Liste » (0.97); {SAID}") == f"l'écran « Liste » (0,97) ; {french}"
