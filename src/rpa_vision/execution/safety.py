"""What is never clicked, whoever asks."""

from __future__ import annotations

import re
from typing import Final

from rpa_vision.detection.roles import role_of
from rpa_vision.execution.harm import ACTING, MAY_BE_BUTTONS
from rpa_vision.execution.strategies.lexicon import deeds_in, names_deed_of
from rpa_vision.graph.vocabulary import may_contain
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.wording import folded
from rpa_vision.models.workflow_graph import SafetyRules

_DONE: Final = re.compile(r"\w(ée?s?|ed)$")
"""How words end for what was done, where nobody knows the deed."""


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
    all the same, also in the rows of a list. Only what says there how things are, « Validé », does nothing."""
    if element.type not in (*ACTING, *MAY_BE_BUTTONS):
        return set()
    says = "" if "row" in element.metadata and _is_state(element.label) else element.label
    return {role_of("button", label) for label in (says, meant) if label.strip()}


def _is_state(label: str) -> bool:
    """Whether it begins with what was done, or was not: « Validé », « Non validé ». In doubt, it does not."""
    words = re.findall(r"\w+", label)
    first = words[1] if len(words) > 1 and folded(words[0]) == "non" else next(iter(words), "")
    deeds = deeds_in(first)
    return all(deed.endswith(" done") for deed in deeds) if deeds else _DONE.search(first.lower()) is not None
