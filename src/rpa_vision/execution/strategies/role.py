"""By what kind of thing it is. Never enough alone; a wrong kind speaks against a candidate."""

from __future__ import annotations

from rpa_vision.execution.healing_profile import alias_of_role, alias_of_type
from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts
from rpa_vision.models.ui_element import UIElement

NAME = "role"
_ALIAS_SCORE = 0.8

_FAMILIES = (
    {"button", "link", "tab", "menu_item", "list_item", "cell", "label", "heading", "icon", "table_row", "image"},
    {"text_input", "password_input", "textarea", "dropdown"},
    {"checkbox", "radio", "toggle"},
)
"""Kinds a detector mixes up, because their hit areas look alike."""


def judge(search: Search) -> Verdicts | None:
    """Score every element by its type and role; None when the target's are not known."""
    target = search.target
    if target.type is None and target.role is None:
        return None
    verdicts: dict[str, Evidence] = {}
    for element in search.elements:
        reason = f"is a {element.type} ({element.role})"
        if target.type is not None and element.type == target.type:
            score = 1.0 if target.role in (None, element.role) else 0.85
        elif target.role is not None and element.role == target.role:
            score = 0.8
        elif search.profile.expand_roles and (alias := alias_used(search, element)) is not None:
            score, reason = _ALIAS_SCORE, f"{reason}, another name for {alias}"
        elif target.type is not None and related(element.type, target.type):
            score = 0.6
        else:
            score = 0.0
        verdicts[element.element_id] = Evidence(score, reason)
    return verdicts


def alias_used(search: Search, element: UIElement) -> str | None:
    """The type or role of the target that the element has under another name."""
    target = search.target
    if target.type is not None and alias_of_type(element.type, target.type):
        return target.type
    if target.role is not None and (
        alias_of_role(element.role, target.role) or alias_of_role(element.type, target.role)
    ):
        return target.role
    return None


def related(one: str, other: str) -> bool:
    """Whether two kinds may be taken for one another."""
    return any(one in family and other in family for family in _FAMILIES)


def holds_or_ticks(one: str, other: str) -> bool:
    """Whether one of two kinds holds a value and the other is ticked: both are inputs of a form, never one another."""
    _, holding, ticked = _FAMILIES
    return (one in holding and other in ticked) or (one in ticked and other in holding)
