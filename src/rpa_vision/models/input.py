"""Raw input as the desktop tells it, and input as we ask for it. In memory only: stored events are in raw_session."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from rpa_vision.models.geometry import Point
from rpa_vision.models.window import WindowContext


class InputKind(StrEnum):
    """What kind of thing happened."""

    BUTTON_PRESS = "button_press"
    BUTTON_RELEASE = "button_release"
    SCROLL = "scroll"
    MOTION = "motion"
    KEY_PRESS = "key_press"
    KEY_RELEASE = "key_release"


class MouseButton(StrEnum):
    """Which button."""

    LEFT = "left"
    MIDDLE = "middle"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class InputEvent:
    """One thing a person did with a device.

    `at_s` is the desktop's own time of the event (monotonic seconds), not the time we heard of it; `heard_s` is that.
    """

    kind: InputKind
    at_s: float
    heard_s: float
    pos: Point
    button: MouseButton | None = None
    scroll: Point | None = None
    """Notches to the right and downwards."""
    key: str | None = None
    """Name of the key: "A", "ENTER", "F5", "CTRL"; see `KEY_NAMES`."""
    char: str | None = None
    """What the key writes, where it writes something."""
    modifiers: frozenset[str] = frozenset()
    """Held while it happened: CTRL, ALT, SHIFT, ALTGR, SUPER."""
    window: WindowContext | None = None
    own: bool | None = None
    """Whether the hands of the same desktop sent it; None where that cannot be told."""


MODIFIER_NAMES = ("CTRL", "ALT", "SHIFT", "ALTGR", "SUPER")

KEY_NAMES = (
    *MODIFIER_NAMES,
    "ENTER", "TAB", "ESCAPE", "BACKSPACE", "DELETE", "INSERT", "SPACE", "HOME", "END", "PAGE_UP", "PAGE_DOWN",
    "LEFT", "RIGHT", "UP", "DOWN", "CAPS_LOCK", "NUM_LOCK", "PRINT", "MENU", "PAUSE",
    *(f"F{number}" for number in range(1, 13)),
)  # fmt: skip
"""Named keys every adapter understands; any single character (upper case for letters) is a key name too."""


@dataclass(frozen=True, slots=True)
class ScreenInfo:
    """What the desktop is made of."""

    platform: str
    resolution: Point
    scale: float
    monitors: tuple[tuple[int, int, int, int], ...]
    """Boxes [x1, y1, x2, y2] of the monitors in desktop pixels, the primary one first."""
