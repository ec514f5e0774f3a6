"""The window an event or a screen belongs to."""

from __future__ import annotations

from pydantic import AliasChoices, Field

from rpa_vision.models.document import Part
from rpa_vision.models.geometry import BBox, Point


class WindowContext(Part):
    """Which application, which title, where. `window_title` is accepted for `title` (seed names)."""

    title: str = Field(default="", validation_alias=AliasChoices("title", "window_title"))
    app_name: str = ""
    pid: int | None = None
    geometry: BBox | None = None
    screen_resolution: Point | None = Field(default=None, description="width, height of the whole screen in pixels")
