"""The person's hands: move, click, drag, scroll and type as people do, the same way for the same seed."""

from __future__ import annotations

import random
from typing import Protocol

from rpa_vision.demo.person.events import Event, Kind, Sink
from rpa_vision.demo.person.keyboard import Stroke
from rpa_vision.demo.person.motion import plan_move

LEFT, WHEEL_UP, WHEEL_DOWN = 1, 4, 5
# Below these, programs begin to miss events, however fast the person is asked to be.
_SHORTEST_PRESS_S = 0.02
_SHORTEST_KEY_GAP_S = 0.012


class Rhythm(Protocol):
    """Something that waits between movements."""

    def pause(self, seconds: float, *, at_least: float = 0.0) -> None:
        """Wait."""


class Keys(Protocol):
    """Something that knows where the keys are."""

    def prepare(self, text: str) -> None:
        """Make sure the text can be typed."""

    def stroke(self, character: str) -> Stroke:
        """How to type a character."""

    def keycode(self, name: str) -> int:
        """The key of that name."""


class Hands:
    """Turns intentions into single events, with the small irregularities of a person."""

    def __init__(self, sink: Sink, keys: Keys, pace: Rhythm, rng: random.Random, at: tuple[int, int]) -> None:
        self._sink = sink
        self._keys = keys
        self._pace = pace
        self.rng = rng
        self.at = at

    def think(self, seconds: float) -> None:
        """Look and decide, for about that long."""
        self._pace.pause(seconds * self.rng.uniform(0.8, 1.25))

    def move(self, goal: tuple[int, int], goal_size_px: float = 40) -> None:
        """Bring the pointer to a place."""
        for point in plan_move(self.rng, self.at, goal, goal_size_px):
            if (point.x, point.y) != self.at:
                self._sink(Event(Kind.MOVE, x=point.x, y=point.y))
                self.at = (point.x, point.y)
            self._pace.pause(point.wait_s)

    def click(self, goal: tuple[int, int], *, goal_size_px: float = 40, times: int = 1, button: int = LEFT) -> None:
        """Go there and click; twice makes a double click."""
        self.move(goal, goal_size_px)
        self._pace.pause(self.rng.uniform(0.06, 0.14))
        for _ in range(times):
            self._press_button(button, self.rng.uniform(0.06, 0.10))
            self._pace.pause(self.rng.uniform(0.06, 0.09))

    def double_click(self, goal: tuple[int, int]) -> None:
        """Click twice in one place."""
        self.click(goal, times=2)

    def drag(self, start: tuple[int, int], goal: tuple[int, int]) -> None:
        """Take something and put it elsewhere."""
        self.move(start)
        self._pace.pause(0.1)
        self._sink(Event(Kind.BUTTON_DOWN, LEFT))
        self._pace.pause(0.1, at_least=_SHORTEST_PRESS_S)
        self.move(goal)
        self._pace.pause(0.1, at_least=_SHORTEST_PRESS_S)
        self._sink(Event(Kind.BUTTON_UP, LEFT))

    def scroll(self, notches: int) -> None:
        """Turn the wheel; a positive number goes down the page."""
        for _ in range(abs(notches)):
            self._press_button(WHEEL_DOWN if notches > 0 else WHEEL_UP, 0.01)
            self._pace.pause(self.rng.uniform(0.05, 0.09))

    def type(self, text: str) -> None:
        """Type a text, accents included."""
        self._keys.prepare(text)
        for character in text:
            stroke = self._keys.stroke(character)
            held = [name for name, on in (("Shift_L", stroke.shift), ("ISO_Level3_Shift", stroke.altgr)) if on]
            self._stroke([self._keys.keycode(name) for name in held], stroke.keycode)
            self._pace.pause(min(0.25, max(0.025, self.rng.gauss(0.06, 0.02))), at_least=_SHORTEST_KEY_GAP_S)

    def press(self, key: str, *modifiers: str) -> None:
        """Press one key, while holding others: press("a", "Control_L")."""
        self._stroke([self._keys.keycode(name) for name in modifiers], self._keys.keycode(key))
        self._pace.pause(self.rng.uniform(0.08, 0.15), at_least=_SHORTEST_KEY_GAP_S)

    def _press_button(self, button: int, held_s: float) -> None:
        self._sink(Event(Kind.BUTTON_DOWN, button))
        self._pace.pause(held_s, at_least=_SHORTEST_PRESS_S)
        self._sink(Event(Kind.BUTTON_UP, button))

    def _stroke(self, held: list[int], keycode: int) -> None:
        for modifier in held:
            self._sink(Event(Kind.KEY_DOWN, modifier))
            self._pace.pause(0.02, at_least=_SHORTEST_KEY_GAP_S)
        self._sink(Event(Kind.KEY_DOWN, keycode))
        self._pace.pause(self.rng.uniform(0.015, 0.03), at_least=_SHORTEST_KEY_GAP_S)
        self._sink(Event(Kind.KEY_UP, keycode))
        for modifier in reversed(held):
            self._sink(Event(Kind.KEY_UP, modifier))
