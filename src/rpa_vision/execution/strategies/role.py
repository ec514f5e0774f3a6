"""By what kind of thing it is. Never enough alone; a wrong kind speaks against a candidate."""

from __future__ import annotations

from rpa_vision.execution.strategies.evidence import Evidence, Search, Verdicts

NAME = "role"

_TYPE_ALIASES = (
    {"button", "link", "tab", "menu_item", "list_item", "cell", "label", "heading", "icon", "table_row"},
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
    for element in search.screen.state.ui_elements:
        if target.type is not None and element.type == target.type:
            score = 1.0 if target.role in (None, element.role) else 0.85
        elif target.role is not None and element.role == target.role:
            score = 0.8
        elif target.type is not None and _related(element.type, target.type):
            score = 0.6
        else:
            score = 0.0
        verdicts[element.element_id] = Evidence(score, f"is a {element.type} ({element.role})")
    return verdicts


def _related(one: str, other: str) -> bool:
    return any(one in family and other in family for family in _TYPE_ALIASES)
