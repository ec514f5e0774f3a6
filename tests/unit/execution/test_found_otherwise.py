"""What is found otherwise than recorded, and what only seems to be."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.found_otherwise import FoundOtherwise, found_otherwise
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import TargetLook, TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.testing.screens import AnyItem, ScreenBook, moved

BUTTON = (40, 300, 160, 340)


def page(word: str = "Valider", place: tuple[int, int, int, int] = BUTTON, patient: str = "") -> list[AnyItem]:
    named: list[AnyItem] = [("label", "data_display", f"Dossier de {patient}", (400, 60, 640, 84))] if patient else []
    return [
        ("heading", "title", "Facture", (40, 60, 160, 90)),
        ("label", "data_display", "Praticien", (40, 120, 160, 144)),
        ("label", "data_display", "Consultation", (40, 200, 200, 224)),
        ("button", "validate", word, place),
        ("button", "cancel", "Annuler", (200, 300, 320, 340)),
        ("label", "data_display", "Conditions", (40, 380, 180, 404)),
        *named,
    ]


@pytest.fixture
def recorded(book: ScreenBook) -> TargetSpec:
    spec = target_on(book.draw("then", page()), Box(*BUTTON))
    assert (spec.label, len(spec.landmarks) >= 3) == ("Valider", True)
    return spec


def button(screen: ObservedScreen, box: tuple[int, int, int, int] = BUTTON) -> UIElement:
    return next(one for one in screen.state.ui_elements if one.bbox == box)


def found(target: TargetSpec, screen: ObservedScreen, element: UIElement, **more: object) -> FoundOtherwise | None:
    values: dict[str, str] = more.pop("values", {})  # type: ignore[assignment]
    return found_otherwise(target, element, screen, values, **more)  # type: ignore[arg-type]


def kinds(answer: FoundOtherwise | None) -> list[str]:
    return [change.kind for change in answer.changes] if answer is not None else []


def test_what_is_as_recorded_is_no_heal_nor_what_moved_along_with_everything(
    book: ScreenBook, recorded: TargetSpec
) -> None:
    """EX-5"""
    same = book.draw("same", page())
    assert found(recorded, same, button(same)) is None
    scrolled = book.draw("scrolled", moved(page(), dx=60, dy=90))
    element = button(scrolled, (100, 390, 220, 430))
    assert found(recorded, scrolled, element) is None
    misread = book.draw("misread", page("Vaiider"))
    assert found(recorded, misread, button(misread)) is None, "a slip of the reader is no other word"


def test_other_words_become_another_name(book: ScreenBook, recorded: TargetSpec) -> None:
    """EX-5 (semantic)"""
    now = book.draw("now", page("Approuver"))
    answer = found(recorded, now, button(now))
    assert answer is not None
    assert kinds(answer) == ["label"]
    assert (answer.after.label, answer.after.aliases) == ("Valider", ("Approuver",))
    assert answer.after.place == recorded.place, "its place is as it was"
    assert found(answer.after, now, button(now)) is None, "and is then known"


def test_another_place_among_its_landmarks_is_recorded_whole(book: ScreenBook, recorded: TargetSpec) -> None:
    """EX-5 (spatial)"""
    away = (600, 120, 720, 160)
    now = book.draw("now", page(place=away))
    answer = found(recorded, now, button(now, away))
    assert answer is not None
    assert kinds(answer) == ["place"]
    assert answer.after.place is not None
    assert answer.after.place.bbox == away
    assert {"Facture", "Annuler"} <= {one.label for one in answer.after.landmarks}
    assert found(answer.after, now, button(now, away)) is None


def test_what_the_run_says_never_becomes_a_part_of_it(book: ScreenBook, recorded: TargetSpec) -> None:
    """L0-7: no names of people, no secrets"""
    away = (600, 120, 720, 160)
    now = book.draw("now", page("Approuver Zola", place=away, patient="Zola"))
    element = button(now, away)
    answer = found(recorded, now, element, values={"patient": "Zola"})
    assert answer is not None
    assert kinds(answer) == ["place"]
    assert not any("Zola" in one.label for one in (*answer.after.landmarks, *answer.after.neighbours))
    hidden = found(recorded, now, element, hidden=["Zola"])
    assert hidden is not None
    assert not any("Zola" in one.label for one in (*hidden.after.landmarks, *hidden.after.neighbours))
    assert hidden.after.aliases == ()


def test_where_most_of_what_stood_around_it_is_gone_the_surroundings_are_new(
    book: ScreenBook, recorded: TargetSpec
) -> None:
    """EX-5"""
    other: list[AnyItem] = [
        ("heading", "title", "Règlement", (40, 60, 200, 90)),
        ("label", "data_display", "Médecin", (40, 120, 160, 144)),
        ("button", "validate", "Valider", BUTTON),
    ]
    now = book.draw("now", other)
    assert kinds(found(recorded, now, button(now))) == ["landmarks"]


def test_another_look_is_proposed_and_a_row_that_depends_on_a_value_has_no_place(
    book: ScreenBook, recorded: TargetSpec
) -> None:
    """EX-4"""
    now = book.draw("now", page())
    noise = np.random.default_rng(7).integers(0, 256, (40, 120, 4), np.uint8)
    look = TargetLook(image_path="workflows/WF/targets/E1.png", size=(120, 40))
    target = recorded.model_copy(update={"look": look})
    answer = found(target, now, button(now), look=noise)
    assert answer is not None
    assert (kinds(answer), answer.look) == (["look"], Box(*BUTTON))
    away = (600, 120, 720, 160)
    there = book.draw("there", page(place=away))
    row = recorded.model_copy(update={"row_contains": ("${numero}",)})
    assert found(row, there, button(there, away), values={"numero": "12"}) is None
