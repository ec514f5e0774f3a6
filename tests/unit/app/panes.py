"""An overlay in memory, and what a person does beside it."""

from __future__ import annotations

from collections.abc import Callable

from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.guidance import Suggestion
from rpa_vision.models.input import InputEvent, InputKind, MouseButton

BUBBLE = Box(600, 300, 760, 380)


class Panes:
    """Implements `ports.overlay.Overlay` in memory."""

    def __init__(self) -> None:
        self.shown: Suggestion | None = None
        self.history: list[Suggestion] = []
        self.on_answer: Callable = lambda answer: None

    def suggest(self, suggestion, on_answer) -> None:
        self.shown, self.on_answer = suggestion, on_answer
        self.history.append(suggestion)

    def withdraw(self) -> None:
        self.shown = None

    def sign(self, text: str, *, calm: bool = False) -> None: ...
    def unsign(self) -> None: ...
    def close(self) -> None: ...

    def holds(self, point: Point) -> bool:
        return self.shown is not None and BUBBLE.contains(point)


def press(at: Point = (10, 10), *, own: bool = False) -> InputEvent:
    return InputEvent(InputKind.BUTTON_PRESS, 0, 0, at, button=MouseButton.LEFT, own=own)


def key(name: str, *modifiers: str) -> InputEvent:
    return InputEvent(InputKind.KEY_PRESS, 0, 0, (10, 10), key=name, modifiers=frozenset(modifiers), own=False)
