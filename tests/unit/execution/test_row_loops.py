"""A round for each row of a list: each row once, in any order the list is in, and never on a guess."""

from __future__ import annotations

from dataclasses import replace

import pytest
from list_office import DONE, ListOffice, click_on, go, invoices, list_items, rounds, run, validating

from rpa_vision.execution.list_rows import columns_of, read_list
from rpa_vision.testing.screens import AnyItem, Item, screen_state
from rpa_vision.testing.scripted_desktop import Deed


def test_every_row_that_is_meant_is_done_once() -> None:
    """L4-5"""
    office = ListOffice(invoices("120,00", "80,00", "45,50", "300,00"))
    office.rows[1].status = DONE
    done = run(office, validating(office=office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == ["FAC-2026-00001", "FAC-2026-00003", "FAC-2026-00004"]
    notes = [step.note for step in done.outcome.steps]
    assert notes[0] == "row 1 of 3: FAC-2026-00001"
    assert notes[-1] == "row 3 of 3: FAC-2026-00004"
    assert [kind for kind, _ in done.decisions] == ["round_begins"] * 3 + ["loop_ended"]


def test_a_row_that_stays_as_it_was_is_not_done_again() -> None:
    """L4-5, EX-7: the click had no lasting effect; doing it again could have one"""
    office = ListOffice(invoices("120,00", "80,00"), deaf=frozenset({"FAC-2026-00001"}))
    done = run(office, validating(office=office))
    assert done.outcome.status == "halted"
    assert "« FAC-2026-00001 » was done and still says what it said" in done.outcome.reason
    assert office.validated == ["FAC-2026-00001"]


def test_without_a_filter_rows_may_stay_as_they_are() -> None:
    """L4-5"""
    office = ListOffice(invoices("120,00", "80,00"))
    back = go("E2", "detail", "list", click_on("Retour", "link"))
    done = run(office, validating(back, loop=rounds(rule=None, last_edge="E2"), office=office))
    assert done.outcome.status == "success"
    assert len(done.outcome.steps) == 4


def test_no_more_rows_are_done_than_was_allowed() -> None:
    """L4-5: max_iterations"""
    office = ListOffice(invoices("1,00", "2,00", "3,00"))
    done = run(office, validating(loop=rounds(most=2, last_edge="E2"), office=office))
    assert done.outcome.status == "halted"
    assert "max_iterations: 2 rows were done, and « FAC-2026-00003 » is left" in done.outcome.reason
    assert len(office.validated) == 2


def test_two_rows_of_one_name_are_not_told_apart_by_luck() -> None:
    """L4-5, EX-7"""
    office = ListOffice(invoices("120,00", "80,00"))
    office.rows[1].number = office.rows[0].number
    done = run(office, validating(office=office))
    assert "several rows say" in done.outcome.reason
    assert office.validated == []


def test_a_row_whose_name_is_misread_is_not_done() -> None:
    """L4-3, L4-5"""
    office = ListOffice(invoices("120,00"))
    office.rows[0].number = "FAC-2026-0O001"
    done = run(office, validating(office=office))
    assert "does not look like" in done.outcome.reason
    assert office.validated == []


def test_further_pages_are_turned_to_until_there_is_none() -> None:
    """L4-5"""
    office = ListOffice(invoices("1,00", "2,00", "3,00", "4,00", "5,00"), page_size=2, paged=True)
    loop = rounds(last_edge="E2", next_page=click_on("Suivant"))
    done = run(office, validating(loop=loop, office=office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert len(office.validated) == 5
    asked = [line for line in done.overseer.diary if line.startswith("asked") and "next_page" in line]
    assert asked, "a page is turned only with permission"


def test_an_empty_list_is_no_error() -> None:
    """L4-5"""
    office = ListOffice(invoices("1,00"))
    office.rows[0].status = DONE
    done = run(office, validating(office=office))
    assert (done.outcome.status, done.outcome.steps) == ("success", [])


def test_a_list_without_the_columns_is_not_taken_for_an_empty_one() -> None:
    """L4-5, EX-7"""
    office = ListOffice(invoices("1,00"))
    workflow = validating(office=office)
    odd = rounds(last_edge="E2").model_copy(update={"variable_binding": {"numero": "row.Référence"}, "filter": None})
    first = workflow.edges[0].model_copy(update={"loop": odd})
    done = run(office, workflow.model_copy(update={"edges": (first, *workflow.edges[1:])}))
    assert done.outcome.status == "halted"
    assert "no list with the columns « Référence »" in done.outcome.reason


def test_a_question_nobody_answered_stops_the_loop() -> None:
    """L4-5: asked, never guessed"""
    from rpa_vision.models.branch_rule import BranchQuestion

    office = ListOffice(invoices("1,00"))
    asked = BranchQuestion(reason="too_few", question="Which rows?", ways=("all", "some"))
    loop = rounds(last_edge="E2", rule=None, question=asked)
    done = run(office, validating(loop=loop, office=office))
    assert done.outcome.status == "blocked"
    assert "a person has to say first: Which rows?" in done.outcome.reason
    assert office.validated == []


@pytest.mark.parametrize("count", [0, 1, 2, 5])
def test_a_list_is_read_from_its_headers_down_also_when_it_has_shrunk(count: int) -> None:
    """L4-5: two rows are no table to detection"""
    items = list_items(invoices("1,00", "2,00", "3,00", "4,00", "5,00")[:count])
    plain = [replace(item, column_title="") if isinstance(item, Item) else item for item in items]
    rows = read_list(screen_state(plain), ["N° facture", "Statut"])
    assert rows is not None
    assert [row.cells["N° facture"] for row in rows] == [f"FAC-2026-{n + 1:05d}" for n in range(count)]
    assert all(row.cells["Statut"] == "À valider" for row in rows)


@pytest.mark.parametrize("at_first", [0, 1, 2])
def test_rows_out_of_sight_are_scrolled_to_both_ways(at_first: int) -> None:
    """L4-5: wherever the list happened to be scrolled to"""
    office = ListOffice(invoices("1,00", "2,00", "3,00", "4,00", "5,00", "6,00"), page_size=2, returns_to=None)
    office.page = at_first

    def wheel(screen: str, deed: Deed) -> str | None:
        there = office.page + (1 if deed.scroll[1] > 0 else -1)
        if screen == "list" and deed.verb == "scroll" and 0 <= there <= 2:
            office.page = there
            return office.show_list()
        return None

    office.interrupts = wheel
    done = run(office, validating(office=office))
    assert done.outcome.status == "success", done.outcome.reason
    assert sorted(office.validated) == [one.number for one in office.rows]
    assert any("E1.scroll" in line for line in done.overseer.diary)


def test_a_list_whose_headers_were_scrolled_away_is_read_by_its_columns() -> None:
    """L4-5"""
    whole = list_items(invoices("1,00", "2,00", "3,00"))
    rows = read_list(screen_state(whole), ["N° facture", "Statut"])
    assert rows is not None
    headless: list[AnyItem] = [replace(item, column_title="") for item in whole if isinstance(item, Item)]
    shown = screen_state([*headless, ("label", "data_display", "Page 1 sur 2", (40, 500, 160, 522))])
    assert read_list(shown, ["N° facture", "Statut"]) is None
    again = read_list(shown, ["N° facture", "Statut"], columns_of(rows))
    assert again is not None
    assert [row.cells for row in again] == [row.cells for row in rows]
