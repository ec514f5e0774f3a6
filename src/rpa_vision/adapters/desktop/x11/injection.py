"""Sending input through XTEST, knowing at each moment whether some of it may have arrived.

Everything that is pressed is let go again, whatever happens in between: a key left down would turn the person's next
letter into a command.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from Xlib import X

from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.errors import DesktopError, InputNotDeliveredError, NoDisplayError, UncertainDeliveryError
from rpa_vision.models.geometry import Point


class Injection:
    """One action being sent. Use as a context manager; leaving waits until the server has taken everything."""

    def __init__(self, connection: Connection, what: str) -> None:
        self._connection = connection
        self._what = what
        self._held: list[tuple[int, int]] = []
        self.sent = False

    def __enter__(self) -> Injection:
        self._connection.take_errors()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        try:
            self._let_go()
        except NoDisplayError as lost:
            error = error or lost
        if isinstance(error, NoDisplayError) or (isinstance(error, InputNotDeliveredError) and self.sent):
            raise self.failure(str(error)) from error
        if error is not None:
            return
        refused = self._connection.take_errors()
        if refused:
            raise self.failure(f"the X server refused it ({refused[0]})")

    def failure(self, reason: str) -> DesktopError:
        """The error that says what is known about the delivery."""
        if self.sent:
            return UncertainDeliveryError(f"{self._what} was interrupted: {reason}")
        return InputNotDeliveredError(f"{self._what} was not sent: {reason}")

    def move(self, to: Point) -> None:
        """Put the pointer somewhere. By itself this does nothing to an application, so it does not count as sent."""
        with self._connection.use() as display:
            display.xtest_fake_input(X.MotionNotify, x=to[0], y=to[1])
            display.sync()

    @contextmanager
    def held_button(self, button: int) -> Iterator[None]:
        """Hold a mouse button for the length of a block."""
        with self._hold(X.ButtonPress, X.ButtonRelease, button):
            yield

    @contextmanager
    def held_key(self, keycode: int) -> Iterator[None]:
        """Hold a key for the length of a block."""
        with self._hold(X.KeyPress, X.KeyRelease, keycode):
            yield

    def tap_key(self, keycode: int) -> None:
        """Press a key and let it go."""
        with self.held_key(keycode):
            pass

    @contextmanager
    def _hold(self, press: int, release: int, detail: int) -> Iterator[None]:
        with self._connection.use() as display:
            self.sent = True
            self._held.append((release, detail))
            _fake(display, press, detail)
        yield
        with self._connection.use() as display:
            _fake(display, release, detail)
            self._held.remove((release, detail))

    def _let_go(self) -> None:
        with self._connection.use() as display:
            for release, detail in reversed(self._held):
                _fake(display, release, detail)
            self._held.clear()
            display.sync()


def _fake(display: Any, kind: int, detail: int) -> None:
    display.xtest_fake_input(kind, detail)
    display.flush()
