"""The C structures of Win32, laid out as on 64-bit Windows wherever this runs.

`ctypes.wintypes` takes the host's `long` and `wchar_t`: 8 and 4 bytes on Linux, 4 and 2 on Windows. Fixed widths
keep the layout the same, so that the sizes and the code that fills them can be checked on any machine.
Text is UTF-16 in arrays of 16-bit units for the same reason.
"""

# ruff: noqa: D101  (each structure is documented by Microsoft under its name)

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from ctypes import c_int32, c_size_t, c_ssize_t, c_uint16, c_uint32

BOOL = c_int32
INT = c_int32
LONG = c_int32
UINT = c_uint32
DWORD = c_uint32
WORD = c_uint16
WCHAR = c_uint16
ULONG_PTR = c_size_t
HANDLE = c_size_t
"""Every handle. An integer type, not c_void_p: a null handle then reads as 0 instead of None."""
WPARAM = c_size_t
LPARAM = c_ssize_t
LRESULT = c_ssize_t
PWCHAR = ctypes.POINTER(WCHAR)

# On 64-bit Windows there is one calling convention, so the plain function type is the same thing.
_callback = getattr(ctypes, "WINFUNCTYPE", ctypes.CFUNCTYPE)
HOOKPROC = _callback(LRESULT, INT, WPARAM, LPARAM)
WNDENUMPROC = _callback(BOOL, HANDLE, LPARAM)


class POINT(ctypes.Structure):
    _fields_ = (("x", LONG), ("y", LONG))


class RECT(ctypes.Structure):
    _fields_ = (("left", LONG), ("top", LONG), ("right", LONG), ("bottom", LONG))


MONITORENUMPROC = _callback(BOOL, HANDLE, HANDLE, ctypes.POINTER(RECT), LPARAM)


class MOUSEINPUT(ctypes.Structure):
    _fields_ = (
        ("dx", LONG),
        ("dy", LONG),
        ("mouseData", DWORD),
        ("dwFlags", DWORD),
        ("time", DWORD),
        ("dwExtraInfo", ULONG_PTR),
    )


class KEYBDINPUT(ctypes.Structure):
    _fields_ = (("wVk", WORD), ("wScan", WORD), ("dwFlags", DWORD), ("time", DWORD), ("dwExtraInfo", ULONG_PTR))


class HARDWAREINPUT(ctypes.Structure):
    _fields_ = (("uMsg", DWORD), ("wParamL", WORD), ("wParamH", WORD))


class INPUTUNION(ctypes.Union):
    _fields_ = (("mi", MOUSEINPUT), ("ki", KEYBDINPUT), ("hi", HARDWAREINPUT))


class INPUT(ctypes.Structure):
    _anonymous_ = ("u",)
    _fields_ = (("type", DWORD), ("u", INPUTUNION))


class MSLLHOOKSTRUCT(ctypes.Structure):
    _fields_ = (
        ("pt", POINT),
        ("mouseData", DWORD),
        ("flags", DWORD),
        ("time", DWORD),
        ("dwExtraInfo", ULONG_PTR),
    )


class KBDLLHOOKSTRUCT(ctypes.Structure):
    _fields_ = (
        ("vkCode", DWORD),
        ("scanCode", DWORD),
        ("flags", DWORD),
        ("time", DWORD),
        ("dwExtraInfo", ULONG_PTR),
    )


class MSG(ctypes.Structure):
    _fields_ = (
        ("hwnd", HANDLE),
        ("message", UINT),
        ("wParam", WPARAM),
        ("lParam", LPARAM),
        ("time", DWORD),
        ("pt", POINT),
        ("lPrivate", DWORD),
    )


class BITMAPINFOHEADER(ctypes.Structure):
    _fields_ = (
        ("biSize", DWORD),
        ("biWidth", LONG),
        ("biHeight", LONG),
        ("biPlanes", WORD),
        ("biBitCount", WORD),
        ("biCompression", DWORD),
        ("biSizeImage", DWORD),
        ("biXPelsPerMeter", LONG),
        ("biYPelsPerMeter", LONG),
        ("biClrUsed", DWORD),
        ("biClrImportant", DWORD),
    )


class BITMAPINFO(ctypes.Structure):
    _fields_ = (("bmiHeader", BITMAPINFOHEADER), ("bmiColors", DWORD * 1))


class MONITORINFO(ctypes.Structure):
    _fields_ = (("cbSize", DWORD), ("rcMonitor", RECT), ("rcWork", RECT), ("dwFlags", DWORD))


class SID_AND_ATTRIBUTES(ctypes.Structure):  # noqa: N801  (the name it has in winnt.h)
    _fields_ = (("Sid", HANDLE), ("Attributes", DWORD))


def wide(text: str) -> ctypes.Array[c_uint16]:
    """The text as Windows takes it: UTF-16 units with a null behind."""
    units = utf16_units(text)
    return (WCHAR * (len(units) + 1))(*units, 0)


def wide_buffer(units: int) -> ctypes.Array[c_uint16]:
    """Room for Windows to write text into."""
    return (WCHAR * units)()


def utf16_units(text: str) -> list[int]:
    """The 16-bit units of a text; two for a character outside the basic plane."""
    raw = text.encode("utf-16-le", "surrogatepass")
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


def text_of(units: Sequence[int] | ctypes.Array[c_uint16], length: int) -> str:
    """The first `length` units as text; a lone surrogate becomes the replacement character."""
    raw = b"".join(int(unit).to_bytes(2, "little") for unit in units[:length])
    return raw.decode("utf-16-le", "replace")
