"""Between macOS' points and the port's pixels.

All displays are counted with the finest one's pixels per point, as the screen capture does.
"""

from __future__ import annotations

from rpa_vision.adapters.desktop.macos.api import MacApi, MacDisplay, MacWindow
from rpa_vision.errors import NoDisplayError
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.window import WindowContext


class MacScreen:
    """All displays together."""

    def __init__(self, api: MacApi) -> None:
        self._api = api

    def displays(self) -> list[MacDisplay]:
        found = sorted(self._api.displays(), key=lambda display: not display.is_main)
        if not found:
            raise NoDisplayError("macOS has no display", remedy="Log in on a screen, or attach one.")
        return found

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the whole desktop in points."""
        displays = self.displays()
        return (
            min(d.x for d in displays),
            min(d.y for d in displays),
            max(d.x + d.width for d in displays),
            max(d.y + d.height for d in displays),
        )

    def scale(self) -> float:
        """Pixels per point."""
        return max(d.pixels_wide / d.width for d in self.displays())

    def size(self) -> Point:
        left, top, right, bottom = self.bounds()
        return round((right - left) * self.scale()), round((bottom - top) * self.scale())

    def to_port(self, x: float, y: float) -> Point:
        left, top, _, _ = self.bounds()
        width, height = self.size()
        scale = self.scale()
        return (
            min(max(int((x - left) * scale), 0), width - 1),
            min(max(int((y - top) * scale), 0), height - 1),
        )

    def to_mac(self, point: Point) -> tuple[float, float]:
        """The middle of a pixel in points, so that it comes back as the same pixel."""
        left, top, _, _ = self.bounds()
        scale = self.scale()
        return left + (point[0] + 0.5) / scale, top + (point[1] + 0.5) / scale

    def box(self, x: float, y: float, width: float, height: float) -> Box:
        left, top, _, _ = self.bounds()
        scale = self.scale()
        x1, y1 = round((x - left) * scale), round((y - top) * scale)
        return Box(x1, y1, x1 + round(width * scale), y1 + round(height * scale))

    def context(self, window: MacWindow) -> WindowContext:
        box = self.box(window.x, window.y, window.width, window.height)
        return WindowContext(
            title=window.title,
            app_name=window.owner,
            pid=window.pid,
            geometry=box.bbox if box.area else None,
            screen_resolution=self.size(),
        )

    def front_window(self) -> MacWindow | None:
        """The first ordinary window; the menu bar, the dock and overlays are on other layers."""
        return next((window for window in self._api.windows() if window.layer == 0), None)
