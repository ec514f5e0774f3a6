"""What a workflow says that no run could do is found in the document, at its place."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from rpa_vision.execution.conditions import _WITHOUT_ARGUMENT, CONDITION_NAMES
from rpa_vision.execution.recovery import _NAMED
from rpa_vision.graph.plan import problems_of
from rpa_vision.models.action import Action
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_flaws import CONDITIONS, WAYS_OUT, WITHOUT_TEXT, flaws_of
from rpa_vision.models.workflow_graph import (
    Loop,
    PostConditions,
    RecoveryAction,
    ScreenTemplate,
    Workflow,
    WorkflowEdge,
    WorkflowNode,
)

MOMENT = datetime(2026, 3, 2, tzinfo=UTC)
CLICK = Action(type="mouse_click", target=TargetSpec(label="Ouvrir"))


def listing(filter_: str | None = None, binding: dict[str, str] | None = None, **fields: object) -> Workflow:
    """A list whose rows are opened one by one."""
    given = Variable(type="string", source=VariableSource(method="parameter"))
    read = Variable(type="string", source=VariableSource(method="ui_element_extraction"))
    loop = Loop(
        type="for_each",
        iterator="rows",
        filter=filter_,
        max_iterations=9,
        variable_binding={"facture": "row.N° facture"} if binding is None else binding,
    )
    edge = WorkflowEdge(edge_id="E1", from_node="list", to_node="list", action=CLICK, loop=loop)
    nodes = (WorkflowNode(node_id="list", label="Liste", screen_template=ScreenTemplate()),)
    workflow = Workflow(
        workflow_id="WF", name="w", created_at=MOMENT, updated_at=MOMENT, entry_nodes=("list",), end_nodes=("list",),
        variables={"facture": read, "statut": read, "voulu": given}, nodes=nodes, edges=(edge,),
    )  # fmt: skip
    return workflow.model_copy(update=fields)


def said(condition: str) -> list[str]:
    edge = listing().edges[0].model_copy(update={"post_conditions": PostConditions(conditions=(condition,))})
    return [str(flaw) for flaw in flaws_of(listing(edges=(edge,)))]


def test_the_names_are_those_that_runs_know() -> None:
    """EX-7: one list for documents and for runs"""
    assert set(CONDITIONS) == set(CONDITION_NAMES)
    assert set(WITHOUT_TEXT) == set(_WITHOUT_ARGUMENT)
    assert set(WAYS_OUT) == set(_NAMED)


@pytest.mark.parametrize(
    "condition",
    ["screen_changed", "field_contains:${voulu}", "text_appears:5 $$", "row_says:${facture} = Payée",
     "element:dialog_visible", "text_present:a: b", "window_title_changed:"],
)  # fmt: skip
def test_conditions_that_can_be_judged_are_no_flaw(condition: str) -> None:
    """EX-7"""
    assert said(condition) == []


@pytest.mark.parametrize(
    "condition", ["element:glowing", "row_says:Payée", "text_appears", "Text_appears:x", "row_says:${nope} = x"]
)
def test_conditions_that_could_never_hold_are(condition: str) -> None:
    """EX-7"""
    (told,) = said(condition)
    assert told.startswith("post_conditions.conditions.0: ")


@pytest.mark.parametrize("rule", ["facture != 'x'", "n_facture != 'x'", "facture == voulu", None])
def test_a_filter_asks_for_what_a_row_binds_or_a_person_gave(rule: str | None) -> None:
    """L4-5"""
    assert problems_of(listing(rule)) == []


@pytest.mark.parametrize("rule", ["statut == 'x'", "montant < 3"])
def test_a_filter_over_what_nothing_binds_is_no_plan(rule: str) -> None:
    """L4-5: `statut` is a variable, but no row gives it a value"""
    (problem,) = problems_of(listing(rule))
    assert problem.where == ("edges", 0, "loop", "filter")


@pytest.mark.parametrize("cell", ["cell 3", "row.", "", "row. "])
def test_a_binding_names_a_column(cell: str) -> None:
    """L4-5"""
    assert [flaw.where for flaw in flaws_of(listing(binding={"facture": cell}))] == [
        ("edges", 0, "loop", "variable_binding", "facture")
    ]


@pytest.mark.parametrize(
    ("way", "place"),
    [
        (RecoveryAction(action="dance"), ("action",)),
        (RecoveryAction(action="steps", steps=()), ("action",)),
        (RecoveryAction(action="demonstrated", steps=(Action(type="key_press", keys=("FOO",)),)),
         ("steps", 0, "keys", 0)),
        (RecoveryAction(action="close_dialog"), None),
        (RecoveryAction(action="log in", workflow_id="WF_login"), None),
    ],
)  # fmt: skip
def test_a_way_out_is_one_that_can_be_taken(way: RecoveryAction, place: tuple[str | int, ...] | None) -> None:
    """L4-8"""
    node = listing().nodes[0].model_copy(update={"recovery_actions": (way,)})
    found = [flaw.where for flaw in flaws_of(listing(nodes=(node,)))]
    assert found == ([] if place is None else [("nodes", 0, "recovery_actions", 0, *place)])
