"""The robot's eyes during a run: wait until the screen is at rest, then understand it."""

from __future__ import annotations

from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.imaging.diff import changed_boxes, same_pixels
from rpa_vision.imaging.settle import CARET_PX, SettleDetector
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.desktop import Eyes
from rpa_vision.ports.runtime import Clock, Ids

_POLL_S = 0.03
_QUIET_S = 0.15
_MAX_WAIT_S = 3.0


class Sight:
    """Grabs frames of one desktop and understands them; an unchanged screen is not understood twice."""

    def __init__(self, eyes: Eyes, observer: ScreenObserver, clock: Clock, ids: Ids) -> None:
        self._eyes = eyes
        self._observer = observer
        self._clock = clock
        self._ids = ids
        self._last: ObservedScreen | None = None
        self._last_window: WindowContext | None = None

    def grab(self) -> Frame:
        """The pixels now."""
        return self._eyes.grab()

    def look(self, *, since: Frame | None = None, change_timeout_s: float = 0.0) -> ObservedScreen:
        """Understand the screen once it is at rest.

        `since` is the frame before an action: then a change is waited for first, for at most `change_timeout_s`.
        A screen that never rests (a film, a clock) is looked at after a few seconds all the same.
        """
        return self._understand(self._settled_frame(since, change_timeout_s))

    def still_shows(self, screen: ObservedScreen, box: Box) -> bool:
        """Whether a part of the screen looks as it did when it was understood, but for a caret that may blink in it."""
        height, width = screen.pixels.shape[:2]
        part = box.clamped(int(width), int(height))
        if part is None:
            return False
        changed = changed_boxes(screen.pixels[part.y1 : part.y2, part.x1 : part.x2], self._eyes.grab(part).pixels)
        return all(change.width <= CARET_PX[0] and change.height <= CARET_PX[1] for change in changed)

    def _settled_frame(self, since: Frame | None, change_timeout_s: float) -> Frame:
        frame = self._eyes.grab()
        began = self._clock.monotonic()
        reference = since if since is not None else frame
        detector = SettleDetector(
            reference.pixels, began, quiet_s=_QUIET_S, change_timeout_s=max(change_timeout_s, _QUIET_S)
        )
        while not detector.feed(frame.pixels, self._clock.monotonic()):
            if self._clock.monotonic() - began > _MAX_WAIT_S + change_timeout_s:
                break
            self._clock.sleep(_POLL_S)
            frame = self._eyes.grab()
        return frame

    def _understand(self, frame: Frame) -> ObservedScreen:
        window = frame.window or self._eyes.active_window() or WindowContext()
        last = self._last
        if last is not None and self._last_window == window and same_pixels(last.pixels, frame.pixels):
            return last
        self._last = self._observer.observe(
            frame.pixels, window=window, screen_state_id=self._ids.new("screen"), timestamp=self._clock.now()
        )
        self._last_window = window
        return self._last
