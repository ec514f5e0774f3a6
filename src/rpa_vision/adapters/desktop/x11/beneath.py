"""The screen as it is without our own overlay.

Our panes (highlight, bubble, sign) are named in a property of the root window, so that every process of ours knows
them. Their pixels in a grab are replaced by what lies beneath: the windows keep their whole picture in pixmaps of their
own (Composite), also where they are covered. Nothing is hidden and shown again, so nothing flickers. What cannot be
known is blanked and told (`Frame.covered`), never left in.

Where windows lie is asked for anew only after something about them was told (`WindowNews`); what they show, each time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from Xlib import X, Xatom
from Xlib import error as xerror
from Xlib.ext import composite, shape

from rpa_vision.adapters.desktop.x11.asking import (
    Asked,
    AskedProperty,
    ask_attributes,
    ask_bounds,
    ask_geometry,
    ask_image,
)
from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.adapters.desktop.x11.window_news import WindowNews
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box

PANES = "_RPA_VISION_OVERLAY"
"""The property of the root window that lists our panes."""
PANE = "_RPA_PANE"
"""The property of every window of ours: a listed one of a process that is gone may have become somebody else's, and
those that only hold a background for a moment are in no list."""
_GONE = (xerror.BadWindow, xerror.BadDrawable, xerror.BadPixmap, xerror.BadMatch, xerror.BadValue)
_WITH_ALPHA = 32


class Beneath:
    """Takes our panes out of grabs, through links of its own."""

    def __init__(self, display_name: str) -> None:
        self._connection = Connection(display_name)
        self._listing, self._mark = (self._connection.atom(name) for name in (PANES, PANE))
        self._news = WindowNews(self._connection.name, PANES)
        self._panes: tuple[Box, ...] | None = None
        """What they cover, as long as no news came since it was asked."""
        self._layered: tuple[tuple[Box, ...], list[_Layer] | None] | None = None
        """What lies in some parts of the desktop, as long as no news came."""
        self._is_ready = False

    def panes(self) -> tuple[Box, ...]:
        """What our panes cover now, as boxes of the desktop."""
        with self._connection.use() as display:
            self._heed_news()
            if self._panes is None:
                self._panes = self._asked_panes(display)
            return self._panes

    def without_panes(self, frame: Frame, corner: tuple[int, int], before: tuple[Box, ...]) -> Frame:
        """The frame, grabbed at that corner, with what lies beneath our panes; `before` were those before the grab. The
        frame is the caller's own: it is painted over, and nobody else's from then on.

        Panes come and go while somebody grabs: those before and those after are taken out.
        """
        boxes = dict.fromkeys((*before, *self.panes()))
        whole = Box(corner[0], corner[1], corner[0] + frame.width, corner[1] + frame.height)
        parts = [part for box in boxes if (part := box.intersection(whole)) is not None]
        covered = list(frame.covered)
        for part, beneath in self.pictures(parts).items() if parts else ():
            here = part.moved(-corner[0], -corner[1])
            frame.pixels[here.y1 : here.y2, here.x1 : here.x2] = 0 if beneath is None else beneath
            covered += [here] if beneath is None else []
        # Frames are shared between threads: whoever draws on one must copy it.
        frame.pixels.flags.writeable = False
        return replace(frame, covered=tuple(covered))

    def pictures(self, parts: Sequence[Box]) -> dict[Box, Pixels | None]:
        """What lies beneath our panes in those parts of the desktop; None where it cannot be told."""
        with self._connection.use():
            known = self._layered
            if known is not None and known[0] == tuple(parts):
                found = self._pictures(parts, known[1])
                if not self._heed_news():  # the windows lay there until they were looked at
                    return found
            self._heed_news()  # so that what is told from here on came after we asked
            layers = self._layers(parts)
            self._layered = (tuple(parts), layers)
            return self._pictures(parts, layers)

    def close(self) -> None:
        """Let go of the links."""
        self._news.close()
        self._connection.close()

    def _heed_news(self) -> bool:
        """Whether anything about windows or panes was told; then what was known of them is known no more."""
        if not self._news.came():
            return False
        self._panes = self._layered = None
        return True

    def _asked_panes(self, display: Any) -> tuple[Box, ...]:
        listed = [display.create_resource_object("window", one) for one in self._listed()]
        marks = [AskedProperty(window, self._mark) for window in listed]
        ours = [window for window, mark in zip(listed, marks, strict=True) if _is_there(mark)]
        self._news.follow_shapes(ours)
        asked = [(ask_attributes(window), ask_geometry(window), ask_bounds(window)) for window in ours]
        return tuple(box for questions in asked for box in _shown(*questions))

    def _listed(self) -> list[int]:
        return AskedProperty(self._connection.root, self._listing).numbers()

    def _layers(self, parts: Sequence[Box]) -> list[_Layer] | None:
        """The windows that show something in one of the parts, the lowest first; None where that cannot be told."""
        with self._connection.use() as display:
            if not self._is_ready:
                if not (self._connection.has_extension("Composite") and self._connection.has_extension("SHAPE")):
                    return None
                display.composite_query_version()
                self._is_ready = True
            windows = self._connection.root.query_tree().children
            sizes = [ask_geometry(window) for window in windows]
            there = [(window, size) for window, size in zip(windows, map(_if_there, sizes), strict=True) if size]
            near = [(window, size) for window, size in there if _reaches(size, parts)]
            self._news.follow_shapes([window for window, _ in near])
            asked = [
                # The mark after it is known to be shown: it is marked before.
                (window, size, ask_attributes(window), AskedProperty(window, self._mark), ask_bounds(window))
                for window, size in near
            ]
            layers = [_layer(*questions) for questions in asked]
            return [layer for layer in layers if layer is not None]

    def _pictures(self, parts: Sequence[Box], layers: list[_Layer] | None) -> dict[Box, Pixels | None]:
        return {part: self._picture(part, layers) if layers is not None else None for part in parts}

    def _picture(self, box: Box, layers: list[_Layer]) -> Pixels | None:
        """What the windows show in that box; None where it cannot be told."""
        covering = next((number for number in reversed(range(len(layers))) if layers[number].hides(box)), None)
        try:
            if covering is None:
                canvas, above = self._background(box), layers
            else:  # what lies beneath that one is not seen
                canvas, above = np.empty((box.height, box.width, 4), np.uint8), layers[covering:]
            for layer in above:
                layer.paint(canvas, box)
        except _GONE:
            return None
        return canvas

    def _background(self, box: Box) -> Pixels:
        """The root's own background, painted into a window that is never shown, and that no other look takes for a
        window of somebody."""
        root = self._connection.root
        window = root.create_window(
            box.x1, box.y1, box.width, box.height, 0, X.CopyFromParent, X.InputOutput, X.CopyFromParent,
            override_redirect=True, background_pixmap=X.ParentRelative,
        )  # fmt: skip
        self._news.overlook(window)
        try:
            window.change_property(self._mark, Xatom.CARDINAL, 32, [1])
            window.composite_redirect_window(composite.RedirectManual)
            window.shape_rectangles(shape.SO.Set, shape.SK.Input, X.Unsorted, 0, 0, [])
            window.map()
            return _image(window, Box(0, 0, box.width, box.height))
        finally:
            window.destroy()


@dataclass(frozen=True, slots=True)
class _Layer:
    """A window, where its picture begins on the desktop, and the parts of the desktop it takes."""

    window: Any
    corner: tuple[int, int]
    has_alpha: bool
    bounds: tuple[Box, ...]

    def hides(self, box: Box) -> bool:
        """Whether nothing beneath it is seen there."""
        return not self.has_alpha and any(visible.encloses(box) for visible in self.bounds)

    def paint(self, canvas: Pixels, box: Box) -> None:
        for visible in self.bounds:
            part = visible.intersection(box)
            if part is not None:
                picture = _image(self.window, part.moved(-self.corner[0], -self.corner[1]))
                here = part.moved(-box.x1, -box.y1)
                _lay(canvas[here.y1 : here.y2, here.x1 : here.x2], picture, has_alpha=self.has_alpha)


def _reaches(size: Any, parts: Sequence[Box]) -> bool:
    border = 2 * size.border_width
    outer = Box(size.x, size.y, size.x + size.width + border, size.y + size.height + border)
    return any(outer.intersection(part) is not None for part in parts)


def _layer(window: Any, size: Any, attributes: Asked, mark: AskedProperty, bounds: Asked) -> _Layer | None:
    """What a window of somebody else shows."""
    try:
        told = attributes.answer()
        if told.map_state != X.IsViewable or told.win_class != X.InputOutput or mark.answer() is not None:
            return None
        return _Layer(window, (size.x, size.y), size.depth == _WITH_ALPHA, tuple(_bounds(size, bounds)))
    except _GONE:
        return None  # it has just been closed


def _if_there(asked: Asked) -> Any:
    try:
        return asked.answer()
    except _GONE:
        return None


def _is_there(mark: AskedProperty) -> bool:
    try:
        return mark.answer() is not None
    except _GONE:
        return False


@contextmanager
def _pixmap(window: Any) -> Iterator[Any]:
    pixmap = window.composite_name_window_pixmap()
    try:
        yield pixmap
    finally:
        pixmap.free()


def _image(window: Any, box: Box) -> Pixels:
    """A part of a window's own picture, its border included."""
    with _pixmap(window) as pixmap:
        asked = ask_image(pixmap, box.x1, box.y1, box.width, box.height)
    return np.frombuffer(asked.answer().data, np.uint8).reshape(box.height, box.width, 4).copy()


def _lay(canvas: Pixels, picture: Pixels, *, has_alpha: bool) -> None:
    if not has_alpha:
        canvas[...] = picture
        return
    # Colours are multiplied by their alpha already.
    let_through = 255 - picture[:, :, 3:].astype(np.uint16)
    mixed = picture[:, :, :3] + (canvas[:, :, :3] * let_through + 127) // 255
    canvas[:, :, :3] = np.minimum(mixed, 255).astype(np.uint8)


def _shown(attributes: Asked, size: Asked, bounds: Asked) -> list[Box]:
    """What of a pane is on the screen."""
    try:
        if attributes.answer().map_state != X.IsViewable:
            return []
        return _bounds(size.answer(), bounds)
    except _GONE:
        return []


def _bounds(size: Any, bounds: Asked) -> list[Box]:
    """The parts of the screen a window takes, by its bounding shape. Our panes and most windows have no border."""
    x, y = size.x + size.border_width, size.y + size.border_width
    found = bounds.answer().rectangles
    return [Box(x + r.x, y + r.y, x + r.x + r.width, y + r.y + r.height) for r in found if r.width and r.height]
