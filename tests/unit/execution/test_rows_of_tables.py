"""The row of a table is told by what stands in that table, not by what is level with it elsewhere."""

from __future__ import annotations

import pytest

from rpa_vision.app.sayings import in_french
from rpa_vision.execution.ask_a_person import objection_to
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.models.target import TargetSpec
from rpa_vision.testing.screens import AnyItem, ScreenBook

LIST: list[AnyItem] = [
    ("heading", "title", "Récents", (20, 60, 160, 90)),
    ("label", "data_display", "FAC-12", (20, 200, 120, 224)),
    ("table", "data_display", "", (250, 100, 900, 400)),
    ("cell", "data_display", "FAC-99", (260, 200, 360, 224)),
    ("cell", "data_display", "Martin", (400, 200, 500, 224)),
    ("button", "validate", "Valider", (700, 200, 800, 224)),
    ("cell", "data_display", "FAC-98", (260, 240, 360, 264)),
    ("cell", "data_display", "Durand", (400, 240, 500, 264)),
    ("button", "validate", "Valider", (700, 240, 800, 264)),
]
TARGET = TargetSpec(label="Valider", type="button", role="validate", row_contains=("${numero}",))


@pytest.mark.parametrize(
    ("number", "place"), [("FAC-99", (700, 200, 800, 224)), ("FAC-98", (700, 240, 800, 264)), ("FAC-12", None)]
)
def test_a_text_beside_the_table_names_none_of_its_rows(
    book: ScreenBook, number: str, place: tuple[int, int, int, int] | None
) -> None:
    """EX-7: « Récents » says FAC-12 level with the row of FAC-99"""
    answer = TargetResolver().resolve(TARGET, book.draw("list", LIST), {"numero": number}, HealingProfile.at_level(0))
    assert (answer.best.element.bbox if isinstance(answer, Resolved) else None) == place


def test_a_person_who_points_at_another_row_is_told_so(book: ScreenBook) -> None:
    """EX-7, EX-8"""
    screen = book.draw("list", LIST)
    button = next(one for one in screen.state.ui_elements if one.label == "Valider")
    assert objection_to(button, TARGET, screen, {"numero": "FAC-99"}) is None
    assert objection_to(button, TARGET, screen, {"numero": "FAC-12"}) is not None


@pytest.mark.parametrize("number", ["", " "])
def test_an_empty_value_is_the_row_of_nothing_whoever_points_at_it(book: ScreenBook, number: str) -> None:
    """EX-7, EX-8: though a sign without words stands in the row"""
    screen = book.draw("list", [*LIST, ("icon", "unknown", "", (600, 200, 624, 224))])
    button = next(one for one in screen.state.ui_elements if one.label == "Valider")
    told = objection_to(button, TARGET, screen, {"numero": number})
    assert told == "nothing says which row is meant: what it must say is empty"
    assert in_french(told) == "rien ne dit quelle ligne est visée : ce qu'elle doit dire est vide"
    answer = TargetResolver().resolve(TARGET, screen, {"numero": number}, HealingProfile.at_level(0))
    assert not isinstance(answer, Resolved)
