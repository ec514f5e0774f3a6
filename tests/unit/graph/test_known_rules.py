"""A workflow's rules are laid beside what new demonstrations show: where they went another way, somebody is asked."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from clinic_by_hand import middle
from office_by_hand import BACK, HOME, LIST, VALIDATE, Invoice, Office, learn, row_box

from rpa_vision.errors import LearningError
from rpa_vision.graph.graph_builder import LearnedWorkflow
from rpa_vision.graph.known_rules import ShownCase, broken_rules
from rpa_vision.graph.merging import merged
from rpa_vision.graph.plan import in_order, problems_of
from rpa_vision.models.workflow_graph import END, Workflow
from rpa_vision.testing.screens import ScreenBook

AMOUNTS = ("120,00 €", "1 250,00 €", "80,50 €", "2 400,00 €", "990,00 €", "1 010,00 €", "45,00 €", "3 100,00 €")
LATER = ("130,00 €", "1 350,00 €", "70,50 €", "2 500,00 €", "970,00 €", "1 090,00 €", "55,00 €", "3 300,00 €")


def shown(book: ScreenBook, amounts: tuple[str, ...], limit: float, begin: int) -> LearnedWorkflow:
    office = Office(book, f"session_{begin}")
    for index, amount in enumerate(amounts, start=begin):
        value = float(amount.replace(" ", "").replace("€", "").replace(",", "."))
        office.one_invoice(Invoice(f"FAC-2026-0{index}", amount=amount), forward=value >= limit)
    return learn(office)


def refined(old: LearnedWorkflow, new: LearnedWorkflow) -> Workflow:
    vectors = {
        node.node_id: old.vectors[node.screen_template.embedding_prototype.vector_id]
        for node in old.workflow.nodes
        if node.screen_template.embedding_prototype is not None
    }
    assert all(np.isfinite(vector).all() for vector in vectors.values())
    return merged(old.workflow, new, vectors).workflow


def rules(workflow: Workflow) -> list[str | None]:
    return [edge.condition.expression for edge in workflow.edges if edge.condition is not None]


def test_demonstrations_that_go_the_ways_of_the_rule_refine_it(book: ScreenBook) -> None:
    """L4-2, L4-4: with a fork of their own, and where all of them went one way"""
    old = shown(book, AMOUNTS, 1000, 11)
    again = refined(old, shown(book, LATER, 1000, 31))
    assert rules(again) == rules(old.workflow)
    assert again.stats.observed_runs == len(AMOUNTS) + len(LATER)
    small = refined(old, shown(book, ("100,00 €", "200,00 €", "300,00 €"), 1000, 51))
    assert rules(small) == rules(old.workflow)


@pytest.mark.parametrize("limit", [1200.0, 2000.0])
def test_another_limit_is_a_contradiction_that_names_the_rule_and_the_case(book: ScreenBook, limit: float) -> None:
    """L4-2, L4-4: never silently kept or replaced"""
    old = shown(book, AMOUNTS, 1000, 11)
    with pytest.raises(LearningError, match=r"contradict WF_office .*variables\.montant .* way with montant = "):
        refined(old, shown(book, LATER, limit, 31))


def test_one_way_only_may_contradict_a_rule_too(book: ScreenBook) -> None:
    """L4-2, L4-4: what decides is read again where the workflow reads it, though nothing had to be decided now"""
    old = shown(book, AMOUNTS, 1000, 11)
    with pytest.raises(LearningError, match=r"variables\.montant"):
        refined(old, shown(book, ("1 500,00 €", "2 500,00 €", "3 500,00 €"), 9000, 31))


def reading_first(workflow: Workflow) -> Workflow:
    """The same, with something read from the screen where the other way begins."""
    edges = []
    for order, edge in enumerate(in_order(workflow)):
        if edge.condition is not None:
            edge = edge.model_copy(update={"condition": edge.condition.model_copy(update={"else_edge": "E4b"})})
        edges.append(edge.model_copy(update={"metadata": {**edge.metadata, "order": 10 * order}}))
    read = next(edge for edge in edges if edge.action is not None and edge.action.type == "extract")
    again = read.model_copy(update={"edge_id": "E4b", "next_edge": "E5", "metadata": {"order": 35}})
    return workflow.model_copy(update={"edges": (*edges, again)})


def ending_there(workflow: Workflow) -> Workflow:
    """The same, with nothing to be done where the rule does not hold."""
    edges = []
    for edge in workflow.edges:
        if edge.condition is not None:
            condition = edge.condition.model_copy(update={"else_edge": END})
            edges.append(edge.model_copy(update={"condition": condition, "next_edge": "E6"}))
        elif edge.edge_id != "E5":
            edges.append(edge)
    return workflow.model_copy(update={"edges": tuple(edges), "end_nodes": (*workflow.end_nodes, "N2")})


@pytest.mark.parametrize(("written", "gone"), [(reading_first, ("E1", "E2", "E5", "E6")), (ending_there, ("E1", "E2"))])
def test_the_other_way_is_known_whatever_it_begins_with(
    book: ScreenBook, written: Callable[[Workflow], Workflow], gone: tuple[str, ...]
) -> None:
    """L4-2, L4-4: with a reading, which nobody is seen to do, or with nothing at all"""
    old = shown(book, AMOUNTS, 1000, 11)
    existing, screen = written(old.workflow), old.cases[0].screens["E2"]
    assert problems_of(existing) == []
    pairs = [(edge, edge.model_copy(update={"condition": None})) for edge in existing.edges]

    def broken(amount: str, *steps: str) -> list[str]:
        case = ShownCase(dict.fromkeys(steps, screen), {"montant": amount})
        return [edge.edge_id for edge, _, _ in broken_rules(existing, pairs, {}, [case])]

    assert broken("5,00 €", *gone) == ["E4"]
    assert broken("5 000,00 €", *gone) == []
    assert broken("5,00 €", "E1", "E2", "E4", "E6") == []
    assert broken("5,00 €", "E1") == [], "it never came to the fork"


NEW, WAITING, DONE = "À valider", "En attente", "Validée"
LISTS = ((NEW, DONE, NEW, WAITING, NEW), (DONE, NEW, WAITING, NEW, WAITING, DONE), (NEW, NEW, WAITING, DONE, NEW))


def worked_through(
    book: ScreenBook, begin: int, wanted: tuple[str, ...], *, most: int = 9, lists: tuple[tuple[str, ...], ...] = LISTS
) -> LearnedWorkflow:
    """Lists of invoices in which those of some statuses were validated, one after the other."""
    office = Office(book, f"session_{begin}")
    for number, statuses in enumerate(lists):
        first = begin + 10 * number
        rows = [
            Invoice(f"FAC-2026-{first + at}", f"Patient {first + at}", "80,00 €", one)
            for at, one in enumerate(statuses)
        ]
        shown = office.list(rows)
        office.session.click(office.home(), middle(LIST), after=shown)
        for at in [at for at, one in enumerate(statuses) if one in wanted][:most]:
            page, done = office.page(rows[at]), office.page(rows[at], "validée")
            office.session.click(shown, middle(row_box(at)), after=page)
            office.session.click(page, middle(VALIDATE), after=done)
            rows[at] = Invoice(rows[at].number, rows[at].patient, rows[at].amount, DONE)
            shown = office.list(rows)
            office.session.click(done, middle(BACK), after=shown)
        office.session.click(shown, middle(HOME), after=office.home())
    return learn(office)


def test_rows_that_the_filter_of_a_loop_means_refine_it(book: ScreenBook) -> None:
    """L4-2, L4-5: though another rule would explain them too, and somebody stopped before the end of the list"""
    old = worked_through(book, 110, (NEW,))
    again = refined(
        old, worked_through(book, 210, (NEW,), lists=((NEW, DONE, NEW), (DONE, NEW, NEW), (NEW, NEW, DONE)))
    )
    assert [edge.loop for edge in again.edges] == [edge.loop for edge in old.workflow.edges]
    early = refined(old, worked_through(book, 310, (NEW,), most=2))
    assert early.stats.observed_runs == 6


@pytest.mark.parametrize(
    ("wanted", "what"), [((WAITING,), f"« FAC-2026-210 .* {NEW} » left out"), ((NEW, WAITING), f"{WAITING} » done")]
)
def test_other_rows_than_the_filter_means_are_a_contradiction(
    book: ScreenBook, wanted: tuple[str, ...], what: str
) -> None:
    """L4-2, L4-5: which rows are done is never silently kept or replaced"""
    old = worked_through(book, 110, (NEW,))
    with pytest.raises(LearningError, match=rf"contradict WF_office .*variables\.statut == .*{what} was shown"):
        refined(old, worked_through(book, 210, wanted))


def test_a_round_for_each_row_contradicts_a_workflow_that_does_one(book: ScreenBook) -> None:
    """L4-2, L4-5"""
    old = worked_through(book, 110, (NEW,), most=1)
    assert all(edge.loop is None for edge in old.workflow.edges)
    with pytest.raises(LearningError, match="it says once, and for each row of a list was shown"):
        refined(old, worked_through(book, 210, (NEW,)))
