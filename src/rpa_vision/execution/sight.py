"""The robot's eyes during a run: wait until the screen is at rest, then understand it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from rpa_vision.embedding.salience import FIELD_TYPES
from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.imaging.diff import changed_boxes, same_pixels
from rpa_vision.imaging.settle import SettleDetector
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.desktop import Eyes
from rpa_vision.ports.runtime import Clock, Ids

_POLL_S = 0.005
"""A look at a screen nobody painted on takes a fifth of that."""
_QUIET_S = 0.1
_LULL_S = 0.04
"""A screen that was still for so long is read at once: if it is the same afterwards, it was at rest meanwhile."""
_MAX_WAIT_S = 3.0
_ICON_PX = (20, 20)
"""The sign of a page in its title comes when the page is there; it is read, but not waited for."""
_CARET_WIDTH_PX = 3
_CARET_HEIGHTS_PX = (8, 64)


class Sight:
    """Grabs frames of one desktop and understands them; an unchanged screen is not understood twice."""

    def __init__(self, eyes: Eyes, observer: ScreenObserver, clock: Clock, ids: Ids) -> None:
        self._eyes = eyes
        self._observer = observer
        self._clock = clock
        self._ids = ids
        self._last: ObservedScreen | None = None
        self._last_window: WindowContext | None = None
        self.changed_s: float | None = None
        """When the last change that counts was noticed while a screen came to rest."""

    def grab(self) -> Frame:
        """The pixels now."""
        return self._eyes.grab()

    def at_rest(self, quiet_s: float, at_most_s: float) -> Frame:
        """The pixels once they have stayed as they are for a while, or after `at_most_s`; nothing is understood."""
        frame, now = self._eyes.grab(), self._clock.monotonic()
        still_since, deadline = now, now + at_most_s
        while now - still_since < quiet_s and now < deadline:
            self._clock.sleep(_POLL_S)
            newer, now = self._eyes.grab(), self._clock.monotonic()
            if not same_pixels(frame.pixels, newer.pixels):
                still_since = now
            frame = newer
        return frame

    def look(self, *, since: Frame | None = None, change_timeout_s: float = 0.0) -> ObservedScreen:
        """Understand the screen once it is at rest.

        `since` is the frame before an action: then a change is waited for first, for at most `change_timeout_s`.
        A screen that never rests (a film, a clock) is looked at after a few seconds all the same. One that is as it was
        when it was last understood was at rest then, and is not waited for.
        """
        if since is None and (known := self._as_it_was()) is not None:
            return known
        return self._understand(self._settled_frame(since, change_timeout_s))

    def _as_it_was(self) -> ObservedScreen | None:
        """The screen as it was understood last, if it still looks just so."""
        last = self._last
        if last is None:
            return None
        frame = self._eyes.grab()
        window = frame.window or self._eyes.active_window() or WindowContext()
        return last if self._last_window == window and same_pixels(last.pixels, frame.pixels) else None

    def still_shows(self, screen: ObservedScreen, boxes: Sequence[Box]) -> bool:
        """Whether parts of the screen look as they did when it was understood, but for a caret in a field."""
        height, width = screen.pixels.shape[:2]
        parts = [part for box in boxes if (part := box.clamped(int(width), int(height))) is not None]
        if not parts:
            return False
        whole = reduce(Box.union, parts)
        changes = self.changes_since(screen, whole)
        return not any(change.intersection(part) is not None for change in changes for part in parts)

    def changes_since(self, screen: ObservedScreen, within: Box) -> list[Box]:
        """What looks otherwise in a part of the screen than when it was understood, but for a caret in a field."""
        now = self._eyes.grab(within).pixels
        then = screen.pixels[within.y1 : within.y2, within.x1 : within.x2]
        changes = [change.moved(within.x1, within.y1) for change in changed_boxes(then, now)]
        if not changes:
            return []
        fields = [Box.of(element.bbox) for element in screen.state.ui_elements if element.type in FIELD_TYPES]
        return [change for change in changes if not _may_be_caret(change, fields)]

    def _settled_frame(self, since: Frame | None, change_timeout_s: float) -> Frame:
        frame = self._eyes.grab()
        began = self._clock.monotonic()
        reference = since if since is not None else frame
        detector = SettleDetector(
            reference.pixels,
            began,
            quiet_s=_QUIET_S,
            change_timeout_s=max(change_timeout_s, _QUIET_S),
            icon_px=_ICON_PX,
        )
        while not detector.feed(frame.pixels, self._clock.monotonic()):
            now = self._clock.monotonic()
            if now - began > _MAX_WAIT_S + change_timeout_s:
                break
            still_since = detector.last_change_s if since is not None else detector.last_change_s or began
            if still_since is None or now - still_since < _LULL_S or not self._is_new_to_us(frame):
                self._clock.sleep(_POLL_S)
            frame = self._eyes.grab()
        if detector.last_change_s is not None:
            self.changed_s = detector.last_change_s
        return frame

    def _is_new_to_us(self, frame: Frame) -> bool:
        """Whether this had to be understood; now it is."""
        known = self._last
        return self._understand(frame) is not known

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


def _may_be_caret(change: Box, fields: Sequence[Box]) -> bool:
    """A thin upright line inside a field, or anywhere where no field was seen. A digit is wider."""
    upright = change.width <= _CARET_WIDTH_PX and _CARET_HEIGHTS_PX[0] <= change.height <= _CARET_HEIGHTS_PX[1]
    return upright and (not fields or any(field.padded(4).encloses(change) for field in fields))
