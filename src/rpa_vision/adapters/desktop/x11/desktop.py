"""Everything of one X11 desktop."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType

from rpa_vision.adapters.desktop.x11.clipboard import X11Clipboard
from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.adapters.desktop.x11.ears import X11Ears
from rpa_vision.adapters.desktop.x11.eyes import X11Eyes
from rpa_vision.adapters.desktop.x11.hands import X11Hands
from rpa_vision.adapters.desktop.x11.screen_lock import ScreenLock
from rpa_vision.adapters.desktop.x11.seat import is_taken
from rpa_vision.adapters.desktop.x11.sent_input import SentInput
from rpa_vision.adapters.desktop.x11.windows import X11Windows
from rpa_vision.ports.runtime import Clock


class X11Desktop:
    """Implements `ports.desktop.Desktop` for the display of that name, or of DISPLAY.

    Raises NoDisplayError when it cannot be opened. Close it, or use it as a context manager.
    """

    def __init__(self, display_name: str | None, clock: Clock) -> None:
        with ExitStack() as undo:
            self._connection = Connection(display_name, requires=("RECORD", "XTEST", "DAMAGE"))
            undo.callback(self._connection.close)
            self._lock = ScreenLock(self._connection)
            self._eyes = X11Eyes(display_name, clock)
            undo.callback(self._eyes.close)
            sent_input = SentInput()
            self._hands = X11Hands(display_name, clock, sent_input)
            undo.callback(self._hands.close)
            self._windows = X11Windows(display_name, clock)
            undo.callback(self._windows.close)
            self._ears = X11Ears(display_name, clock, sent_input)
            self._clipboard = X11Clipboard(display_name, clock)
            undo.callback(self._clipboard.close)
            self._to_close = undo.pop_all()

    @property
    def display_name(self) -> str:
        """The display it is on."""
        return self._connection.name

    @property
    def eyes(self) -> X11Eyes:
        return self._eyes

    @property
    def ears(self) -> X11Ears:
        return self._ears

    @property
    def hands(self) -> X11Hands:
        return self._hands

    @property
    def clipboard(self) -> X11Clipboard:
        return self._clipboard

    @property
    def windows(self) -> X11Windows:
        return self._windows

    def is_locked(self) -> bool | None:
        return self._lock.is_locked()

    def has_robot(self) -> bool:
        """Whether a robot acts on it, of whichever process."""
        return is_taken(self._connection)

    def close(self) -> None:
        self._to_close.close()

    def __enter__(self) -> X11Desktop:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()
