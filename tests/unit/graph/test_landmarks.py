"""What is kept of a recorded screen around a target, and what of it is used."""

from __future__ import annotations

from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.graph.targets import landmarks_of, part_of, target_on
from rpa_vision.models.geometry import Box
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
