"""What an edge asks for, read off its document: whether it can be executed at all, and what must be true afterwards."""

from __future__ import annotations

from collections.abc import Mapping

from rpa_vision.graph.plan_variables import action_needs
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.geometry import Point
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import fill
from rpa_vision.models.workflow_graph import PostConditions, WorkflowEdge

NOT_YET_EXECUTED: tuple[str, ...] = ()
"""Kinds of actions a document may hold and no run can do yet. There are none."""
_MOVED_BY_A_DISTANCE = ("slider", "scrollbar")
"""What is dragged so far, not onto something."""


def impossible(edge: WorkflowEdge, values: Mapping[str, str]) -> str | None:
    """Why the edge cannot be executed at all, found out before anything is done."""
    action = edge.action
    if action is None:
        return "there is nothing to do"
    left_open = unknown_part(action)
    if left_open is not None:
        return left_open
    conditions = post_conditions(edge)
    if not conditions.conditions and not leads_elsewhere(edge, conditions) and not shows_itself(action):
        return "nothing would show whether this step worked, so it is not taken"
    missing = sorted(action_needs(action) - set(values))
    return f"the variable {missing[0]!r} has no value" if missing else None


def unknown_part(action: Action) -> str | None:
    """What an action leaves open, so that nobody could do it; told before anything is done."""
    said = action.parameters
    for part in action.steps or ():
        problem = unknown_part(part)
        if problem is not None:
            return problem
    if action.type == "clipboard" and said.clipboard_operation is None:
        return "nothing says what is done with the clipboard: clipboard_operation is missing"
    if action.type == "clipboard" and said.clipboard_operation == "set" and said.text is None:
        return "nothing says what is put on the clipboard: text is missing"
    if action.type == "extract" and said.extract_to is None:
        return "nothing says what is read: extract_to is missing"
    if action.type == "drag" and said.drop_target is None and not _moves_by_a_distance(action):
        return "nothing says on what it is dropped: drop_target is missing"
    return None


def shows_itself(action: Action) -> bool:
    """Whether it is known by itself that the action worked: a value was read, a window is in front."""
    if action.type == "compound":
        return all(map(shows_itself, action.steps or ()))
    if action.type == "clipboard":
        return action.parameters.clipboard_operation != "paste"
    return action.type in ("extract", "wait", "window_switch")


def drop_point(action: Action, start: Point, terms: StepThresholds | None) -> Point | None:
    """Where something is let go that is dragged by a distance."""
    if action.parameters.drag_offset is None or not _moves_by_a_distance(action):
        return None
    scale = terms.pixel_scale if terms is not None else 1.0
    dx, dy = action.parameters.drag_offset
    return (start[0] + round(dx * scale), start[1] + round(dy * scale))


def _moves_by_a_distance(action: Action) -> bool:
    kind = action.target.type if action.target is not None else None
    return kind in _MOVED_BY_A_DISTANCE and action.parameters.drag_offset is not None


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
