"""What an edge asks for, read off its document: whether it can be executed at all, and what must be true afterwards."""

from __future__ import annotations

from collections.abc import Mapping

from rpa_vision.models.action import Action
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import fill, variables_in
from rpa_vision.models.workflow_graph import PostConditions, WorkflowEdge

NOT_YET_EXECUTED = ("clipboard", "extract", "compound", "drag")
"""A drag would need to know what it drops on, and recordings tell only where."""


def impossible(edge: WorkflowEdge, values: Mapping[str, str]) -> str | None:
    """Why the edge cannot be executed at all, found out before anything is done."""
    action = edge.action
    if edge.condition is not None or edge.loop is not None or action is None:
        return "forks and loops cannot be executed yet"
    if action.type in NOT_YET_EXECUTED:
        return f"the action {action.type} cannot be executed yet"
    conditions = post_conditions(edge)
    if not conditions.conditions and not leads_elsewhere(edge, conditions):
        return "nothing would show whether this step worked, so it is not taken"
    target = action.target
    texts = (target.label, *target.row_contains, *target.hard_constraints) if target is not None else ()
    templates = [action.parameters.text, *texts]
    missing = sorted({name for text in templates if text for name in variables_in(text)} - set(values))
    return f"the variable {missing[0]!r} has no value" if missing else None


def leads_elsewhere(edge: WorkflowEdge, conditions: PostConditions) -> bool:
    """Arriving on another screen is proof by itself."""
    return conditions.expected_node is not None and conditions.expected_node != edge.from_node


def post_conditions(edge: WorkflowEdge) -> PostConditions:
    """Both places in which an edge may say what must be true afterwards."""
    stated = edge.post_conditions or PostConditions()
    more = edge.constraints.post_conditions if edge.constraints is not None else ()
    return stated.model_copy(update={"conditions": (*stated.conditions, *more)}) if more else stated


def filled_target(target: TargetSpec, values: Mapping[str, str]) -> TargetSpec:
    """The target as this run means it: the texts that decide with the run's values in them."""
    filled = dict(values)
    label = fill(target.label, filled) if target.label is not None else None
    rows = tuple(fill(row, filled) for row in target.row_contains)
    return target.model_copy(update={"label": label, "row_contains": rows})


def called(action: Action, values: Mapping[str, str]) -> str:
    """What the workflow calls the target."""
    label = action.target.label if action.target is not None else None
    return fill(label, dict(values)) if label is not None else ""
