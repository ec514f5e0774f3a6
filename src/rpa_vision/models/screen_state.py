"""Layer 1, ScreenState: one screen at four levels: raw picture, perception, elements, business context."""

from __future__ import annotations

from typing import Final, Literal, Self

from pydantic import AwareDatetime, Field, JsonValue, model_validator

from rpa_vision.models.document import Document, Part
from rpa_vision.models.geometry import BBox, UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.state_embedding import EmbeddingRef
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.vector_ref import DataPath
from rpa_vision.models.window import WindowContext

SCHEMA_VERSION: Final = "screenstate_v1"
GroupKind = Literal["dialog", "form", "table", "list", "tabs", "menu", "toolbar", "choice"]


class Level(Part):
    """A level refers to the one screenshot and moment it was made from."""

    screenshot_id: Id | None = None
    captured_at: AwareDatetime | None = None


class RawLevel(Level):
    """The picture."""

    screenshot_path: DataPath
    capture_method: str
    file_size_bytes: int = Field(ge=0)


class TextLine(Part):
    """A line of text as it was read."""

    text: str
    bbox: BBox
    confidence: UnitInterval


class PerceptionLevel(Level):
    """What was read and how the whole looks."""

    embedding: EmbeddingRef | None = None
    detected_text: tuple[str, ...] = ()
    text_detection_method: str
    confidence_avg: UnitInterval
    text_lines: tuple[TextLine, ...] = ()


class ContextLevel(Level):
    """What the screen means in somebody's work."""

    current_workflow_candidate: Id | None = None
    workflow_step: int | None = None
    user_id: str = ""
    tags: tuple[str, ...] = ()
    business_variables: dict[str, JsonValue] = {}


class TriggerEvent(Part):
    """The event that led to this screen."""

    event_id: int = Field(ge=0)
    type: str
    role: str | None = None


class StateSource(Part):
    """Which part of which recording the screen comes from."""

    session_id: Id
    screenshot_id: Id
    segment_id: Id | None = None
    event_ids: tuple[int, ...] = ()
    trigger_event: TriggerEvent | None = None


class LayoutSignature(Part):
    """The structure of the screen without its content."""

    hash: str
    method: str
    components: dict[str, JsonValue] = {}
    stability_score: UnitInterval | None = None


class ContentSignature(Part):
    """The content of the screen, and which parts of it vary."""

    hash: str
    variable_fields: tuple[str, ...] = ()
    static_fields: tuple[str, ...] = ()


class DebugView(Part):
    """A screen described for a person."""

    summary: str
    key_elements: tuple[str, ...] = ()
    anomalies: tuple[str, ...] = ()
    generated_by: str
    generation_time_ms: float | None = Field(default=None, ge=0.0)


class RegionOfInterest(Part):
    """A part of the screen worth looking at."""

    name: str
    bbox: BBox


class ElementGroup(Part):
    """Elements that belong together: a dialog, a form, a table, a list, tabs, a menu, a toolbar, a choice of one."""

    group_id: Id
    kind: GroupKind
    bbox: BBox
    label: str = ""
    member_ids: tuple[Id, ...] = ()
    parent_id: Id | None = None
    """The group it lies in."""
    metadata: dict[str, JsonValue] = {}


class ScreenState(Document):
    """One screen, understood. All levels refer to one screenshot and one timestamp."""

    schema_version: Literal["screenstate_v1"] = SCHEMA_VERSION
    screen_state_id: Id
    timestamp: AwareDatetime
    session_id: Id | None = None
    source: StateSource | None = None
    window: WindowContext
    raw: RawLevel
    perception: PerceptionLevel
    ui_elements: tuple[UIElement, ...] = ()
    context: ContextLevel = ContextLevel()
    layout_signature: LayoutSignature | None = None
    content_signature: ContentSignature | None = None
    debug: DebugView | None = None
    regions_of_interest: tuple[RegionOfInterest, ...] = ()
    groups: tuple[ElementGroup, ...] = ()
    metadata: dict[str, JsonValue] = {}

    @model_validator(mode="after")
    def _one_screenshot_one_moment(self) -> Self:
        levels: dict[str, Level] = {"raw": self.raw, "perception": self.perception, "context": self.context}
        shots = {f"{name}.screenshot_id": level.screenshot_id for name, level in levels.items()}
        shots |= {f"ui_elements.{i}.screenshot_id": item.screenshot_id for i, item in enumerate(self.ui_elements)}
        if self.source is not None:
            shots = {"source.screenshot_id": self.source.screenshot_id, **shots}
        said = {where: shot for where, shot in shots.items() if shot is not None}
        first = next(iter(said), "")
        for where, shot in said.items():
            if shot != said[first]:
                raise ValueError(f"{where}: is of the screenshot {shot!r}, but {first} says {said[first]!r}")
        for name, level in levels.items():
            if level.captured_at not in (None, self.timestamp):
                raise ValueError(f"{name}.captured_at: is not the moment of the screen (timestamp)")
        if self.source is not None and self.session_id not in (None, self.source.session_id):
            raise ValueError(f"session_id: is not {self.source.session_id!r}, as source.session_id says")
        return self

    @model_validator(mode="after")
    def _elements_are_told_apart(self) -> Self:
        seen: set[str] = set()
        for index, element in enumerate(self.ui_elements):
            if element.element_id in seen:
                raise ValueError(f"ui_elements.{index}.element_id: {element.element_id!r} is there twice")
            seen.add(element.element_id)
        return self

    def element(self, element_id: str) -> UIElement | None:
        """The element with that id."""
        return next((element for element in self.ui_elements if element.element_id == element_id), None)
