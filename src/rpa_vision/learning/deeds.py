"""What a workflow does, without how it finds its targets and screens: while that is the same, trust stays.

Learning again from more recordings changes pictures, prototypes and places; none of them is here. Another step, another
text typed, another target, another condition, another way out of an error, another rule of what is forbidden, or a step
that is no longer checked is another task, and has to earn its trust anew.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from rpa_vision.models.action import Action
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.workflow_graph import Loop, RecoveryAction, Workflow, WorkflowEdge


def deeds_digest(workflow: Workflow) -> str:
    """The same for two versions that do the same."""
    known = {
        "edges": [_edge(edge) for edge in workflow.edges],
        "ways_out": [
            [_way_out(way) for way in node.recovery_actions] for node in workflow.nodes if node.recovery_actions
        ],
        "safety": workflow.safety_rules.model_dump(mode="json"),
        "secrets": _secrets(workflow),
        **_unless_empty({"read": _read(workflow)}),
    }
    return hashlib.sha256(json.dumps(known, sort_keys=True, ensure_ascii=True).encode()).hexdigest()[:32]


def _edge(edge: WorkflowEdge) -> dict[str, Any]:
    loop, condition = edge.loop, edge.condition
    return {
        "next": edge.next_edge,
        "trigger": edge.trigger,
        "action": _action(edge.action),
        "condition": None if condition is None else (condition.expression, condition.else_edge, condition.target_node),
        "loop": None if loop is None else _loop(loop),
        "checked": _is_checked(edge),
    }


def _loop(loop: Loop) -> Any:
    return (
        loop.iterator,
        loop.filter,
        sorted(loop.variable_binding.items()),
        loop.last_edge,
        loop.max_iterations,
        _action(loop.next_page),
    )


def _way_out(way: RecoveryAction) -> Any:
    return (way.action, way.return_to_node, way.workflow_id, [_action(step) for step in way.steps or ()])


def _is_checked(edge: WorkflowEdge) -> bool:
    """Whether anything must be seen afterwards; what exactly, is learned better with every recording."""
    wanted = edge.post_conditions
    return wanted is not None and bool(wanted.conditions or wanted.expected_node)


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
        **_unless_empty(
            {
                "over": how.replace_existing,
                "window": how.title_contains,
                "by": how.drag_offset if how.drop_target is None else None,
            }
        ),
    }


def _target(target: TargetSpec | None) -> Any:
    if target is None:
        return None
    # What has no words is told from another by what it is for.
    named = target.label if target.label is not None else ("role", target.role)
    return (named, target.type, target.row_contains, target.column)


def _read(workflow: Workflow) -> dict[str, Any]:
    """Where values come from that nobody gives: by which pattern they are found there is learned better."""
    return {
        name: (variable.source.method, variable.source.element_label)
        for name, variable in workflow.variables.items()
        if variable.source.method != "parameter"
    }


def _unless_empty(parts: dict[str, Any]) -> dict[str, Any]:
    """What few workflows say is only there in theirs: the digests of the others stay what they were."""
    return {name: part for name, part in parts.items() if part}


def _secrets(workflow: Workflow) -> list[str]:
    return sorted(name for name, variable in workflow.variables.items() if variable.subtype == "secret")
