"""A link to an X server.

python-xlib is not safe between threads and prints errors nobody asked for; a Connection is used by one thread at a time
and keeps the errors of requests without an answer, to be asked for.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from Xlib import X
from Xlib import error as xerror
from Xlib.display import Display

from rpa_vision.errors import DesktopError, EnvironmentMissingError, NoDisplayError

_LONGEST_PROPERTY = 1 << 20
"""In units of four bytes."""

LOST = (xerror.ConnectionClosedError, OSError)
"""What python-xlib raises when the server is gone."""


class Connection:
    """One link. `requires` names the X extensions that the work on it needs."""

    def __init__(self, display_name: str | None, *, requires: Sequence[str] = ()) -> None:
        self.name = display_name or os.environ.get("DISPLAY", "")
        self._lock = threading.RLock()
        self._errors: list[str] = []
        self._closed = False
        self._display = _open(self.name)
        self._display.set_error_handler(self._remember)
        self.root: Any = self._display.screen().root
        self._require(requires)

    @contextmanager
    def use(self) -> Iterator[Any]:
        """Give python-xlib's Display to this thread alone; a server that went away is a NoDisplayError."""
        with self._lock:
            if self._closed:
                raise DesktopError(f"the connection to display {self.name} is closed", remedy="Open the desktop again.")
            try:
                yield self._display
            except LOST as error:
                raise NoDisplayError(f"the X server of display {self.name} went away") from error

    def take_errors(self) -> list[str]:
        """Give, and forget, the errors of requests that have no answer. Sync first to have them all."""
        with self._lock:
            errors, self._errors = self._errors, []
            return errors

    def atom(self, name: str) -> int:
        """Number of a name."""
        with self.use() as display:
            return int(display.get_atom(name))

    def events(self) -> Iterator[Any]:
        """Give the events that have arrived, without waiting."""
        with self.use() as display:
            while waiting := display.pending_events():  # which asks the system each time
                for _ in range(waiting):
                    yield display.next_event()

    def has_extension(self, name: str) -> bool:
        return bool(self._display.has_extension(name))

    def fileno(self) -> int:
        """To wait for events with select."""
        with self.use() as display:
            return int(display.fileno())

    def close(self) -> None:
        """Let go; the server frees what belonged to the link."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            try:
                self._display.close()
            except LOST:
                return

    def _remember(self, error: object, _request: object) -> None:
        self._errors.append(str(error))

    def _require(self, extensions: Sequence[str]) -> None:
        missing = [name for name in extensions if not self._display.has_extension(name)]
        if missing:
            self.close()
            raise EnvironmentMissingError(
                f"the X server of display {self.name} lacks the extension {', '.join(missing)}",
                remedy="Use an X server that has it, or start a virtual desktop with `rpa-vision desktop`.",
            )


def read_property(window: Any, atom: int) -> Any:
    """Give a property whole, or None. In one request: one that shrinks between two requests would be an error."""
    return window.get_full_property(atom, X.AnyPropertyType, sizehint=_LONGEST_PROPERTY)


def _open(name: str) -> Any:
    if not name:
        raise NoDisplayError("DISPLAY is not set, so there is no screen to work on")
    try:
        display = Display(name)
    except (xerror.DisplayError, xerror.XauthError, xerror.ConnectionClosedError, OSError) as error:
        raise NoDisplayError(f"the display {name!r} (DISPLAY) cannot be opened: {error}") from error
    # python-xlib keeps these tables in the class, where a second server with other numbers would overwrite them.
    inner = display.display
    inner.extension_major_opcodes = dict(inner.extension_major_opcodes)
    inner.event_classes = dict(inner.event_classes)
    # Its RandR module also registers its errors under the numbers of core errors, as classes that cannot be parsed.
    inner.error_classes = dict(inner.error_classes) | xerror.xerror_class
    return display
