"""The desktop as the house sees it: eyes, ears, hands, clipboard and windows.

Coordinates are pixels of the whole desktop, origin at its top left. Times are monotonic seconds.
Every adapter passes the same conformance suite (`rpa_vision.testing.desktop_conformance`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import InputEvent, MouseButton, ScreenInfo
from rpa_vision.models.window import WindowContext


class Eyes(Protocol):
    """What is on the screen."""

    def info(self) -> ScreenInfo:
        """Say what the desktop is made of."""

    def grab(self, region: Box | None = None) -> Frame:
        """Take the pixels now; of a region only where one is given (clamped to the screen).

        Raises UsageError when no pixel of the region is on the screen.
        """

    def active_window(self) -> WindowContext | None:
        """Say which window has the focus, or None when no window has."""

    def pointer(self) -> Point:
        """Say where the pointer is."""

    def watch(self, on_frame: Callable[[Frame], None], *, max_fps: float = 30.0) -> AbstractContextManager[None]:
        """Call back, from another thread, with the current frame and then with each changed one, while entered.

        What the callback raises ends the watching and is raised on leaving, unless the block raised already: a
        recorder that went blind must not look like one that saw nothing.
        """


class Ears(Protocol):
    """What the person does."""

    def listen(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> AbstractContextManager[None]:
        """Call back, from another thread, with each input event while entered; entering returns when it listens.

        What the callback raises ends the listening, and so may the desktop. Whoever gives `on_lost` is told at once,
        from another thread; otherwise it is raised on leaving, unless the block raised already.
        """


class Hands(Protocol):
    """Input as a person would give it.

    Raises InputNotDeliveredError when nothing was sent, UncertainDeliveryError when some of it may have been; what
    was pressed is let go either way. A point off the screen and a locked screen are found before anything is sent. What
    no desktop could do (an unknown key, a character no key writes, no click at all) is a UsageError: nothing is sent.
    """

    def move(self, to: Point) -> None:
        """Put the pointer there."""

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        """Move there and click `count` times."""

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        """Press at `start`, move to `end`, release."""

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        """Turn the wheel over a point, in notches; negative is left or up."""

    def type_text(self, text: str, *, is_secret: bool = False) -> None:
        """Write the text, accents included, on any keyboard layout; of control characters only newline and tab.

        That a secret arrived whole cannot be read on the screen afterwards: hands may take more time over it.
        """

    def press(self, keys: Sequence[str]) -> None:
        """Press a chord such as ("CTRL", "S") and let it go in reverse order. One string is no chord."""


@runtime_checkable
class StoppableHands(Hands, Protocol):
    """Hands that can be stopped in the middle of a longer action, a text for instance."""

    def stop_when(self, refusal: Callable[[], str | None]) -> None:
        """Ask this before every key or button that goes down; a reason ends the action there.

        It is an UncertainDeliveryError where some of it was sent, and what was pressed is let go. What was pressed is
        ended as it was meant: half a drag would let something fall where nobody wanted it.
        """


class Clipboard(Protocol):
    """The person's clipboard."""

    def read(self) -> str | None:
        """Give its text, or None when it holds no text."""

    def write(self, text: str) -> None:
        """Put text on it."""

    def borrowed(self) -> AbstractContextManager[None]:
        """Use it, and leave with what the person had on it (nothing when it was empty), also when the block raises."""


class Windows(Protocol):
    """The windows of the desktop."""

    def all(self) -> list[WindowContext]:
        """List the windows a person can switch to, which have a title; the active one first, then front to back."""

    def activate(self, *, app_name: str | None = None, title_contains: str | None = None) -> WindowContext | None:
        """Bring the matching window to the front and give it, or None when there is none.

        The application's name must match whole, the title in part, both in any case; raises UsageError when neither
        is given. A title that matches whole is meant rather than one that has it in it; where several match equally,
        nothing is done and an InputNotDeliveredError names them (`models.window.only_fit`).
        """


class Desktop(Protocol):
    """Everything of one desktop. Closing it gives back what it took (key bindings, connections)."""

    @property
    def eyes(self) -> Eyes: ...
    @property
    def ears(self) -> Ears: ...
    @property
    def hands(self) -> Hands: ...
    @property
    def clipboard(self) -> Clipboard: ...
    @property
    def windows(self) -> Windows: ...

    def is_locked(self) -> bool | None:
        """Say whether the screen is locked; None where that cannot be told."""

    def close(self) -> None:
        """Let go of the desktop."""
