"""Layer 2, UIElement: one thing on a screen that a person would name, with what it is, does and looks like."""

from __future__ import annotations

from typing import Literal, Self, get_args

from pydantic import AwareDatetime, Field, JsonValue, model_validator

from rpa_vision.models.document import Document, Part
from rpa_vision.models.geometry import BBox, Point, UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.state_embedding import EmbeddingRef

ElementType = Literal[
    "button", "link", "text_input", "password_input", "textarea", "checkbox", "radio", "toggle", "dropdown", "tab",
    "menu_item", "table", "table_row", "cell", "list_item", "icon", "image", "label", "heading", "dialog", "scrollbar",
    "slider",
]  # fmt: skip
ELEMENT_TYPES: tuple[str, ...] = get_args(ElementType)
INTERACTIVE_TYPES = frozenset(
    {"button", "link", "text_input", "password_input", "textarea", "checkbox", "radio", "toggle", "dropdown", "tab",
     "menu_item", "list_item", "icon", "slider"}
)  # fmt: skip
FIELD_TYPES = frozenset({"text_input", "password_input", "textarea", "dropdown"})
"""What holds a value that is typed or chosen."""


class UIElementEmbeddings(Part):
    """How it looks and what it says, as vectors."""

    image: EmbeddingRef | None = None
    text: EmbeddingRef | None = None


class VisualFeatures(Part):
    """What one sees at a glance."""

    dominant_color: str = Field(pattern=r"^#[0-9A-Fa-f]{6}$")
    has_icon: bool = False
    shape: Literal["rectangle", "rounded", "circle", "line", "text", "irregular"] = "rectangle"
    size_category: Literal["tiny", "small", "medium", "large"] = "medium"


class ElementState(Part):
    """The state it is in; None where that cannot be seen."""

    enabled: bool | None = None
    checked: bool | None = None
    focused: bool | None = None
    selected: bool | None = None


class StabilityTracking(Part):
    """The life of one element over many screens."""

    first_seen: AwareDatetime
    last_seen: AwareDatetime
    appearance_count: int = Field(ge=1)
    position_variance: float = Field(default=0.0, ge=0.0)
    label_variants: tuple[str, ...] = ()


class ActionAffordance(Part):
    """How much it asks to be clicked, and how much harm that could do."""

    clickable_score: UnitInterval
    primary_action_score: UnitInterval = 0.0
    dangerous_action_score: UnitInterval = 0.0
    factors: dict[str, UnitInterval] = {}


class InteractionHistory(Part):
    """What came of acting on it, up to the moment of its screen."""

    click_count: int = Field(default=0, ge=0, description="how often it was clicked, by a person or in a run")
    success_rate: UnitInterval | None = Field(
        default=None, description="which share of that did what was wanted; unknown of what people recorded"
    )
    avg_dwell_time_ms: float | None = Field(
        default=None, ge=0.0, description="how long the pointer lay on it before a click, where that was recorded"
    )


class UIElement(Document):
    """An element of one screen. `bbox` is [x1, y1, x2, y2] in pixels of that screen's picture."""

    element_id: Id
    type: ElementType
    role: str
    bbox: BBox
    center: Point
    label: str = ""
    label_confidence: UnitInterval = 0.0
    embeddings: UIElementEmbeddings | None = None
    visual_features: VisualFeatures | None = None
    tags: tuple[str, ...] = ()
    confidence: UnitInterval
    state: ElementState | None = None
    parent_id: Id | None = None
    screenshot_id: Id | None = None
    stable_id: str | None = None
    stability_confidence: UnitInterval | None = None
    stability_tracking: StabilityTracking | None = None
    action_affordance: ActionAffordance | None = None
    interaction_history: InteractionHistory | None = None
    metadata: dict[str, JsonValue] = {}

    def plays(self, role: str) -> bool:
        """It has that role, be it the general one (`validate`) or one of its own trade (`validate_invoice`)."""
        return role == self.role or role in self.tags

    @model_validator(mode="after")
    def _centre_is_inside(self) -> Self:
        x1, y1, x2, y2 = self.bbox
        if not (x1 <= self.center[0] <= x2 and y1 <= self.center[1] <= y2):
            raise ValueError("center: lies outside bbox")
        return self
