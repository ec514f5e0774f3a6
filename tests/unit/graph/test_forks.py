"""Goes that went different ways become one workflow with a rule, or with a question."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

import pytest
from clinic_by_hand import middle
from office_by_hand import BACK, FORWARD, SEARCH, VALIDATE, Invoice, Office, learn, page_items, row_box

from rpa_vision.errors import LearningError
from rpa_vision.graph.plan import problems_of
from rpa_vision.models.expression import parse
from rpa_vision.models.expression_value import holds
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.screens import MOMENT, AnyItem, ScreenBook

AMOUNTS = ("120,00 €", "1 250,00 €", "80,50 €", "2 400,00 €", "990,00 €", "1 010,00 €", "45,00 €", "3 100,00 €")


THREE_WAYS = (
    (191, "haute", "Nord"),
    (1563, "moyenne", "Sud"),
    (1274, "basse", "Nord"),
    (545, "basse", "Nord"),
    (1416, "basse", "Nord"),
    (360, "haute", "Nord"),
    (1344, "basse", "Nord"),
    (365, "moyenne", "Nord"),
    (1352, "haute", "Nord"),
    (1914, "haute", "Nord"),
    (507, "basse", "Sud"),
    (1091, "haute", "Nord"),
)


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


def with_more(one: Invoice, more: Mapping[str, str], done: str = "") -> list[AnyItem]:
    """The page of an invoice that says more about it."""
    items = page_items(one, done)
    for line, (label, text) in enumerate(more.items()):
        top = 200 + 40 * line
        items += [
            ("label", "data_display", label, (40, top, 140, top + 22)),
            ("label", "data_display", text, (200, top, 360, top + 22)),
        ]
    return items


def go(office: Office, one: Invoice, more: Mapping[str, str], done: str) -> None:
    """Search an invoice, open it, validate it or pass it on or do nothing, go back to the list."""
    session = office.session
    empty, typed = office.list([one], search=""), office.list([one], search=one.number)
    page = office.draw(with_more(one, more), "Facture - Office")
    after = office.draw(with_more(one, more, done), "Facture - Office") if done else page
    session.click(empty, middle(SEARCH))
    session.type(empty, one.number, after=typed)
    session.click(typed, middle(row_box(0)), after=page)
    if done:
        session.click(page, middle(FORWARD if done == "transmise" else VALIDATE), after=after)
    session.click(after, middle(BACK), after=office.list([one], search=""))


def test_a_number_that_runs_on_decides_nothing(book: ScreenBook) -> None:
    """L4-4: the morning's invoices were validated and the afternoon's passed on, whatever their numbers are"""
    office = Office(book)
    for index, amount in enumerate((530, 2400, 90, 1800, 75, 610, 2300, 120, 1700, 60, 950, 3100)):
        office.one_invoice(Invoice(str(1031 + index), amount=f"{amount},00 €"), forward=index >= 6)
    learned = learn(office)
    assert [question.reason for question in learned.questions.values()] == ["unexplained"]


def test_what_is_overdue_on_one_day_is_asked_about_and_can_be_answered(book: ScreenBook) -> None:
    """L4-4: a fixed day, or the day of the run?"""
    office = Office(book)
    for index, days in enumerate((-40, 3, -2, 21, -17, 0, -1, 9, -30, 2, -5, 33)):
        due = (MOMENT.astimezone().date() + timedelta(days=days)).strftime("%d/%m/%Y")
        done = "transmise" if days < 0 else "validée"
        go(office, Invoice(f"FAC-2026-0{index + 11}", amount="120,00 €"), {"Échéance": due}, done)
    learned = learn(office)
    (question,) = learned.questions.values()
    assert question.reason == "several_rules"
    assert "variables.echeance < variables.today" in question.candidates
    assert learned.workflow.variables["today"].source.method == "system_time"
    assert problems_of(learned.workflow) == []


def test_of_three_ways_the_one_without_steps_is_what_is_left(book: ScreenBook) -> None:
    """L4-4: it has no step to bear a rule, and the others are only asked for where its own does not hold"""
    office = Office(book)
    for index, (amount, urgent, service) in enumerate(THREE_WAYS):
        done = "" if amount < 500 else "validée" if urgent == "haute" else "transmise"
        more = {"Urgence": urgent, "Service": service}
        go(office, Invoice(f"FAC-2026-0{index + 11}", amount=f"{amount},00 €"), more, done)
    learned = learn(office)
    assert (problems_of(learned.workflow), learned.questions) == ([], {})
    rules = {
        edge.action.target.label: parse(edge.condition.expression)
        for edge in learned.workflow.edges
        if edge.condition is not None and edge.condition.expression and edge.action and edge.action.target
    }
    assert set(rules) == {"Valider", "Transmettre"}
    for amount, urgent in ((200, "haute"), (200, "basse"), (1500, "haute"), (1500, "basse")):
        said = {name for name, rule in rules.items() if holds(rule, {"montant": amount, "urgence": urgent})}
        wanted = "Valider" if urgent == "haute" else "Transmettre"
        assert (wanted in said) is (amount > 500), (amount, urgent, rules)
