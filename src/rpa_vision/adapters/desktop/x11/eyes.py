"""What is on the screen: pixels through shared memory, the rest through EWMH and RandR."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import mss
import numpy as np
from mss.exception import ScreenShotError
from Xlib import X, Xatom
from Xlib import error as xerror
from Xlib.ext import damage

from rpa_vision.adapters.desktop.x11.asking import ask_geometry, ask_pointer
from rpa_vision.adapters.desktop.x11.background import StopSignal, running
from rpa_vision.adapters.desktop.x11.beneath import Beneath
from rpa_vision.adapters.desktop.x11.connection import Connection, read_property
from rpa_vision.adapters.desktop.x11.focus import FocusTracker, WindowReader
from rpa_vision.adapters.desktop.x11.painting import Painting
from rpa_vision.adapters.desktop.x11.servertime import ServerTime
from rpa_vision.errors import NoDisplayError, UsageError
from rpa_vision.imaging.diff import same_pixels
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import ScreenInfo
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.runtime import Clock

_USUAL_DPI = 96.0


class X11Eyes:
    """Implements `ports.desktop.Eyes`. Any thread may ask; each thread that grabs has its own grabber.

    A whole-screen frame carries pointer and active window; its pixels are copied only if something was painted since
    the last one. A region is always copied: pixels only, in a fraction of a millisecond. What we put on the screen
    ourselves is in no frame (`beneath`).
    """

    def __init__(self, display_name: str | None, clock: Clock) -> None:
        self._clock = clock
        self._connection = Connection(display_name)
        self._name = self._connection.name
        self._reader = WindowReader(self._connection)
        self._beneath = Beneath(self._name)
        self._grabbers = _GrabberPerThread(self._name, self._beneath)

    def info(self) -> ScreenInfo:
        width, height = self._size()
        return ScreenInfo("linux", (width, height), self._scale(), self._monitors(width, height))

    def grab(self, region: Box | None = None) -> Frame:
        if region is None:
            window = self.active_window()
            with self._connection.use():
                pointer, (width, height) = _pointer_and_size(self._connection)
            whole = Box(0, 0, width, height)
            return self._grabbers.mine().whole(whole, self._clock, pointer, window)
        width, height = self._size()
        part = region.intersection(Box(0, 0, width, height))
        if part is None:
            raise UsageError(
                f"the region {region.bbox} is outside the screen of {width}×{height}",
                remedy="Ask for a region of the screen.",
            )
        panes = self._beneath.panes()
        frame = self._grabbers.mine().frame(part, self._clock, None, None)
        return self._beneath.without_panes(frame, (part.x1, part.y1), panes)

    def active_window(self) -> WindowContext | None:
        return self._reader.active()

    def pointer(self) -> Point:
        with self._connection.use():
            return _pointer(self._connection)

    def watch(self, on_frame: Callable[[Frame], None], *, max_fps: float = 30.0) -> AbstractContextManager[None]:
        def work(stop: StopSignal, ready: Callable[[], None]) -> None:
            watching = _Watching(self._name, self._clock, on_frame, 1.0 / max_fps)
            try:
                watching.run(stop, ready)
            finally:
                watching.close()

        return running("watching the screen", work)

    def close(self) -> None:
        """Let go of the connections. Frames given away stay valid."""
        self._grabbers.close()
        self._beneath.close()
        self._connection.close()

    def _size(self) -> tuple[int, int]:
        with self._connection.use():
            return _screen_size(self._connection)

    def _scale(self) -> float:
        with self._connection.use():
            prop = read_property(self._connection.root, Xatom.RESOURCE_MANAGER)
        text = prop.value.decode("latin-1") if prop is not None else ""
        found = re.search(r"^Xft\.dpi:\s*([0-9.]+)\s*$", text, re.MULTILINE)
        return float(found[1]) / _USUAL_DPI if found else 1.0

    def _monitors(self, width: int, height: int) -> tuple[tuple[int, int, int, int], ...]:
        whole = ((0, 0, width, height),)
        if not self._connection.has_extension("RANDR"):
            return whole
        with self._connection.use():
            try:
                found = self._connection.root.xrandr_get_monitors().monitors
            except xerror.XError:  # a server with RandR before 1.5
                return whole
        ordered = sorted(found, key=lambda monitor: (not monitor.primary, monitor.x, monitor.y))
        boxes = tuple(
            (m.x, m.y, m.x + m.width_in_pixels, m.y + m.height_in_pixels)
            for m in ordered
            if m.width_in_pixels and m.height_in_pixels
        )
        return boxes or whole


class _Watching:
    """Grabs when the DAMAGE extension says that something was painted, or the focus changed; sleeps otherwise."""

    def __init__(self, name: str, clock: Clock, on_frame: Callable[[Frame], None], interval_s: float) -> None:
        self._clock = clock
        self._on_frame = on_frame
        self._interval_s = interval_s
        self._connection = Connection(name, requires=("DAMAGE",))
        self._time = ServerTime(self._connection, clock)
        self._focus = FocusTracker(self._connection)
        self._grabber = _Grabber(name)
        self._beneath = Beneath(name)
        self._last: Frame | None = None
        self._painted_s: float | None = None

    def run(self, stop: StopSignal, ready: Callable[[], None]) -> None:
        root = self._connection.root
        with self._connection.use() as display:
            display.damage_query_version()  # without it the server takes us for a client of version 0
            notify = display.extension_event.DamageNotify
            watched = root.damage_create(damage.DamageReportNonEmpty)
            display.sync()
        looked_s = self._look()
        ready()
        while not stop.stopped:
            # Events may have come in with the answer to a question: the socket alone does not tell.
            if not self._something_changed(notify):
                stop.wait([self._connection.fileno()])
                continue
            if not stop.wait([], max(0.0, looked_s + self._interval_s - self._clock.monotonic())):
                return
            with self._connection.use() as display:
                # Before grabbing, so that what is painted during the grab is reported again.
                display.damage_subtract(watched, X.NONE, X.NONE)
                display.sync()
            looked_s = self._look()

    def close(self) -> None:
        self._grabber.close()
        self._beneath.close()
        self._connection.close()

    def _something_changed(self, notify: int) -> bool:
        changed = False
        for event in self._connection.events():
            if event.type == notify:
                changed = True
                if self._painted_s is None:
                    self._painted_s = self._time.to_monotonic(event.timestamp)
            else:
                changed |= self._focus.handle(event)
        return changed

    def _look(self) -> float:
        """Take a frame, tell of it when it is another one, and say when it was taken."""
        with self._connection.use():
            pointer, (width, height) = _pointer_and_size(self._connection)
        panes = self._beneath.panes()
        frame = self._grabber.frame(Box(0, 0, width, height), self._clock, pointer, self._focus.current)
        frame = replace(self._beneath.without_panes(frame, (0, 0), panes), painted_s=self._painted_s)
        self._painted_s = None
        last = self._last
        if last is not None and last.window == frame.window and same_pixels(last.pixels, frame.pixels):
            return frame.began_s  # painted again as it was: the last frame is still the current one
        self._last = frame
        self._on_frame(frame)
        return frame.began_s


class _Grabber:
    """One mss instance. It is made anew when the screen grows, because its shared memory does not."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._mss = _open_mss(name)

    def frame(self, box: Box, clock: Clock, pointer: Point | None, window: WindowContext | None) -> Frame:
        began_s = clock.monotonic()
        try:
            pixels = self._pixels(box)
        except ScreenShotError:
            self.close()
            self._mss = _open_mss(self._name)
            began_s = clock.monotonic()
            try:
                pixels = self._pixels(box)
            except ScreenShotError as error:
                raise NoDisplayError(f"the screen of display {self._name} cannot be grabbed: {error}") from error
        return Frame(pixels, began_s, clock.monotonic(), pointer, window)

    def close(self) -> None:
        self._mss.close()

    def _pixels(self, box: Box) -> Pixels:
        shot = self._mss.grab({"left": box.x1, "top": box.y1, "width": box.width, "height": box.height})
        return np.frombuffer(shot.raw, np.uint8).reshape(box.height, box.width, 4)


class _SparingGrabber(_Grabber):
    """Copies the whole screen only where something was painted since it did so last, on it or beneath our panes."""

    def __init__(self, name: str, beneath: Beneath) -> None:
        super().__init__(name)
        self._beneath = beneath
        self._painting: Painting | None = None
        self._last: Frame | None = None
        self._panes: tuple[Box, ...] = ()

    def whole(self, box: Box, clock: Clock, pointer: Point | None, window: WindowContext | None) -> Frame:
        """The screen now, without our panes; where nothing was painted, the same pixels as the last time."""
        if self._last is None:
            self._painting = Painting.where_it_is_told(self._name)
        began_s, last = clock.monotonic(), self._last
        painted = self._painting is None or self._painting.went_on()
        same_size = last is not None and (last.width, last.height) == (box.width, box.height)
        if last is not None and same_size and not painted and self._is_the_same_beneath(last):
            return replace(last, began_s=began_s, ended_s=clock.monotonic(), pointer=pointer, window=window)
        self._panes = self._beneath.panes()  # one that comes up from here on is painted, and we shall hear of it
        self._last = self._beneath.without_panes(self.frame(box, clock, pointer, window), (0, 0), self._panes)
        return self._last

    def close(self) -> None:
        super().close()
        if self._painting is not None:
            self._painting.close()

    def _is_the_same_beneath(self, last: Frame) -> bool:
        """Whether what our panes cover is as it was: nobody is told of what is painted there."""
        parts = [part for pane in self._panes if (part := pane.clamped(last.width, last.height)) is not None]
        beneath = self._beneath.pictures(parts) if parts else {}
        return all(
            picture is not None and np.array_equal(picture, last.pixels[part.y1 : part.y2, part.x1 : part.x2])
            for part, picture in beneath.items()
        )


class _GrabberPerThread:
    def __init__(self, name: str, beneath: Beneath) -> None:
        self._name = name
        self._beneath = beneath
        self._lock = threading.Lock()
        self._grabbers: dict[threading.Thread, _SparingGrabber] = {}

    def mine(self) -> _SparingGrabber:
        thread = threading.current_thread()
        with self._lock:
            if thread not in self._grabbers:
                for gone in [other for other in self._grabbers if not other.is_alive()]:
                    self._grabbers.pop(gone).close()
                self._grabbers[thread] = _SparingGrabber(self._name, self._beneath)
            return self._grabbers[thread]

    def close(self) -> None:
        with self._lock:
            for grabber in self._grabbers.values():
                grabber.close()
            self._grabbers.clear()


def _open_mss(name: str) -> Any:
    try:
        return mss.MSS(display=name)
    except ScreenShotError as error:
        raise NoDisplayError(f"the display {name!r} (DISPLAY) cannot be opened: {error}") from error


def _pointer(connection: Connection) -> Point:
    found = connection.root.query_pointer()
    return (found.root_x, found.root_y)


def _pointer_and_size(connection: Connection) -> tuple[Point, tuple[int, int]]:
    pointer, size = ask_pointer(connection.root), ask_geometry(connection.root)
    found, whole = pointer.answer(), size.answer()
    return (found.root_x, found.root_y), (whole.width, whole.height)


def _screen_size(connection: Connection) -> tuple[int, int]:
    size = connection.root.get_geometry()
    return (size.width, size.height)
