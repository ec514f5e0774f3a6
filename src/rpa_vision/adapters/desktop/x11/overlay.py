"""Our panes on an X11 desktop: highlight, bubble, sign.

Each is a window that the window manager does not know (override-redirect), so it takes no focus and no place in any
list. Highlight and sign have no input region: clicks go through. The picture of a pane is its background, so the server
paints it and there is nothing to answer to. The windows beneath are redirected (Composite, automatic), which nobody
sees, so that `beneath` can tell what they show under a pane.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np
from Xlib import X, Xatom
from Xlib import error as xerror
from Xlib.ext import composite, shape

from rpa_vision.adapters.desktop.x11.background import StopSignal, running
from rpa_vision.adapters.desktop.x11.beneath import PANE, PANES
from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.imaging.bubble import HIGHLIGHT, Bubble, draw_bubble, draw_sign, frame_bars, place_aside, place_bubble
from rpa_vision.imaging.colour import Colour
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.guidance import Answer, Suggestion

_ROWS_PER_REQUEST_BYTES = 200_000
_SIGN_TOP_PX = 6


class X11Overlay:
    """Implements `ports.overlay.Overlay`. Close it, and everything is gone."""

    def __init__(self, display_name: str | None, monitors: Callable[[], Sequence[tuple[int, int, int, int]]]) -> None:
        self._monitors = monitors
        self._lock = threading.RLock()
        self._shown: tuple[Box, Bubble, Callable[[Answer], None]] | None = None
        with ExitStack() as undo:
            self._connection = Connection(display_name, requires=("SHAPE", "Composite"))
            undo.callback(self._connection.close)
            with self._connection.use() as display:
                display.composite_query_version()
                self._connection.root.composite_redirect_subwindows(composite.RedirectAutomatic)
                display.sync()
            self._highlight, self._bubble, self._sign = (self._new_pane() for _ in range(3))
            self._announce()
            undo.enter_context(running("listening to the bubble", self._listen))
            self._to_close = undo.pop_all()

    def suggest(self, suggestion: Suggestion, on_answer: Callable[[Answer], None]) -> None:
        rooms = [Box(*monitor) for monitor in self._monitors()]
        bubble = draw_bubble(suggestion)
        if suggestion.target is not None:
            x, y = place_bubble(bubble.size, suggestion.target, rooms)
        else:
            x, y = place_aside(bubble.size, self._room_of_pointer(rooms), self._seen)
        box = Box(x, y, x + bubble.size[0], y + bubble.size[1])
        with self._lock, self._connection.use() as display:
            self._shown = (box, bubble, on_answer)
            if suggestion.target is not None:
                self._frame(suggestion.target, HIGHLIGHT[suggestion.strength])
            else:
                self._highlight.unmap()
            self._paint(self._bubble, box, bubble.pixels)
            display.sync()

    def _room_of_pointer(self, rooms: Sequence[Box]) -> Box:
        """The monitor a person works on."""
        with self._connection.use():
            pointer = self._connection.root.query_pointer()
        return next((room for room in rooms if room.contains((pointer.root_x, pointer.root_y))), rooms[0])

    def _seen(self, box: Box) -> Pixels:
        """What a person sees there."""
        with self._connection.use():
            image = self._connection.root.get_image(box.x1, box.y1, box.width, box.height, X.ZPixmap, 0xFFFFFFFF)
        pixels: Pixels = np.frombuffer(image.data, np.uint8).reshape(box.height, box.width, 4)
        return pixels

    def withdraw(self) -> None:
        with self._lock, self._connection.use() as display:
            self._shown = None
            self._highlight.unmap()
            self._bubble.unmap()
            display.sync()

    def sign(self, text: str, *, calm: bool = False) -> None:
        room = Box(*self._monitors()[0])
        pixels = draw_sign(text, calm=calm, widest_px=room.width)
        height, width = pixels.shape[:2]
        x, y = room.center[0] - width // 2, room.y1 + _SIGN_TOP_PX
        with self._lock, self._connection.use() as display:
            self._sign.shape_rectangles(shape.SO.Set, shape.SK.Input, X.Unsorted, 0, 0, [])
            self._paint(self._sign, Box(x, y, x + width, y + height), pixels)
            display.sync()

    def unsign(self) -> None:
        with self._lock, self._connection.use() as display:
            self._sign.unmap()
            display.sync()

    def holds(self, point: Point) -> bool:
        with self._lock:
            return self._shown is not None and self._shown[0].contains(point)

    def close(self) -> None:
        self._to_close.close()

    def _new_pane(self) -> Any:
        with self._connection.use():
            window = self._connection.root.create_window(
                0, 0, 1, 1, 0, X.CopyFromParent, X.InputOutput, X.CopyFromParent, override_redirect=True
            )
            window.set_wm_name("RPA Vision")
            return window

    def _announce(self) -> None:
        """Say which windows are ours, before any of them is shown; forget those whose process is gone."""
        with self._connection.use() as display:
            atom, root = display.get_atom(PANES), self._connection.root
            known = root.get_full_property(atom, Xatom.WINDOW)
            others = [int(one) for one in known.value if _is_there(display, int(one))] if known is not None else []
            ours = [self._highlight, self._bubble, self._sign]
            for window in ours:
                window.change_property(display.get_atom(PANE), Xatom.CARDINAL, 32, [1])
            root.change_property(atom, Xatom.WINDOW, 32, [*others, *(window.id for window in ours)])
            display.sync()

    def _frame(self, target: Box, colour: Colour) -> None:
        outer, bars = frame_bars(target)
        window = self._highlight
        window.configure(x=outer.x1, y=outer.y1, width=outer.width, height=outer.height)
        rectangles = [(bar.x1, bar.y1, bar.width, bar.height) for bar in bars]
        window.shape_rectangles(shape.SO.Set, shape.SK.Bounding, X.Unsorted, 0, 0, rectangles)
        window.shape_rectangles(shape.SO.Set, shape.SK.Input, X.Unsorted, 0, 0, [])
        blue, green, red = colour
        window.change_attributes(background_pixel=red << 16 | green << 8 | blue)
        window.clear_area()
        self._raise(window)

    def _paint(self, window: Any, box: Box, pixels: Pixels) -> None:
        window.configure(x=box.x1, y=box.y1, width=box.width, height=box.height)
        depth = int(self._connection.root.get_geometry().depth)
        pixmap = window.create_pixmap(box.width, box.height, depth)
        context = pixmap.create_gc()
        rows = max(1, _ROWS_PER_REQUEST_BYTES // (4 * box.width))
        for top in range(0, box.height, rows):
            part = pixels[top : top + rows]
            pixmap.put_image(context, 0, top, box.width, len(part), X.ZPixmap, depth, 0, part.tobytes())
        window.change_attributes(background_pixmap=pixmap)
        window.clear_area()
        context.free()
        pixmap.free()
        self._raise(window)

    def _raise(self, window: Any) -> None:
        window.map()
        window.configure(stack_mode=X.Above)

    def _listen(self, stop: StopSignal, ready: Callable[[], None]) -> None:
        """Presses on the bubble, and windows that come over our panes, on a link of its own."""
        listening = Connection(self._connection.name)
        try:
            with listening.use() as display:
                panes = {
                    pane.id: display.create_resource_object("window", pane.id)
                    for pane in (self._highlight, self._bubble, self._sign)
                }
                for pane_id, pane in panes.items():
                    presses = X.ButtonPressMask if pane_id == self._bubble.id else 0
                    pane.change_attributes(event_mask=X.VisibilityChangeMask | presses)
                display.sync()
            ready()
            while not stop.stopped:
                for event in listening.events():
                    if event.type == X.ButtonPress:
                        self._pressed((event.event_x, event.event_y))
                    elif event.type == X.VisibilityNotify and event.state != X.VisibilityUnobscured:
                        self._come_up(panes[event.window.id])
                        with listening.use() as display:
                            display.flush()
                stop.wait([listening.fileno()])
        finally:
            listening.close()

    def _come_up(self, pane: Any) -> None:
        """Over the window that came over it; but not over another pane of ours, which would never end."""
        with self._lock:
            if pane.id == self._highlight.id and self._shown is not None:
                return
        pane.configure(stack_mode=X.Above)

    def _pressed(self, at: Point) -> None:
        with self._lock:
            if self._shown is None:
                return
            _, bubble, on_answer = self._shown
        chosen = next((choice for box, choice in bubble.buttons if box.contains(at)), None)
        if chosen is not None:
            on_answer(chosen.answer)


def _is_there(display: Any, window_id: int) -> bool:
    try:
        display.create_resource_object("window", window_id).get_attributes()
    except (xerror.BadWindow, xerror.BadDrawable):
        return False
    return True
