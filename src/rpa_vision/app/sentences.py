"""A step of a workflow as a sentence, for progress displays, reports and listings."""

from __future__ import annotations

from collections.abc import Mapping

from rpa_vision.execution.conditions import describe
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import fill, literal
from rpa_vision.models.workflow_graph import WorkflowEdge


def step_sentence(edge: WorkflowEdge, values: Mapping[str, str] | None = None) -> str:
    """What the step does. Without values, variables keep their names."""
    action = edge.action
    if action is None:
        return "Wait for the next screen"
    where = _target_words(action.target, values)
    parameters = action.parameters
    if action.type == "mouse_click":
        verb = {1: "Click", 2: "Double-click", 3: "Triple-click"}[parameters.click_count]
        button = "" if parameters.button == "left" else f" ({parameters.button} button)"
        return f"{verb} {where}{button}"
    if action.type == "text_input":
        what = "the secret" if parameters.secret_ref is not None else f"« {_filled(parameters.text or '', values)} »"
        if parameters.replace_existing:
            return f"Replace what {where or 'the field'} holds by {what}"
        return f"Type {what}" + (f" into {where}" if action.target is not None else "")
    if action.type == "key_press":
        return "Press " + "+".join(action.keys or ())
    if action.type == "wait":
        return f"Wait {(action.duration_ms or 0) / 1000:g} s"
    if action.type == "window_switch":
        return f"Switch to {action.target_app}"
    return f"{action.type.replace('_', ' ').capitalize()} {where}".strip()


def condition_words(condition: str) -> str:
    """What is expected after a step; variables keep their names."""
    name, separator, argument = condition.partition(":")
    return describe(f"{name}{separator}{literal(argument)}", {}).replace("$$", "$")


def _target_words(target: TargetSpec | None, values: Mapping[str, str] | None) -> str:
    if target is None:
        return ""
    kind = {"text_input": "the field", "textarea": "the text area", "password_input": "the field"}.get(
        target.type or "", f"the {(target.type or 'target').replace('_', ' ')}"
    )
    name = f"« {_filled(target.label, values)} »" if target.label else ""
    rows = ", ".join(f"« {_filled(row, values)} »" for row in target.row_contains)
    return " ".join(part for part in (kind, name, f"in the row of {rows}" if rows else "") if part)


def _filled(template: str, values: Mapping[str, str] | None) -> str:
    if values is None:
        return template.replace("$$", "$")
    try:
        return fill(template, dict(values))
    except (KeyError, ValueError):
        return template
