"""Two things are one only where it is unlikely that they agree by chance."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from clinic_by_hand import click_step, middle, pattern, typing_step
from office_by_hand import HOME, LIST, MENU, Office, learn

from rpa_vision.graph.coincidence import may_be_chance
from rpa_vision.graph.slots import infer_slots
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

FIELD, SAVE = (40, 60, 300, 90), (40, 300, 160, 340)


@pytest.mark.parametrize("values", ["121", "12122", "231", ("Oui", "Non", "Oui"), ("5", "12", "5"), "11112",
                                    ("haute", "basse", "haute", "haute", "basse")])  # fmt: skip
def test_small_numbers_and_choices_of_few_agree_by_chance(values: Sequence[str]) -> None:
    """L4-3"""
    assert may_be_chance(values)


@pytest.mark.parametrize(
    "values",
    [
        ("Durand", "Martin", "Petit"),
        ("Durand", "Martin", "Durand"),
        ("FAC-1", "FAC-2", "FAC-3"),
        ("120,00", "75,50", "120,00"),
        ("75001", "13002", "69003"),
        ("02/03/2026", "03/03/2026", "04/03/2026"),
        ("3", "1", "5", "2", "4"),
        ("1", "2", "1", "2", "2", "1", "1", "2"),
        ("haute", "basse", "haute", "basse", "haute", "basse"),
        ("7", "12", "1044"),
    ],
)
def test_names_numbers_and_amounts_do_not(values: Sequence[str]) -> None:
    """L4-3: nor do small numbers, often enough"""
    assert not may_be_chance(values)


def order_form(quantity: str = "", beside: str = "", *, done: bool = False) -> list[AnyItem]:
    told: list[AnyItem] = [("label", "data_display", "Commande enregistrée", (560, 100, 800, 130))] if done else []
    return [
        *MENU,
        ("heading", "title", "Commande", (320, 50, 520, 76)),
        Item("text_input", "form_input", "Quantité", FIELD, value=quantity),
        ("label", "data_display", "Messages", (40, 160, 140, 182)),
        ("label", "data_display", beside, (200, 160, 260, 182)),
        ("button", "submit", "Enregistrer", SAVE),
        *told,
    ]


def learned_source(book: ScreenBook, values: Sequence[str]) -> str:
    """Where the quantity comes from, when something on the screen said the same each time."""
    office = Office(book)
    for value in values:
        empty, typed = office.draw(order_form("", value), "Commande"), office.draw(order_form(value, value), "Commande")
        done = office.draw(order_form("", value, done=True), "Commande")
        office.session.click(empty, middle(FIELD))
        office.session.type(empty, value, after=typed)
        office.session.click(typed, middle(SAVE), after=done)
        office.session.click(done, middle(HOME), after=office.home())
        office.session.click(office.home(), middle(LIST), after=office.draw(order_form("", value), "Commande"))
    workflow = learn(office).workflow
    return workflow.variables["quantite"].source.method


def test_a_small_number_is_not_read_from_whatever_says_the_same(book: ScreenBook) -> None:
    """L4-3, EX-7: three unread messages are no quantity of three"""
    assert learned_source(book, ("2", "3", "1")) == "parameter"


def test_what_cannot_be_chance_is_read(book: ScreenBook) -> None:
    """L4-3"""
    assert learned_source(book, ("240", "375", "1100")) == "ui_element_extraction"


def test_two_small_numbers_are_two_variables(book: ScreenBook) -> None:
    """L4-3: each is asked for, and each field gets its own"""
    form: list[AnyItem] = [
        ("text_input", "form_input", "Quantité", FIELD),
        ("text_input", "form_input", "Priorité", (40, 120, 300, 150)),
    ]
    page = book.draw("form", form)
    slots = infer_slots(
        pattern(*([typing_step(page, "Quantité", n), typing_step(page, "Priorité", n)] for n in ("1", "2", "1")))
    )
    assert slots.texts == {0: "${quantite}", 1: "${priorite}"}


def test_a_row_is_not_chosen_by_a_small_number_that_stands_in_it(book: ScreenBook) -> None:
    """EX-7: the row whose stock is what was ordered by chance"""
    occurrences = []
    for at, number in enumerate(("2", "3", "1")):
        rows: list[AnyItem] = []
        for row, stock in enumerate(("2", "3", "1")):
            y = 150 + 40 * row
            rows += [("cell", "data_display", f"Article {'ABC'[row]}", (40, y, 160, y + 24)),
                     ("cell", "data_display", stock, (200, y, 260, y + 24)),
                     ("button", "action", "Choisir", (400, y, 480, y + 24))]  # fmt: skip
        page = book.draw(f"page_{number}", [("text_input", "form_input", "Quantité", FIELD), *rows])
        occurrences.append([typing_step(page, "Quantité", number), click_step(page, "Choisir", nth=at)])
    slots = infer_slots(pattern(*occurrences))
    assert slots.rows[1] != ("${quantite}",)
    assert list(slots.values[next(name for name in slots.values if name != "quantite")].values()) == [
        "Article A", "Article B", "Article C"
    ]  # fmt: skip
