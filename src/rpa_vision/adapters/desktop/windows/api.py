"""The C functions of Windows that the adapter calls, with their exact signatures.

The table is data, so that the real libraries and the fake of the tests are bound through the same signatures: a
wrong argument type or a handle cut to 32 bits fails in the tests as it would on Windows.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Mapping
from ctypes import POINTER, c_uint8
from typing import Any, NamedTuple

from rpa_vision.adapters.desktop.windows import structs as s
from rpa_vision.errors import EnvironmentMissingError


class Prototype(NamedTuple):
    """Where a function lives, what it gives and what it takes."""

    library: str
    result: Any
    arguments: tuple[Any, ...]


class WindowsApi:
    """The functions by their Windows names (`api.SendInput(...)`), and the last error of the calling thread."""

    def __init__(self, functions: Mapping[str, Callable[..., int]], last_error: Callable[[], int]) -> None:
        self._functions = dict(functions)
        self.last_error = last_error

    def __getattr__(self, name: str) -> Callable[..., int]:
        try:
            return self._functions[name]
        except KeyError:
            raise AttributeError(f"{name} is not in the table of Windows functions") from None


def load_windows_api() -> WindowsApi:
    """Bind the real libraries; an error elsewhere than on Windows 10 (1703) or newer."""
    if sys.platform != "win32":
        raise EnvironmentMissingError(
            "the Windows desktop needs Windows", remedy="Choose the desktop of this platform (--desktop auto)."
        )
    libraries: dict[str, Any] = {}
    functions: dict[str, Callable[..., int]] = {}
    for name, prototype in PROTOTYPES.items():
        library = libraries.get(prototype.library)
        if library is None:
            # Our own WinDLL object: setting signatures on ctypes.windll would change them for the whole process.
            library = libraries[prototype.library] = ctypes.WinDLL(prototype.library, use_last_error=True)
        try:
            function = getattr(library, name)
        except AttributeError as error:
            raise EnvironmentMissingError(
                f"this Windows has no {name}", remedy="Use Windows 10 version 1703 or newer."
            ) from error
        function.restype, function.argtypes = prototype.result, prototype.arguments
        functions[name] = function
    return WindowsApi(functions, ctypes.get_last_error)


_PDWORD = POINTER(s.DWORD)
_PBYTE = POINTER(c_uint8)
_DATA = ctypes.c_void_p


def _of(library: str, result: Any, *arguments: Any) -> Prototype:
    return Prototype(library, result, arguments)


_USER, _GDI, _KERNEL, _DWM, _SECURITY = "user32", "gdi32", "kernel32", "dwmapi", "advapi32"

# fmt: off
PROTOTYPES: dict[str, Prototype] = {
    # coordinates and monitors
    "SetProcessDpiAwarenessContext": _of(_USER, s.BOOL, s.HANDLE),
    "SetThreadDpiAwarenessContext": _of(_USER, s.HANDLE, s.HANDLE),
    "GetThreadDpiAwarenessContext": _of(_USER, s.HANDLE),
    "AreDpiAwarenessContextsEqual": _of(_USER, s.BOOL, s.HANDLE, s.HANDLE),
    "GetDpiForSystem": _of(_USER, s.UINT),
    "GetSystemMetrics": _of(_USER, s.INT, s.INT),
    "EnumDisplayMonitors": _of(_USER, s.BOOL, s.HANDLE, POINTER(s.RECT), s.MONITORENUMPROC, s.LPARAM),
    "GetMonitorInfoW": _of(_USER, s.BOOL, s.HANDLE, POINTER(s.MONITORINFO)),
    "GetCursorPos": _of(_USER, s.BOOL, POINTER(s.POINT)),
    # pixels
    "GetDC": _of(_USER, s.HANDLE, s.HANDLE),
    "ReleaseDC": _of(_USER, s.INT, s.HANDLE, s.HANDLE),
    "CreateCompatibleDC": _of(_GDI, s.HANDLE, s.HANDLE),
    "CreateCompatibleBitmap": _of(_GDI, s.HANDLE, s.HANDLE, s.INT, s.INT),
    "SelectObject": _of(_GDI, s.HANDLE, s.HANDLE, s.HANDLE),
    "BitBlt": _of(_GDI, s.BOOL, s.HANDLE, s.INT, s.INT, s.INT, s.INT, s.HANDLE, s.INT, s.INT, s.DWORD),
    "GetDIBits": _of(_GDI, s.INT, s.HANDLE, s.HANDLE, s.UINT, s.UINT, _DATA, POINTER(s.BITMAPINFO), s.UINT),
    "DeleteObject": _of(_GDI, s.BOOL, s.HANDLE),
    "DeleteDC": _of(_GDI, s.BOOL, s.HANDLE),
    # windows
    "GetForegroundWindow": _of(_USER, s.HANDLE),
    "SetForegroundWindow": _of(_USER, s.BOOL, s.HANDLE),
    "BringWindowToTop": _of(_USER, s.BOOL, s.HANDLE),
    "ShowWindow": _of(_USER, s.BOOL, s.HANDLE, s.INT),
    "IsIconic": _of(_USER, s.BOOL, s.HANDLE),
    "IsWindowVisible": _of(_USER, s.BOOL, s.HANDLE),
    "IsHungAppWindow": _of(_USER, s.BOOL, s.HANDLE),
    "GetShellWindow": _of(_USER, s.HANDLE),
    "GetAncestor": _of(_USER, s.HANDLE, s.HANDLE, s.UINT),
    "WindowFromPoint": _of(_USER, s.HANDLE, s.POINT),
    "FindWindowExW": _of(_USER, s.HANDLE, s.HANDLE, s.HANDLE, s.PWCHAR, s.PWCHAR),
    "EnumWindows": _of(_USER, s.BOOL, s.WNDENUMPROC, s.LPARAM),
    "GetWindowTextLengthW": _of(_USER, s.INT, s.HANDLE),
    "GetWindowTextW": _of(_USER, s.INT, s.HANDLE, s.PWCHAR, s.INT),
    "GetWindowLongPtrW": _of(_USER, s.LPARAM, s.HANDLE, s.INT),
    "GetWindowRect": _of(_USER, s.BOOL, s.HANDLE, POINTER(s.RECT)),
    "GetWindowThreadProcessId": _of(_USER, s.DWORD, s.HANDLE, _PDWORD),
    "AttachThreadInput": _of(_USER, s.BOOL, s.DWORD, s.DWORD, s.BOOL),
    "CreateWindowExW": _of(
        _USER, s.HANDLE, s.DWORD, s.PWCHAR, s.PWCHAR, s.DWORD, s.INT, s.INT, s.INT, s.INT,
        s.HANDLE, s.HANDLE, s.HANDLE, _DATA,
    ),
    "DestroyWindow": _of(_USER, s.BOOL, s.HANDLE),
    "DwmGetWindowAttribute": _of(_DWM, s.LONG, s.HANDLE, s.DWORD, _DATA, s.DWORD),
    # processes
    "OpenProcess": _of(_KERNEL, s.HANDLE, s.DWORD, s.BOOL, s.DWORD),
    "GetCurrentProcess": _of(_KERNEL, s.HANDLE),
    "QueryFullProcessImageNameW": _of(_KERNEL, s.BOOL, s.HANDLE, s.DWORD, s.PWCHAR, _PDWORD),
    "CloseHandle": _of(_KERNEL, s.BOOL, s.HANDLE),
    "GetCurrentThreadId": _of(_KERNEL, s.DWORD),
    "OpenProcessToken": _of(_SECURITY, s.BOOL, s.HANDLE, s.DWORD, POINTER(s.HANDLE)),
    "GetTokenInformation": _of(_SECURITY, s.BOOL, s.HANDLE, s.INT, _DATA, s.DWORD, _PDWORD),
    "GetSidSubAuthorityCount": _of(_SECURITY, s.HANDLE, s.HANDLE),
    "GetSidSubAuthority": _of(_SECURITY, s.HANDLE, s.HANDLE, s.DWORD),
    # input
    "SendInput": _of(_USER, s.UINT, s.UINT, POINTER(s.INPUT), s.INT),
    "SetWindowsHookExW": _of(_USER, s.HANDLE, s.INT, s.HOOKPROC, s.HANDLE, s.DWORD),
    "UnhookWindowsHookEx": _of(_USER, s.BOOL, s.HANDLE),
    "CallNextHookEx": _of(_USER, s.LRESULT, s.HANDLE, s.INT, s.WPARAM, s.LPARAM),
    "GetModuleHandleW": _of(_KERNEL, s.HANDLE, s.PWCHAR),
    "PeekMessageW": _of(_USER, s.BOOL, POINTER(s.MSG), s.HANDLE, s.UINT, s.UINT, s.UINT),
    "GetMessageW": _of(_USER, s.BOOL, POINTER(s.MSG), s.HANDLE, s.UINT, s.UINT),
    "PostThreadMessageW": _of(_USER, s.BOOL, s.DWORD, s.UINT, s.WPARAM, s.LPARAM),
    "GetTickCount": _of(_KERNEL, s.DWORD),
    "GetAsyncKeyState": _of(_USER, ctypes.c_int16, s.INT),
    "GetKeyState": _of(_USER, ctypes.c_int16, s.INT),
    "GetKeyboardLayout": _of(_USER, s.HANDLE, s.DWORD),
    "MapVirtualKeyExW": _of(_USER, s.UINT, s.UINT, s.UINT, s.HANDLE),
    "VkKeyScanExW": _of(_USER, ctypes.c_int16, s.WCHAR, s.HANDLE),
    "ToUnicodeEx": _of(_USER, s.INT, s.UINT, s.UINT, _PBYTE, s.PWCHAR, s.INT, s.UINT, s.HANDLE),
    # clipboard
    "OpenClipboard": _of(_USER, s.BOOL, s.HANDLE),
    "CloseClipboard": _of(_USER, s.BOOL),
    "EmptyClipboard": _of(_USER, s.BOOL),
    "IsClipboardFormatAvailable": _of(_USER, s.BOOL, s.UINT),
    "RegisterClipboardFormatW": _of(_USER, s.UINT, s.PWCHAR),
    "GetClipboardData": _of(_USER, s.HANDLE, s.UINT),
    "SetClipboardData": _of(_USER, s.HANDLE, s.UINT, s.HANDLE),
    "GlobalAlloc": _of(_KERNEL, s.HANDLE, s.UINT, s.ULONG_PTR),
    "GlobalFree": _of(_KERNEL, s.HANDLE, s.HANDLE),
    "GlobalLock": _of(_KERNEL, s.HANDLE, s.HANDLE),
    "GlobalUnlock": _of(_KERNEL, s.BOOL, s.HANDLE),
    "GlobalSize": _of(_KERNEL, s.ULONG_PTR, s.HANDLE),
    # locking
    "OpenInputDesktop": _of(_USER, s.HANDLE, s.DWORD, s.BOOL, s.DWORD),
    "CloseDesktop": _of(_USER, s.BOOL, s.HANDLE),
    "GetUserObjectInformationW": _of(_USER, s.BOOL, s.HANDLE, s.INT, _DATA, s.DWORD, _PDWORD),
}
# fmt: on
