"""What is on the screen, by GDI: copy the screen into a bitmap, read the bitmap from its top row down.

Every GDI object is given back on every way out: a process has 10,000 of them and a recorder takes 30 frames a second.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager

import numpy as np

from rpa_vision.adapters.desktop.delivery import FrameWatch
from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.screen import VirtualScreen
from rpa_vision.adapters.desktop.windows.structs import BITMAPINFO, BITMAPINFOHEADER
from rpa_vision.adapters.desktop.windows.window_context import WindowDescriber
from rpa_vision.errors import DesktopError, UsageError
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import ScreenInfo
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.runtime import Clock

SRCCOPY = 0x00CC0020
CAPTUREBLT = 0x40000000
"""Layered windows (menus, tool tips, many modern programs) are seen only with this."""
DIB_RGB_COLORS = 0
BI_RGB = 0


class WindowsEyes:
    """Frames, windows and pointer of the whole virtual screen."""

    def __init__(self, api: WindowsApi, screen: VirtualScreen, describer: WindowDescriber, clock: Clock) -> None:
        self._api = api
        self._screen = screen
        self._describer = describer
        self._clock = clock

    def info(self) -> ScreenInfo:
        with self._screen.aware():
            bounds = self._screen.bounds()
            return ScreenInfo(
                platform="windows",
                resolution=(bounds.width, bounds.height),
                scale=self._screen.scale(),
                monitors=self._screen.monitors(),
            )

    def grab(self, region: Box | None = None) -> Frame:
        with self._screen.aware():
            bounds = self._screen.bounds()
            whole = Box(0, 0, bounds.width, bounds.height)
            wanted = whole if region is None else region.clamped(bounds.width, bounds.height)
            if wanted is None:
                raise UsageError(f"the region {region} is not on the screen", remedy=f"Choose one inside {whole.bbox}.")
            window, pointer = self._describer.foreground(), self._pointer_or_none()
            began_s = self._clock.monotonic()
            pixels = self._copy(wanted.moved(bounds.x1, bounds.y1))
            return Frame(pixels, began_s, self._clock.monotonic(), pointer, window)

    def active_window(self) -> WindowContext | None:
        with self._screen.aware():
            return self._describer.foreground()

    def pointer(self) -> Point:
        with self._screen.aware():
            return self._screen.pointer()

    def watch(self, on_frame: Callable[[Frame], None], *, max_fps: float = 30.0) -> AbstractContextManager[None]:
        return FrameWatch(self.grab, on_frame, self._clock, max_fps)

    def _pointer_or_none(self) -> Point | None:
        try:
            return self._screen.pointer()
        except DesktopError:
            return None

    def _copy(self, box: Box) -> Pixels:
        """The pixels of a box in Windows' coordinates."""
        api = self._api
        with ExitStack() as given_back:
            screen_dc = self._check(api.GetDC(0), "open the screen")
            given_back.callback(api.ReleaseDC, 0, screen_dc)
            memory_dc = self._check(api.CreateCompatibleDC(screen_dc), "make a drawing context")
            given_back.callback(api.DeleteDC, memory_dc)
            bitmap = self._check(api.CreateCompatibleBitmap(screen_dc, box.width, box.height), "make a bitmap")
            given_back.callback(api.DeleteObject, bitmap)
            # GetDIBits reads only a bitmap that no context holds, so it is let go before it is read.
            with self._selected(memory_dc, bitmap):
                copied = api.BitBlt(
                    memory_dc, 0, 0, box.width, box.height, screen_dc, box.x1, box.y1, SRCCOPY | CAPTUREBLT
                )
                self._check(copied, "copy the screen")
            pixels = np.empty((box.height, box.width, 4), np.uint8)
            lines = api.GetDIBits(screen_dc, bitmap, 0, box.height, pixels.ctypes.data, _top_down(box), DIB_RGB_COLORS)
            if lines != box.height:
                raise self._failure(f"read the screen ({lines} of {box.height} lines)")
            return pixels

    @contextmanager
    def _selected(self, context: int, bitmap: int) -> Iterator[None]:
        before = self._check(self._api.SelectObject(context, bitmap), "draw into a bitmap")
        try:
            yield
        finally:
            self._api.SelectObject(context, before)

    def _check(self, result: int, what: str) -> int:
        if not result:
            raise self._failure(what)
        return result

    def _failure(self, what: str) -> DesktopError:
        return DesktopError(
            f"Windows did not let us {what} (error {self._api.last_error()})",
            remedy="Unlock the screen and keep the remote session open; lock screen and UAC prompts cannot be seen.",
        )


def _top_down(box: Box) -> BITMAPINFO:
    info = BITMAPINFO()
    header = info.bmiHeader
    header.biSize = ctypes.sizeof(BITMAPINFOHEADER)
    header.biWidth = box.width
    header.biHeight = -box.height  # negative: the first row is the top one
    header.biPlanes = 1
    header.biBitCount = 32
    header.biCompression = BI_RGB
    return info
