"""Goes that went different ways become one workflow with a rule, or with a question."""

from __future__ import annotations

import pytest
from office_by_hand import Invoice, Office, learn

from rpa_vision.errors import LearningError
from rpa_vision.graph.plan import problems_of
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import ScreenBook

AMOUNTS = ("120,00 €", "1 250,00 €", "80,50 €", "2 400,00 €", "990,00 €", "1 010,00 €", "45,00 €", "3 100,00 €")


def is_large(amount: str) -> bool:
    return float(amount.replace(" ", "").replace("€", "").replace(",", ".")) >= 1000


def test_an_amount_on_the_screen_decides_which_way(book: ScreenBook) -> None:
    """L4-4, L4-3"""
    office = Office(book)
    for index, amount in enumerate(AMOUNTS):
        office.one_invoice(Invoice(f"FAC-2026-0{index + 11}", amount=amount), forward=is_large(amount))
    workflow = learn(office).workflow
    assert problems_of(workflow) == []
    kinds = [edge.action.type for edge in workflow.edges if edge.action is not None]
    assert kinds == ["text_input", "mouse_click", "extract", "mouse_click", "mouse_click", "mouse_click"]
    read, one, other, back = workflow.edges[2:]
    assert read.from_node == read.to_node == one.from_node == other.from_node
    assert read.action is not None
    assert read.action.target is not None
    assert (read.action.target.label, read.action.parameters.extract_to) == ("Montant", "montant")
    assert one.condition is not None
    assert one.condition.else_edge == other.edge_id
    assert one.next_edge == back.edge_id
    labels = [edge.action.target.label for edge in (one, other) if edge.action and edge.action.target]
    assert (one.condition.expression, labels) in [
        ("variables.montant < 1000", ["Valider", "Transmettre"]),
        ("variables.montant >= 1000", ["Transmettre", "Valider"]),
    ]
    assert workflow.variables["montant"].source.method == "ui_element_extraction"
    assert workflow.variables["montant"].subtype == "amount"
    assert Workflow.from_json(workflow.to_json()) == workflow
    rule = one.metadata["rule"]
    assert isinstance(rule, dict)
    assert rule["support"]["demonstrations"] == 8  # type: ignore[index,call-overload]


def test_too_few_demonstrations_are_a_question_and_never_a_guess(book: ScreenBook) -> None:
    """L4-4"""
    office = Office(book)
    for index, amount in enumerate(AMOUNTS[:5]):
        office.one_invoice(Invoice(f"FAC-2026-0{index + 11}", amount=amount), forward=is_large(amount))
    learned = learn(office)
    assert problems_of(learned.workflow) == []
    ((edge_id, question),) = learned.questions.items()
    assert question.reason in ("by_chance", "several_rules")
    assert set(question.ways) == {"Valider", "Transmettre"}
    edge = learned.workflow.get_edge(edge_id)
    assert edge is not None
    assert edge.condition is not None
    assert edge.condition.expression is None


def test_demonstrations_that_contradict_each_other_are_a_question_that_names_them(book: ScreenBook) -> None:
    """L4-4: the same amount went both ways, whatever else would explain the others"""
    office = Office(book)
    for index, amount in enumerate((*AMOUNTS, "80,50 €", "2 400,00 €")):
        forward = is_large(amount) if index < len(AMOUNTS) else not is_large(amount)
        office.one_invoice(Invoice("FAC-2026-011", amount=amount), forward=forward)
    learned = learn(office)
    assert problems_of(learned.workflow) == []
    (question,) = learned.questions.values()
    assert (question.reason, set(question.ways)) == ("contradiction", {"Valider", "Transmettre"})
    assert len(question.contradicting) >= 2
    assert not any(edge.condition and edge.condition.expression for edge in learned.workflow.edges)


def test_a_go_that_was_broken_off_is_not_a_shorter_task(book: ScreenBook) -> None:
    """L4-2, P003-16"""
    office = Office(book)
    office.one_invoice(Invoice("FAC-2026-011"))
    office.one_invoice(Invoice("FAC-2026-012"))
    office.one_invoice(Invoice("FAC-2026-013"), stop_before_end=True)
    with pytest.raises(LearningError, match="2 times from beginning to end"):
        learn(office)


def test_three_whole_goes_are_enough_whatever_was_broken_off(book: ScreenBook) -> None:
    """L4-2, P003-16"""
    office = Office(book)
    for number in ("011", "012"):
        office.one_invoice(Invoice(f"FAC-2026-{number}"))
    office.one_invoice(Invoice("FAC-2026-013"), stop_before_end=True)
    office.one_invoice(Invoice("FAC-2026-014"))
    learned = learn(office)
    assert (learned.repetitions, len(learned.workflow.edges)) == (3, 4)
