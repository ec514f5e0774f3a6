"""Whether the screen is locked, as far as X tells.

Best effort: the screen saver, and the windows that lockers put over everything. Desktops that lock inside their own
compositor do not tell, nor can an unknown window over the whole screen be judged.
"""

from __future__ import annotations

from typing import Any

from Xlib import X
from Xlib import error as xerror

from rpa_vision.adapters.desktop.x11.connection import Connection, read_property

_SAVER_ON = 1
_BLANKED = 0
"""The server turned the picture off because nobody did anything: no lock, the next input brings it back."""
_LOCKERS = ("i3lock", "xsecurelock", "slock", "xlock", "xtrlock", "physlock", "xscreensaver", "kscreenlocker")
_LOCKS_INSIDE_ITSELF = ("gnome shell", "mutter", "muffin", "cinnamon")


class ScreenLock:
    """Asks through a connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def is_locked(self) -> bool | None:
        """Say whether it is; None when that cannot be told."""
        with self._connection.use():
            if self._connection.has_extension("MIT-SCREEN-SAVER") and self._saver_is_on():
                return True
            cover = self._covering_window()
            manager = self._window_manager()
        if cover is not None:
            return True if cover.startswith(_LOCKERS) else None
        return None if manager.startswith(_LOCKS_INSIDE_ITSELF) else False

    def _saver_is_on(self) -> bool:
        saver = self._connection.root.screensaver_query_info()
        return bool(saver.state == _SAVER_ON and saver.kind != _BLANKED)

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
        checked = read_property(connection.root, connection.atom("_NET_SUPPORTING_WM_CHECK"))
        if checked is None or not checked.value:
            return ""
        with connection.use() as display:
            window: Any = display.create_resource_object("window", int(checked.value[0]))
            try:
                name = read_property(window, connection.atom("_NET_WM_NAME"))
            except (xerror.BadWindow, xerror.BadDrawable):
                return ""
        return name.value.decode("utf-8", errors="replace").lower() if name is not None else ""
