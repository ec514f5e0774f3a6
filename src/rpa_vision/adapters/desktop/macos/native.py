"""The real macOS behind `MacApi`, by ctypes. Written from Apple's documentation and never run; see docs/limits.md.

Core Foundation objects follow the create rule: what a function with Create or Copy in its name gives is released here.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import POINTER, c_bool, c_double, c_int32, c_int64, c_size_t, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any

import numpy as np

from rpa_vision.adapters.desktop.macos import api as m
from rpa_vision.errors import EnvironmentMissingError
from rpa_vision.models.frame import Pixels

_FRAMEWORKS = "/System/Library/Frameworks/{0}.framework/{0}"
_UTF8 = 0x08000100
_MAX_DISPLAYS = 16
_CLOCK_UPTIME_RAW = 8
_HID_TAP, _SESSION_TAP = 0, 1
_LISTEN_ONLY = 1
_TAP_DISABLED = (0xFFFFFFFE, 0xFFFFFFFF)
_ON_SCREEN_WITHOUT_DESKTOP = 1 | 16
_CLICK_STATE, _MOUSE_BUTTON, _KEY_CODE, _SCROLL_UP, _SCROLL_LEFT = 1, 3, 9, 11, 12


class CGPoint(ctypes.Structure):
    """A point."""

    _fields_ = (("x", c_double), ("y", c_double))


class CGRect(ctypes.Structure):
    """A rectangle."""

    _fields_ = (("x", c_double), ("y", c_double), ("width", c_double), ("height", c_double))


_TAP_CALLBACK = ctypes.CFUNCTYPE(c_void_p, c_void_p, c_uint32, c_void_p, c_void_p)

# fmt: off
_GRAPHICS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "CGGetActiveDisplayList": (c_int32, (c_uint32, POINTER(c_uint32), POINTER(c_uint32))),
    "CGDisplayBounds": (CGRect, (c_uint32,)),
    "CGDisplayCopyDisplayMode": (c_void_p, (c_uint32,)),
    "CGDisplayModeGetPixelWidth": (c_size_t, (c_void_p,)),
    "CGDisplayModeRelease": (None, (c_void_p,)),
    "CGMainDisplayID": (c_uint32, ()),
    "CGWindowListCreateImage": (c_void_p, (CGRect, c_uint32, c_uint32, c_uint32)),
    "CGImageGetWidth": (c_size_t, (c_void_p,)),
    "CGImageGetHeight": (c_size_t, (c_void_p,)),
    "CGImageGetBytesPerRow": (c_size_t, (c_void_p,)),
    "CGImageGetDataProvider": (c_void_p, (c_void_p,)),
    "CGImageRelease": (None, (c_void_p,)),
    "CGDataProviderCopyData": (c_void_p, (c_void_p,)),
    "CGWindowListCopyWindowInfo": (c_void_p, (c_uint32, c_uint32)),
    "CGRectMakeWithDictionaryRepresentation": (c_bool, (c_void_p, POINTER(CGRect))),
    "CGEventCreate": (c_void_p, (c_void_p,)),
    "CGEventCreateMouseEvent": (c_void_p, (c_void_p, c_uint32, CGPoint, c_uint32)),
    "CGEventCreateKeyboardEvent": (c_void_p, (c_void_p, c_uint16, c_bool)),
    "CGEventCreateScrollWheelEvent2": (c_void_p, (c_void_p, c_uint32, c_uint32, c_int32, c_int32, c_int32)),
    "CGEventKeyboardSetUnicodeString": (None, (c_void_p, c_size_t, POINTER(c_uint16))),
    "CGEventKeyboardGetUnicodeString": (None, (c_void_p, c_size_t, POINTER(c_size_t), POINTER(c_uint16))),
    "CGEventSetFlags": (None, (c_void_p, c_uint64)),
    "CGEventGetFlags": (c_uint64, (c_void_p,)),
    "CGEventSetIntegerValueField": (None, (c_void_p, c_uint32, c_int64)),
    "CGEventGetIntegerValueField": (c_int64, (c_void_p, c_uint32)),
    "CGEventGetLocation": (CGPoint, (c_void_p,)),
    "CGEventGetTimestamp": (c_uint64, (c_void_p,)),
    "CGEventPost": (None, (c_uint32, c_void_p)),
    "CGEventTapCreate": (c_void_p, (c_uint32, c_uint32, c_uint32, c_uint64, _TAP_CALLBACK, c_void_p)),
    "CGEventTapEnable": (None, (c_void_p, c_bool)),
    "CGPreflightScreenCaptureAccess": (c_bool, ()),
    "CGPreflightListenEventAccess": (c_bool, ()),
    "CGSessionCopyCurrentDictionary": (c_void_p, ()),
    "AXIsProcessTrusted": (c_bool, ()),
    "AXUIElementCreateApplication": (c_void_p, (c_int32,)),
    "AXUIElementSetAttributeValue": (c_int32, (c_void_p, c_void_p, c_void_p)),
    "AXUIElementCopyAttributeValue": (c_int32, (c_void_p, c_void_p, POINTER(c_void_p))),
    "AXUIElementPerformAction": (c_int32, (c_void_p, c_void_p)),
}
_FOUNDATION: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "CFRelease": (None, (c_void_p,)),
    "CFArrayGetCount": (c_int64, (c_void_p,)),
    "CFArrayGetValueAtIndex": (c_void_p, (c_void_p, c_int64)),
    "CFDictionaryGetValue": (c_void_p, (c_void_p, c_void_p)),
    "CFStringCreateWithCString": (c_void_p, (c_void_p, ctypes.c_char_p, c_uint32)),
    "CFStringGetLength": (c_int64, (c_void_p,)),
    "CFStringGetCString": (c_bool, (c_void_p, ctypes.c_char_p, c_int64, c_uint32)),
    "CFNumberGetValue": (c_bool, (c_void_p, c_int64, c_void_p)),
    "CFBooleanGetValue": (c_bool, (c_void_p,)),
    "CFDataGetBytePtr": (c_void_p, (c_void_p,)),
    "CFDataGetLength": (c_int64, (c_void_p,)),
    "CFMachPortCreateRunLoopSource": (c_void_p, (c_void_p, c_void_p, c_int64)),
    "CFMachPortInvalidate": (None, (c_void_p,)),
    "CFRunLoopGetCurrent": (c_void_p, ()),
    "CFRunLoopAddSource": (None, (c_void_p, c_void_p, c_void_p)),
    "CFRunLoopRun": (None, ()),
    "CFRunLoopStop": (None, (c_void_p,)),
}
# fmt: on


def load_mac_api() -> m.MacApi:
    """Bind the real frameworks; an error elsewhere than on macOS 11 or newer."""
    if sys.platform != "darwin":
        raise EnvironmentMissingError(
            "the macOS desktop needs macOS", remedy="Choose the desktop of this platform (--desktop auto)."
        )
    graphics = ctypes.CDLL(_FRAMEWORKS.format("ApplicationServices"))
    foundation = ctypes.CDLL(_FRAMEWORKS.format("CoreFoundation"))
    for library, table in ((graphics, _GRAPHICS), (foundation, _FOUNDATION)):
        for name, (result, arguments) in table.items():
            try:
                function = getattr(library, name)
            except AttributeError as error:
                raise EnvironmentMissingError(f"this macOS has no {name}", remedy="Use macOS 11 or newer.") from error
            function.restype, function.argtypes = result, arguments
    return NativeMacApi(graphics, foundation)


def run_program(command: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Run pbcopy or pbpaste, which take their encoding from the environment."""
    environment = {**os.environ, "LC_ALL": "en_US.UTF-8"}
    done = subprocess.run(command, input=given, stdout=subprocess.PIPE, env=environment, timeout=10, check=False)
    return done.returncode, done.stdout


class NativeMacApi:
    """Implements `MacApi` over two libraries."""

    def __init__(self, graphics: Any, foundation: Any) -> None:
        self._cg = graphics
        self._cf = foundation
        self._libc: Any = ctypes.CDLL(None)
        self._libc.clock_gettime_nsec_np.restype, self._libc.clock_gettime_nsec_np.argtypes = c_uint64, (c_int32,)

    # screen

    def displays(self) -> list[m.MacDisplay]:
        ids, count = (c_uint32 * _MAX_DISPLAYS)(), c_uint32()
        if self._cg.CGGetActiveDisplayList(_MAX_DISPLAYS, ids, ctypes.byref(count)) != 0:
            return []
        main = self._cg.CGMainDisplayID()
        found = []
        for display in ids[: count.value]:
            rect = self._cg.CGDisplayBounds(display)
            mode = self._cg.CGDisplayCopyDisplayMode(display)
            pixels_wide = self._cg.CGDisplayModeGetPixelWidth(mode) if mode else int(rect.width)
            if mode:
                self._cg.CGDisplayModeRelease(mode)
            found.append(m.MacDisplay(rect.x, rect.y, rect.width, rect.height, pixels_wide, display == main))
        return found

    def capture(self, x: float, y: float, width: float, height: float) -> Pixels | None:
        image = self._cg.CGWindowListCreateImage(CGRect(x, y, width, height), 1, 0, 8)
        if not image:
            return None
        try:
            columns, rows = self._cg.CGImageGetWidth(image), self._cg.CGImageGetHeight(image)
            stride = self._cg.CGImageGetBytesPerRow(image)
            with self._owned(self._cg.CGDataProviderCopyData(self._cg.CGImageGetDataProvider(image))) as data:
                if not data:
                    return None
                raw = ctypes.string_at(self._cf.CFDataGetBytePtr(data), self._cf.CFDataGetLength(data))
            # Rows are padded; the last one may be shorter than the stride.
            padded = np.frombuffer(raw.ljust(rows * stride, b"\0"), np.uint8)[: rows * stride]
            return padded.reshape(rows, stride)[:, : columns * 4].reshape(rows, columns, 4).copy()
        finally:
            self._cg.CGImageRelease(image)

    def pointer(self) -> tuple[float, float]:
        with self._owned(self._cg.CGEventCreate(None)) as event:
            point = self._cg.CGEventGetLocation(event)
            return point.x, point.y

    # windows

    def windows(self) -> list[m.MacWindow]:
        with self._owned(self._cg.CGWindowListCopyWindowInfo(_ON_SCREEN_WITHOUT_DESKTOP, 0)) as entries:
            if not entries:
                return []
            count = self._cf.CFArrayGetCount(entries)
            return [self._window(self._cf.CFArrayGetValueAtIndex(entries, n)) for n in range(count)]

    def _window(self, entry: int) -> m.MacWindow:
        rect = CGRect()
        bounds = self._value(entry, "kCGWindowBounds")
        if bounds:
            self._cg.CGRectMakeWithDictionaryRepresentation(bounds, ctypes.byref(rect))
        return m.MacWindow(
            self._number(self._value(entry, "kCGWindowOwnerPID")),
            self._text(self._value(entry, "kCGWindowOwnerName")),
            self._text(self._value(entry, "kCGWindowName")),
            self._number(self._value(entry, "kCGWindowLayer")),
            rect.x,
            rect.y,
            rect.width,
            rect.height,
        )

    def raise_window(self, pid: int, title: str) -> bool:
        true = c_void_p.in_dll(self._cf, "kCFBooleanTrue")
        with self._owned(self._cg.AXUIElementCreateApplication(pid)) as application:
            windows = c_void_p()
            with self._string("AXWindows") as name:
                self._cg.AXUIElementCopyAttributeValue(application, name, ctypes.byref(windows))
            with self._owned(windows.value) as array:
                for number in range(self._cf.CFArrayGetCount(array) if array else 0):
                    window = self._cf.CFArrayGetValueAtIndex(array, number)
                    if self._ax_title(window) == title:
                        with self._string("AXRaise") as action:
                            self._cg.AXUIElementPerformAction(window, action)
                        break
            with self._string("AXFrontmost") as name:
                return bool(self._cg.AXUIElementSetAttributeValue(application, name, true) == 0)

    def _ax_title(self, window: int) -> str:
        title = c_void_p()
        with self._string("AXTitle") as name:
            self._cg.AXUIElementCopyAttributeValue(window, name, ctypes.byref(title))
        with self._owned(title.value) as text:
            return self._text(text)

    # input

    def post_mouse(self, kind: int, x: float, y: float, button: int, clicks: int) -> bool:
        with self._owned(self._cg.CGEventCreateMouseEvent(None, kind, CGPoint(x, y), button)) as event:
            if event and clicks:
                self._cg.CGEventSetIntegerValueField(event, _CLICK_STATE, clicks)
            return self._post(event)

    def post_scroll(self, up: int, left: int) -> bool:
        with self._owned(self._cg.CGEventCreateScrollWheelEvent2(None, 1, 2, up, left, 0)) as event:
            return self._post(event)

    def post_key(self, key_code: int, down: bool, flags: int) -> bool:
        with self._owned(self._cg.CGEventCreateKeyboardEvent(None, key_code, down)) as event:
            if event:
                self._cg.CGEventSetFlags(event, flags)
            return self._post(event)

    def post_text(self, text: str, down: bool) -> bool:
        raw = text.encode("utf-16-le")
        units = (c_uint16 * (len(raw) // 2)).from_buffer_copy(raw)
        with self._owned(self._cg.CGEventCreateKeyboardEvent(None, 0, down)) as event:
            if event:
                self._cg.CGEventSetFlags(event, 0)
                self._cg.CGEventKeyboardSetUnicodeString(event, len(units), units)
            return self._post(event)

    def _post(self, event: int | None) -> bool:
        if not event:
            return False
        self._cg.CGEventPost(_HID_TAP, event)
        return True

    def start_tap(self, on_event: Callable[[m.MacEvent], None]) -> m.Tap | None:
        tap = _NativeTap(self, self._cg, self._cf, on_event)
        return tap if tap.start() else None

    def read_event(self, kind: int, event: int) -> m.MacEvent:
        """What a tap tells, as plain values."""
        point = self._cg.CGEventGetLocation(event)
        units, length = (c_uint16 * 8)(), c_size_t()
        if kind in (m.KEY_DOWN, m.KEY_UP):
            self._cg.CGEventKeyboardGetUnicodeString(event, 8, ctypes.byref(length), units)
        field = self._cg.CGEventGetIntegerValueField
        return m.MacEvent(
            kind,
            self._cg.CGEventGetTimestamp(event),
            point.x,
            point.y,
            field(event, _MOUSE_BUTTON),
            field(event, _KEY_CODE),
            bytes(units)[: 2 * length.value].decode("utf-16-le", "replace"),
            self._cg.CGEventGetFlags(event),
            field(event, _SCROLL_UP),
            field(event, _SCROLL_LEFT),
        )

    def uptime_ns(self) -> int:
        """The clock of event time stamps: nanoseconds awake since the start."""
        return int(self._libc.clock_gettime_nsec_np(_CLOCK_UPTIME_RAW))

    # permissions and lock

    def may_see(self) -> bool:
        return bool(self._cg.CGPreflightScreenCaptureAccess())

    def may_listen(self) -> bool:
        return bool(self._cg.CGPreflightListenEventAccess())

    def may_control(self) -> bool:
        return bool(self._cg.AXIsProcessTrusted())

    def is_locked(self) -> bool | None:
        with self._owned(self._cg.CGSessionCopyCurrentDictionary()) as session:
            if not session:
                return None
            value = self._value(session, "CGSSessionScreenIsLocked")
            return bool(self._cf.CFBooleanGetValue(value)) if value else False

    # Core Foundation

    @contextmanager
    def _owned(self, thing: int | None) -> Iterator[int | None]:
        try:
            yield thing
        finally:
            if thing:
                self._cf.CFRelease(thing)

    @contextmanager
    def _string(self, text: str) -> Iterator[int | None]:
        with self._owned(self._cf.CFStringCreateWithCString(None, text.encode(), _UTF8)) as string:
            yield string

    def _value(self, dictionary: int, key: str) -> int | None:
        with self._string(key) as name:
            value: int | None = self._cf.CFDictionaryGetValue(dictionary, name)
            return value

    def _number(self, number: int | None) -> int:
        value = c_int64()
        if number:
            self._cf.CFNumberGetValue(number, 4, ctypes.byref(value))
        return value.value

    def _text(self, string: int | None) -> str:
        if not string:
            return ""
        room = self._cf.CFStringGetLength(string) * 4 + 1
        buffer = ctypes.create_string_buffer(room)
        return (
            buffer.value.decode("utf-8", "replace") if self._cf.CFStringGetCString(string, buffer, room, _UTF8) else ""
        )


class _NativeTap:
    """A listening event tap with its own thread and run loop."""

    def __init__(
        self, api: NativeMacApi, graphics: Any, foundation: Any, on_event: Callable[[m.MacEvent], None]
    ) -> None:
        self._api = api
        self._cg = graphics
        self._cf = foundation
        self._on_event = on_event
        self._port: int | None = None
        self._loop: int | None = None
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="ears-tap", daemon=True)

    def start(self) -> bool:
        self._thread.start()
        self._ready.wait()
        return self._port is not None

    def stop(self) -> None:
        if self._loop:
            self._cf.CFRunLoopStop(self._loop)
        self._thread.join()

    def _run(self) -> None:
        callback = _TAP_CALLBACK(self._told)  # kept in a variable: macOS holds only its address
        kinds = (1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 22, 25, 26, 27)
        mask = sum(1 << kind for kind in kinds)
        self._port = self._cg.CGEventTapCreate(_SESSION_TAP, 0, _LISTEN_ONLY, mask, callback, None)
        if not self._port:
            self._ready.set()
            return
        source = self._cf.CFMachPortCreateRunLoopSource(None, self._port, 0)
        self._loop = self._cf.CFRunLoopGetCurrent()
        self._cf.CFRunLoopAddSource(self._loop, source, c_void_p.in_dll(self._cf, "kCFRunLoopCommonModes"))
        self._ready.set()
        self._cf.CFRunLoopRun()
        self._cf.CFMachPortInvalidate(self._port)
        self._cf.CFRelease(source)
        self._cf.CFRelease(self._port)

    def _told(self, _proxy: int, kind: int, event: int, _info: int) -> int:
        if kind in _TAP_DISABLED:
            self._cg.CGEventTapEnable(self._port, True)  # macOS switches off a tap it finds too slow
        else:
            self._on_event(self._api.read_event(kind, event))
        return event
