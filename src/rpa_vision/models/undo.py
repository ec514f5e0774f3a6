"""What can be undone of a run: its last actions, each with the way back, or why there is none."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from rpa_vision.models.document import Document, Part
from rpa_vision.models.geometry import BBox, Point
from rpa_vision.models.ids import Id
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.vector_ref import DataPath
from rpa_vision.models.window import WindowContext

MAX_UNDONE = 3
"""So many actions back (L4-13)."""
UndoWay = Literal["retype", "click_again", "click_other", "scroll_back", "switch_back", "go_back", "close", "none"]


class ScreenTexts(Part):
    """What a screen said when it was seen: enough to know another case under the same controls."""

    window: WindowContext
    asked: tuple[str, ...] = Field(default=(), description="what the dialog in front said, line by line")
    lines: tuple[TextLine, ...] = Field(default=(), description="what was read in the window in front")


class UndoEntry(Part):
    """One action that was done, and how it is taken back."""

    step_id: Id
    what: str = Field(description="what was done, in words")
    way: UndoWay
    why_not: str = Field(default="", description="why it cannot be taken back")
    box: BBox = Field(description="what must look as the action left it, and afterwards as it was before")
    point: Point | None = None
    text: str | None = Field(default=None, description="what stood in the field before")
    scroll: Point | None = None
    window: WindowContext | None = Field(default=None, description="the window that was in front before")
    before: DataPath | None = None
    after: DataPath | None = None
    texts_before: ScreenTexts | None = Field(default=None, description="what the screen said before the action")
    texts_after: ScreenTexts | None = Field(
        default=None, description="what it said as the action left it; older entries do not say"
    )


class UndoLog(Document):
    """The last actions of a run, the latest last."""

    schema_version: Literal["undo_log_v1"] = "undo_log_v1"
    run_id: Id
    workflow_id: Id
    at: AwareDatetime
    entries: tuple[UndoEntry, ...] = Field(default=(), max_length=MAX_UNDONE)
    is_over: bool = Field(default=True, description="the run has ended; otherwise it goes on, or was cut off")
    has_acted: bool = Field(default=True, description="the run did something, whether it can be taken back or not")
