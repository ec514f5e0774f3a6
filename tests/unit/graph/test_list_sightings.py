"""Rows are known by what names them, whatever stands in the first column of their list."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from clinic_by_hand import middle
from office_by_hand import BACK, HOME, LIST, VALIDATE, Invoice, Office, home_items, learn, page_items

from rpa_vision.graph.plan import problems_of
from rpa_vision.graph.sightings import value_in_column
from rpa_vision.models.workflow_graph import Loop, WorkflowEdge
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

DATE = "16/11/2026"
TO_VALIDATE, VALIDATED = "À valider", "Validée"
LISTS = ((11, "vdvvd"), (21, "dvvd"), (31, "vvdv"))
Row = tuple[str, ...]
"""The texts of a row in the order of its columns."""


def box(column: int, index: int) -> tuple[int, int, int, int]:
    return (20 + 190 * column, 150 + 34 * index, 180 + 190 * column, 172 + 34 * index)


def table(headers: Sequence[str], rows: Sequence[Row]) -> list[AnyItem]:
    """A list whose first column may hold anything; an empty text is an empty cell, « [] » a box without a name."""
    items: list[AnyItem] = [
        ("label", "data_display", header, (20 + 190 * column, 110, 180 + 190 * column, 132))
        for column, header in enumerate(headers)
        if header
    ]
    for index, row in enumerate(rows):
        for column, (header, text) in enumerate(zip(headers, row, strict=True)):
            place = box(column, index)
            if text == "[]":
                items.append(Item("checkbox", "form_input", "", place, column_title=header or "Choix"))
            elif text:
                items.append(Item("cell", "data_display", text, place, column_title=header))
    return [*home_items()[:2], ("heading", "title", "Liste des factures", (320, 50, 520, 76)), *items]


def row_step(
    book: ScreenBook,
    headers: Sequence[str],
    lists: Sequence[Sequence[Row]],
    done: Callable[[int, Row], bool],
    clicked: int,
    after: Callable[[Row], Row],
) -> WorkflowEdge:
    """What is learned from working through these lists: which rows, by a click on which column, and what they say
    afterwards."""
    office = Office(book)
    session = office.session
    for rows in lists:
        shown = list(rows)
        current = office.draw(table(headers, shown), "Factures - Office")
        session.click(office.home(), middle(LIST), after=current)
        for index, row in enumerate(rows):
            if not done(index, row):
                continue
            one = Invoice(row[clicked], amount="120,00 €")
            detail, page = office.draw(page_items(one), "Facture - Office"), office.page(one, "validée")
            session.click(current, middle(box(clicked, index)), after=detail)
            session.click(detail, middle(VALIDATE), after=page)
            shown[index] = after(row)
            current = office.draw(table(headers, shown), "Factures - Office")
            session.click(page, middle(BACK), after=current)
        session.click(current, middle(HOME), after=office.home())
    workflow = learn(office).workflow
    assert problems_of(workflow) == []
    (edge,) = [edge for edge in workflow.edges if edge.loop is not None]
    return edge


def loop_of(book: ScreenBook, *shown: Any) -> Loop:
    loop = row_step(book, *shown).loop
    assert loop is not None
    return loop


def is_open(index: int, row: Row) -> bool:
    return row[-1] == TO_VALIDATE


def validated(row: Row) -> Row:
    return (*row[:-1], VALIDATED)


def numbered(first: int, statuses: str, leading: Callable[[int], str]) -> list[Row]:
    return [
        (leading(first), f"FAC-2026-{first + index:03d}", TO_VALIDATE if status == "v" else VALIDATED)
        for index, status in enumerate(statuses)
    ]


@pytest.mark.parametrize(
    ("header", "leading"),
    [("Date", lambda first: DATE), ("Date", lambda first: f"{first // 10}/11/2026"), ("Choix", lambda first: "[]")],
    ids=["one date", "a date for each go", "boxes without a name"],
)
def test_a_first_column_that_names_no_row_costs_no_filter(book, header, leading):
    """L4-5, L4-4"""
    lists = [numbered(first, statuses, leading) for first, statuses in LISTS]
    step = row_step(book, (header, "N° facture", "Statut"), lists, is_open, 1, validated)
    loop = step.loop
    assert loop.question is None
    assert step.metadata["rows_stay"] is False
    assert loop.filter in (f'variables.statut == "{TO_VALIDATE}"', f'not (variables.statut == "{VALIDATED}")')


PATIENTS = (("Durand", "Martin", "Petit"), ("Leroy", "Morel", "Garnier", "Faure"), ("Blanc", "Roux"))


def test_rows_that_share_what_names_them_are_told_apart_by_their_other_cells(book):
    """L4-5: two invoices of each patient, of which one is to be validated"""
    lists = [
        [
            row
            for at, name in enumerate(names)
            for row in ((name, f"{at + 1}0,00 €", TO_VALIDATE), (name, f"{at + 2}5,00 €", VALIDATED))
        ]
        for names in PATIENTS
    ]
    loop = loop_of(book, ("Patient", "Montant", "Statut"), lists, is_open, 0, validated)
    assert loop.question is None
    assert loop.filter in (f'variables.statut == "{TO_VALIDATE}"', f'not (variables.statut == "{VALIDATED}")')


def test_rows_that_nothing_tells_apart_are_a_question(book):
    """L4-5, L4-4: of two rows that say the same one was done, and nobody can see which"""
    lists = [[(DATE, name, TO_VALIDATE) for name in names for _ in range(2)] for names in PATIENTS]
    loop = loop_of(book, ("Date", "Patient", "Statut"), lists, lambda index, row: index % 2 == 0, 1, lambda row: row)
    assert loop.filter is None
    assert loop.question is not None
    assert f"{DATE} · Durand · {TO_VALIDATE}" in loop.question.question


def test_rows_left_out_because_a_cell_is_empty_are_no_rows_to_do(book):
    """L4-5, L4-4: nothing stands in their column, and that is what tells them from the others"""
    lists = [
        [(DATE, number, "" if status == VALIDATED else status) for _, number, status in numbered(first, statuses, str)]
        for first, statuses in LISTS
    ]
    loop = loop_of(book, ("Date", "N° facture", "Statut"), lists, is_open, 1, lambda row: (*row[:-1], ""))
    assert loop.filter == f'variables.statut == "{TO_VALIDATE}"' or loop.question is not None


def test_an_empty_value_names_no_row(book: ScreenBook) -> None:
    """EX-7: a box without a name in a row does not make it the row of an invoice that nobody named"""
    book.draw("list", table(["", "Numéro", "Montant"], [("[]", "FAC-12", "120,00")]), title="Factures")
    state = book["list"].state
    assert value_in_column(state, "Montant", ["FAC-12"]) == "120,00"
    assert value_in_column(state, "Montant", [""]) is None
    assert value_in_column(state, "Montant", ["FAC-12", " "]) is None
