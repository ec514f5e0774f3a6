"""Windows as EWMH tells them, and which one had the focus at a moment.

Whoever asks for the active window when he hears of a click may be told the one the click brought up. The tracker keeps
the changes with the server's own time, and so can say which window was active *before* a moment.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

from Xlib import X, Xatom
from Xlib import error as xerror

from rpa_vision.adapters.desktop.x11.asking import Asked, AskedProperty, ask_geometry, ask_place
from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.models.window import WindowContext

_REMEMBERED_CHANGES = 64
_HALF_OF_TIME = 1 << 31

GONE = (xerror.BadWindow, xerror.BadDrawable, xerror.BadMatch)
"""What the server says of a window that was closed meanwhile."""


class WindowReader:
    """Reads windows through a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.active_atom = connection.atom("_NET_ACTIVE_WINDOW")
        self._name_atom = connection.atom("_NET_WM_NAME")
        self._pid_atom = connection.atom("_NET_WM_PID")
        self._guess: int | None = None
        """The window that was active when it was asked last."""

    @property
    def title_atoms(self) -> tuple[int, int]:
        return (self._name_atom, Xatom.WM_NAME)

    def active_id(self) -> int | None:
        """Id of the active window; None when no window is."""
        with self._connection.use():
            return _active(AskedProperty(self._connection.root, self.active_atom))

    def active(self) -> WindowContext | None:
        """What a person would say about the active window; None when no window is.

        Mostly it is the one it was when it was asked last: that one is asked about while we ask which it is.
        """
        with self._connection.use():
            asked = AskedProperty(self._connection.root, self.active_atom)
            guess = self._guess
            about = self._ask_about(guess) if guess is not None else None
            self._guess = _active(asked)
            if about is not None and self._guess == guess:
                return _told(about)
            return self.describe(self._guess) if self._guess is not None else None

    def window(self, window_id: int) -> Any:
        """python-xlib's object for an id."""
        with self._connection.use() as display:
            return display.create_resource_object("window", window_id)

    def describe(self, window_id: int) -> WindowContext | None:
        """What a person would say about a window; None when it is gone."""
        with self._connection.use():
            return _told(self._ask_about(window_id))

    def numbers(self, window: Any, atom: int) -> list[int]:
        """The numbers a property holds; none when there is no such property."""
        with self._connection.use():
            return AskedProperty(window, atom).numbers()

    def _ask_about(self, window_id: int) -> _About:
        window, root = self.window(window_id), self._connection.root
        return _About(
            ask_geometry(window),
            # The window sits inside the frame of the window manager: only the root knows where it is.
            ask_place(window, root),
            AskedProperty(window, Xatom.WM_CLASS),
            AskedProperty(window, self._pid_atom),
            AskedProperty(window, self._name_atom),
            AskedProperty(window, Xatom.WM_NAME),
            ask_geometry(root),
        )


@dataclass(frozen=True, slots=True)
class _About:
    """What was asked about a window."""

    size: Asked
    corner: Asked
    names: AskedProperty
    pid: AskedProperty
    title: AskedProperty
    older_title: AskedProperty
    whole: Asked


def _active(asked: AskedProperty) -> int | None:
    values = asked.numbers()
    return values[0] if values and values[0] else None


def _told(about: _About) -> WindowContext | None:
    """What was answered; None when the window is gone."""
    try:
        size, corner, names = about.size.answer(), about.corner.answer(), about.names.text()
        pids, title, older = about.pid.numbers(), about.title.text(), about.older_title.text()
        whole = about.whole.answer()
    except GONE:
        return None
    named = names.decode("latin-1").split("\0") if names is not None else []
    return WindowContext(
        title=title.decode("utf-8", errors="replace") if title is not None else (older or b"").decode("latin-1"),
        app_name=named[1] if len(named) > 1 else "",
        pid=pids[0] if pids else None,
        geometry=(corner.x, corner.y, corner.x + size.width, corner.y + size.height),
        screen_resolution=(whole.width, whole.height),
    )


class FocusTracker:
    """Follows the active window from the events of a connection; asks the server only when something changed."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._reader = WindowReader(connection)
        self._changes: deque[tuple[int, WindowContext | None]] = deque(maxlen=_REMEMBERED_CHANGES)
        self._id: int | None = None
        with connection.use() as display:
            connection.root.change_attributes(event_mask=X.PropertyChangeMask)
            display.sync()
        self._refresh(None)

    @property
    def current(self) -> WindowContext | None:
        """The active window as of the last event handed in."""
        return self._changes[-1][1] if self._changes else None

    def before(self, server_ms: int) -> WindowContext | None:
        """The window that was active before that moment of the server's clock."""
        for changed_ms, window in reversed(self._changes):
            if changed_ms < 0 or _earlier(changed_ms, server_ms):
                return window
        return self._changes[0][1] if self._changes else None

    def handle(self, event: Any) -> bool:
        """Take an event of the connection; say whether the active window is another one or looks different."""
        if event.type == X.PropertyNotify:
            if event.window.id == self._connection.root.id:
                relevant = event.atom == self._reader.active_atom
            else:
                relevant = event.window.id == self._id and event.atom in self._reader.title_atoms
            return relevant and self._refresh(event.time)
        if event.type == X.ConfigureNotify and event.window.id == self._id:
            return self._refresh(self._changes[-1][0] if self._changes else None)
        return False

    def _refresh(self, server_ms: int | None) -> bool:
        window_id = self._reader.active_id()
        if window_id != self._id:
            self._follow(self._id, 0)
            self._follow(window_id, X.PropertyChangeMask | X.StructureNotifyMask)
            self._id = window_id
        window = self._reader.describe(window_id) if window_id is not None else None
        if self._changes and self._changes[-1][1] == window:
            return False
        self._changes.append((-1 if server_ms is None else server_ms, window))
        return True

    def _follow(self, window_id: int | None, mask: int) -> None:
        if window_id is None:
            return
        with self._connection.use() as display:
            # The window may be gone already; the error then comes to the connection's own list.
            self._reader.window(window_id).change_attributes(event_mask=mask)
            display.flush()


def _earlier(first_ms: int, second_ms: int) -> bool:
    """Order of two moments of a clock of 32 bits, which starts again every 49 days."""
    return 0 < (second_ms - first_ms) % (1 << 32) < _HALF_OF_TIME
