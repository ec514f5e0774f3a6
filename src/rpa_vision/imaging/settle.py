"""When has the screen come to rest after an action?

Equality never comes: carets blink. And a screen that has not begun to change looks just like one that has finished. So
the detector first waits for a change (or gives up waiting for one), then for quiet, and overlooks caret-sized changes
and regions known to move. An icon that comes after its page (a browser asks for it when the page is there) can be
overlooked too, once at each place: what changes there again is a wheel that turns. It is told the time with each
picture and has no clock of its own.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.imaging.diff import changed_beyond, changed_boxes
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

CARET_PX = (8, 48)
"""Width and height up to which a change may be a blinking caret."""


class SettleDetector:
    """Feed it pictures, or the same picture again while nothing new comes; it says when the screen is at rest.

    `before` is the screen as it was when the action was sent, at `began_s`. With `icon_px`, changes up to that size
    prolong nothing the first time they come, once something larger has changed.
    """

    def __init__(
        self,
        before: Pixels,
        began_s: float,
        *,
        quiet_s: float = 0.3,
        change_timeout_s: float = 1.0,
        ignored: Sequence[Box] = (),
        caret_px: tuple[int, int] = CARET_PX,
        icon_px: tuple[int, int] | None = None,
    ) -> None:
        self._last = before
        self._began_s = began_s
        self._quiet_s = quiet_s
        self._change_timeout_s = change_timeout_s
        self._ignored = tuple(ignored)
        self._caret_px = caret_px
        self._icon_px = icon_px
        self._late_icons: list[Box] | None = None
        self._last_change_s: float | None = None
        self._settled = False

    @property
    def changed(self) -> bool:
        """Whether anything that counts has changed since the action."""
        return self._last_change_s is not None

    @property
    def last_change_s(self) -> float | None:
        """When the last change that counts was seen; None when there was none."""
        return self._last_change_s

    @property
    def settled(self) -> bool:
        """The answer of the last `feed`."""
        return self._settled

    def feed(self, pixels: Pixels, at_s: float) -> bool:
        """Take the screen as it is at `at_s` and say whether it has settled."""
        counts = changed_beyond(self._last, pixels, self._caret_px, ignored=self._ignored)
        counts = counts and not self._is_late_icon(pixels)
        self._last = pixels
        if counts:
            self._last_change_s = at_s
        if self._last_change_s is None:
            self._settled = at_s - self._began_s >= self._change_timeout_s
        else:
            self._settled = at_s - self._last_change_s >= self._quiet_s
        return self._settled

    def _is_late_icon(self, pixels: Pixels) -> bool:
        """Whether nothing changed but icons, after something larger had, each for the first time."""
        if self._icon_px is None:
            return False
        if changed_beyond(self._last, pixels, self._icon_px, ignored=self._ignored):
            self._late_icons = []
            return False
        known = self._late_icons
        if known is None:
            return False
        changes = changed_boxes(self._last, pixels, ignored=self._ignored)
        again = any(change.intersection(icon) is not None for change in changes for icon in known)
        known.extend(changes)
        return not again
