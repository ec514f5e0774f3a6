"""Windows that are not looked at: while one of them is in front, nothing is seen and nothing is heard.

Where one stands behind or beside, its place in the picture is painted over and said to be (`Frame.covered`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import InputEvent, ScreenInfo
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.desktop import Clipboard, Desktop, Ears, Eyes, Hands, Windows
from rpa_vision.ports.runtime import Clock

USUALLY_DENIED = (
    "keepass", "1password", "bitwarden", "lastpass", "dashlane", "enpass", "seahorse", "kwallet", "polkit", "pinentry",
)  # fmt: skip
"""Keepers of passwords: words of their names."""
_COVER = 128
_LOOK_AGAIN_S = 1.0


class DeniedWindows:
    """Words of titles and of applications; a window that bears one is not looked at."""

    def __init__(self, words: Sequence[str] = USUALLY_DENIED) -> None:
        self._words = tuple(word.casefold().strip() for word in words if word.strip())

    def deny(self, window: WindowContext | None) -> bool:
        """Whether that window is not to be looked at."""
        if window is None:
            return False
        said = f"{window.app_name}\n{window.title}".casefold()
        return any(word in said for word in self._words)


class DiscreetEyes:
    """Implements `ports.desktop.Eyes`: denied windows are in no frame."""

    def __init__(self, eyes: Eyes, windows: Windows, denied: DeniedWindows, clock: Clock) -> None:
        self._eyes = eyes
        self._windows = windows
        self._denied = denied
        self._clock = clock
        self._lock = threading.Lock()
        self._looked_s = float("-inf")
        self._front: WindowContext | None = None
        self._boxes: tuple[Box, ...] = ()
        self.is_looking_away = False
        """A denied window was in front when the last frame was taken."""

    def info(self) -> ScreenInfo:
        return self._eyes.info()

    def grab(self, region: Box | None = None) -> Frame:
        frame = self._eyes.grab(region)
        corner = (max(region.x1, 0), max(region.y1, 0)) if region is not None else (0, 0)
        whole = Box(0, 0, frame.width, frame.height)
        front = frame.window if region is None else self._eyes.active_window()
        boxes = (whole,) if self._denied.deny(front) else self._places(front)
        return _painted_over(frame, [box.moved(-corner[0], -corner[1]) for box in boxes])

    def active_window(self) -> WindowContext | None:
        window = self._eyes.active_window()
        return None if self._denied.deny(window) else window

    def pointer(self) -> Point:
        return self._eyes.pointer()

    def watch(self, on_frame: Callable[[Frame], None], *, max_fps: float = 30.0) -> AbstractContextManager[None]:
        def discreetly(frame: Frame) -> None:
            self.is_looking_away = self._denied.deny(frame.window)
            if not self.is_looking_away:
                on_frame(_painted_over(frame, self._places(frame.window)))

        return self._eyes.watch(discreetly, max_fps=max_fps)

    def _places(self, front: WindowContext | None) -> tuple[Box, ...]:
        """Where denied windows are, the one in front aside; asked anew when another window is in front."""
        with self._lock:
            now_s = self._clock.monotonic()
            if front != self._front or now_s - self._looked_s > _LOOK_AGAIN_S:
                self._front, self._looked_s = front, now_s
                self._boxes = tuple(
                    Box.of(window.geometry)
                    for window in self._windows.all()
                    if window.geometry is not None and self._denied.deny(window)
                )
            return self._boxes


class DiscreetEars:
    """Implements `ports.desktop.Ears`: what is done in a denied window is not heard, nor what our own hands do."""

    def __init__(self, ears: Ears, eyes: DiscreetEyes, denied: DeniedWindows) -> None:
        self._ears = ears
        self._eyes = eyes
        self._denied = denied

    def listen(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> AbstractContextManager[None]:
        def discreetly(event: InputEvent) -> None:
            if not event.own and not self._eyes.is_looking_away and not self._denied.deny(event.window):
                on_event(event)

        return self._ears.listen(discreetly, on_lost)


class DiscreetDesktop:
    """Implements `ports.desktop.Desktop` for those that watch: denied windows are not looked at."""

    def __init__(self, desktop: Desktop, denied: DeniedWindows, clock: Clock) -> None:
        self._desktop = desktop
        self._eyes = DiscreetEyes(desktop.eyes, desktop.windows, denied, clock)
        self._ears = DiscreetEars(desktop.ears, self._eyes, denied)

    @property
    def eyes(self) -> Eyes:
        return self._eyes

    @property
    def ears(self) -> Ears:
        return self._ears

    @property
    def hands(self) -> Hands:
        return self._desktop.hands

    @property
    def clipboard(self) -> Clipboard:
        return self._desktop.clipboard

    @property
    def windows(self) -> Windows:
        return self._desktop.windows

    def is_locked(self) -> bool | None:
        return self._desktop.is_locked()

    def close(self) -> None:
        self._desktop.close()


def _painted_over(frame: Frame, boxes: Sequence[Box]) -> Frame:
    parts = [part for box in boxes if (part := box.clamped(frame.width, frame.height)) is not None]
    if not parts:
        return frame
    pixels = frame.pixels.copy()
    for part in parts:
        pixels[part.y1 : part.y2, part.x1 : part.x2, :3] = _COVER
    pixels.flags.writeable = False
    return replace(frame, pixels=pixels, covered=(*frame.covered, *parts))
