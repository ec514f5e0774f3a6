"""The windows on an X display: found by class, measured where they really are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from Xlib import X, error


@dataclass(frozen=True, slots=True)
class Window:
    """One window of a program; the box is the inside, without the frame the window manager adds."""

    id: int
    wm_class: str
    title: str
    x: int
    y: int
    width_px: int
    height_px: int
    is_dialog: bool


def find_windows(display: Any, wm_class: str) -> list[Window]:
    """The windows of a program class, oldest first; one that closes meanwhile is left out."""
    root = display.screen().root
    listed = root.get_full_property(display.get_atom("_NET_CLIENT_LIST"), X.AnyPropertyType)
    found = []
    for window_id in listed.value if listed else ():
        try:
            window = _describe(display, root, int(window_id))
        except error.XError:
            continue
        if window is not None and window.wm_class.lower() == wm_class.lower():
            found.append(window)
    return found


def _describe(display: Any, root: Any, window_id: int) -> Window | None:
    handle = display.create_resource_object("window", window_id)
    names = handle.get_wm_class()
    if not names:
        return None
    geometry = handle.get_geometry()
    corner = root.translate_coords(handle, 0, 0)
    return Window(
        id=window_id,
        wm_class=names[1],
        title=_title(display, handle),
        x=corner.x,
        y=corner.y,
        width_px=geometry.width,
        height_px=geometry.height,
        is_dialog=handle.get_wm_transient_for() is not None,
    )


def _title(display: Any, handle: Any) -> str:
    told = handle.get_full_property(display.get_atom("_NET_WM_NAME"), X.AnyPropertyType)
    if told is None:
        return str(handle.get_wm_name() or "")
    return told.value.decode("utf-8", errors="replace") if isinstance(told.value, bytes) else str(told.value)


def place_window(display: Any, window: Window, box: tuple[int, int, int, int]) -> None:
    """Ask the window manager to put a window at (x, y) with a width and height."""
    x, y, width, height = box
    display.create_resource_object("window", window.id).configure(x=x, y=y, width=width, height=height)
    display.sync()
