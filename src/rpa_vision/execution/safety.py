"""What is never clicked, whoever asks."""

from __future__ import annotations

from rpa_vision.execution.strategies.lexicon import names_deed_of
from rpa_vision.graph.vocabulary import may_contain
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.workflow_graph import SafetyRules


def objection(element: UIElement, rules: SafetyRules, meant: str = "") -> str | None:
    """Why the element must not be acted on, or None. `meant` is what the workflow calls it."""
    for text in filter(str.strip, rules.forbidden_text_clicks):
        if may_contain([element.label, meant], text):
            return f"« {element.label} » holds the forbidden text « {text} »"
        if any(names_deed_of(label, text) for label in (element.label, meant)):
            return f"« {element.label} » means the same as the forbidden text « {text} »"
    if element.role in rules.forbidden_roles:
        return f"« {element.label} » has the forbidden role {element.role}"
    return None
