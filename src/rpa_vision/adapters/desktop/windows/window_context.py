"""What a window is: its title, the program behind it, and where it can be seen."""

from __future__ import annotations

import ctypes

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.screen import VirtualScreen
from rpa_vision.adapters.desktop.windows.structs import DWORD, RECT, text_of, wide, wide_buffer
from rpa_vision.models.geometry import Box
from rpa_vision.models.window import WindowContext

PROCESS_QUERY_LIMITED_INFORMATION = 0x1000
DWMWA_EXTENDED_FRAME_BOUNDS = 9
_LONGEST_PATH = 32768
_STORE_APP_FRAME = "ApplicationFrameHost.exe"
"""The program that owns the frame of every store app; the app itself is the process of a window inside."""
_STORE_APP_WINDOW = "Windows.UI.Core.CoreWindow"


class WindowDescriber:
    """Turns window handles into WindowContext."""

    def __init__(self, api: WindowsApi, screen: VirtualScreen) -> None:
        self._api = api
        self._screen = screen

    def foreground(self) -> WindowContext | None:
        """The window with the focus, or None."""
        handle = self._api.GetForegroundWindow()
        return self.describe(handle) if handle else None

    def describe(self, handle: int) -> WindowContext:
        """Everything we tell of a window; what Windows keeps from us stays empty."""
        pid = self.process_of(handle)
        bounds = self._screen.bounds()
        return WindowContext(
            title=self.title_of(handle),
            app_name=self._app_name(handle, pid),
            pid=pid or None,
            geometry=self._geometry(handle, bounds),
            screen_resolution=(bounds.width, bounds.height),
        )

    def title_of(self, handle: int) -> str:
        room = self._api.GetWindowTextLengthW(handle) + 1
        if room <= 1:
            return ""
        buffer = wide_buffer(room)
        return text_of(buffer, self._api.GetWindowTextW(handle, buffer, room))

    def process_of(self, handle: int) -> int:
        pid = DWORD()
        self._api.GetWindowThreadProcessId(handle, pid)
        return pid.value

    def _app_name(self, handle: int, pid: int) -> str:
        name = self._image_name(pid)
        if name.casefold() == _STORE_APP_FRAME.casefold():
            inner = self._api.FindWindowExW(handle, 0, wide(_STORE_APP_WINDOW), None)
            if inner:
                return self._image_name(self.process_of(inner)) or name
        return name

    def _image_name(self, pid: int) -> str:
        """The file name of the program, such as EXCEL.EXE; empty for processes Windows protects."""
        process = self._api.OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, 0, pid) if pid else 0
        if not process:
            return ""
        try:
            buffer, length = wide_buffer(_LONGEST_PATH), DWORD(_LONGEST_PATH)
            if not self._api.QueryFullProcessImageNameW(process, 0, buffer, length):
                return ""
            return text_of(buffer, length.value).rsplit("\\", 1)[-1]
        finally:
            self._api.CloseHandle(process)

    def _geometry(self, handle: int, screen: Box) -> tuple[int, int, int, int] | None:
        rect = RECT()
        # GetWindowRect counts the invisible border for resizing; the compositor knows what is seen.
        seen = self._api.DwmGetWindowAttribute(
            handle, DWMWA_EXTENDED_FRAME_BOUNDS, ctypes.byref(rect), ctypes.sizeof(rect)
        )
        if seen != 0 and not self._api.GetWindowRect(handle, rect):
            return None
        box = Box(rect.left, rect.top, rect.right, rect.bottom).moved(-screen.x1, -screen.y1)
        return box.bbox if box.width > 0 and box.height > 0 else None
