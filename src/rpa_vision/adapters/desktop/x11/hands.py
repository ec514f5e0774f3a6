"""Input as a person would give it, through XTEST."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.adapters.desktop.x11.injection import Injection
from rpa_vision.adapters.desktop.x11.keyboard import Keyboard
from rpa_vision.adapters.desktop.x11.screen_lock import ScreenLock
from rpa_vision.adapters.desktop.x11.sent_input import SentInput
from rpa_vision.errors import InputNotDeliveredError, UsageError
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MouseButton
from rpa_vision.ports.runtime import Clock

_BUTTONS = {MouseButton.LEFT: 1, MouseButton.MIDDLE: 2, MouseButton.RIGHT: 3}
_WHEEL_UP, _WHEEL_DOWN, _WHEEL_LEFT, _WHEEL_RIGHT = 4, 5, 6, 7

_ARRIVE_S = 0.015
_PRESS_S = 0.015
_BETWEEN_CLICKS_S = 0.06
_NOTCH_S = 0.015
_GRIP_S = 0.05
_DRAG_STEPS = 12


class X11Hands:
    """Implements `ports.desktop.StoppableHands`. One action at a time, whichever thread asks."""

    def __init__(self, display_name: str | None, clock: Clock, sent_input: SentInput | None = None) -> None:
        self._clock = clock
        self._sent_input = sent_input or SentInput()
        self._refusal: Callable[[], str | None] = lambda: None
        self._lock = threading.Lock()
        self._connection = Connection(display_name, requires=("XTEST",))
        self._keyboard = Keyboard(self._connection, clock)
        self._screen_lock = ScreenLock(self._connection)

    def move(self, to: Point) -> None:
        with self._action("the move") as injection:
            self._require_on_screen(to)
            injection.move(to)

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        if count < 1:
            raise UsageError("a click is made at least once")
        with self._action("the click") as injection:
            self._arrive(at, injection)
            for number in range(count):
                if number:
                    self._clock.sleep(_BETWEEN_CLICKS_S)
                with injection.held_button(_BUTTONS[button]):
                    self._clock.sleep(_PRESS_S)

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        with self._action("the drag") as injection:
            self._require_on_screen(end)
            self._arrive(start, injection)
            with injection.held_button(_BUTTONS[button]):
                self._clock.sleep(_GRIP_S)
                # Applications take a jump for no drag at all: they wait for a few moves beyond a threshold.
                for step in range(1, _DRAG_STEPS + 1):
                    injection.move(_between(start, end, step / _DRAG_STEPS))
                    self._unless_stopped(_ARRIVE_S)
                self._unless_stopped(_GRIP_S)

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        with self._action("the scroll") as injection:
            self._arrive(at, injection)
            for wheel, notches in (
                (_WHEEL_DOWN if down > 0 else _WHEEL_UP, abs(down)),
                (_WHEEL_RIGHT if right > 0 else _WHEEL_LEFT, abs(right)),
            ):
                for _ in range(notches):
                    with injection.held_button(wheel):
                        pass
                    self._clock.sleep(_NOTCH_S)

    def type_text(self, text: str, *, is_secret: bool = False) -> None:
        with self._action("the text") as injection:
            self._keyboard.require_free_modifiers()
            self._keyboard.write(text, injection, is_secret=is_secret)

    def press(self, keys: Sequence[str]) -> None:
        if isinstance(keys, str) or not keys:
            raise UsageError('a chord is a sequence of key names, such as ("CTRL", "S")')
        with self._action(f"the key {'+'.join(keys)}") as injection:
            self._keyboard.require_free_modifiers()
            self._keyboard.chord(keys, injection)

    def stop_when(self, refusal: Callable[[], str | None]) -> None:
        self._refusal = refusal

    def close(self) -> None:
        """Give back the borrowed keys and let go of the connection."""
        with self._lock:
            try:
                self._keyboard.close()
            finally:
                self._connection.close()

    @contextmanager
    def _action(self, what: str) -> Iterator[Injection]:
        with self._lock, Injection(self._connection, what, self._sent_input, self._refusal) as injection:
            if self._screen_lock.is_locked():
                raise InputNotDeliveredError("the screen is locked", remedy="Unlock the screen.")
            yield injection

    def _arrive(self, at: Point, injection: Injection) -> None:
        self._require_on_screen(at)
        self._keyboard.require_free_modifiers()
        if self._pointer() != at:  # who was brought there to hover has arrived
            injection.move(at)
            self._clock.sleep(_ARRIVE_S)
        if (found := self._pointer()) != at:
            # Somebody holds the mouse, or an application has locked the pointer: a press now would hit something else.
            raise InputNotDeliveredError(
                f"the pointer was moved from {at} to {found}",
                remedy="Let go of the mouse and try again.",
            )

    def _pointer(self) -> Point:
        with self._connection.use():
            found = self._connection.root.query_pointer()
        return (found.root_x, found.root_y)

    def _unless_stopped(self, pause_s: float) -> None:
        """Take time over a drag; one that is to end is ended at once, where it was meant to end."""
        if self._refusal() is None:
            self._clock.sleep(pause_s)

    def _require_on_screen(self, point: Point) -> None:
        with self._connection.use():
            size = self._connection.root.get_geometry()
        if not (0 <= point[0] < size.width and 0 <= point[1] < size.height):
            raise InputNotDeliveredError(f"{point} is outside the screen of {size.width}×{size.height}")


def _between(start: Point, end: Point, share: float) -> Point:
    return (round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share))
