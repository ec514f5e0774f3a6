"""Forks by what is read from the screen, and by which screen is shown; never on a guess."""

from __future__ import annotations

from typing import Any

import pytest
from list_office import READ, ListOffice, click_on, go, invoices, run, validating

from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import VariableSource
from rpa_vision.models.workflow_graph import END, EdgeCondition, Workflow


def by_amount(office: ListOffice, **fork: Any) -> Workflow:
    """Read the total; validate small ones, send the others on."""
    rule = EdgeCondition(type="expression", expression="amount < 1000", else_edge="E4")
    return validating(
        go("E2", "detail", "detail", READ),
        go("E3", "detail", "list", click_on("Valider"), condition=rule, next_edge="E1", **fork),
        go("E4", "detail", "list", click_on("Transmettre")),
        office=office,
    )


def test_which_way_depends_on_what_was_read() -> None:
    """L4-3, L4-4"""
    office = ListOffice(invoices("120,00 €", "1 250,50 €", "999,99 €"))
    done = run(office, by_amount(office))
    assert (done.outcome.status, done.outcome.reason) == ("success", "")
    assert office.validated == ["FAC-2026-00001", "FAC-2026-00003"]
    assert office.sent_on == ["FAC-2026-00002"]
    read = [step.outcome.extracted for step in done.outcome.steps if step.outcome.extracted]
    assert [one["amount"] for one in read] == ["120,00 €", "1 250,50 €", "999,99 €"]
    told = [record["why"] for kind, record in done.decisions if kind == "fork_decided"]
    assert told[1] == "« amount < 1000 » does not hold (amount = 1 250,50 €)"


def test_a_value_between_those_that_were_shown_is_a_doubt() -> None:
    """L4-4: nobody showed which way 995 goes"""
    office = ListOffice(invoices("995,00 €"))
    rule = {
        "expression": "amount < 1000",
        "on_true": "E3",
        "on_false": "E4",
        "support": {"demonstrations": 6, "holds": 3, "fails": 3, "chance": 0.01},
        "doubts": [{"variable": "amount", "above": "990,00 €", "up_to": "1 010,00 €", "chosen": "1000"}],
    }
    done = run(office, by_amount(office, metadata={"rule": rule}))
    assert done.outcome.status == "halted"
    assert "lies between 990,00 € and 1 010,00 €" in done.outcome.reason
    assert (office.validated, office.sent_on) == ([], [])


@pytest.mark.parametrize("said", ["voir annexe", ""])
def test_what_cannot_be_read_as_the_variable_stops_the_run(said: str) -> None:
    """L4-3, EX-7"""
    office = ListOffice(invoices(said))
    done = run(office, by_amount(office))
    assert done.outcome.status == "halted"
    assert "amount" in done.outcome.reason
    assert (office.validated, office.sent_on) == ([], [])


def test_what_a_person_gave_must_be_what_the_screen_says() -> None:
    """L4-3, EX-7"""
    office = ListOffice(invoices("120,00 €"))
    done = run(office, by_amount(office), {"amount": "130,00 €"})
    assert "was given as « 130,00 € », but the screen says « 120,00 € »" in done.outcome.reason
    assert office.validated == []


def test_a_value_without_its_step_is_a_doubt() -> None:
    """L4-4: a variable without a value"""
    office = ListOffice(invoices("120,00 €"))
    workflow = by_amount(office)
    without = tuple(edge for edge in workflow.edges if edge.edge_id != "E2")
    done = run(office, workflow.model_copy(update={"edges": without}))
    assert "the variable 'amount' has no value" in done.outcome.reason
    assert (office.validated, office.sent_on) == ([], [])


def test_what_a_variable_says_it_is_read_from_is_read_in_each_round() -> None:
    """L4-3, L4-4: the amount of one row decides nothing about the next"""
    office = ListOffice(invoices("120,00 €", "5 000,00 €", "90,00 €"))
    rule = EdgeCondition(type="expression", expression="amount < 1000", else_edge="E3")
    workflow = validating(
        go("E2", "detail", "list", click_on("Valider"), condition=rule, next_edge="E1"),
        go("E3", "detail", "list", click_on("Transmettre")),
        office=office,
    )
    source = VariableSource(method="ui_element_extraction", element_label="Total")
    amount = workflow.variables["amount"].model_copy(update={"source": source})
    done = run(office, workflow.model_copy(update={"variables": {**workflow.variables, "amount": amount}}))
    assert done.outcome.status == "success", done.outcome.reason
    assert (office.validated, office.sent_on) == (["FAC-2026-00001", "FAC-2026-00003"], ["FAC-2026-00002"])


def test_a_cell_is_read_by_its_column_and_its_row() -> None:
    """L4-3"""
    office = ListOffice(invoices("120,00 €", "80,00 €", "30,00 €"))
    target = TargetSpec(column="Montant", row_contains=("${numero}",))
    read = Action(type="extract", target=target, parameters=ActionParameters(extract_to="amount"))
    workflow = validating(office=office).model_copy(
        update={"edges": (go("E1", "list", "list", read),), "end_nodes": ("list",)}
    )
    assert run(office, workflow, {"numero": "FAC-2026-00002"}).progress.values["amount"] == "80,00 €"
    missing = run(office, workflow, {"numero": "FAC-2026-00009"})
    assert missing.outcome.status == "halted"
    assert "the column « Montant » does not say exactly one thing" in missing.outcome.reason


@pytest.mark.parametrize(("start", "ends_with"), [("list", "E2"), ("detail", "E3")])
def test_a_fork_by_the_screen_goes_where_the_screen_says(start: str, ends_with: str) -> None:
    """L4-4"""
    office = ListOffice(invoices("120,00 €"))
    if start == "detail":
        office.open = office.rows[0]
        office.desktop.show(office.show("detail", office._detail(office.open)))
    shown = EdgeCondition(type="screen_similarity", target_node="list", else_edge="E3")
    workflow = validating(office=office).model_copy(
        update={
            "edges": (
                go("E1", "list", "list", None, condition=shown),
                go("E2", "list", "detail", click_on("FAC-2026-00001", "link"), next_edge=END),
                go("E3", "detail", "list", click_on("Retour", "link")),
            ),
        }
    )
    done = run(office, workflow)
    assert [step.edge.edge_id for step in done.outcome.steps] == [ends_with]


def test_a_fork_on_an_unknown_screen_is_not_decided() -> None:
    """L4-4, L4-9"""
    office = ListOffice(invoices("120,00 €"))
    strange = office.book.draw("strange", [("heading", "title", "Autre chose", (200, 200, 600, 260))], title="?")
    office.desktop.show(office.show("strange", strange.pixels))
    shown = EdgeCondition(type="screen_similarity", target_node="list", else_edge=END)
    edges = (go("E1", "list", "list", None, condition=shown), go("E2", "list", "detail", click_on("x", "link")))
    workflow = validating(office=office).model_copy(update={"edges": edges, "end_nodes": ("detail",)})
    done = run(office, workflow)
    assert done.outcome.status == "halted"
    assert "the fork asks which screen this is" in done.outcome.reason
