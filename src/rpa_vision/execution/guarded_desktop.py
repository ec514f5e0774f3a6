"""A desktop whose hands can be tied from another thread.

Every input passes a gate. Once the gate is closed it stays closed: an input that had begun is on its way, everything
after it is refused before anything is sent. While a person works it is held: nothing passes until it is let on.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager

from rpa_vision.errors import InputNotDeliveredError
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MouseButton
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.desktop import Clipboard, Desktop, Ears, Eyes, Hands, StoppableHands, Windows


class InputGate:
    """Open until somebody closes it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reason: str | None = None
        self._held: str | None = None
        self._by_person = False
        self._under_way = 0
        self._passed = 0
        self._sent = 0
        self._holds = 0

    @property
    def is_open(self) -> bool:
        with self._lock:
            return self._reason is None

    @property
    def is_stopped_by_person(self) -> bool:
        """Whether a person stopped the robot, and not this one run only."""
        with self._lock:
            return self._by_person

    def close(self, reason: str, *, by_person: bool = False) -> bool:
        """Let nothing more through; says whether an input is under way. The first reason is kept.

        `by_person`: somebody means the robot, whatever it was to do next.
        """
        with self._lock:
            self._reason = self._reason or reason
            self._by_person = self._by_person or by_person
            return self._under_way > 0

    def hold(self, reason: str) -> None:
        """Let nothing through until it is let on."""
        with self._lock:
            self._holds += self._held is None
            self._held = reason

    def let_on(self) -> None:
        """Let inputs through again, unless the gate was closed."""
        with self._lock:
            self._held = None

    @property
    def traffic(self) -> tuple[int, int]:
        """How often it was held and let on again, and how many inputs passed."""
        with self._lock:
            return self._holds - (self._held is not None), self._passed

    @property
    def sent(self) -> int:
        """How many inputs were sent, or may have been, by whoever shares the gate."""
        with self._lock:
            return self._sent

    def take_back(self) -> None:
        """What passed last turned out to be no input."""
        with self._lock:
            self._sent -= 1

    def refusal(self) -> str | None:
        """Why nothing may pass now; None when it may."""
        with self._lock:
            return self._refusal()

    def _refusal(self) -> str | None:
        return self._reason if self._reason is not None else self._held

    @contextlib.contextmanager
    def passing(self) -> Iterator[None]:
        """Pass with one input, or InputNotDeliveredError.

        The lock is not held while the input is sent: an input that hangs must not keep the gate from closing.
        """
        with self._lock:
            refused = self._refusal()
            if refused is not None:
                raise InputNotDeliveredError(
                    f"nothing was sent: {refused}", remedy="Look at the screen, then start the run again."
                )
            self._under_way += 1
            self._passed += 1
            self._sent += 1
        try:
            yield
        except InputNotDeliveredError:
            with self._lock:
                self._sent -= 1
            raise
        finally:
            with self._lock:
                self._under_way -= 1


class GuardedHands:
    """Implements `ports.desktop.Hands` behind a gate."""

    def __init__(self, hands: Hands, gate: InputGate) -> None:
        self._hands = hands
        self._gate = gate
        if isinstance(hands, StoppableHands):
            hands.stop_when(gate.refusal)

    def move(self, to: Point) -> None:
        with self._gate.passing():
            self._hands.move(to)

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        with self._gate.passing():
            self._hands.click(at, button=button, count=count)

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        with self._gate.passing():
            self._hands.drag(start, end, button=button)

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        with self._gate.passing():
            self._hands.scroll(at, right=right, down=down)

    def type_text(self, text: str, *, is_secret: bool = False) -> None:
        with self._gate.passing():
            self._hands.type_text(text, is_secret=is_secret)

    def press(self, keys: Sequence[str]) -> None:
        with self._gate.passing():
            self._hands.press(keys)


class GuardedWindows:
    """Implements `ports.desktop.Windows`: looking is free, bringing a window to the front is input."""

    def __init__(self, windows: Windows, gate: InputGate) -> None:
        self._windows = windows
        self._gate = gate

    def all(self) -> list[WindowContext]:
        return self._windows.all()

    def activate(self, *, app_name: str | None = None, title_contains: str | None = None) -> WindowContext | None:
        with self._gate.passing():
            found = self._windows.activate(app_name=app_name, title_contains=title_contains)
        if found is None:
            self._gate.take_back()
        return found


class GuardedClipboard:
    """Implements `ports.desktop.Clipboard`: writing on it is input; giving it back to the person never is."""

    def __init__(self, clipboard: Clipboard, gate: InputGate) -> None:
        self._clipboard = clipboard
        self._gate = gate

    def read(self) -> str | None:
        return self._clipboard.read()

    def write(self, text: str) -> None:
        with self._gate.passing():
            self._clipboard.write(text)

    def borrowed(self) -> AbstractContextManager[None]:
        return self._clipboard.borrowed()


class GuardedDesktop:
    """Implements `ports.desktop.Desktop`: the same desktop, its inputs behind a gate."""

    def __init__(self, desktop: Desktop, gate: InputGate) -> None:
        self._desktop = desktop
        self._hands = GuardedHands(desktop.hands, gate)
        self._windows = GuardedWindows(desktop.windows, gate)
        self._clipboard = GuardedClipboard(desktop.clipboard, gate)

    @property
    def eyes(self) -> Eyes:
        return self._desktop.eyes

    @property
    def ears(self) -> Ears:
        return self._desktop.ears

    @property
    def hands(self) -> Hands:
        return self._hands

    @property
    def clipboard(self) -> Clipboard:
        return self._clipboard

    @property
    def windows(self) -> Windows:
        return self._windows

    def is_locked(self) -> bool | None:
        return self._desktop.is_locked()

    def close(self) -> None:
        self._desktop.close()
