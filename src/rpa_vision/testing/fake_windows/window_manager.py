"""Windows, processes and the locked desktop of the fake Windows."""

# ruff: noqa: N802  (functions have the names Windows gave them)

from __future__ import annotations

import ctypes
from typing import Any

from rpa_vision.adapters.desktop.windows import structs as s
from rpa_vision.models.geometry import Box
from rpa_vision.testing.fake_windows.machine import (
    ERROR_ACCESS_DENIED,
    ERROR_INSUFFICIENT_BUFFER,
    ERROR_INVALID_HANDLE,
    ERROR_INVALID_PARAMETER,
    ERROR_INVALID_WINDOW_HANDLE,
    OUR_PID,
    FakeProcess,
    FakeWindow,
    Machine,
)

SHELL_WINDOW = 0x10010
_E_INVALIDARG = -2147024809
_DWM_BOUNDS, _DWM_CLOAKED = 9, 14
_CURRENT_PROCESS = 2**64 - 1
_INNER_WINDOW_BIT = 0x4000_0000


class Token:
    """An opened access token."""

    def __init__(self, process: FakeProcess) -> None:
        self.process = process


class InputDesktop:
    """The opened desktop that has the input."""


class FakeWindowManager:
    """Top-level windows in z-order, who may bring one to the front, and what may be asked of their processes."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    # asking

    def GetForegroundWindow(self) -> int:
        return 0 if self._machine.locked else self._machine.foreground

    def GetShellWindow(self) -> int:
        return SHELL_WINDOW

    def IsWindowVisible(self, handle: int) -> int:
        window = self._machine.window(handle)
        return int(window.visible if window else handle == SHELL_WINDOW)

    def IsIconic(self, handle: int) -> int:
        window = self._machine.window(handle)
        return int(window is not None and window.minimized)

    def IsHungAppWindow(self, handle: int) -> int:
        window = self._machine.window(handle)
        return int(window is not None and window.hung)

    def GetAncestor(self, handle: int, flag: int) -> int:
        window = self._machine.window(handle)
        while flag == 3 and window is not None and window.owner:
            window = self._machine.window(window.owner)
        return window.handle if window else handle

    def WindowFromPoint(self, point: Any) -> int:
        factor = self._machine.factor()
        window = self._machine.window_under(int(point.x * factor), int(point.y * factor))
        return window.handle if window else SHELL_WINDOW

    def FindWindowExW(self, parent: int, _after: int, class_name: Any, _title: Any) -> int:
        window = self._machine.window(parent)
        if window is None or read_wide(class_name) != "Windows.UI.Core.CoreWindow" or not window.inner_pid:
            return 0
        return window.handle | _INNER_WINDOW_BIT

    def EnumWindows(self, callback: Any, data: int) -> int:
        for window in list(self._machine.windows):
            if not callback(window.handle, data):
                return 0
        return int(bool(callback(SHELL_WINDOW, data)))

    def GetWindowTextLengthW(self, handle: int) -> int:
        return len(s.utf16_units(self._title(handle)))

    def GetWindowTextW(self, handle: int, buffer: Any, room: int) -> int:
        return write_wide(buffer, self._title(handle), room)

    def GetWindowLongPtrW(self, handle: int, index: int) -> int:
        window = self._machine.window(handle)
        return window.ex_style if window and index == -20 else 0

    def GetWindowRect(self, handle: int, rect: Any) -> int:
        window = self._machine.window(handle)
        if window is None:
            return self._machine.fail(ERROR_INVALID_WINDOW_HANDLE)
        rect.contents.left, rect.contents.top, rect.contents.right, rect.contents.bottom = (
            self._machine.told(side) for side in window.rect.bbox
        )
        return 1

    def DwmGetWindowAttribute(self, handle: int, attribute: int, data: int, size: int) -> int:
        window = self._machine.window(handle)
        if window is None:
            return _E_INVALIDARG
        if attribute == _DWM_CLOAKED and size == 4:
            s.DWORD.from_address(data).value = 2 if window.cloaked else 0
            return 0
        if attribute == _DWM_BOUNDS and size == ctypes.sizeof(s.RECT) and window.seen is not None:
            rect = s.RECT.from_address(data)
            rect.left, rect.top, rect.right, rect.bottom = window.seen.bbox  # never virtualised, as documented
            return 0
        return _E_INVALIDARG

    def GetWindowThreadProcessId(self, handle: int, pid: Any) -> int:
        window = self._machine.window(handle & ~_INNER_WINDOW_BIT)
        if window is None:
            return self._machine.fail(ERROR_INVALID_WINDOW_HANDLE)
        if pid:
            pid.contents.value = window.inner_pid if handle & _INNER_WINDOW_BIT else window.pid
        return window.thread_id

    def _title(self, handle: int) -> str:
        if handle == SHELL_WINDOW:
            return "Program Manager"
        window = self._machine.window(handle)
        return window.title if window else ""

    # moving to the front

    def AttachThreadInput(self, ours: int, theirs: int, attach: int) -> int:
        thread = self._machine.thread_by_id(ours)
        if thread is None or ours == theirs or all(w.thread_id != theirs for w in self._machine.windows):
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        if attach:
            thread.attached_to.add(theirs)
        else:
            thread.attached_to.discard(theirs)
        return 1

    def SetForegroundWindow(self, handle: int) -> int:
        window, front = self._machine.window(handle), self._machine.front_window()
        if window is None or window.minimized or window.refuses_front or self._machine.locked:
            return 0
        # Only who is in front may give the front away.
        if front is not None and front.pid != OUR_PID and front.thread_id not in self._machine.thread().attached_to:
            return 0
        dialog = next((w for w in self._machine.windows if w.owner == handle and w.visible), window)
        self._raise(window)
        self._raise(dialog)
        self._machine.foreground = dialog.handle
        return 1

    def BringWindowToTop(self, handle: int) -> int:
        window = self._machine.window(handle)
        if window is None:
            return self._machine.fail(ERROR_INVALID_WINDOW_HANDLE)
        if not window.refuses_front:
            self._raise(window)
        return 1

    def ShowWindow(self, handle: int, command: int) -> int:
        window = self._machine.window(handle)
        if window is not None and command == 9:
            window.minimized = False
        return int(window is not None)

    def _raise(self, window: FakeWindow) -> None:
        self._machine.windows.remove(window)
        self._machine.windows.insert(0, window)

    # processes

    def OpenProcess(self, _access: int, _inherit: int, pid: int) -> int:
        process = self._machine.processes.get(pid)
        if process is None:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        if process.protected:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        return self._machine.new_handle(process)

    def GetCurrentProcess(self) -> int:
        return _CURRENT_PROCESS

    def QueryFullProcessImageNameW(self, handle: int, _flags: int, buffer: Any, size: Any) -> int:
        process = self._machine.by_handle(handle, FakeProcess)
        if process is None:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        if size.contents.value <= len(process.image):
            return self._machine.fail(ERROR_INSUFFICIENT_BUFFER)
        size.contents.value = write_wide(buffer, process.image, size.contents.value)
        return 1

    def CloseHandle(self, handle: int) -> int:
        if self._machine.drop_handle(handle, FakeProcess) or self._machine.drop_handle(handle, Token):
            return 1
        return self._machine.fail(ERROR_INVALID_HANDLE)

    def OpenProcessToken(self, handle: int, _access: int, token: Any) -> int:
        ours = self._machine.processes[OUR_PID]
        process = ours if handle == _CURRENT_PROCESS else self._machine.by_handle(handle, FakeProcess)
        if process is None:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        if not process.token_readable:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        token.contents.value = self._machine.new_handle(Token(process))
        return 1

    def GetTokenInformation(self, handle: int, kind: int, data: int, room: int, needed: Any) -> int:
        token = self._machine.by_handle(handle, Token)
        if token is None:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        header = ctypes.sizeof(s.SID_AND_ATTRIBUTES)
        needed.contents.value = header + 12
        if kind != 25 or room < header + 12:
            return self._machine.fail(ERROR_INSUFFICIENT_BUFFER)
        # S-1-16-level, laid out behind the structure that points to it.
        sid = bytes([1, 1, 0, 0, 0, 0, 0, 16]) + token.process.integrity.to_bytes(4, "little")
        label = s.SID_AND_ATTRIBUTES.from_address(data)
        label.Sid, label.Attributes = data + header, 0x20
        ctypes.memmove(data + header, sid, len(sid))
        return 1

    def GetSidSubAuthorityCount(self, sid: int) -> int:
        return sid + 1

    def GetSidSubAuthority(self, sid: int, number: int) -> int:
        return sid + 8 + 4 * number

    # locking

    def OpenInputDesktop(self, _flags: int, _inherit: int, _access: int) -> int:
        if self._machine.locked:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        if self._machine.input_desktop_error:
            return self._machine.fail(self._machine.input_desktop_error)
        return self._machine.new_handle(InputDesktop())

    def CloseDesktop(self, handle: int) -> int:
        return int(self._machine.drop_handle(handle, InputDesktop))

    def GetUserObjectInformationW(self, handle: int, kind: int, data: int, room: int, needed: Any) -> int:
        name = "Default\0".encode("utf-16-le")
        needed.contents.value = len(name)
        if self._machine.by_handle(handle, InputDesktop) is None:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        if kind != 2 or room < len(name):
            return self._machine.fail(ERROR_INSUFFICIENT_BUFFER)
        ctypes.memmove(data, name, len(name))
        return 1


def read_wide(pointer: Any) -> str:
    """The text a C program would read at a LPCWSTR."""
    units: list[int] = []
    while pointer and pointer[len(units)]:
        units.append(pointer[len(units)])
    return s.text_of(units, len(units))


def write_wide(pointer: Any, text: str, room: int) -> int:
    """Write as much text as there is room for, and a null; give the units written."""
    units = s.utf16_units(text)[: max(0, room - 1)]
    for number, unit in enumerate([*units, 0]):
        pointer[number] = unit
    return len(units)


def border(seen: Box) -> Box:
    """The rectangle GetWindowRect tells of a window that is seen there: with an invisible border to resize it."""
    return Box(seen.x1 - 7, seen.y1, seen.x2 + 7, seen.y2 + 7)
