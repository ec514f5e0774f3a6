"""Between the look that decided and the input, another case must not have come up."""

from __future__ import annotations

import pytest

from rpa_vision.execution.same_case import other_case
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.testing.screens import ScreenBook


def saying(book: ScreenBook, name: str, title: str) -> ScreenState:
    return book.draw(
        name,
        [
            ("heading", "title", title, (40, 60, 440, 100)),
            ("label", "data_display", "Praticien", (40, 120, 160, 144)),
            ("button", "validate", "Valider", (40, 300, 160, 340)),
        ],
        title="Clinique",
    ).state


@pytest.mark.parametrize(
    ("was", "now", "is_other"),
    [
        ("Facture FAC-1", "Facture FAC-1", False),
        ("Facture FAC-1", "Facture FAC-12", True),
        ("Facture FAC-12", "Facture FAC-13", True),
        ("Facture", "Facture de Martin", False),
    ],
    ids=["the same", "a longer number", "the next number", "filled meanwhile"],
)
def test_a_number_that_got_longer_is_another_case(book: ScreenBook, was: str, now: str, is_other: bool) -> None:
    """EX-7"""
    assert (other_case(saying(book, "was", was), saying(book, "now", now)) is not None) is is_other
