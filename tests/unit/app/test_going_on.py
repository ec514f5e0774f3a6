"""After a rollback: where a run goes on whose plan forks and goes round."""

from __future__ import annotations

from typing import Any

from rpa_vision.app.going_on import next_step
from rpa_vision.execution.run_outcome import ExecutedStep
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.models.action import Action, ActionParameters
from rpa_vision.models.execution import ExecutionStatus
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import END, EdgeCondition, ScreenTemplate, Workflow, WorkflowEdge, WorkflowNode
from rpa_vision.testing.screens import MOMENT


def step(edge_id: str, start: str, end: str, label: str, **fields: Any) -> WorkflowEdge:
    action = Action(type="mouse_click", target=TargetSpec(label=label))
    return WorkflowEdge(edge_id=edge_id, from_node=start, to_node=end, action=action, **fields)


def forked(*, limit: int = 1000, first: str = "Ouvrir", last: str = "Valider") -> Workflow:
    rule = EdgeCondition(type="expression", expression=f"amount < {limit}", else_edge=END)
    amount = Variable(type="float", source=VariableSource(method="parameter"))
    return Workflow(
        workflow_id="WF_forked",
        name="Forked",
        created_at=MOMENT,
        updated_at=MOMENT,
        variables={"amount": amount},
        entry_nodes=("list",),
        end_nodes=("done",),
        nodes=tuple(
            WorkflowNode(node_id=name, label=name, screen_template=ScreenTemplate())
            for name in ("list", "page", "done")
        ),
        edges=(step("E1", "list", "page", first), step("E2", "page", "done", last, condition=rule)),
    )


def done(workflow: Workflow, *ended: ExecutionStatus) -> list[ExecutedStep]:
    return [ExecutedStep(edge, StepOutcome(status), 1.0) for edge, status in zip(workflow.edges, ended, strict=False)]


GOOD, BAD = ExecutionStatus.SUCCESS, ExecutionStatus.FAILED


def test_the_failed_step_is_due_where_everything_before_it_is_the_same() -> None:
    """AH-4.5"""
    run, restored = forked(last="Supprimer"), forked()
    assert next_step(done(run, GOOD, BAD), run, restored) == "E2"
    assert next_step([], run, restored) == "E1"


def test_a_run_does_not_go_on_where_another_way_would_have_been_taken() -> None:
    """AH-4.5: the rule of a fork, or what was done before, is not the same"""
    run = forked()
    assert next_step(done(run, GOOD, BAD), run, forked(limit=500)) is None
    assert next_step(done(run, GOOD, BAD), run, forked(first="Effacer")) is None


def test_a_run_does_not_go_on_where_another_click_would_have_been_made() -> None:
    """AH-4.5: the other button, twice instead of once"""
    run = forked()
    for how in (ActionParameters(button="right"), ActionParameters(click_count=2)):
        first = run.edges[0]
        assert first.action is not None
        other = first.model_copy(update={"action": first.action.model_copy(update={"parameters": how})})
        restored = run.model_copy(update={"edges": (other, *run.edges[1:])})
        assert next_step(done(run, GOOD, BAD), run, restored) is None
