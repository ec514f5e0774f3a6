"""Sending input through XTEST, event by event, knowing at each moment whether some of it may have arrived.

Everything that is pressed is let go again, whatever happens in between: a key left down would turn the person's next
letter into a command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType

from Xlib import X

from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.adapters.desktop.x11.sent_input import SentInput
from rpa_vision.errors import DesktopError, InputNotDeliveredError, NoDisplayError, UncertainDeliveryError
from rpa_vision.models.geometry import Point


class Injection:
    """One action being sent. Use as a context manager; leaving lets go of what is still held."""

    def __init__(
        self,
        connection: Connection,
        what: str,
        sent_input: SentInput | None = None,
        refusal: Callable[[], str | None] = lambda: None,
    ) -> None:
        """`refusal` is asked before each press: a reason ends the action there, and what is held is let go."""
        self._connection = connection
        self._what = what
        self._sent_input = sent_input or SentInput()
        self._refusal = refusal
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

    def failure(self, reason: str) -> DesktopError:
        """The error that says what is known about the delivery."""
        if self.sent:
            return UncertainDeliveryError(f"{self._what} was interrupted: {reason}")
        return InputNotDeliveredError(f"{self._what} was not sent: {reason}")

    def move(self, to: Point) -> None:
        """Put the pointer somewhere. By itself this does nothing to an application, so it does not count as sent."""
        self._send(X.MotionNotify, x=to[0], y=to[1])

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
        refused = self._refusal()
        if refused is not None:
            raise InputNotDeliveredError(refused)
        sent_before = self.sent
        # Before it is so: should the link break now, the press may have arrived.
        self.sent = True
        self._held.append((release, detail))
        try:
            self._send(press, detail)
        except InputNotDeliveredError:
            self.sent = sent_before
            self._held.remove((release, detail))
            raise
        yield
        self._send(release, detail)
        self._held.remove((release, detail))

    def _send(self, kind: int, detail: int = 0, *, x: int = 0, y: int = 0) -> None:
        """Send one event and hear what the server says to it: after a refusal the rest would be something else."""
        with self._connection.use() as display:
            self._sent_input.note(kind, detail, x=x, y=y)
            display.xtest_fake_input(kind, detail, x=x, y=y)
            display.sync()
        refused = self._connection.take_errors()
        if refused:
            raise InputNotDeliveredError(f"the X server refused it ({refused[0]})")

    def _let_go(self) -> None:
        with self._connection.use() as display:
            for release, detail in reversed(self._held):
                self._sent_input.note(release, detail)
                display.xtest_fake_input(release, detail)
            self._held.clear()
            display.sync()
