"""What is kept of a recorded screen around a target, and what of it is used."""

from __future__ import annotations

from dataclasses import replace

from clinic_by_hand import click_step

from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.graph.targets import landmarks_of, part_of, target_of, target_on
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.target import TargetSpec
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

NAMES = ("Patients", "Factures", "Agenda", "Stocks", "Praticien", "Motif")
LABELS: list[AnyItem] = [("label", "x", name, (40, 60 + 40 * i, 140, 82 + 40 * i)) for i, name in enumerate(NAMES)]
BUTTON: AnyItem = ("button", "action", "Valider", (400, 140, 500, 170))


def test_twins_come_first_and_the_target_is_not_its_own_landmark() -> None:
    """L4-1"""
    twin: AnyItem = ("button", "action", "Valider", (700, 500, 800, 530))
    screen = ScreenBook().draw("s", [*LABELS, BUTTON, twin])
    own = next(one for one in screen.state.ui_elements if one.bbox == (400, 140, 500, 170))
    found = landmarks_of(screen, Box(400, 140, 500, 170), own)
    assert found[0].label == "Valider"
    assert found[0].bbox == (700, 500, 800, 530)
    assert {one.label for one in found[1:]} == set(NAMES)


def test_a_dialog_that_was_called_otherwise_each_time_still_tells_what_lay_behind_it() -> None:
    """EX-5: « Retour à la liste » was never part of the question."""
    book, frame = ScreenBook(), (300, 200, 700, 420)
    answer: AnyItem = ("button", "validate", "Confirmer", (560, 370, 680, 400))
    steps = [
        click_step(book.draw(name, [*LABELS, ("dialog", "dialog", called, frame), answer]), "Confirmer")
        for name, called in (("one", "Confirmer la validation"), ("other", "Voulez-vous valider FRANÇOIS"))
    ]
    target = target_of(steps, label="Confirmer", row_contains=(), look=None)
    assert [(one.label, one.bbox) for one in target.landmarks if one.type == "dialog"] == [("", frame)]


def test_what_depends_on_a_value_is_not_held_to_its_recorded_place() -> None:
    """EX-5: the row of another invoice is elsewhere"""
    book = ScreenBook()
    rows: list[AnyItem] = [
        ("link", "navigation", f"FAC-{n}", (400, 100 + 60 * n, 500, 120 + 60 * n)) for n in range(1, 7)
    ]
    screen = book.draw("s", [*LABELS, *rows])
    recorded = target_on(screen, Box(400, 160, 500, 180))
    target: TargetSpec = recorded.model_copy(update={"label": "FAC-${n}"})
    answer = TargetResolver().resolve(target, screen, {"n": "6"}, HealingProfile.at_level(0))
    assert isinstance(answer, Resolved)
    assert answer.best.element.label == "FAC-6"
    assert answer.best.score >= 0.99


def test_a_value_in_a_field_is_not_its_name() -> None:
    """EX-4: what a field holds is another thing tomorrow"""
    field = Item("text_input", "form_input", "47,50", (400, 140, 560, 170), value="47,50")
    target = target_on(ScreenBook().draw("s", [*LABELS, field]), Box(*field.bbox))
    assert target.label is None
    assert target.type == "text_input"


def test_a_part_of_a_line_is_found_in_the_line_it_became() -> None:
    """EX-4: words run together"""
    recorded, live = Box(100, 20, 500, 40), Box(200, 120, 1000, 160)
    assert part_of(recorded, Box(150, 20, 250, 40), live) == Box(300, 120, 500, 160)
    assert part_of(recorded, Box(100, 20, 480, 40), live) is None
    assert part_of(recorded, Box(600, 20, 700, 40), live) is None


def test_of_what_lies_in_a_large_box_the_words_name_it_not_the_signs() -> None:
    """EX-4: a row of a list with a tick box, a name and a sign at its end"""
    name, sign = "Le responsable du service", ("icon", "icon", "!", (900, 256, 920, 278))
    items: list[AnyItem] = [*LABELS, ("label", "x", name, (370, 254, 617, 284)), sign]
    target = target_on(ScreenBook().draw("s", items), Box(328, 235, 940, 298))
    assert target.label == name


def test_words_that_were_read_name_a_box_in_which_no_element_was_seen() -> None:
    """EX-4: a menu that was taken for one area"""
    screen = ScreenBook().draw("s", [*LABELS, ("textarea", "form_input", "", (400, 150, 600, 595))])
    line = TextLine(text="En savoir plus", bbox=(415, 215, 520, 231), confidence=0.99)
    perception = screen.state.perception.model_copy(update={"text_lines": (*screen.state.perception.text_lines, line)})
    read = replace(screen, state=screen.state.model_copy(update={"perception": perception}))
    target = target_on(read, Box(401, 200, 599, 245))
    assert (target.label, target.type) == ("En savoir plus", "label")


def test_what_only_reaches_into_a_box_is_not_it() -> None:
    """EX-7: a caption that was read together with what stands in the field"""
    wide: AnyItem = ("label", "x", "AdresseRue", (431, 343, 560, 363))
    target = target_on(ScreenBook().draw("s", [*LABELS, wide]), Box(521, 339, 751, 368))
    assert (target.label, target.place.bbox if target.place else None) == (None, (521, 339, 751, 368))
