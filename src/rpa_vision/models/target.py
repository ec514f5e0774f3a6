"""What an action is aimed at: never a coordinate, always *what* it is, so that it can be found again.

Texts in a target are templates: `${name}` stands for a workflow variable, `$$` for a dollar sign.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from rpa_vision.models.document import Part
from rpa_vision.models.geometry import BBox, Point, UnitInterval
from rpa_vision.models.ui_element import ElementType
from rpa_vision.models.vector_ref import DataPath

SelectionPolicy = Literal["first", "last", "by_similarity"]
FallbackStrategy = Literal["visual_similarity", "position", "none"]
Direction = Literal["left", "right", "above", "below"]
HOW_IT_IS_FOUND = frozenset({"aliases", "neighbours", "landmarks", "look", "look_is_unique", "place"})
"""The fields of a target that healing may change. All others say what it is, and are a person's."""
MAX_LANDMARKS = 64
"""So much of a recorded screen is kept with a target at most."""
MAX_ALIASES = 8
"""So many other words a target may have; whoever has more is called anything."""


class Neighbour(Part):
    """A stable text near the target, and where the target lies from it."""

    label: str
    direction: Direction = Field(description="where the neighbour lies, seen from the target")
    offset: Point = Field(description="from the neighbour's centre to the target's centre, in recorded pixels")


class Landmark(Part):
    """Something else that stood on the recorded screen: what it said and where. Together they fix where the target is,
    whatever the zoom; those that say the same as the target are its twins, and never it."""

    label: str = ""
    type: ElementType
    bbox: BBox


class TargetLook(Part):
    """What it looked like when it was recorded."""

    image_path: DataPath
    size: Point
    dominant_color: str | None = Field(default=None, pattern=r"^#[0-9A-Fa-f]{6}$")


class RecordedPlace(Part):
    """Where it was when it was recorded. Only ever breaks ties."""

    bbox: BBox
    screen_resolution: Point
    screen_scale: float = Field(default=1.0, gt=0.0)
    window_geometry: BBox | None = None


class TargetSpec(Part):
    """Everything known about a target."""

    role: str | None = None
    type: ElementType | None = None
    label: str | None = Field(default=None, description="what it says; a template")
    aliases: tuple[str, ...] = Field(
        default=(), max_length=MAX_ALIASES, description="other words it was seen to say, proven by what came of it"
    )
    row_contains: tuple[str, ...] = Field(default=(), description="what else its table row must say; templates")
    column: str | None = Field(default=None, description="the header of its table column, where it is a cell")
    neighbours: tuple[Neighbour, ...] = ()
    landmarks: tuple[Landmark, ...] = Field(default=(), max_length=MAX_LANDMARKS)
    look: TargetLook | None = None
    look_is_unique: bool = Field(default=False, description="nothing else on the recorded screen looked like it")
    anchor: Neighbour | None = Field(default=None, description="a text that must stand beside it; a template")
    roi: BBox | None = Field(default=None, description="the part of the screen it must lie in")
    container: str | None = Field(
        default=None, description="the title of the dialog or table it must lie in; a template"
    )
    place: RecordedPlace | None = None
    hard_constraints: tuple[str, ...] = ()
    min_affordance_score: UnitInterval | None = None
    min_similarity: UnitInterval | None = None
    selection_policy: SelectionPolicy = Field(
        default="by_similarity", description="of several of its name; decides where a demonstration showed that place"
    )
    fallback_strategy: FallbackStrategy = "visual_similarity"

    @property
    def whereabouts(self) -> tuple[str, ...]:
        """The templates that say where it must lie."""
        anchor = (self.anchor.label,) if self.anchor is not None else ()
        return (*anchor, self.container) if self.container is not None else anchor
