"""How much an element asks to be clicked, whether it is the main thing to do, and what harm it could do."""

from __future__ import annotations

from functools import lru_cache

from rpa_vision.detection.words import fold, says, sounds_like_action
from rpa_vision.imaging.colour import Colour, chroma
from rpa_vision.models.ui_element import ActionAffordance, ElementType

CLICKABLE: dict[str, float] = {
    "button": 0.95, "link": 0.9, "menu_item": 0.85, "tab": 0.85, "checkbox": 0.9, "radio": 0.9, "toggle": 0.9,
    "dropdown": 0.9, "text_input": 0.85, "password_input": 0.85, "textarea": 0.8, "icon": 0.55, "list_item": 0.6,
    "slider": 0.6, "cell": 0.3, "table_row": 0.3, "heading": 0.05, "label": 0.15, "dialog": 0.02, "table": 0.02,
}  # fmt: skip
PRIMARY_ROLES: dict[str, float] = {
    "primary_action": 0.8, "validate": 0.75, "submit": 0.7, "login": 0.7, "ok_button": 0.6, "search": 0.4,
}  # fmt: skip
DANGER_ROLES: dict[str, float] = {"delete_action": 0.9, "validate": 0.35, "submit": 0.35, "logout": 0.25}
IRREVERSIBLE = (
    "definitivement", "tout", "toutes", "permanently", "all", "irreversible", "reinitialiser", "reset", "payer", "pay",
)  # fmt: skip
_ACTORS = ("button", "link", "menu_item", "icon")


@lru_cache(maxsize=16_384)
def affordance_of(
    kind: ElementType,
    role: str,
    label: str,
    *,
    stands_out: bool,
    paper: Colour,
    enabled: bool | None,
    covered: bool,
    label_confidence: float = 1.0,
    place: float | None = None,
) -> ActionAffordance:
    """The three scores and the factors behind them. `place`: how much where it stands says "press me", where known."""
    factors = {"type": CLICKABLE.get(kind, 0.1)}
    clickable = factors["type"]
    acts = kind in _ACTORS
    if acts:
        factors["label_clarity"] = label_confidence * _clarity(label)
        factors["color_significance"] = min(1.0, chroma(paper) / 160) if stands_out else 0.0
        factors["visual_prominence"] = (0.9 if stands_out else 0.5) if kind == "button" else 0.3
        if place is not None:
            factors["position_importance"] = place
    if enabled is False:
        factors["looks_disabled"] = 1.0
        clickable *= 0.4
    if covered:
        factors["behind_dialog"] = 1.0
        clickable *= 0.1
    primary = PRIMARY_ROLES.get(role, 0.0) if acts else 0.0
    if acts and stands_out:
        factors["stands_out"] = 1.0
        primary = min(1.0, primary + 0.2)
    danger = DANGER_ROLES.get(role, 0.0) if acts else 0.0
    if acts and says(label, IRREVERSIBLE):
        factors["irreversible_words"] = 1.0
        danger = min(1.0, danger + 0.3)
    blue, green, red = paper
    if kind == "button" and stands_out and red > 140 and red > blue + 60 and red > green + 60:
        factors["warning_colour"] = 1.0
        danger = min(1.0, danger + 0.25)
        primary *= 0.5
    factors["role"] = max(primary, danger)
    return ActionAffordance(
        clickable_score=round(clickable, 4),
        primary_action_score=round(primary, 4),
        dangerous_action_score=round(danger, 4),
        factors={name: round(value, 4) for name, value in factors.items()},
    )


def _clarity(label: str) -> float:
    """Words that tell somebody what to do are clear, other words less, a sign or nothing hardly."""
    if sounds_like_action(label):
        return 1.0
    return 0.7 if len(fold(label)) >= 3 else 0.3 if label else 0.1
