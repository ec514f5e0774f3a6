"""What a workflow does, without how it finds its targets and screens: while that is the same, trust stays.

Learning again from more recordings changes pictures, prototypes and places; none of them is here. Another step, another
text typed, another target or another condition is another task, and has to earn its trust anew.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rpa_vision.models.action import Action
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import Workflow, WorkflowEdge


def deeds_digest(workflow: Workflow) -> str:
    """The same for two versions that do the same."""
    known = {"edges": [_edge(edge) for edge in workflow.edges], "secrets": _secrets(workflow)}
    return hashlib.sha256(json.dumps(known, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:32]


def _edge(edge: WorkflowEdge) -> dict[str, Any]:
    loop, condition = edge.loop, edge.condition
    return {
        "next": edge.next_edge,
        "trigger": edge.trigger,
        "action": _action(edge.action),
        "condition": None if condition is None else (condition.expression, condition.else_edge, condition.target_node),
        "loop": None if loop is None else (loop.filter, sorted(loop.variable_binding.items()), loop.last_edge),
    }


def _action(action: Action | None) -> Any:
    if action is None:
        return None
    how = action.parameters
    return {
        "type": action.type,
        "keys": action.keys,
        "app": action.target_app,
        "target": _target(action.target),
        "drop": _target(how.drop_target),
        "text": how.text,
        "secret": how.secret_ref,
        "button": (how.button, how.click_count),
        "clipboard": how.clipboard_operation,
        "extract": how.extract_to,
        "steps": [_action(part) for part in action.steps or ()],
    }


def _target(target: TargetSpec | None) -> Any:
    return None if target is None else (target.label, target.type, target.row_contains, target.column)


def _secrets(workflow: Workflow) -> list[str]:
    return sorted(name for name, variable in workflow.variables.items() if variable.subtype == "secret")
