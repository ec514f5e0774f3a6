"""How much harm acting on something may do, and from where on that counts: the one place for both bars."""

from __future__ import annotations

from typing import Final

from rpa_vision.detection.affordance import affordance_of
from rpa_vision.detection.roles import ACTION_ROLES
from rpa_vision.detection.words import says
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.ui_element import ElementType, UIElement

ORDINARY_HARM: Final = 0.35
"""The harm of any button that submits or validates something."""
MAY_DO_HARM: Final = 0.5
"""From here on an action may do harm that cannot be undone: it needs a higher score, and no way out takes it."""
_DELETES: Final = "delete_action"
_DELETING: Final = dict(ACTION_ROLES)[_DELETES]
ACTING: Final = ("button", "link", "menu_item", "icon")
MAY_BE_BUTTONS: Final = ("label", "heading", "cell", "list_item", "table_row", "tab")
"""What a button is taken for where only its words were seen."""


def harm_of(element: UIElement) -> float:
    """What harm acting on an element may do, by what was seen of it, and by what it says whatever it looks like."""
    seen = element.action_affordance.dangerous_action_score if element.action_affordance is not None else 0.0
    return max(seen, said_harm(element.type, element.role, element.label))


def said_harm(kind: ElementType, plays: str, label: str) -> float:
    """What its words and its role say of the harm it may do, whatever it looks like: of a button that was only read as
    a line of text too."""
    acts: ElementType = "button" if kind in MAY_BE_BUTTONS else kind
    roles = {plays, _DELETES} if acts in ACTING and says(label, _DELETING) else {plays}
    return max(_harm_as(acts, role, label) for role in roles)


def is_dangerous(element: UIElement) -> bool:
    """Whether acting on it may do harm that cannot be undone."""
    return element.role == _DELETES or harm_of(element) >= MAY_DO_HARM


def is_meant_dangerous(target: TargetSpec, label: str | None) -> bool:
    """Whether what is looked for may do such harm, whatever it is taken for. `label` is its name in this run."""
    return said_harm(target.type or "button", target.role or "", label or "") >= MAY_DO_HARM


def _harm_as(kind: ElementType, plays: str, label: str) -> float:
    plain = affordance_of(kind, plays, label, stands_out=False, paper=(255, 255, 255), enabled=True, covered=False)
    return plain.dangerous_action_score
