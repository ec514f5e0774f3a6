"""The same steps for the rows of a list become a loop."""

from __future__ import annotations

from collections.abc import Sequence

from clinic_by_hand import middle
from office_by_hand import BACK, HOME, LIST, NEXT_PAGE, VALIDATE, Invoice, Office, learn, row_box

from rpa_vision.graph.plan import problems_of
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import ScreenBook


def invoices(first: int, statuses: str) -> list[Invoice]:
    """v: to be validated, d: done already."""
    return [
        Invoice(f"FAC-2026-{first + index:03d}", f"Patient {first + index}", f"{100 + 7 * index},00 €",
                "À valider" if status == "v" else "Validée")
        for index, status in enumerate(statuses)
    ]  # fmt: skip


def work_through(office: Office, pages: Sequence[list[Invoice]]) -> None:
    """From the home page to the list, validate every invoice that is to be validated, and back to the home page."""
    session = office.session
    current = office.home()
    current, before = office.list(pages[0], pages=len(pages) > 1), current
    session.click(before, middle(LIST), after=current)
    for number, page in enumerate(pages):
        rows = list(page)
        if number > 0:
            following = office.list(rows, pages=True)
            session.click(current, middle(NEXT_PAGE), after=following)
            current = following
        for index, one in enumerate(page):
            if one.status != "À valider":
                continue
            detail = office.page(one)
            session.click(current, middle(row_box(index)), after=detail)
            done = office.page(one, "validée")
            session.click(detail, middle(VALIDATE), after=done)
            rows[index] = Invoice(one.number, one.patient, one.amount, "Validée")
            current = office.list(rows, pages=len(pages) > 1)
            session.click(done, middle(BACK), after=current)
    session.click(current, middle(HOME), after=office.home())


def test_rows_of_a_list_become_a_loop_with_a_filter(book: ScreenBook) -> None:
    """L4-5"""
    office = Office(book)
    for first, statuses in ((11, "vdvvd"), (21, "dvvd"), (31, "vvdv")):
        work_through(office, [invoices(first, statuses)])
    learned = learn(office)
    workflow = learned.workflow
    assert problems_of(workflow) == []
    assert learned.repetitions == 3
    opening, row, _validate, back, home = workflow.edges
    assert [edge.loop is not None for edge in workflow.edges] == [False, True, False, False, False]
    loop = row.loop
    assert loop is not None
    assert loop.last_edge == back.edge_id
    assert back.next_edge == home.edge_id
    assert back.to_node == row.from_node == home.from_node == opening.to_node
    assert loop.filter in ('variables.statut == "À valider"', 'not (variables.statut == "Validée")')
    assert loop.variable_binding["statut"] == "row.Statut"
    number = next(name for name, cell in loop.variable_binding.items() if cell == "row.N° facture")
    assert row.action is not None
    assert row.action.target is not None
    assert row.action.target.label == f"${{{number}}}"
    assert workflow.variables[number].source.method == "ui_element_extraction"
    assert loop.max_iterations >= 50
    assert row.metadata["rows_stay"] is False
    assert Workflow.from_json(workflow.to_json()) == workflow


def test_more_rows_are_shown_by_paging(book: ScreenBook) -> None:
    """L4-5"""
    office = Office(book)
    for first in (100, 200, 300):
        work_through(office, [invoices(first, "vv"), invoices(first + 50, "v")])
    workflow = learn(office).workflow
    assert problems_of(workflow) == []
    (loop,) = [edge.loop for edge in workflow.edges if edge.loop is not None]
    assert loop.next_page is not None
    assert loop.next_page.target is not None
    assert loop.next_page.target.label == "Suivant"
    assert loop.filter is None
    assert len(workflow.edges) == 5


def test_rows_left_out_for_no_visible_reason_are_a_question(book: ScreenBook) -> None:
    """L4-5, L4-4: never guessed"""
    office = Office(book)
    session = office.session
    for first in (11, 21, 31):
        rows = invoices(first, "vvvv")
        current = office.list(rows)
        session.click(office.home(), middle(LIST), after=current)
        for index in (1, 3):
            detail, done = office.page(rows[index]), office.page(rows[index], "validée")
            session.click(current, middle(row_box(index)), after=detail)
            session.click(detail, middle(VALIDATE), after=done)
            session.click(done, middle(BACK), after=current)
        session.click(current, middle(HOME), after=office.home())
    learned = learn(office)
    (question,) = learned.questions.values()
    assert question.ways == ("left out", "done")
    (loop,) = [edge.loop for edge in learned.workflow.edges if edge.loop is not None]
    assert loop.filter is None
    assert loop.question is not None


def test_rows_that_the_rule_still_means_once_they_were_done_are_said_to_stay(book: ScreenBook) -> None:
    """L4-5: a rule about amounts says nothing of what was done, although the rows change"""
    office = Office(book)
    session = office.session
    for first in (11, 21, 31):
        rows = [
            Invoice(f"FAC-2026-{first + n:03d}", f"Patient {first + n}", f"{amount},00 €", "À valider")
            for n, amount in enumerate((90 + first, 9000 + first, 95 + first, 98 + first, 8000 + first))
        ]
        current = office.list(rows)
        session.click(office.home(), middle(LIST), after=current)
        for index in (0, 2, 3):
            one = rows[index]
            detail, done = office.page(one), office.page(one, "validée")
            session.click(current, middle(row_box(index)), after=detail)
            session.click(detail, middle(VALIDATE), after=done)
            rows[index] = Invoice(one.number, one.patient, one.amount, "Validée")
            current = office.list(rows)
            session.click(done, middle(BACK), after=current)
        session.click(current, middle(HOME), after=office.home())
    (row,) = [edge for edge in learn(office).workflow.edges if edge.loop is not None]
    assert row.loop is not None
    assert row.loop.filter is not None
    assert "montant" in row.loop.filter
    assert row.metadata["rows_stay"] is True


def test_a_row_done_in_a_way_of_its_own_was_not_left_out(book: ScreenBook) -> None:
    """L4-5: nothing is learned from such a round, least of all that its row is not meant"""
    office = Office(book)
    session = office.session
    for first in (11, 21, 31, 41):
        rows = [Invoice(f"FAC-2026-{first + index:03d}", amount=f"{100 + 7 * index},00 €") for index in range(4)]
        current = office.list(rows)
        session.click(office.home(), middle(LIST), after=current)
        for index, one in enumerate(rows):
            detail = office.page(one)
            session.click(current, middle(row_box(index)), after=detail)
            if (first, index) == (21, 1):
                done = office.page(one, "marquée")
                session.press(detail, "F7", after=done)
            else:
                done = office.page(one, "validée")
                session.click(detail, middle(VALIDATE), after=done)
            session.click(done, middle(BACK), after=current)
        session.click(current, middle(HOME), after=office.home())
    workflow = learn(office).workflow
    (loop,) = [edge.loop for edge in workflow.edges if edge.loop is not None]
    assert (loop.filter, loop.question) == (None, None)
    assert workflow.metadata["rounds_left_out"] == 1
