"""What is on the screen, by CGWindowListCreateImage."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import numpy as np

from rpa_vision.adapters.desktop.delivery import FrameWatch
from rpa_vision.adapters.desktop.macos.api import MacApi
from rpa_vision.adapters.desktop.macos.screen import MacScreen
from rpa_vision.errors import DesktopError, EnvironmentMissingError, UsageError
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import ScreenInfo
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.runtime import Clock


class MacEyes:
    """Frames of all displays. Without permission macOS shows only the wallpaper, so that is an error here."""

    def __init__(self, api: MacApi, screen: MacScreen, clock: Clock) -> None:
        self._api = api
        self._screen = screen
        self._clock = clock

    def info(self) -> ScreenInfo:
        monitors = tuple(self._screen.box(d.x, d.y, d.width, d.height).bbox for d in self._screen.displays())
        return ScreenInfo("macos", self._screen.size(), self._screen.scale(), monitors)

    def grab(self, region: Box | None = None) -> Frame:
        if not self._api.may_see():
            raise EnvironmentMissingError(
                "macOS does not let us see the screen",
                remedy="Allow the program that runs rpa-vision (Terminal, or python) under System Settings > "
                "Privacy & Security > Screen Recording, then start it again.",
            )
        width, height = self._screen.size()
        wanted = Box(0, 0, width, height) if region is None else region.clamped(width, height)
        if wanted is None:
            raise UsageError(f"the region {region} is not on the screen of {width} by {height}")
        left, top, right, bottom = self._screen.bounds()
        window, pointer = self.active_window(), self.pointer()
        began_s = self._clock.monotonic()
        pixels = self._api.capture(left, top, right - left, bottom - top)
        ended_s = self._clock.monotonic()
        if pixels is None or pixels.shape != (height, width, 4):
            raise DesktopError("macOS gave no picture of the screen", remedy="Unlock the screen and wake the display.")
        crop = np.ascontiguousarray(pixels[wanted.y1 : wanted.y2, wanted.x1 : wanted.x2])
        return Frame(crop, began_s, ended_s, pointer, window)

    def active_window(self) -> WindowContext | None:
        window = self._screen.front_window()
        return self._screen.context(window) if window else None

    def pointer(self) -> Point:
        return self._screen.to_port(*self._api.pointer())

    def watch(self, on_frame: Callable[[Frame], None], *, max_fps: float = 30.0) -> AbstractContextManager[None]:
        return FrameWatch(self.grab, on_frame, self._clock, max_fps)
