"""What the macOS desktop asks of the system, one call each.

Thinner than the Windows table: the C types end in `native.py`, so that what is above can be checked without them.
Points are macOS' own: origin at the top left of the main display, in units that are two pixels wide on Retina.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from rpa_vision.models.frame import Pixels

# CGEventType
LEFT_DOWN, LEFT_UP, RIGHT_DOWN, RIGHT_UP, MOVED, LEFT_DRAGGED, RIGHT_DRAGGED = 1, 2, 3, 4, 5, 6, 7
KEY_DOWN, KEY_UP, FLAGS_CHANGED, SCROLL, OTHER_DOWN, OTHER_UP, OTHER_DRAGGED = 10, 11, 12, 22, 25, 26, 27
# CGEventFlags
CAPS, SHIFT, CONTROL, OPTION, COMMAND = 0x10000, 0x20000, 0x40000, 0x80000, 0x100000
RIGHT_OPTION = 0x40
"""Which of the two Option keys; a bit macOS passes on from the device."""


class MacDisplay(NamedTuple):
    """A display: its place in points, how many pixels wide it is, whether the menu bar is on it."""

    x: float
    y: float
    width: float
    height: float
    pixels_wide: int
    is_main: bool


class MacWindow(NamedTuple):
    """A window on the screen; layer 0 are ordinary ones. The title is empty without screen-recording permission."""

    pid: int
    owner: str
    title: str
    layer: int
    x: float
    y: float
    width: float
    height: float


class MacEvent(NamedTuple):
    """What an event tap is told."""

    kind: int
    time_ns: int
    x: float
    y: float
    button: int = 0
    key_code: int = 0
    text: str = ""
    flags: int = 0
    scroll_up: int = 0
    scroll_left: int = 0


class Tap(Protocol):
    """Something that listens until it is stopped."""

    def stop(self) -> None:
        """Stop listening; nothing is told afterwards."""


class MacApi(Protocol):
    """The system. The `post_…` calls say whether an event could be made; macOS does not tell whether it arrived."""

    def displays(self) -> list[MacDisplay]: ...
    def capture(self, x: float, y: float, width: float, height: float) -> Pixels | None: ...
    def pointer(self) -> tuple[float, float]: ...
    def windows(self) -> list[MacWindow]: ...
    def raise_window(self, pid: int, title: str) -> bool: ...
    def post_mouse(self, kind: int, x: float, y: float, button: int, clicks: int) -> bool: ...
    def post_scroll(self, up: int, left: int) -> bool: ...
    def post_key(self, key_code: int, down: bool, flags: int) -> bool: ...
    def post_text(self, text: str, down: bool) -> bool: ...
    def start_tap(self, on_event: Callable[[MacEvent], None]) -> Tap | None: ...
    def uptime_ns(self) -> int: ...
    def may_see(self) -> bool: ...
    def may_listen(self) -> bool: ...
    def may_control(self) -> bool: ...
    def is_locked(self) -> bool | None: ...


Runner = Callable[[Sequence[str], bytes], tuple[int, bytes]]
"""Runs a program with that standard input; gives its exit code and standard output."""
