"""DPI awareness, monitors and GDI of the fake Windows."""

# ruff: noqa: N802  (functions have the names Windows gave them)

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np

from rpa_vision.adapters.desktop.windows import structs as s
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.testing.fake_windows.machine import (
    CONTEXT_UNAWARE,
    CONTEXT_V2,
    ERROR_ACCESS_DENIED,
    ERROR_INVALID_HANDLE,
    ERROR_INVALID_PARAMETER,
    Machine,
)

_V2_PSEUDO_HANDLE = 2**64 - 4
_MONITOR_HANDLE_BASE = 0x2_0000_0001
_SRCCOPY = 0x00CC0020
_CAPTUREBLT = 0x40000000


@dataclass
class FakeBitmap:
    """Pixels, and the device context that holds them."""

    pixels: Pixels
    selected_into: int = 0


@dataclass
class FakeContext:
    """A device context."""

    is_screen: bool
    bitmap: int


class FakeDisplay:
    """The functions around screens and pixels. Threads that are not DPI aware get virtualised coordinates."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._stock_bitmap = machine.new_handle("the small bitmap every new context holds")

    # DPI

    def SetProcessDpiAwarenessContext(self, context: int) -> int:
        if self._machine.dpi_was_set:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        if context != _V2_PSEUDO_HANDLE:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        self._machine.dpi_was_set = True
        self._machine.process_dpi_context = CONTEXT_V2
        return 1

    def SetThreadDpiAwarenessContext(self, context: int) -> int:
        wanted = _context(context)
        if wanted is None:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        before = self.GetThreadDpiAwarenessContext()
        self._machine.thread().dpi_context = wanted
        return before

    def GetThreadDpiAwarenessContext(self) -> int:
        return self._machine.thread().dpi_context or self._machine.process_dpi_context

    def AreDpiAwarenessContextsEqual(self, one: int, other: int) -> int:
        return int(_context(one) is not None and _context(one) == _context(other))

    def GetDpiForSystem(self) -> int:
        return self._machine.dpi if self._machine.factor() == 1.0 else 96

    # monitors

    def GetSystemMetrics(self, index: int) -> int:
        bounds = self._machine.bounds
        sizes = {76: bounds.x1, 77: bounds.y1, 78: bounds.width, 79: bounds.height}
        if index == 23:
            return int(self._machine.swapped_buttons)
        return self._machine.told(sizes[index]) if index in sizes else 0

    def EnumDisplayMonitors(self, _dc: int, _clip: Any, callback: Any, data: int) -> int:
        for number, box in enumerate(self._machine.monitors):
            rect = self._rect(box)
            if not callback(_MONITOR_HANDLE_BASE + number, 0, ctypes.pointer(rect), data):
                return 0
        return 1

    def GetMonitorInfoW(self, monitor: int, info: Any) -> int:
        number = monitor - _MONITOR_HANDLE_BASE
        if not 0 <= number < len(self._machine.monitors):
            return self._machine.fail(1461)
        if info.contents.cbSize != ctypes.sizeof(s.MONITORINFO):
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        box = self._machine.monitors[number]
        info.contents.rcMonitor = info.contents.rcWork = self._rect(box)
        info.contents.dwFlags = int(box.x1 == 0 and box.y1 == 0)
        return 1

    def GetCursorPos(self, point: Any) -> int:
        if self._machine.locked:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        x, y = self._machine.cursor
        point.contents.x, point.contents.y = self._machine.told(x), self._machine.told(y)
        return 1

    def _rect(self, box: Box) -> s.RECT:
        return s.RECT(*(self._machine.told(side) for side in box.bbox))

    # GDI

    def GetDC(self, window: int) -> int:
        return self._machine.new_handle(FakeContext(True, 0)) if window == 0 else 0

    def ReleaseDC(self, _window: int, context: int) -> int:
        found = self._machine.by_handle(context, FakeContext)
        return int(found is not None and found.is_screen and self._machine.drop_handle(context, FakeContext))

    def CreateCompatibleDC(self, context: int) -> int:
        if context and self._machine.by_handle(context, FakeContext) is None:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        return self._machine.new_handle(FakeContext(False, self._stock_bitmap))

    def CreateCompatibleBitmap(self, context: int, width: int, height: int) -> int:
        if self._machine.by_handle(context, FakeContext) is None:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        if width <= 0 or height <= 0:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        return self._machine.new_handle(FakeBitmap(np.zeros((height, width, 4), np.uint8)))

    def SelectObject(self, context: int, thing: int) -> int:
        target = self._machine.by_handle(context, FakeContext)
        bitmap = self._machine.by_handle(thing, FakeBitmap)
        if target is None or target.is_screen or (bitmap is None and thing != self._stock_bitmap):
            return self._machine.fail(ERROR_INVALID_HANDLE)
        if bitmap is not None and bitmap.selected_into:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        before, target.bitmap = target.bitmap, thing
        held = self._machine.by_handle(before, FakeBitmap)
        if held is not None:
            held.selected_into = 0
        if bitmap is not None:
            bitmap.selected_into = context
        return before

    def BitBlt(
        self, to: int, x: int, y: int, width: int, height: int, source: int, from_x: int, from_y: int, operation: int
    ) -> int:
        target, origin = self._machine.by_handle(to, FakeContext), self._machine.by_handle(source, FakeContext)
        bitmap = self._machine.by_handle(target.bitmap, FakeBitmap) if target is not None else None
        if bitmap is None or origin is None or not origin.is_screen:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        if self._machine.locked:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        if operation & ~_CAPTUREBLT != _SRCCOPY:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        screen, factor, bounds = self._machine.pixels, self._machine.factor(), self._machine.bounds
        for row in range(height):
            screen_row = int((from_y + row) * factor) - bounds.y1
            columns = ((np.arange(from_x, from_x + width) * factor).astype(int) - bounds.x1).clip(0, bounds.width - 1)
            if 0 <= screen_row < bounds.height:
                bitmap.pixels[y + row, x : x + width] = screen[screen_row, columns]
        return 1

    def GetDIBits(
        self, context: int, bitmap: int, first: int, lines: int, bits: int | None, info: Any, usage: int
    ) -> int:
        source = self._machine.by_handle(bitmap, FakeBitmap)
        if source is None or self._machine.by_handle(context, FakeContext) is None:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        header = info.contents.bmiHeader
        height, width = source.pixels.shape[:2]
        proper = (
            header.biSize == ctypes.sizeof(s.BITMAPINFOHEADER)
            and (header.biPlanes, header.biBitCount, header.biCompression) == (1, 32, 0)
            and header.biWidth == width
            and abs(header.biHeight) == height
            and usage == 0
            and bits
            and not source.selected_into  # documented: not while a device context holds it
        )
        if not proper:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        taken = source.pixels[first : first + lines]
        ordered = taken if header.biHeight < 0 else taken[::-1]
        ctypes.memmove(bits or 0, np.ascontiguousarray(ordered).ctypes.data, ordered.size)
        return int(taken.shape[0])

    def DeleteObject(self, thing: int) -> int:
        bitmap = self._machine.by_handle(thing, FakeBitmap)
        return int(bitmap is not None and not bitmap.selected_into and self._machine.drop_handle(thing, FakeBitmap))

    def DeleteDC(self, context: int) -> int:
        found = self._machine.by_handle(context, FakeContext)
        return int(found is not None and not found.is_screen and self._machine.drop_handle(context, FakeContext))


def _context(handle: int) -> int | None:
    if handle in (_V2_PSEUDO_HANDLE, CONTEXT_V2):
        return CONTEXT_V2
    return CONTEXT_UNAWARE if handle in (2**64 - 1, CONTEXT_UNAWARE) else None
