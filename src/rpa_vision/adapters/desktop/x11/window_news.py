"""What the X server tells of the windows on the screen: that one came, went, moved, or took another shape.

Where nothing was told since windows were asked about, they need not be asked about again. They are told over a link of
their own: python-xlib takes a long answer that comes right behind an event apart byte by byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from Xlib import X

from rpa_vision.adapters.desktop.x11.connection import Connection

_OF_WINDOWS = frozenset(
    {
        X.CreateNotify,
        X.DestroyNotify,
        X.UnmapNotify,
        X.MapNotify,
        X.ReparentNotify,
        X.ConfigureNotify,
        X.GravityNotify,
        X.CirculateNotify,
    }
)


class WindowNews:
    """Hears of the windows of the root, and of one of its properties. Not for several threads at once."""

    def __init__(self, display_name: str, property_name: str) -> None:
        self._connection = Connection(display_name)
        self._atom = self._connection.atom(property_name)
        self._followed: set[int] = set()
        self._overlooked: set[int] = set()
        with self._connection.use() as display:
            self._shape_notify = _shape_event(display) if self._connection.has_extension("SHAPE") else None
            self._connection.root.change_attributes(event_mask=X.SubstructureNotifyMask | X.PropertyChangeMask)
            display.sync()

    def came(self) -> bool:
        """Whether anything was told since it was asked last, up to now."""
        with self._connection.use() as display:
            display.sync()  # what happened before we ask is told before we are answered
            news = [event for event in self._connection.events() if self._matters(event)]
            self._connection.take_errors()  # a window we followed may be gone
        return bool(news)

    def follow_shapes(self, windows: Sequence[Any]) -> None:
        """Hear of other shapes of them, too, from now on."""
        new = [window.id for window in windows if window.id not in self._followed]
        if self._shape_notify is None or not new:
            return
        self._followed.update(new)
        with self._connection.use() as display:
            for window_id in new:
                display.create_resource_object("window", window_id).shape_select_input(1)
            display.sync()

    def overlook(self, window: Any) -> None:
        """One of our own, for a moment: nobody is told of it."""
        self._overlooked.add(window.id)

    def close(self) -> None:
        """Hear no more."""
        self._connection.close()

    def _matters(self, event: Any) -> bool:
        if event.type == X.PropertyNotify:
            return bool(event.atom == self._atom)
        if event.type == self._shape_notify:
            return True
        if event.type not in _OF_WINDOWS:
            return False
        window_id = event.window.id
        is_ours = window_id in self._overlooked
        if event.type in (X.DestroyNotify, X.ReparentNotify):
            # One that was taken into a frame dies there unheard, and another may bear its number.
            self._followed.discard(window_id)
        if event.type == X.DestroyNotify:
            self._overlooked.discard(window_id)
        return not is_ours


def _shape_event(display: Any) -> int:
    display.shape_query_version()
    return int(display.extension_event.ShapeNotify)
