"""Everything of one X11 desktop."""

from __future__ import annotations

from contextlib import ExitStack
from types import TracebackType
from typing import Any

from Xlib import X
from Xlib import error as xerror

from rpa_vision.adapters.desktop.x11.clipboard import X11Clipboard
from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.adapters.desktop.x11.ears import X11Ears
from rpa_vision.adapters.desktop.x11.eyes import X11Eyes
from rpa_vision.adapters.desktop.x11.hands import X11Hands
from rpa_vision.adapters.desktop.x11.windows import X11Windows
from rpa_vision.ports.runtime import Clock

_SAVER_ON = 1
_LOCKERS = ("i3lock", "xsecurelock", "slock", "xlock", "xtrlock", "physlock", "xscreensaver", "kscreenlocker")
_LOCKS_INSIDE_ITSELF = ("gnome shell", "mutter", "muffin", "cinnamon")


class X11Desktop:
    """Implements `ports.desktop.Desktop` for the display of that name, or of DISPLAY.

    Raises NoDisplayError when it cannot be opened. Close it, or use it as a context manager.
    """

    def __init__(self, display_name: str | None, clock: Clock) -> None:
        with ExitStack() as undo:
            self._connection = Connection(display_name, requires=("RECORD", "XTEST", "DAMAGE"))
            undo.callback(self._connection.close)
            self._eyes = X11Eyes(display_name, clock)
            undo.callback(self._eyes.close)
            self._hands = X11Hands(display_name, clock)
            undo.callback(self._hands.close)
            self._windows = X11Windows(display_name, clock)
            undo.callback(self._windows.close)
            self._ears = X11Ears(display_name, clock)
            self._clipboard = X11Clipboard(display_name, clock)
            undo.callback(self._clipboard.close)
            self._to_close = undo.pop_all()

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
        """Best effort: the screen saver, and the windows that lockers put over everything.

        Desktops that lock inside their own compositor do not tell, nor can an unknown window over the whole screen be
        judged: then the answer is None.
        """
        with self._connection.use():
            if self._connection.has_extension("MIT-SCREEN-SAVER") and self._saver_is_on():
                return True
            cover = self._covering_window()
            manager = self._window_manager()
        if cover is not None:
            return True if cover.startswith(_LOCKERS) else None
        return None if manager.startswith(_LOCKS_INSIDE_ITSELF) else False

    def close(self) -> None:
        self._to_close.close()

    def __enter__(self) -> X11Desktop:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        self.close()

    def _saver_is_on(self) -> bool:
        return bool(self._connection.root.screensaver_query_info().state == _SAVER_ON)

    def _covering_window(self) -> str | None:
        """Class of the topmost window that covers the screen past the window manager; None when there is none."""
        screen = self._connection.root.get_geometry()
        for window in reversed(self._connection.root.query_tree().children):
            try:
                attributes, size = window.get_attributes(), window.get_geometry()
                if attributes.map_state != X.IsViewable or attributes.win_class != X.InputOutput:
                    continue
                covers = size.x <= 0 and size.y <= 0 and size.width >= screen.width and size.height >= screen.height
                if covers and attributes.override_redirect:
                    names = window.get_wm_class()
                    return str(names[1]).lower() if names else ""
            except (xerror.BadWindow, xerror.BadDrawable):
                continue
        return None

    def _window_manager(self) -> str:
        connection = self._connection
        checked = connection.root.get_full_property(connection.atom("_NET_SUPPORTING_WM_CHECK"), X.AnyPropertyType)
        if checked is None or not checked.value:
            return ""
        with connection.use() as display:
            window: Any = display.create_resource_object("window", int(checked.value[0]))
            try:
                name = window.get_full_property(connection.atom("_NET_WM_NAME"), X.AnyPropertyType)
            except (xerror.BadWindow, xerror.BadDrawable):
                return ""
        return name.value.decode("utf-8", errors="replace").lower() if name is not None else ""
