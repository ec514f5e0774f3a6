"""How much harm acting on something may do, and from where on that counts: the one place for both bars."""

from __future__ import annotations

from typing import Final

from rpa_vision.detection.affordance import affordance_of
from rpa_vision.models.ui_element import ElementType, UIElement

ORDINARY_HARM: Final = 0.35
"""The harm of any button that submits or validates something."""
MAY_DO_HARM: Final = 0.5
"""From here on an action may do harm that cannot be undone: it needs a higher score, and no way out takes it."""


def harm_of(element: UIElement) -> float:
    """What harm acting on an element may do, by what was seen of it, and by what it says whatever it looks like."""
    seen = element.action_affordance.dangerous_action_score if element.action_affordance is not None else 0.0
    return max(seen, said_harm(element.type, element.role, element.label))


def said_harm(kind: ElementType, plays: str, label: str) -> float:
    """What its words and its role say of the harm it may do, whatever it looks like."""
    plain = affordance_of(kind, plays, label, stands_out=False, paper=(255, 255, 255), enabled=True, covered=False)
    return plain.dangerous_action_score


def is_dangerous(element: UIElement) -> bool:
    """Whether acting on it may do harm that cannot be undone."""
    seen = element.action_affordance.dangerous_action_score if element.action_affordance is not None else 0.0
    return element.role == "delete_action" or seen >= MAY_DO_HARM
