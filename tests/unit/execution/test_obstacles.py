"""What a workflow asks for and cannot be given is said before anything is done."""

from __future__ import annotations

from typing import Any

import pytest
from list_office import ListOffice, click_on, go, invoices, rounds, validating
from run_by_hand import Overseer, Robot, edge
from test_recovery import NOTICE, with_error

from rpa_vision.execution.execution_loop import obstacle
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.target import Neighbour, TargetSpec
from rpa_vision.models.workflow_graph import EdgeCondition, EdgeConstraints, Loop, PostConditions, RecoveryAction
from rpa_vision.testing.screens import ScreenBook


def aimed(**wanted: Any) -> Action:
    return Action(type="mouse_click", target=TargetSpec(label="Valider", **wanted))


ASKED = [
    {"action": aimed(hard_constraints=("inside:dialog",))},
    {"constraints": EdgeConstraints(max_delay_seconds=1.0)},
    {"condition": EdgeCondition(type="expression", expression="variables.amount < 1000.0")},
    {"loop": Loop(type="for_each", iterator="row", max_iterations=3)},
    {"action": None},
    {"action": Action(type="drag", target=TargetSpec(label="x"), parameters=ActionParameters(drag_offset=(9, 9)))},
    {"action": aimed(column="${nope}")},
    {"action": aimed(column="5 $ x")},
    {"action": aimed(hard_constraints=("label=5 $ x",))},
    {"action": Action(type="key_press", keys=("FOO",))},
    {
        "action": Action(
            type="window_switch", target_app="x", parameters=ActionParameters(title_contains="5 $ x", extract_to="v")
        )
    },
    {
        "action": Action(
            type="drag",
            target=TargetSpec(label="Valider", type="button"),
            parameters=ActionParameters(drop_target=TargetSpec(label="5 $ x")),
        )
    },
    {"post_conditions": PostConditions(conditions=("field_contains:${nope}",))},
    {"post_conditions": PostConditions(conditions=("is_nice:yes",))},
    {"post_conditions": PostConditions(conditions=("text_vanishes:5 $ x",))},
    {"constraints": EdgeConstraints(pre_conditions=("text_present:${nope}",))},
]


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: next(iter(asked)))
def test_nothing_asked_for_is_passed_over_in_silence(book: ScreenBook, asked: dict[str, Any]) -> None:
    """EX-7"""
    step = edge().model_copy(update=asked)
    robot = Robot(book, edges=[step])
    supervisor = Overseer()
    run = robot.loop(supervisor).run({})
    assert run.status == "blocked"
    assert step.edge_id in run.reason
    assert robot.sent == []
    assert supervisor.diary == []


UNMET = aimed(type="button", hard_constraints=("blue",))
DROPPED = Action(
    type="drag",
    target=TargetSpec(label="Valider", type="button"),
    parameters=ActionParameters(drop_target=TargetSpec(label="Panier", hard_constraints=("blue",))),
)


@pytest.mark.parametrize("part", [UNMET, DROPPED], ids=["target", "drop_target"])
@pytest.mark.parametrize("where", ["compound", "next_page", "recovery", "way out"])
def test_what_stands_deeper_in_a_document_is_not_passed_over_either(where: str, part: Action) -> None:
    """EX-7: parts of actions, the control of the next page, ways out of errors"""
    office = ListOffice(invoices("1,00"))
    office.book.draw("error", list(NOTICE), title="Clinique")
    last = Action(type="compound", steps=(part,)) if where == "compound" else click_on("Valider")
    workflow = validating(
        go("E2", "detail", "list", last),
        loop=rounds(last_edge="E2", next_page=part if where == "next_page" else None),
        office=office,
        more_nodes={"error": "error"},
    )
    ways = [RecoveryAction(action="demonstrated", steps=(part,))] if where == "recovery" else []
    edges = [go("ER", "error", "list", part)] if where == "way out" else []
    assert "cannot be honoured yet" in (obstacle(with_error(workflow, *ways, edges=edges)) or "")


def test_steps_that_do_not_follow_each_other_are_not_run(book: ScreenBook) -> None:
    """EX-7"""
    robot = Robot(book, edges=[edge(), edge(edge_id="E2", start="page", end="done")])
    assert "does not begin where the step before it ends" in (obstacle(robot.workflow) or "")


def test_a_step_that_nothing_could_prove_is_not_taken(book: ScreenBook) -> None:
    """EX-1: a verdict that cannot be wrong is none"""
    robot = Robot(book)
    outcome = robot.do(edge(end="page", expects="page"))
    assert "nothing would show" in outcome.message
    assert robot.sent == []


@pytest.mark.parametrize(
    "where",
    [
        {"container": "Devis"},
        {"roi": (0, 0, 10, 10)},
        {"anchor": Neighbour(label="Devis", direction="above", offset=(0, 100))},
        {"hard_constraints": ("screen=Devis",)},
        {"row_contains": ("FAC-1",)},
    ],
    ids=lambda where: next(iter(where)),
)
def test_where_a_value_is_to_be_read_is_not_passed_over(book: ScreenBook, where: dict[str, Any]) -> None:
    """EX-7: what stands beside a label is read wherever the label is, and told of before anything is done"""
    reading = Action(
        type="extract",
        target=TargetSpec(label="Total").model_copy(update=where),
        parameters=ActionParameters(extract_to="total"),
    )
    (name,) = where
    assert f"{name} cannot be honoured yet" in (obstacle(Robot(book, edges=[edge(reading)]).workflow) or "")
    whole = Action(type="compound", steps=(reading,))
    assert f"{name} cannot be honoured yet" in (obstacle(Robot(book, edges=[edge(whole)]).workflow) or "")
