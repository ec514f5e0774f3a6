"""What an edge asks for, read off its document: whether it can be executed at all, and what must be true afterwards."""

from __future__ import annotations

from collections.abc import Mapping

from rpa_vision.graph.plan_variables import action_needs
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import fill
from rpa_vision.models.workflow_graph import PostConditions, WorkflowEdge

NOT_YET_EXECUTED: tuple[str, ...] = ()
"""Kinds of actions a document may hold and no run can do yet. There are none."""
_BY_PIXELS = ("target_changed", "elsewhere_changed", "screen_changed")
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
    """Both places in which an edge may say what must be true afterwards; and text that was typed is read back."""
    stated = edge.post_conditions or PostConditions()
    more = edge.constraints.post_conditions if edge.constraints is not None else ()
    read_back = _read_back(edge, stated, (*stated.conditions, *more))
    added = (*more, *read_back)
    return stated.model_copy(update={"conditions": (*stated.conditions, *added)}) if added else stated


def told_by_pixels(edge: WorkflowEdge) -> bool:
    """Whether a change of the picture, whatever it shows, is taken for the effect of a step."""
    return any(condition.partition(":")[0] in _BY_PIXELS for condition in post_conditions(edge).conditions)


def _read_back(edge: WorkflowEdge, stated: PostConditions, conditions: tuple[str, ...]) -> tuple[str, ...]:
    """What a field must say once it was typed into, where nobody says it and the field is still there to be read."""
    action = edge.action
    if action is None or action.type != "text_input" or action.parameters.text is None or action.target is None:
        return ()
    told = any(condition.partition(":")[0] in ("field_contains", "target_changed") for condition in conditions)
    return () if told or leads_elsewhere(edge, stated) else (f"field_contains:{action.parameters.text}",)


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


def aim_point(action: Action, box: Box) -> Point:
    """Where to click: the recorded offset from the centre, kept inside the element."""
    dx, dy = action.parameters.click_offset
    x = min(max(box.center[0] + dx, box.x1 + 1), box.x2 - 2)
    y = min(max(box.center[1] + dy, box.y1 + 1), box.y2 - 2)
    return (max(x, box.x1), max(y, box.y1))


def place_name(target: TargetSpec) -> str:
    """What a person calls the place of a value."""
    if target.column is not None:
        return f"the column « {target.column} »"
    return f"« {target.label} »" if target.label is not None else "the target"
