"""What is never clicked, whoever asks."""

from __future__ import annotations

from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import SafetyRules


def objection(element: UIElement, rules: SafetyRules) -> str | None:
    """Why the element must not be acted on, or None."""
    said = folded(element.label)
    for text in rules.forbidden_text_clicks:
        if folded(text) and folded(text) in said:
            return f"« {element.label} » holds the forbidden text « {text} »"
    if element.role in rules.forbidden_roles:
        return f"« {element.label} » has the forbidden role {element.role}"
    return None
