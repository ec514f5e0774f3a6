"""What a person is doing, from its first press to the gesture it turns out to be.

Each form knows what it can still grow into, and until when.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal

from rpa_vision.capture.observed import Observed, printable
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MODIFIER_NAMES, MouseButton

GestureType = Literal["mouse_click", "mouse_drag", "mouse_scroll", "mouse_move", "key_press"]


@dataclass(frozen=True, slots=True)
class GestureSettings:
    """When two things the hand did are one thing the person did."""

    multi_click_s: float = 0.4
    multi_click_px: float = 5.0
    max_clicks: int = 3
    drag_px: float = 8.0
    scroll_gap_s: float = 0.3
    scroll_span_s: float = 0.8
    """A longer scroll comes in pieces, so that a crash loses no more than the last one."""
    scroll_px: float = 20.0
    move_interval_s: float = 0.5
    move_px: float = 40.0
    rest_s: float = 0.3
    patience_s: float = 0.8
    """How long what was done meanwhile waits for a button that stays down."""


@dataclass(frozen=True, slots=True, eq=False)
class Gesture:
    """One thing the person did, `origin` being the input it began with."""

    type: GestureType
    at_s: float
    ended_s: float
    origin: Observed
    pos: Point
    clicks: int | None = None
    end_pos: Point | None = None
    scroll: Point | None = None
    at_rest: bool = False

    @property
    def button(self) -> MouseButton | None:
        return self.origin.event.button

    @property
    def key(self) -> str | None:
        return self.origin.event.key

    @property
    def char(self) -> str | None:
        return printable(self.origin.event.char)

    @property
    def modifiers(self) -> tuple[str, ...]:
        """In the order of a chord: CTRL, ALT, SHIFT …"""
        return tuple(name for name in MODIFIER_NAMES if name in self.origin.event.modifiers)

    @property
    def secret_ref(self) -> str | None:
        return self.origin.secret_ref


class Forming(ABC):
    """Something the person began. `closed` when it can grow no more."""

    def __init__(self, began_s: float, *, closed: bool = False) -> None:
        self.began_s = began_s
        self.closed = closed
        self.overtaken = False

    @property
    def is_down(self) -> bool:
        return False

    def reaches(self, pos: Point, settings: GestureSettings) -> bool:
        """Whether it can still grow with the pointer there."""
        return False

    def expired(self, now_s: float, settings: GestureSettings) -> bool:
        return False

    @abstractmethod
    def gesture(self, at_s: float) -> Gesture:
        """What it turned out to be; `at_s` is when it began, never before what was given earlier."""


class Whole(Forming):
    """A gesture that is complete, in its place in the line."""

    def __init__(self, gesture: Gesture) -> None:
        super().__init__(gesture.at_s, closed=True)
        self._gesture = gesture

    def gesture(self, at_s: float) -> Gesture:
        whole = self._gesture
        return Gesture(whole.type, at_s, max(at_s, whole.ended_s), whole.origin, whole.pos, at_rest=whole.at_rest)


class Pointing(Forming):
    """A button that went down, and came up again or not yet; several times, when they are one double click."""

    def __init__(self, seen: Observed) -> None:
        super().__init__(seen.event.at_s)
        self.presses = [seen]
        self.last = seen.event.pos
        self.last_s = seen.event.at_s
        self._down = True
        self._dragged_to: Point | None = None

    @property
    def is_down(self) -> bool:
        return self._down

    @property
    def button(self) -> MouseButton:
        return button_of(self.presses[-1])

    def press(self, seen: Observed) -> None:
        self.presses.append(seen)
        self.last, self.last_s = seen.event.pos, seen.event.at_s
        self._down, self.closed = True, False

    def release(self, pos: Point, at_s: float, settings: GestureSettings) -> Pointing | None:
        """The button came up. Give the drag apart where earlier clicks stand before it."""
        self._down, self.last, self.last_s = False, pos, at_s
        if distance_px(pos, self.presses[-1].event.pos) <= settings.drag_px:
            self.closed = self.overtaken or len(self.presses) >= settings.max_clicks
            return None
        self.closed = True
        if len(self.presses) == 1:
            self._dragged_to = pos
            return None
        drag = Pointing(self.presses.pop())
        drag.release(pos, at_s, settings)
        self.last_s = drag.began_s
        if self.overtaken:
            drag.began_s = at_s
        return drag

    def continued_by(self, seen: Observed, settings: GestureSettings) -> bool:
        """Whether that press is the next click of a double or triple click."""
        last = self.presses[-1].event
        return (
            not self.closed
            and not self._down
            and seen.event.button is last.button
            and seen.event.at_s - last.at_s <= settings.multi_click_s
            and distance_px(seen.event.pos, last.pos) <= settings.multi_click_px
        )

    def reaches(self, pos: Point, settings: GestureSettings) -> bool:
        return distance_px(pos, self.presses[-1].event.pos) <= settings.multi_click_px

    def expired(self, now_s: float, settings: GestureSettings) -> bool:
        return not self._down and now_s - self.presses[-1].event.at_s > settings.multi_click_s

    def gesture(self, at_s: float) -> Gesture:
        first = self.presses[0]
        ended_s = max(at_s, self.last_s)
        if self._dragged_to is not None:
            return Gesture("mouse_drag", at_s, ended_s, first, first.event.pos, end_pos=self._dragged_to)
        return Gesture("mouse_click", at_s, ended_s, first, first.event.pos, clicks=len(self.presses))


class Scrolling(Forming):
    """Notches of the wheel that follow each other at one place in one direction."""

    def __init__(self, seen: Observed) -> None:
        super().__init__(seen.event.at_s)
        self._first = seen
        self._last_s = seen.event.at_s
        self._turned = seen.event.scroll or (0, 0)

    def add(self, seen: Observed) -> None:
        right, down = seen.event.scroll or (0, 0)
        self._turned = (self._turned[0] + right, self._turned[1] + down)
        self._last_s = seen.event.at_s

    def continued_by(self, seen: Observed, settings: GestureSettings) -> bool:
        event, first = seen.event, self._first.event
        return (
            not self.closed
            and not self.expired(event.at_s, settings)
            and event.modifiers == first.modifiers
            and _direction(event.scroll or (0, 0)) == _direction(self._turned)
            and self.reaches(event.pos, settings)
        )

    def reaches(self, pos: Point, settings: GestureSettings) -> bool:
        return distance_px(pos, self._first.event.pos) <= settings.scroll_px

    def expired(self, now_s: float, settings: GestureSettings) -> bool:
        return now_s - self._last_s > settings.scroll_gap_s or now_s - self.began_s > settings.scroll_span_s

    def gesture(self, at_s: float) -> Gesture:
        pos = self._first.event.pos
        return Gesture("mouse_scroll", at_s, max(at_s, self._last_s), self._first, pos, scroll=self._turned)


def _direction(scroll: Point) -> Point:
    return ((scroll[0] > 0) - (scroll[0] < 0), (scroll[1] > 0) - (scroll[1] < 0))


def distance_px(one: Point, other: Point) -> float:
    """How far apart two points are."""
    return math.dist(one, other)


def button_of(seen: Observed) -> MouseButton:
    """The button of a press or release; the main one where the desktop does not say."""
    return seen.event.button or MouseButton.LEFT
