"""The screen as it is without our own overlay.

Our panes (highlight, bubble, sign) are named in a property of the root window, so that every process of ours knows
them. Their pixels in a grab are replaced by what lies beneath: the windows keep their whole picture in pixmaps of their
own (Composite), also where they are covered. Nothing is hidden and shown again, so nothing flickers. What cannot be
known is blanked and told (`Frame.covered`), never left in.
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

from rpa_vision.adapters.desktop.x11.connection import Connection, read_property
from rpa_vision.models.frame import Frame, Pixels
from rpa_vision.models.geometry import Box

PANES = "_RPA_VISION_OVERLAY"
"""The property of the root window that lists our panes."""
PANE = "_RPA_PANE"
"""The property of every window of ours: a listed one of a process that is gone may have become somebody else's, and
those that only hold a background for a moment are in no list."""
_GONE = (xerror.BadWindow, xerror.BadDrawable, xerror.BadPixmap, xerror.BadMatch, xerror.BadValue)
_ALL_PLANES = 0xFFFFFFFF
_WITH_ALPHA = 32


class Beneath:
    """Takes our panes out of grabs, through one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._is_ready = False

    def panes(self) -> tuple[Box, ...]:
        """What our panes cover now, as boxes of the desktop."""
        ids = self._ids()
        with self._connection.use() as display:
            return tuple(box for pane_id in ids for box in _shown(display.create_resource_object("window", pane_id)))

    def without_panes(self, frame: Frame, corner: tuple[int, int], before: tuple[Box, ...]) -> Frame:
        """The frame, grabbed at that corner, with what lies beneath our panes; `before` were those before the grab.

        Panes come and go while somebody grabs: those before and those after are taken out.
        """
        boxes = dict.fromkeys((*before, *self.panes()))
        whole = Box(corner[0], corner[1], corner[0] + frame.width, corner[1] + frame.height)
        parts = [part for box in boxes if (part := box.intersection(whole)) is not None]
        if not parts:
            return frame
        pixels, covered = frame.pixels.copy(), list(frame.covered)
        for part, beneath in self.pictures(parts).items():
            here = part.moved(-corner[0], -corner[1])
            pixels[here.y1 : here.y2, here.x1 : here.x2] = 0 if beneath is None else beneath
            covered += [here] if beneath is None else []
        pixels.flags.writeable = False
        return replace(frame, pixels=pixels, covered=tuple(covered))

    def pictures(self, parts: Sequence[Box]) -> dict[Box, Pixels | None]:
        """What lies beneath our panes in those parts of the desktop; None where it cannot be told."""
        layers = self._layers(parts)
        return {part: self._picture(part, layers) if layers is not None else None for part in parts}

    def _ids(self) -> list[int]:
        listing, mark = self._connection.atom(PANES), self._connection.atom(PANE)
        with self._connection.use() as display:
            found = read_property(self._connection.root, listing)
            listed = [int(number) for number in found.value] if found is not None else []
            return [one for one in listed if _is_marked(display.create_resource_object("window", one), mark)]

    def _layers(self, parts: Sequence[Box]) -> list[_Layer] | None:
        """The windows that show something in one of the parts, the lowest first; None where that cannot be told."""
        mark = self._connection.atom(PANE)
        with self._connection.use() as display:
            if not self._is_ready:
                if not (self._connection.has_extension("Composite") and self._connection.has_extension("SHAPE")):
                    return None
                display.composite_query_version()
                self._is_ready = True
            layers = (_layer(window, parts, mark) for window in self._connection.root.query_tree().children)
            return [layer for layer in layers if layer is not None]

    def _picture(self, box: Box, layers: list[_Layer]) -> Pixels | None:
        """What the windows show in that box; None where it cannot be told."""
        with self._connection.use():
            try:
                canvas = self._background(box)
                for layer in layers:
                    layer.paint(canvas, box)
            except _GONE:
                return None
        return canvas

    def _background(self, box: Box) -> Pixels:
        """The root's own background, painted into a window that is never shown, and that no other look takes for a
        window of somebody."""
        root, mark = self._connection.root, self._connection.atom(PANE)
        window = root.create_window(
            box.x1, box.y1, box.width, box.height, 0, X.CopyFromParent, X.InputOutput, X.CopyFromParent,
            override_redirect=True, background_pixmap=X.ParentRelative,
        )  # fmt: skip
        try:
            window.change_property(mark, Xatom.CARDINAL, 32, [1])
            window.composite_redirect_window(composite.RedirectManual)
            window.shape_rectangles(shape.SO.Set, shape.SK.Input, X.Unsorted, 0, 0, [])
            window.map()
            return _image(window, Box(0, 0, box.width, box.height))
        finally:
            window.destroy()


def _is_marked(window: Any, mark: int) -> bool:
    try:
        return read_property(window, mark) is not None
    except _GONE:
        return False


@dataclass(frozen=True, slots=True)
class _Layer:
    """A window, where its picture begins on the desktop, and the parts of the desktop it takes."""

    window: Any
    corner: tuple[int, int]
    has_alpha: bool
    bounds: tuple[Box, ...]

    def paint(self, canvas: Pixels, box: Box) -> None:
        for visible in self.bounds:
            part = visible.intersection(box)
            if part is not None:
                picture = _image(self.window, part.moved(-self.corner[0], -self.corner[1]))
                here = part.moved(-box.x1, -box.y1)
                _lay(canvas[here.y1 : here.y2, here.x1 : here.x2], picture, has_alpha=self.has_alpha)


def _layer(window: Any, parts: Sequence[Box], mark: int) -> _Layer | None:
    """What a window of somebody else shows in one of the parts."""
    try:
        size = window.get_geometry()
        border = 2 * size.border_width
        outer = Box(size.x, size.y, size.x + size.width + border, size.y + size.height + border)
        if all(outer.intersection(part) is None for part in parts):
            return None
        attributes = window.get_attributes()
        if attributes.map_state != X.IsViewable or attributes.win_class != X.InputOutput:
            return None
        if read_property(window, mark) is not None:  # after it is known to be shown: it is marked before
            return None
        return _Layer(window, (size.x, size.y), size.depth == _WITH_ALPHA, tuple(_bounds(window, size)))
    except _GONE:
        return None  # it has just been closed


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
        reply = pixmap.get_image(box.x1, box.y1, box.width, box.height, X.ZPixmap, _ALL_PLANES)
    return np.frombuffer(reply.data, np.uint8).reshape(box.height, box.width, 4).copy()


def _lay(canvas: Pixels, picture: Pixels, *, has_alpha: bool) -> None:
    if not has_alpha:
        canvas[...] = picture
        return
    # Colours are multiplied by their alpha already.
    let_through = 255 - picture[:, :, 3:].astype(np.uint16)
    mixed = picture[:, :, :3] + (canvas[:, :, :3] * let_through + 127) // 255
    canvas[:, :, :3] = np.minimum(mixed, 255).astype(np.uint8)


def _shown(window: Any) -> list[Box]:
    """What of a pane is on the screen."""
    try:
        if window.get_attributes().map_state != X.IsViewable:
            return []
        return _bounds(window, window.get_geometry())
    except _GONE:
        return []


def _bounds(window: Any, size: Any) -> list[Box]:
    """The parts of the screen a window takes, by its bounding shape. Our panes and most windows have no border."""
    found = window.shape_get_rectangles(shape.SK.Bounding).rectangles
    x, y = size.x + size.border_width, size.y + size.border_width
    return [Box(x + r.x, y + r.y, x + r.x + r.width, y + r.y + r.height) for r in found if r.width and r.height]
