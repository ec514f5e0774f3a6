"""What an edge does: one action, or several in a row."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from rpa_vision.models.document import Part
from rpa_vision.models.geometry import Point, UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.target import TargetSpec

ActionType = Literal[
    "mouse_click",
    "text_input",
    "key_press",
    "scroll",
    "drag",
    "wait",
    "window_switch",
    "clipboard",
    "extract",
    "compound",
]

_NEEDS = {
    "key_press": "keys",
    "wait": "duration_ms",
    "window_switch": "target_app",
    "compound": "steps",
}


class ActionParameters(Part):
    """How the action is done. `text` is a template: `${name}` stands for a variable, `$$` for a dollar sign."""

    click_offset: Point = Field(default=(0, 0), description="from the centre of the target, in pixels")
    wait_after_ms: int | None = Field(default=None, ge=0)
    button: Literal["left", "middle", "right"] = "left"
    click_count: int = Field(default=1, ge=1, le=3)
    text: str | None = None
    secret_ref: Id | None = None
    replace_existing: bool = Field(default=False, description="select what the field holds before typing")
    scroll: Point | None = Field(default=None, description="notches to the right and downwards")
    scroll_at: tuple[UnitInterval, UnitInterval] | None = Field(
        default=None, description="where in the window the wheel is turned, as shares of its width and height"
    )
    drag_offset: Point | None = Field(default=None, description="from the target to where it is dropped, in pixels")
    drop_target: TargetSpec | None = Field(default=None, description="on what a dragged target is dropped")
    clipboard_operation: Literal["copy", "paste", "set"] | None = None
    extract_to: str | None = None
    title_contains: str | None = None


class Action(Part):
    """Something done to the desktop."""

    type: ActionType
    target: TargetSpec | None = None
    parameters: ActionParameters = ActionParameters()
    keys: tuple[str, ...] | None = None
    duration_ms: int | None = Field(default=None, ge=0)
    target_app: str | None = None
    steps: tuple[Action, ...] | None = None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        needed = _NEEDS.get(self.type)
        if needed is not None and getattr(self, needed) in (None, ()):
            raise ValueError(f"{needed}: a {self.type} action needs it")
        if self.type in ("mouse_click", "drag", "extract") and self.target is None:
            raise ValueError(f"target: a {self.type} action needs one")
        if self.type == "text_input" and (self.parameters.text is None) == (self.parameters.secret_ref is None):
            raise ValueError("parameters.text: a text_input action needs either text or secret_ref")
        return self
