"""Why a workflow cannot be run as it is written. Nothing in it is passed over in silence."""

from __future__ import annotations

from rpa_vision.execution.edge_demands import unknown_part
from rpa_vision.execution.hard_constraints import unknown_constraint
from rpa_vision.graph.plan import Plan, compile_plan, in_order
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge


def obstacle(workflow: Workflow) -> str | None:
    """What keeps the workflow from being run, or None."""
    made = plan_or_obstacle(workflow)
    return made if isinstance(made, str) else None


def plan_or_obstacle(workflow: Workflow) -> Plan | str:
    """The plan, or what keeps the workflow from being run."""
    for edge in in_order(workflow):
        problem = _not_honoured(edge)
        if problem is not None:
            return f"{edge.edge_id}: {problem}"
    made = compile_plan(workflow)
    return str(made[0]) if isinstance(made, list) else made


def _not_honoured(edge: WorkflowEdge) -> str | None:
    """What the edge asks for and cannot be given."""
    action = edge.action
    problem = unknown_part(action) if action is not None else None
    if problem is not None:
        return problem
    target = action.target if action is not None else None
    asked: dict[str, object] = {} if target is None else {
        "hard_constraints": unknown_constraint(target.hard_constraints),
        "roi": target.roi,
        "container": target.container,
        "anchor": target.anchor,
        "selection_policy": target.selection_policy != "by_similarity",
    }  # fmt: skip
    if edge.constraints is not None:
        asked["max_delay_seconds"] = edge.constraints.max_delay_seconds
    unmet = next((name for name, value in asked.items() if value), None)
    return f"{unmet} cannot be honoured yet; take it out or wait for a version that can" if unmet else None
