"""What a person does and a screen shows, in a line each, for the tests of the recorder."""

from __future__ import annotations

import numpy as np

from rpa_vision.capture.observed import Observed
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import InputEvent, InputKind, MouseButton
from rpa_vision.models.window import WindowContext

APP = WindowContext(title="Facturation", app_name="Chromium", pid=7)


def event(kind: InputKind, at_s: float, pos: Point = (100, 100), **details: object) -> InputEvent:
    return InputEvent(kind, at_s, at_s + 0.001, pos, **details)  # type: ignore[arg-type]


def press(at_s: float, pos: Point = (100, 100), button: MouseButton = MouseButton.LEFT) -> InputEvent:
    return event(InputKind.BUTTON_PRESS, at_s, pos, button=button)


def release(at_s: float, pos: Point = (100, 100), button: MouseButton = MouseButton.LEFT) -> InputEvent:
    return event(InputKind.BUTTON_RELEASE, at_s, pos, button=button)


def click(at_s: float, pos: Point = (100, 100), button: MouseButton = MouseButton.LEFT) -> list[InputEvent]:
    return [press(at_s, pos, button), release(at_s + 0.05, pos, button)]


def motion(at_s: float, pos: Point) -> InputEvent:
    return event(InputKind.MOTION, at_s, pos)


def notch(at_s: float, down: int = 1, pos: Point = (100, 100), right: int = 0) -> InputEvent:
    return event(InputKind.SCROLL, at_s, pos, scroll=(right, down))


def key(at_s: float, name: str, *modifiers: str, char: str | None = None) -> InputEvent:
    return event(InputKind.KEY_PRESS, at_s, key=name, char=char, modifiers=frozenset(modifiers))


def typed(at_s: float, char: str) -> InputEvent:
    name = "SPACE" if char == " " else char.upper()
    return event(InputKind.KEY_PRESS, at_s, key=name if len(name) == 1 or char == " " else char, char=char)


def seen(what: InputEvent, before: Frame | None = None) -> Observed:
    return Observed(what, before)


def picture(shade: int, at_s: float, window: WindowContext | None = APP) -> Frame:
    """A small screen of one colour, so that frames are told apart by it."""
    pixels = np.full((64, 96, 4), shade, np.uint8)
    return Frame(pixels, at_s - 0.002, at_s, (0, 0), window)
