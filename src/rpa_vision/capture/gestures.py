"""From presses, releases and motions to what the person did: clicks, drags, scrolls, rests of the pointer, keys.

A pure state machine: times come with the events, `flush` says how late it is. Gestures come out in the order in which
they began. What may still grow (a click into a double click, a notch into a scroll) waits, but no longer than needed:
anything else the person does ends the wait, and so does time.
"""

from __future__ import annotations

import math
from collections import deque

from rpa_vision.capture.forming import (
    Forming,
    Gesture,
    GestureSettings,
    Pointing,
    Scrolling,
    Whole,
    button_of,
    distance_px,
)
from rpa_vision.capture.observed import Observed, is_dead_key, printable
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MODIFIER_NAMES, InputKind, MouseButton

__all__ = ["Gesture", "GestureMachine", "GestureSettings"]


class GestureMachine:
    """Feed it input in the order it happened; it gives gestures in the order they began."""

    def __init__(self, settings: GestureSettings | None = None) -> None:
        self._settings = settings or GestureSettings()
        self._line: deque[Forming] = deque()
        self._down: dict[MouseButton, Pointing] = {}
        self._rest: Observed | None = None
        self._move_given_s = -math.inf
        self._move_given_at: Point | None = None
        self._given_s = -math.inf

    @property
    def waiting(self) -> bool:
        """Whether `flush` may have something to give later."""
        return bool(self._line) or self._rest is not None

    def feed(self, seen: Observed) -> list[Gesture]:
        """Take the next input."""
        self._expire(seen.event.at_s)
        match seen.event.kind:
            case InputKind.MOTION:
                self._motion(seen)
            case InputKind.BUTTON_PRESS:
                self._press(seen)
            case InputKind.BUTTON_RELEASE:
                self._release(seen)
            case InputKind.SCROLL:
                self._notch(seen)
            case InputKind.KEY_PRESS:
                self._key(seen)
            case InputKind.KEY_RELEASE:
                pass
        return self._ready(seen.event.at_s)

    def flush(self, now_s: float) -> list[Gesture]:
        """Give what has waited long enough."""
        self._expire(now_s)
        return self._ready(now_s)

    def finish(self) -> list[Gesture]:
        """Give everything: nothing more comes. A button that is still down was pressed all the same."""
        self._give_rest()
        for pointing in list(self._down.values()):
            self._let_go(pointing, pointing.last, pointing.last_s)
        for forming in self._line:
            forming.closed = True
        return self._ready(math.inf)

    def _motion(self, seen: Observed) -> None:
        pos = seen.event.pos
        if self._down:
            for pointing in self._down.values():
                pointing.last, pointing.last_s = pos, seen.event.at_s
            return
        for forming in self._line:
            forming.closed |= not forming.reaches(pos, self._settings)
        if self._line and not self._line[-1].closed:
            return  # the hand trembles between two clicks
        moved_px = math.inf if self._move_given_at is None else distance_px(pos, self._move_given_at)
        due = seen.event.at_s - self._move_given_s >= self._settings.move_interval_s
        self._rest = seen if moved_px > self._settings.multi_click_px else None
        if due and moved_px >= self._settings.move_px:
            self._rest = None
            self._give_move(seen, at_rest=False)

    def _press(self, seen: Observed) -> None:
        button = button_of(seen)
        self._rest = None  # the click says where the pointer was
        lost = self._down.get(button)
        if lost is not None:  # its release was never heard
            self._let_go(lost, lost.last, lost.last_s)
        held = self._line[-1] if self._line else None
        if isinstance(held, Pointing) and not self._down and held.continued_by(seen, self._settings):
            held.press(seen)
            self._down[button] = held
            return
        self._close_all()
        pointing = Pointing(seen)
        self._line.append(pointing)
        self._down[button] = pointing

    def _release(self, seen: Observed) -> None:
        pointing = self._down.get(button_of(seen))
        if pointing is not None:  # else it was pressed before the recording began
            self._let_go(pointing, seen.event.pos, seen.event.at_s)

    def _let_go(self, pointing: Pointing, pos: Point, at_s: float) -> None:
        del self._down[pointing.button]
        rest = pointing.release(pos, at_s, self._settings)
        if pointing.overtaken:
            pointing.began_s = at_s
            self._line.append(pointing)
        if rest is not None:  # a second press that became a drag
            self._line.insert(self._line.index(pointing) + 1, rest)

    def _notch(self, seen: Observed) -> None:
        self._rest = None
        last = self._line[-1] if self._line else None
        if isinstance(last, Scrolling) and last.continued_by(seen, self._settings):
            last.add(seen)
            return
        self._close_all()
        self._line.append(Scrolling(seen))

    def _key(self, seen: Observed) -> None:
        event = seen.event
        named = event.key is not None or printable(event.char) is not None
        if seen.secret_ref is None and (not named or event.key in MODIFIER_NAMES or is_dead_key(event)):
            return  # nothing by itself: the next key says what came of it
        self._give_rest()
        self._close_all()
        self._line.append(Whole(Gesture("key_press", event.at_s, event.at_s, seen, event.pos)))

    def _close_all(self) -> None:
        for forming in self._line:
            forming.closed |= not forming.is_down

    def _expire(self, now_s: float) -> None:
        for forming in self._line:
            forming.closed |= forming.expired(now_s, self._settings)
        if self._rest is not None and now_s - self._rest.event.at_s >= self._settings.rest_s:
            self._give_rest()

    def _give_rest(self) -> None:
        if self._rest is not None:
            seen, self._rest = self._rest, None
            self._give_move(seen, at_rest=True)

    def _give_move(self, seen: Observed, *, at_rest: bool) -> None:
        event = seen.event
        self._move_given_s, self._move_given_at = event.at_s, event.pos
        self._line.append(Whole(Gesture("mouse_move", event.at_s, event.at_s, seen, event.pos, at_rest=at_rest)))

    def _ready(self, now_s: float) -> list[Gesture]:
        ready: list[Gesture] = []
        while self._line:
            head = self._line[0]
            if head.is_down and len(self._line) > 1 and now_s - head.began_s > self._settings.patience_s:
                head.overtaken = True  # it takes its place again when the button is let go
                self._line.popleft()
            elif head.closed and not head.is_down:
                self._line.popleft()
                ready.append(head.gesture(max(head.began_s, self._given_s)))
                self._given_s = ready[-1].at_s
            else:
                break
        return ready
