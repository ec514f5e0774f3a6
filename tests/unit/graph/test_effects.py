"""What a step does is what was seen every time after it and not before it."""

from __future__ import annotations

import pytest
from clinic_by_hand import click_step, invoice_items, pattern, question_items

from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.effects import learned_conditions
from rpa_vision.graph.slots import Slots, infer_slots
from rpa_vision.testing.screens import AnyItem, ScreenBook

NUMBERS = ("FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00013")
SLOTS = Slots(values={"facture": dict(enumerate(NUMBERS))})


def steps(book: ScreenBook, label: str, befores: list[list[AnyItem]], afters: list[list[AnyItem]]) -> list[DemoStep]:
    made = []
    for index, (before, after) in enumerate(zip(befores, afters, strict=True)):
        one, other = book.draw(f"before_{index}", before), book.draw(f"after_{index}", after)
        made.append(click_step(one, label, after=other))
    return made


def test_what_appears_every_time_is_expected_with_its_values(book: ScreenBook) -> None:
    """L4-15: one text that names the value, and the longest of the others"""
    done = steps(
        book,
        "Confirmer",
        [question_items(number) for number in NUMBERS],
        [invoice_items(number, "Validée") for number in NUMBERS],
    )
    assert learned_conditions(done, SLOTS, leads_elsewhere=False) == (
        "text_appears:Facture ${facture} validée",
        "text_appears:Validée",
    )
    assert learned_conditions(done, SLOTS, leads_elsewhere=True) == ("text_appears:Facture ${facture} validée",)


def test_what_appeared_once_is_not_expected(book: ScreenBook) -> None:
    """L4-15"""
    plain: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    extra: list[AnyItem] = [*plain, ("label", "x", "Bienvenue Zoé", (40, 100, 240, 130))]
    made = steps(book, "Valider", [plain] * 3, [extra, plain, plain])
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ()
    assert learned_conditions(made, Slots(), leads_elsewhere=False) == ("target_changed",)


def test_where_nothing_appears_something_vanishes(book: ScreenBook) -> None:
    """L4-15"""
    notice: list[AnyItem] = [
        ("button", "close", "Fermer", (40, 40, 140, 70)),
        ("label", "x", "Une mise à jour est disponible", (40, 100, 300, 130)),
    ]
    gone = notice[:1]
    assert learned_conditions(steps(book, "Fermer", [notice] * 3, [gone] * 3), Slots(), leads_elsewhere=False) == (
        "text_vanishes:Une mise à jour est disponible",
    )


def test_a_step_without_words_to_tell_by_must_change_its_target(book: ScreenBook) -> None:
    """L4-15: unless it leads to another screen, which is proof enough"""
    plain: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    made = steps(book, "Valider", [plain] * 3, [plain] * 3)
    assert learned_conditions(made, Slots(), leads_elsewhere=False) == ("target_changed",)
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ()


def test_numbers_that_no_variable_explains_are_not_expected(book: ScreenBook) -> None:
    """L4-15: others will be there tomorrow"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("label", "x", "12 factures en attente", (40, 100, 240, 130))]
    made = steps(book, "Valider", [before] * 3, [after] * 3)
    assert learned_conditions(made, Slots(), leads_elsewhere=True) == ()


def test_a_dollar_sign_on_the_screen_is_no_variable(book: ScreenBook) -> None:
    """L4-3"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("label", "x", "Total ${name} en $", (40, 100, 240, 130))]
    made = steps(book, "Valider", [before] * 3, [after] * 3)
    assert learned_conditions(made, Slots(), leads_elsewhere=False) == ("text_appears:Total $${name} en $$",)


@pytest.mark.parametrize("seen", [0, 1])
def test_what_nobody_saw_after_the_step_teaches_nothing(book: ScreenBook, seen: int) -> None:
    """L4-15"""
    before: list[AnyItem] = [("button", "x", "Valider", (40, 40, 140, 70))]
    after: list[AnyItem] = [*before, ("label", "x", "Facture validée", (40, 100, 240, 130))]
    page, done = book.draw("page", before), book.draw("done", after)
    made = [click_step(page, "Valider", after=done if index < seen else None) for index in range(3)]
    slots = infer_slots(pattern(*([step] for step in made)))
    assert learned_conditions(made, slots, leads_elsewhere=False) == (
        ("text_appears:Facture validée",) if seen else ("target_changed",)
    )
