"""What learning again would take away is said, and what only changed is not."""

from __future__ import annotations

import pytest
from office_by_hand import Invoice, Office, learn

from rpa_vision.graph.lost_knowledge import lost_in
from rpa_vision.models.workflow_graph import Loop, Workflow, WorkflowEdge
from rpa_vision.testing.screens import ScreenBook

AMOUNTS = (120, 1250, 80, 2400, 990, 1010, 45, 3100)


def office_of(book: ScreenBook, amounts: tuple[int, ...]) -> Workflow:
    office = Office(book)
    for index, amount in enumerate(amounts):
        office.one_invoice(Invoice(f"FAC-2026-0{index + 11}", amount=f"{amount},00 €"), forward=amount >= 1000)
    return learn(office).workflow


@pytest.fixture
def forking(book: ScreenBook) -> Workflow:
    return office_of(book, AMOUNTS)


def changed(workflow: Workflow, edge_id: str, **changes: object) -> Workflow:
    def one(edge: WorkflowEdge) -> WorkflowEdge:
        return edge.model_copy(update=changes) if edge.edge_id == edge_id else edge

    return workflow.model_copy(update={"edges": tuple(map(one, workflow.edges))})


def test_a_way_and_its_rule_that_are_gone_are_told(book: ScreenBook, forking: Workflow) -> None:
    """Issue 5: nothing learned is lost"""
    plain = office_of(book, tuple(amount for amount in AMOUNTS if amount < 1000))
    assert list(lost_in(forking, plain)) == [
        "the step mouse_click « Transmettre »",
        "when to do mouse_click « Valider »: `variables.montant < 1000`",
    ]
    assert list(lost_in(plain, forking)) == [], "knowing more is no loss"


def test_another_rule_a_question_or_the_other_way_first_is_no_loss(book: ScreenBook, forking: Workflow) -> None:
    """Issue 5: learning again may change its mind, as long as it says so"""
    assert list(lost_in(forking, forking)) == []
    fewer = office_of(book, (1250, 120, 80, 2400, 990))
    assert any(edge.condition and edge.condition.question for edge in fewer.edges)
    assert list(lost_in(forking, fewer)) == []


def test_a_loop_or_its_filter_that_is_gone_is_told(forking: Workflow) -> None:
    """L4-5"""
    loop = Loop(type="for_each", iterator="row", filter='variables.statut == "À valider"', max_iterations=50)
    looping = changed(forking, "E2", loop=loop)
    assert list(lost_in(looping, looping)) == []
    assert list(lost_in(looping, forking)) == ["that mouse_click « ${facture} » is done for each row of a list"]
    every_row = changed(forking, "E2", loop=loop.model_copy(update={"filter": None}))
    (lost,) = lost_in(looping, every_row)
    assert lost == 'for which rows mouse_click « ${facture} » is done: `variables.statut == "À valider"`'
