"""What is never clicked, whoever asks."""

from __future__ import annotations

from rpa_vision.detection.roles import role_of
from rpa_vision.execution.harm import ACTING, MAY_BE_BUTTONS
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
    played = {element.role, *element.tags, *_roles_by_words(element, meant)}
    forbidden = next((role for role in rules.forbidden_roles if role in played), None)
    return f"« {element.label} » has the forbidden role {forbidden}" if forbidden is not None else None


def _roles_by_words(element: UIElement, meant: str) -> set[str]:
    """What its words make of it, and those by which it is meant: a button that was only read as a line of text is one
    all the same. What stands in the rows of a list says how things are, and does nothing."""
    if element.type not in (*ACTING, *MAY_BE_BUTTONS) or "row" in element.metadata:
        return set()
    return {role_of("button", label) for label in (element.label, meant) if label.strip()}
