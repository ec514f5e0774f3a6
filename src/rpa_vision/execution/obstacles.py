"""Why a workflow cannot be run as it is written. Nothing in it is passed over in silence."""

from __future__ import annotations

from rpa_vision.execution.edge_demands import unknown_part
from rpa_vision.execution.extraction import names_its_place
from rpa_vision.execution.hard_constraints import unknown_constraint
from rpa_vision.graph.plan import Plan, compile_plan
from rpa_vision.models.action import Action
from rpa_vision.models.workflow_graph import Workflow


def obstacle(workflow: Workflow) -> str | None:
    """What keeps the workflow from being run, or None."""
    made = plan_or_obstacle(workflow)
    return made if isinstance(made, str) else None


def plan_or_obstacle(workflow: Workflow) -> Plan | str:
    """The plan, or what keeps the workflow from being run."""
    for where, action in workflow.actions():
        problem = _not_honoured(action)
        if problem is not None:
            return f"{where.removeprefix('edges.').removesuffix('.action')}: {problem}"
    for edge in workflow.edges:
        if edge.constraints is not None and edge.constraints.max_delay_seconds:
            return f"{edge.edge_id}: {_unmet('max_delay_seconds')}"
    made = compile_plan(workflow)
    return str(made[0]) if isinstance(made, list) else made


def _not_honoured(action: Action) -> str | None:
    """What an action asks for and cannot be given; its parts are actions of their own."""
    problem = unknown_part(action)
    if problem is not None:
        return problem
    for target in (action.target, action.parameters.drop_target):
        if target is not None and unknown_constraint(target.hard_constraints):
            return _unmet("hard_constraints")
    return _not_read_by(action)


def _not_read_by(action: Action) -> str | None:
    """What is said of the place of a value that is read by its label or its column, where nobody looks at it."""
    target = action.target
    if action.type != "extract" or target is None or not names_its_place(target):
        return None
    asked = {
        "roi": target.roi,
        "container": target.container,
        "anchor": target.anchor,
        "hard_constraints": target.hard_constraints,
        "row_contains": target.column is None and target.row_contains,
    }
    unmet = next((name for name, value in asked.items() if value), None)
    return _unmet(unmet) if unmet is not None else None


def _unmet(name: str) -> str:
    return f"{name} cannot be honoured yet; take it out or wait for a version that can"
