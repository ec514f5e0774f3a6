"""A workflow as a walk: what follows what, and what is wrong with a document before anything is done."""

from __future__ import annotations

from typing import Any

import pytest

from rpa_vision.graph.plan import Plan, compile_plan, problems_of
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import (
    END,
    EdgeCondition,
    Loop,
    ScreenTemplate,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)
from rpa_vision.testing.screens import MOMENT

CLICK = Action(type="mouse_click", target=TargetSpec(label="Valider"))
ROWS = {"numero": "row.N° facture"}


def step(edge_id: str, start: str, end: str, **fields: Any) -> WorkflowEdge:
    return WorkflowEdge(edge_id=edge_id, from_node=start, to_node=end, **({"action": CLICK} | fields))


def rule(expression: str = "amount < 1000", **fields: Any) -> EdgeCondition:
    return EdgeCondition(type="expression", expression=expression, **fields)


def each(**fields: Any) -> Loop:
    return Loop(type="for_each", iterator="row", **({"max_iterations": 9, "variable_binding": ROWS} | fields))


def document(*edges: WorkflowEdge, ends: tuple[str, ...] = ("done",), **fields: Any) -> Workflow:
    names = sorted({name for edge in edges for name in (edge.from_node, edge.to_node)} - {"ANY"} | {"list", *ends})
    given = VariableSource(method="parameter")
    return Workflow(
        workflow_id="WF_plan",
        name="Plan",
        created_at=MOMENT,
        updated_at=MOMENT,
        variables={
            "amount": Variable(type="float", source=VariableSource(method="ui_element_extraction")),
            "numero": Variable(type="string", subtype="id", source=given),
        },
        entry_nodes=(edges[0].from_node,),
        end_nodes=ends,
        nodes=tuple(
            WorkflowNode(node_id=name, label=name, screen_template=ScreenTemplate(), **extra)
            for name in names
            for extra in [fields.get(name, {})]
        ),
        edges=edges,
    )


def planned(*edges: WorkflowEdge, **fields: Any) -> Plan:
    made = compile_plan(document(*edges, **fields))
    assert isinstance(made, Plan), [str(problem) for problem in made]
    return made


def complaints(*edges: WorkflowEdge, **fields: Any) -> list[str]:
    return [str(problem) for problem in problems_of(document(*edges, **fields))]


def test_a_line_of_steps_is_followed_in_order() -> None:
    """L4-1"""
    plan = planned(step("E1", "list", "detail"), step("E2", "detail", "done"))
    assert plan.is_linear
    assert (plan.first, plan.follows("E1"), plan.follows("E2")) == ("E1", ("E2",), (END,))


def test_a_fork_goes_one_way_or_the_other_and_both_meet_again() -> None:
    """L4-4"""
    plan = planned(
        step("E1", "list", "detail"),
        step("E2", "detail", "detail", condition=rule(else_edge="E3"), next_edge="E4"),
        step("E3", "detail", "detail"),
        step("E4", "detail", "done"),
    )
    assert not plan.is_linear
    assert plan.follows("E2") == ("E4", "E3")
    assert plan.follows("E3") == ("E4",)


def test_a_condition_of_the_seeds_goes_on_from_the_screen_it_names() -> None:
    """L4-4"""
    fork = step("E2", "detail", "done", condition=rule(on_true="done", on_false="review"))
    assert planned(step("E1", "list", "detail"), fork, ends=("done", "review")).steps["E2"].otherwise == END
    review = step("E3", "review", "done")
    assert planned(step("E1", "list", "detail"), fork, review).steps["E2"].otherwise == "E3"


def test_a_loop_goes_back_to_its_list_and_on_from_it() -> None:
    """L4-5"""
    plan = planned(
        step("E1", "list", "detail", loop=each(last_edge="E2")),
        step("E2", "detail", "list"),
        step("E3", "list", "done"),
    )
    loop = plan.loops["E1"]
    assert (loop.last, loop.after, loop.body) == ("E2", "E3", {"E1", "E2"})
    assert plan.follows("E2") == ("E1",)
    assert set(plan.follows("E1")) == {"E2", "E3"}
    assert [one.first for one in plan.rounds_around("E2")] == ["E1"]


def test_ways_out_of_errors_are_not_steps() -> None:
    """L4-6"""
    error = {"is_error_node": True, "error_type": "generic"}
    plan = planned(
        step("E1", "list", "done"),
        step("EX", "error", "list"),
        WorkflowEdge(edge_id="EA", from_node="ANY", to_node="error", trigger="unexpected_screen", priority=-1),
        error=error,
    )
    assert list(plan.steps) == ["E1"]


READ = Action(type="extract", target=TargetSpec(label="Montant"), parameters=ActionParameters(extract_to="amount"))


def test_what_a_step_needs_is_known_before_it() -> None:
    """L4-3: what is read on the way is not needed at the beginning"""
    typed = Action(type="text_input", target=TargetSpec(label="N°"), parameters=ActionParameters(text="${numero}"))
    edges = [
        step("E1", "list", "detail", action=typed),
        step("E2", "detail", "detail", action=READ),
        step("E3", "detail", "done", condition=rule(else_edge=END)),
    ]
    plan = planned(*edges)
    assert plan.needs(document(*edges)) == {"numero"}
    assert plan.needs(document(*edges), "E3") == {"amount"}


WRONG: list[tuple[list[WorkflowEdge], str]] = [
    ([step("E1", "list", "detail")], "E1: no step follows it, and its screen is no end"),
    ([step("E1", "list", "done"), step("E2", "detail", "done")], "E2: does not begin where the step before it ends"),
    ([step("E1", "list", "done", action=None)], "E1: has no action"),
    ([step("E1", "list", "done", condition=rule())], "E1: nothing says what is done where its condition does not hold"),
    (
        [step("E1", "list", "done", condition=rule("inconnu < 3", else_edge=END))],
        "E1: the condition « inconnu < 3 »: there is no variable 'inconnu'",
    ),
    (
        [
            step("E1", "list", "done", condition=rule(else_edge="E2")),
            step("E2", "list", "done", condition=rule("amount > 2", else_edge="E1")),
        ],
        "E1: a circle of conditions without a step in it: E1 → E2 → E1",
    ),
    (
        [step("E1", "list", "detail", next_edge="E2"), step("E2", "list", "done")],
        "E1: ends on detail, but next_edge E2",
    ),
    ([step("E1", "list", "list", next_edge="E1")], "E1: no way leads from it to an end"),
    ([step("E1", "list", "done", loop=each())], "E1: a round ends on done, which does not lead back to the list"),
    (
        [step("E1", "list", "list", loop=each(last_edge="E3")), step("E3", "x", "list"), step("E2", "list", "done")],
        "E1: no round leads to its last step E3",
    ),
    (
        [step("E1", "list", "list", loop=each(variable_binding={})), step("E2", "list", "done")],
        "E1: loop.variable_binding is empty",
    ),
    (
        [step("E1", "list", "list", loop=each(variable_binding={"x": "row.X"})), step("E2", "list", "done")],
        "E1: loop.variable_binding: there is no variable 'x'",
    ),
    (
        [step("E1", "list", "done", condition=rule(on_true="list", else_edge=END))],
        "E1: condition.on_true is list, but the step leads to done",
    ),
]


@pytest.mark.parametrize(("edges", "why"), WRONG, ids=[why[:40] for _, why in WRONG])
def test_what_is_wrong_is_told_with_its_edge(edges: list[WorkflowEdge], why: str) -> None:
    """L4-1, UX-6: nothing is run that could not be followed to its end"""
    assert any(complaint.startswith(why) for complaint in complaints(*edges)), complaints(*edges)


def test_a_workflow_without_steps_is_no_plan() -> None:
    """L4-1"""
    empty = document(step("E1", "list", "done")).model_copy(update={"edges": ()})
    assert [str(one) for one in problems_of(empty)] == ["the workflow has no steps"]
