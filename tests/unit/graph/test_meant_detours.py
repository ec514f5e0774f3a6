"""What is called like an interruption and goes with what is to be seen is a way of the task."""

from __future__ import annotations

import pytest
from clinic_by_hand import middle
from office_by_hand import BACK, MENU, OK, SEARCH, VALIDATE, Invoice, Office, learn, page_items, row_box

from rpa_vision.graph.interruptions import interruption
from rpa_vision.graph.plan import problems_of
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import AnyItem, ScreenBook, screen_state

SEND = "Envoyer au responsable"
AMOUNTS = ("120", "2500", "80", "300", "4100", "60", "410", "3100", "90", "200")


def asks_on_page(office: Office, one: Invoice, heading: str) -> str:
    items: list[AnyItem] = [
        *MENU,
        ("heading", "title", heading, (320, 50, 620, 76)),
        ("label", "data_display", "Montant", (40, 160, 140, 182)),
        ("label", "data_display", one.amount, (200, 160, 360, 182)),
        ("button", "submit", SEND, OK),
    ]
    return office.draw(items, "Facture - Office")


def asks_in_dialog(office: Office, one: Invoice, heading: str) -> str:
    items: list[AnyItem] = [
        *page_items(one),
        ("dialog", "dialog", heading, (320, 240, 640, 420)),
        ("heading", "title", heading, (340, 260, 600, 284)),
        ("button", "submit", SEND, OK),
    ]
    return office.draw(items, "Facture - Office")


def validate(office: Office, one: Invoice, asked: str | None) -> None:
    """Search an invoice, open it and validate it; something may be asked on the way."""
    session = office.session
    empty, typed = office.list([one], search=""), office.list([one], search=one.number)
    page, done = office.page(one), office.page(one, "validée")
    session.click(empty, middle(SEARCH))
    session.type(empty, one.number, after=typed)
    session.click(typed, middle(row_box(0)), after=page)
    session.click(page, middle(VALIDATE), after=asked or done)
    if asked is not None:
        session.click(asked, middle(OK), after=done)
    session.click(done, middle(BACK), after=office.list([one], search=""))


def learned(book: ScreenBook, asks, heading: str, when) -> Workflow:
    office = Office(book)
    for number, amount in enumerate(AMOUNTS):
        one = Invoice(f"FAC-2026-{number + 11:03d}", f"Patient {number}", f"{amount},00 €")
        validate(office, one, asks(office, one, heading) if when(number, int(amount)) else None)
    workflow = learn(office).workflow
    assert problems_of(workflow) == []
    return workflow


def is_large(number: int, amount: int) -> bool:
    return amount > 1000


def comes_by_chance(number: int, amount: int) -> bool:
    return number in (2, 6)


def ways_on(workflow: Workflow) -> list[str | None]:
    """The conditions of the step that sends the invoice on."""
    return [
        edge.condition.expression
        for edge in workflow.edges
        if edge.condition and edge.action and edge.action.target and edge.action.target.label == SEND
    ]


@pytest.mark.parametrize(
    "said",
    [
        "Informations complémentaires",
        "Rappels de paiement",
        "Notices",
        "Notifications",
        "Attention particulière",
        "Dossiers introuvables",
        "Files not found",
    ],
)
def test_the_name_of_a_page_is_no_trouble_where_a_dialog_would_be(said):
    """L4-6"""
    heading = ("heading", "title", said, (120, 120, 380, 150))
    assert interruption(screen_state([heading])) is None
    assert interruption(screen_state([], title=said)) is None
    assert interruption(screen_state([("dialog", "dialog", said, (100, 100, 400, 300)), heading])) is not None


@pytest.mark.parametrize("said", ["Erreur inattendue", "Session expirée", "Page introuvable", "Serveur indisponible"])
def test_a_page_that_says_what_went_wrong_tells_of_trouble(said):
    """L4-6"""
    assert interruption(screen_state([("heading", "title", said, (120, 120, 380, 150))])) is not None


@pytest.mark.parametrize(
    ("asks", "heading"),
    [
        (asks_on_page, "Informations complémentaires"),
        (asks_on_page, "Validation impossible"),
        (asks_in_dialog, "Informations complémentaires"),
        (asks_in_dialog, "Attention"),
    ],
)
def test_what_comes_with_large_amounts_is_a_fork(book, asks, heading):
    """L4-4, L4-6"""
    workflow = learned(book, asks, heading, is_large)
    assert ways_on(workflow) in (["not (variables.montant < 1000)"], ["variables.montant >= 1000"])
    assert not any(node.is_error_node for node in workflow.nodes)


@pytest.mark.parametrize(
    ("heading", "when"),
    [("Erreur inattendue", comes_by_chance), ("Session expirée", is_large)],
    ids=["chance", "session"],
)
def test_what_nothing_to_be_seen_explains_stays_an_interruption(book, heading, when):
    """L4-6: and so does what has nothing to do with values"""
    workflow = learned(book, asks_in_dialog, heading, when)
    (error,) = [node for node in workflow.nodes if node.is_error_node]
    assert error.label == heading
    assert ways_on(workflow) == []
