"""The windows of the desktop, through the window manager (EWMH)."""

from __future__ import annotations

from Xlib import X
from Xlib.protocol.event import ClientMessage

from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.adapters.desktop.x11.focus import GONE, WindowReader
from rpa_vision.errors import DesktopError, UsageError
from rpa_vision.models.window import WindowContext, only_fit
from rpa_vision.ports.runtime import Clock

_ACTIVATION_TIMEOUT_S = 2.0
_POLL_S = 0.01
_FROM_A_PAGER = 2
"""EWMH source indication: a person's tool asks, so the window manager obeys instead of flashing the task bar."""


class X11Windows:
    """Implements `ports.desktop.Windows`."""

    def __init__(self, display_name: str | None, clock: Clock) -> None:
        self._clock = clock
        self._connection = Connection(display_name)
        self._reader = WindowReader(self._connection)

    def all(self) -> list[WindowContext]:
        return [window for _, window in self._switchable()]

    def activate(self, *, app_name: str | None = None, title_contains: str | None = None) -> WindowContext | None:
        if app_name is None and title_contains is None:
            raise UsageError("say which window to activate: by application, by title or by both")
        open_ones = self._switchable()
        meant = only_fit([window for _, window in open_ones], app_name, title_contains)
        return self._bring_up(*open_ones[meant]) if meant is not None else None

    def close(self) -> None:
        """Let go of the connection."""
        self._connection.close()

    def _bring_up(self, window_id: int, window: WindowContext) -> WindowContext:
        self._ask_for(window_id)
        deadline_s = self._clock.monotonic() + _ACTIVATION_TIMEOUT_S
        while self._reader.active_id() != window_id:
            if self._clock.monotonic() >= deadline_s:
                raise DesktopError(
                    f"the window « {window.title} » did not come to the front",
                    remedy="Close dialogs that hold the focus, and check that a window manager is running.",
                )
            self._clock.sleep(_POLL_S)
        # Its place may have changed: it may have been minimised or on another desktop.
        return self._reader.describe(window_id) or window

    def _ask_for(self, window_id: int) -> None:
        with self._connection.use() as display:
            message = ClientMessage(
                window=self._reader.window(window_id),
                client_type=self._reader.active_atom,
                data=(32, [_FROM_A_PAGER, X.CurrentTime, self._reader.active_id() or 0, 0, 0]),
            )
            self._connection.root.send_event(message, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
            display.sync()

    def _switchable(self) -> list[tuple[int, WindowContext]]:
        """The windows a person can switch to, the front one first."""
        stacking = self._connection.atom("_NET_CLIENT_LIST_STACKING")
        ids = self._reader.numbers(self._connection.root, stacking)[::-1]
        # An always-on-top window is stacked above the active one; and the list is told later than the focus.
        active = self._reader.active_id()
        ids.sort(key=lambda window_id: window_id != active)
        described = (
            (window_id, self._reader.describe(window_id)) for window_id in ids if self._can_switch_to(window_id)
        )
        return [(window_id, window) for window_id, window in described if window is not None and window.title]

    def _can_switch_to(self, window_id: int) -> bool:
        atom = self._connection.atom
        window = self._reader.window(window_id)
        try:
            states = self._reader.numbers(window, atom("_NET_WM_STATE"))
            kinds = self._reader.numbers(window, atom("_NET_WM_WINDOW_TYPE"))
        except GONE:
            return False
        furniture = {atom("_NET_WM_WINDOW_TYPE_DESKTOP"), atom("_NET_WM_WINDOW_TYPE_DOCK")}
        return atom("_NET_WM_STATE_SKIP_TASKBAR") not in states and not furniture.intersection(kinds)
