"""The windows of the desktop, and bringing one to the front.

Windows lets only the program in front give the front away. Attaching our input to that program's thread for a moment
makes us count as it; whether it worked is read back, never assumed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.screen import VirtualScreen
from rpa_vision.adapters.desktop.windows.structs import DWORD, WNDENUMPROC
from rpa_vision.adapters.desktop.windows.window_context import WindowDescriber
from rpa_vision.errors import DesktopError, UsageError
from rpa_vision.models.window import WindowContext, only_fit
from rpa_vision.ports.runtime import Clock

DWMWA_CLOAKED = 14
GWL_EXSTYLE = -20
WS_EX_TOOLWINDOW, WS_EX_APPWINDOW, WS_EX_NOACTIVATE = 0x00000080, 0x00040000, 0x08000000
SW_RESTORE = 9
GA_ROOTOWNER = 3
_TRIES = 10
_PAUSE_S = 0.05


class WindowsWindows:
    """Lists and activates windows."""

    def __init__(self, api: WindowsApi, screen: VirtualScreen, describer: WindowDescriber, clock: Clock) -> None:
        self._api = api
        self._screen = screen
        self._describer = describer
        self._clock = clock

    def all(self) -> list[WindowContext]:
        with self._screen.aware():
            return [self._describer.describe(handle) for handle in self._handles()]

    def activate(self, *, app_name: str | None = None, title_contains: str | None = None) -> WindowContext | None:
        if app_name is None and title_contains is None:
            raise UsageError("no window was named", remedy="Give app_name, title_contains or both.")
        with self._screen.aware():
            handles = self._handles()
            windows = [self._describer.describe(handle) for handle in handles]
            meant = only_fit(windows, app_name, title_contains)
            if meant is None:
                return None
            self._bring_to_front(handles[meant], windows[meant])
            return self._describer.describe(handles[meant])

    def _handles(self) -> list[int]:
        """Windows a person can switch to; from front to back, as Windows enumerates them."""
        found: list[int] = []

        def note(handle: int, _data: int) -> int:
            if self._can_be_switched_to(handle):
                found.append(handle)
            return 1

        if not self._api.EnumWindows(WNDENUMPROC(note), 0):
            raise DesktopError(f"Windows does not list its windows (error {self._api.last_error()})")
        # Always-on-top windows are enumerated before the one that has the focus.
        front = self._api.GetForegroundWindow()
        return sorted(found, key=lambda handle: handle != front)

    def _can_be_switched_to(self, handle: int) -> bool:
        api = self._api
        if not api.IsWindowVisible(handle) or handle == api.GetShellWindow() or not self._describer.title_of(handle):
            return False
        style = api.GetWindowLongPtrW(handle, GWL_EXSTYLE)
        if style & (WS_EX_TOOLWINDOW | WS_EX_NOACTIVATE) and not style & WS_EX_APPWINDOW:
            return False
        cloaked = DWORD()
        told = api.DwmGetWindowAttribute(handle, DWMWA_CLOAKED, ctypes.byref(cloaked), ctypes.sizeof(cloaked))
        # Suspended store apps and windows of other virtual desktops are "visible" but cloaked.
        return not (told == 0 and cloaked.value)

    def _bring_to_front(self, handle: int, window: WindowContext) -> None:
        if self._api.IsIconic(handle):
            self._api.ShowWindow(handle, SW_RESTORE)
        for attempt in range(_TRIES):
            if attempt:
                self._clock.sleep(_PAUSE_S)
            if self._is_in_front(handle):
                return
            with self._attached_to_front():
                self._api.BringWindowToTop(handle)
                self._api.SetForegroundWindow(handle)
        if not self._is_in_front(handle):
            raise DesktopError(
                f"Windows did not bring {window.title!r} to the front",
                remedy="Close a menu or dialog that holds the front, or bring the window up by hand.",
            )

    def _is_in_front(self, handle: int) -> bool:
        front = self._api.GetForegroundWindow()
        # A window behind its own dialog is in front when the dialog is.
        return front == handle or bool(front and self._api.GetAncestor(front, GA_ROOTOWNER) == handle)

    @contextmanager
    def _attached_to_front(self) -> Iterator[None]:
        front = self._api.GetForegroundWindow()
        theirs = self._api.GetWindowThreadProcessId(front, None) if front else 0
        ours = self._api.GetCurrentThreadId()
        # Attached to a program that hangs, we would hang with it.
        attached = (
            theirs not in (0, ours)
            and not self._api.IsHungAppWindow(front)
            and bool(self._api.AttachThreadInput(ours, theirs, 1))
        )
        try:
            yield
        finally:
            if attached:
                self._api.AttachThreadInput(ours, theirs, 0)
