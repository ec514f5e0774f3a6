"""Which variables a step needs, and which it gives a value to."""

from __future__ import annotations

from collections.abc import Collection

from rpa_vision.models.action import Action
from rpa_vision.models.expression import Expression, variables_of
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import variables_in
from rpa_vision.models.workflow_graph import WorkflowEdge


def unknown_in(expression: Expression, known: Collection[str]) -> str | None:
    """The first variable of an expression that the workflow does not have."""
    return next((name for name in sorted(variables_of(expression)) if name not in known), None)


def needed_from(edge: WorkflowEdge, expression: Expression | None = None) -> frozenset[str]:
    """What must have a value before the step: for its fork and for what it does, what it reads itself left out."""
    actions = [edge.action] if edge.action is not None else []
    needed = {name for action in actions for name in action_needs(action)}
    if edge.constraints is not None:
        needed |= {name for text in edge.constraints.pre_conditions for name in _safe(text)}
    if expression is not None:
        needed |= variables_of(expression)
    return frozenset(needed - bound_by(edge))


def action_needs(action: Action) -> frozenset[str]:
    """The variables in the templates of an action; of a compound one those that no step before reads."""
    needed: set[str] = set()
    read: set[str] = set()
    for step in action.steps or ():
        needed |= action_needs(step) - read
        read |= read_by(step)
    texts = [action.parameters.text, action.parameters.title_contains]
    for target in (action.target, action.parameters.drop_target):
        if target is not None:
            texts += target_texts(target)
    return frozenset(needed | {name for text in texts if text for name in _safe(text)})


def assigned_by(edge: WorkflowEdge) -> frozenset[str]:
    """What has a value after the step, whatever it was before."""
    return bound_by(edge) | (read_by(edge.action) if edge.action is not None else frozenset())


def bound_by(edge: WorkflowEdge) -> frozenset[str]:
    """What a round of the edge's loop begins with."""
    return frozenset(edge.loop.variable_binding) if edge.loop is not None else frozenset()


def read_by(action: Action) -> frozenset[str]:
    """What an action reads into variables."""
    own = {action.parameters.extract_to} if action.parameters.extract_to is not None else set()
    return frozenset(own.union(*(read_by(step) for step in action.steps or ())))


def target_texts(target: TargetSpec) -> list[str]:
    """The templates by which a target is told."""
    own = [target.label] if target.label is not None else []
    return [*own, *target.row_contains, *target.whereabouts, *target.hard_constraints]


def _safe(template: str) -> frozenset[str]:
    try:
        return variables_in(template)
    except ValueError:
        return frozenset()
