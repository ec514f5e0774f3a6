"""What a target must be, whatever else speaks for it: the `hard_constraints` of a target, each one line.

    type=button         role=validate        label=Valider ${number}
    screen=Facture ${number}    window=Clinique      enabled      clickable

A candidate that breaks one is never taken, in any state. Where it cannot be told (nobody can see whether the button is
enabled), a running workflow goes by the other evidence; a degraded one asks for proof and refuses without (AH-3.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from rpa_vision.graph.vocabulary import contains, words_of
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.variables import fill
from rpa_vision.models.wording import folded, squeezed

WITH_VALUE: Final = ("type", "role", "label", "screen", "window")
ALONE: Final = ("enabled", "clickable")
_CLICKABLE: Final = 0.5


def unknown_constraint(constraints: Sequence[str]) -> str | None:
    """The first constraint nobody here understands."""
    return next((one for one in constraints if not _is_known(one)), None)


def holds(
    constraints: Sequence[str],
    element: UIElement,
    screen: ScreenState,
    values: Mapping[str, str],
    *,
    proof_required: bool,
) -> bool:
    """Whether an element keeps all of them; `proof_required` says what is made of those that cannot be judged."""
    verdicts = (_judged(fill(one, dict(values)), element, screen) for one in constraints)
    return all(not proof_required if verdict is None else verdict for verdict in verdicts)


def _is_known(constraint: str) -> bool:
    name, separator, value = constraint.partition("=")
    return (name.strip() in WITH_VALUE and bool(value.strip())) if separator else name.strip() in ALONE


def _judged(constraint: str, element: UIElement, screen: ScreenState) -> bool | None:
    """Whether it holds; None when that cannot be told."""
    name, _, value = (part.strip() for part in constraint.partition("="))
    match name:
        case "type":
            return element.type == value
        case "role":
            return element.role == value
        case "label":
            return squeezed(element.label) == squeezed(value)
        case "screen":
            return contains(words_of(screen), value)
        case "window":
            return folded(value) in folded(screen.window.title) if screen.window.title else None
        case "enabled":
            return element.state.enabled if element.state is not None else None
        case "clickable":
            affordance = element.action_affordance
            return affordance.clickable_score >= _CLICKABLE if affordance is not None else None
        case _:
            return False
