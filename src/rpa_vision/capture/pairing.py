"""Pairs each gesture with the screen before its effect and the settled one after it (L0-2).

One gesture at a time is open: the last that may still have an effect. Its aftermath ends when the screen has come to
rest or the person goes on, and then the frame just before that next gesture is the one after this. So that a crash
loses no more than a moment, a gesture is given without its aftermath when that takes long, and the aftermath follows.
A machine too busy to look in time leaves a gesture without the screen before it: better none than an old one. When the
next gesture comes, and at the very end, the screen is looked at once more: what came of a gesture may come late.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from rpa_vision.capture.gestures import Gesture
from rpa_vision.capture.observed import EDITING_KEYS, writes_text
from rpa_vision.imaging.diff import plainly_changed_share
from rpa_vision.imaging.settle import SettleDetector
from rpa_vision.models.frame import Frame

_SMALL_SHARE = 0.001
"""A blinking caret and the like come of no gesture."""


@dataclass(frozen=True, slots=True)
class PairingSettings:
    """How long to look at what came of a gesture."""

    quiet_s: float = 0.4
    change_timeout_s: float = 2.0
    """A slow application shows nothing at first; what shows nothing for so long changes nothing."""
    typing_quiet_s: float = 0.7
    settle_within_s: float = 10.0
    hold_s: float = 0.8
    """A gesture that is older is given without its aftermath."""
    run_pause_s: float = 2.0
    """Typing that pauses so long begins anew, with a picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Paired:
    """A gesture with the frames that belong to it. `number` counts from 0 in the order given."""

    number: int
    gesture: Gesture
    before: Frame | None = None
    after: Frame | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Aftermath:
    """The frame after a gesture that was given already."""

    number: int
    after: Frame


class Pairing:
    """Gestures go in as they come, pairs go out in the same order.

    `latest` gives the screen as it is, `was_behind` says whether the frames lagged behind the screen at a moment.
    """

    def __init__(
        self,
        latest: Callable[[], Frame | None],
        settings: PairingSettings | None = None,
        *,
        was_behind: Callable[[float], bool] = lambda at_s: False,
    ) -> None:
        self._latest = latest
        self._was_behind = was_behind
        self._settings = settings or PairingSettings()
        self._number = 0
        self._open: _Open | None = None
        self._behind: list[Paired] = []
        self._typing: Gesture | None = None
        self._last: Paired | None = None

    @property
    def waiting(self) -> bool:
        """Whether `flush` may have something to give later."""
        return self._open is not None or bool(self._behind)

    def feed(self, gesture: Gesture) -> list[Paired | Aftermath]:
        """Take the next gesture."""
        if gesture.type == "mouse_move":
            moved = Paired(self._take_number(), gesture)
            if self._open is None or self._open.given:
                return [moved]
            self._behind.append(moved)
            return []
        in_run = self._continues_typing(gesture)
        before = gesture.origin.before
        # Within typing the screen after each key is of no use: the last key gets it.
        out = self._came_late(before) if self._open is None else self._close(None if in_run else before)
        self._typing = gesture if _is_typing(gesture) else None
        self._open = _Open(Paired(self._take_number(), gesture, None if in_run else before), self._settings)
        if before is not None:
            self._open.watch(before, self._latest())
        return out

    def flush(self, now_s: float) -> list[Paired | Aftermath]:
        """Look at the screen, and give what has settled or has waited long enough."""
        waiting = self._open
        if waiting is None:
            return []
        latest = self._latest()
        if latest is not None and waiting.has_settled(latest, now_s):
            return self._close(latest)
        if not waiting.given and now_s - waiting.paired.gesture.at_s > self._settings.hold_s:
            waiting.given = True
            return [self._in_time(waiting.paired), *self._take_behind()]
        return []

    def finish(self) -> list[Paired | Aftermath]:
        """Nothing more comes: the screen as it is now is the one after the last gesture."""
        latest = self._latest()
        return self._came_late(latest) if self._open is None else self._close(latest)

    def _came_late(self, latest: Frame | None) -> list[Paired | Aftermath]:
        """The screen after the last gesture once more, where it went on after it had come to rest: a program that
        writes a file closes its dialog a while after the key was pressed."""
        last = self._last
        if latest is None or last is None or last.after is None:
            return []
        in_time = latest.ended_s - last.gesture.ended_s <= self._settings.settle_within_s
        came_late = in_time and plainly_changed_share(last.after.pixels, latest.pixels) > _SMALL_SHARE
        return [Aftermath(last.number, latest)] if came_late else []

    def _close(self, after: Frame | None) -> list[Paired | Aftermath]:
        closed, self._open = self._open, None
        if closed is None:
            return []
        paired = closed.paired
        self._last = replace(paired, before=None, after=after)
        if closed.given:
            return [Aftermath(paired.number, after)] if after is not None else []
        return [replace(self._in_time(paired), after=after), *self._take_behind()]

    def _in_time(self, paired: Paired) -> Paired:
        """The pair, without a screen that was no longer the one the person saw. Asked late: the next frame tells."""
        return replace(paired, before=None) if self._was_behind(paired.gesture.at_s) else paired

    def _take_number(self) -> int:
        self._number += 1
        return self._number - 1

    def _take_behind(self) -> list[Paired]:
        behind, self._behind = self._behind, []
        return behind

    def _continues_typing(self, gesture: Gesture) -> bool:
        last = self._typing
        return (
            last is not None
            and _is_typing(gesture)
            and last.secret_ref == gesture.secret_ref
            and _application(last) == _application(gesture)
            and gesture.at_s - last.at_s <= self._settings.run_pause_s
        )


class _Open:
    """A gesture whose effect is awaited."""

    def __init__(self, paired: Paired, settings: PairingSettings) -> None:
        self.paired = paired
        self.given = False
        self._settings = settings
        self._detector: SettleDetector | None = None

    def watch(self, before: Frame, latest: Frame | None) -> None:
        gesture, settings = self.paired.gesture, self._settings
        typing = _is_typing(gesture)
        self._detector = SettleDetector(
            before.pixels,
            gesture.ended_s,
            quiet_s=settings.typing_quiet_s if typing else settings.quiet_s,
            change_timeout_s=settings.typing_quiet_s if typing else settings.change_timeout_s,
        )
        if latest is not None and latest.ended_s >= gesture.at_s:
            # A click was held back a while, and the screen did not wait; it has been as it is since its last frame.
            self._detector.feed(latest.pixels, latest.ended_s)

    def has_settled(self, latest: Frame, now_s: float) -> bool:
        if now_s - self.paired.gesture.ended_s >= self._settings.settle_within_s:
            return True
        return self._detector is None or self._detector.feed(latest.pixels, now_s)


def _is_typing(gesture: Gesture) -> bool:
    """Characters and what moves among them; not the keys that make something happen."""
    if gesture.type != "key_press":
        return False
    if gesture.secret_ref is not None or (gesture.char is not None and writes_text(gesture.origin.event)):
        return True
    return gesture.key in EDITING_KEYS and not {"CTRL", "ALT", "SUPER"} & set(gesture.modifiers)


def _application(gesture: Gesture) -> tuple[str, int | None] | None:
    window = gesture.origin.window
    return (window.app_name, window.pid) if window is not None else None
