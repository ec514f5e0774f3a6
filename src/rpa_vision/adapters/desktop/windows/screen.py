"""The virtual screen: all monitors together, in real pixels.

Windows puts its origin at the top left of the *primary* monitor, so a monitor to the left has negative coordinates;
the port's origin is the top left of the whole desktop. And Windows lies about pixels to programs that do not declare
themselves DPI aware, so that is declared first: for the process, or thread by thread where the process was already
declared otherwise (by a manifest, by a GUI library).
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.structs import MONITORENUMPROC, MONITORINFO, POINT
from rpa_vision.errors import DesktopError, NoDisplayError
from rpa_vision.models.geometry import Box, Point

PER_MONITOR_AWARE_V2 = -4
MONITORINFOF_PRIMARY = 1
SM_XVIRTUALSCREEN, SM_YVIRTUALSCREEN, SM_CXVIRTUALSCREEN, SM_CYVIRTUALSCREEN = 76, 77, 78, 79
_STANDARD_DPI = 96


class VirtualScreen:
    """Where the desktop lies, and the way between its coordinates and the port's."""

    def __init__(self, api: WindowsApi) -> None:
        self._api = api
        api.SetProcessDpiAwarenessContext(PER_MONITOR_AWARE_V2)
        # Refused when it was set before; what counts is what holds now.
        context = api.GetThreadDpiAwarenessContext()
        self._process_is_aware = bool(api.AreDpiAwarenessContextsEqual(context, PER_MONITOR_AWARE_V2))

    @contextmanager
    def aware(self) -> Iterator[None]:
        """Real pixels for the calling thread while inside."""
        if self._process_is_aware:
            yield
            return
        before = self._api.SetThreadDpiAwarenessContext(PER_MONITOR_AWARE_V2)
        if not before:
            raise DesktopError(
                "Windows does not give real pixels to this process",
                remedy="Start rpa-vision from its own process, on Windows 10 version 1703 or newer.",
            )
        try:
            yield
        finally:
            self._api.SetThreadDpiAwarenessContext(before)

    def bounds(self) -> Box:
        """The virtual screen in Windows' coordinates. Asked anew each time: monitors come and go."""
        metrics = self._api.GetSystemMetrics
        left, top = metrics(SM_XVIRTUALSCREEN), metrics(SM_YVIRTUALSCREEN)
        box = Box(left, top, left + metrics(SM_CXVIRTUALSCREEN), top + metrics(SM_CYVIRTUALSCREEN))
        if box.area == 0:
            raise NoDisplayError("Windows has no screen for this session", remedy="Log in on a desktop session.")
        return box

    def scale(self) -> float:
        """How much larger than 96 dpi things are drawn on the primary monitor."""
        return self._api.GetDpiForSystem() / _STANDARD_DPI

    def monitors(self) -> tuple[tuple[int, int, int, int], ...]:
        """The monitors in the port's coordinates, the primary one first."""
        origin = self.bounds()
        found: list[tuple[bool, tuple[int, int, int, int]]] = []

        def note(monitor: int, _dc: int, _rect: object, _data: int) -> int:
            info = MONITORINFO()
            info.cbSize = ctypes.sizeof(MONITORINFO)
            if self._api.GetMonitorInfoW(monitor, info):
                rect = info.rcMonitor
                box = Box(rect.left, rect.top, rect.right, rect.bottom).moved(-origin.x1, -origin.y1)
                found.append((not info.dwFlags & MONITORINFOF_PRIMARY, box.bbox))
            return 1

        if not self._api.EnumDisplayMonitors(0, None, MONITORENUMPROC(note), 0) or not found:
            raise NoDisplayError("Windows lists no monitor", remedy="Log in on a desktop session.")
        return tuple(box for _, box in sorted(found, key=lambda entry: entry[0]))

    def pointer(self) -> Point:
        """Where the pointer is, in the port's coordinates."""
        point = POINT()
        if not self._api.GetCursorPos(point):
            raise DesktopError(
                f"Windows does not tell the pointer (error {self._api.last_error()})",
                remedy="Unlock the screen; the pointer of the lock screen cannot be read.",
            )
        return self.to_port(point.x, point.y)

    def to_port(self, x: int, y: int) -> Point:
        """A point of Windows in the port's coordinates, kept inside: a pointer pushed at an edge is told beyond it."""
        bounds = self.bounds()
        return (
            min(max(x - bounds.x1, 0), bounds.width - 1),
            min(max(y - bounds.y1, 0), bounds.height - 1),
        )

    def to_windows(self, point: Point) -> Point:
        """A point of the port in Windows' coordinates."""
        bounds = self.bounds()
        return (point[0] + bounds.x1, point[1] + bounds.y1)
