"""Input as a person would give it, by posted events.

macOS does not tell whether a posted event arrived. What can be known before is asked before: the permission and the
lock; what cannot be made halfway through is reported as uncertain.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rpa_vision.adapters.desktop.macos import api as m
from rpa_vision.adapters.desktop.macos.keys import CODE_BY_NAME, FLAG_BY_NAME
from rpa_vision.adapters.desktop.macos.screen import MacScreen
from rpa_vision.errors import InputNotDeliveredError, UncertainDeliveryError, UsageError
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MODIFIER_NAMES, MouseButton
from rpa_vision.ports.runtime import Clock

_BUTTONS = {
    # number, down, dragged, up
    MouseButton.LEFT: (0, m.LEFT_DOWN, m.LEFT_DRAGGED, m.LEFT_UP),
    MouseButton.RIGHT: (1, m.RIGHT_DOWN, m.RIGHT_DRAGGED, m.RIGHT_UP),
    MouseButton.MIDDLE: (2, m.OTHER_DOWN, m.OTHER_DRAGGED, m.OTHER_UP),
}
_DRAG_STEPS = 8
_STEP_S = 0.01
Step = tuple[Callable[[], bool], Callable[[], bool] | None]
"""An event to post, and for one that presses something the event that lets it go."""


class MacHands:
    """Mouse and keyboard."""

    def __init__(self, api: m.MacApi, screen: MacScreen, clock: Clock) -> None:
        self._api = api
        self._screen = screen
        self._clock = clock

    def move(self, to: Point) -> None:
        self._post([self._move(to)])

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        if count < 1:
            raise UsageError(f"{count} clicks cannot be made", remedy="Click at least once.")
        steps = [self._move(at)]
        for number in range(1, count + 1):
            steps += self._pressed_and_released(at, button, number)
        self._post(steps)

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        number, _, dragged, _ = _BUTTONS[button]
        press, release = self._pressed_and_released(start, button, 1, let_go_at=end)
        way = [
            (
                start[0] + round((end[0] - start[0]) * step / _DRAG_STEPS),
                start[1] + round((end[1] - start[1]) * step / _DRAG_STEPS),
            )
            for step in range(1, _DRAG_STEPS + 1)
        ]
        steps = [self._mouse(dragged, point, number, 1) for point in way]
        self._post([self._move(start), press, *steps, release])

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        steps = [self._move(at)]
        up = -1 if down > 0 else 1
        steps += [(lambda: self._api.post_scroll(up, 0), None)] * abs(down)
        left = -1 if right > 0 else 1
        steps += [(lambda: self._api.post_scroll(0, left), None)] * abs(right)
        self._post(steps)

    def type_text(self, text: str, *, is_secret: bool = False) -> None:
        steps: list[Step] = []
        for character in text.replace("\r\n", "\n").replace("\r", "\n"):
            if character in "\n\t":
                steps += self._chord(["ENTER" if character == "\n" else "TAB"])
            elif character.isprintable():
                steps += self._character(character)
            else:
                raise UsageError(f"the character {character!r} cannot be typed", remedy="Press the key instead.")
        self._post(steps)

    def press(self, keys: Sequence[str]) -> None:
        if isinstance(keys, str):
            raise UsageError('a chord is a sequence of key names, such as ("CTRL", "S")')
        unknown = [name for name in keys if name.upper() not in CODE_BY_NAME]
        if unknown or not keys:
            raise UsageError(f"there is no key {unknown}", remedy="Use the names of models.input.KEY_NAMES.")
        self._post(self._chord([name.upper() for name in keys]))

    def _post(self, steps: Sequence[Step]) -> None:
        if not self._api.may_control():
            raise InputNotDeliveredError(
                "macOS does not let us use mouse and keyboard",
                remedy="Allow the program that runs rpa-vision (Terminal, or python) under System Settings > "
                "Privacy & Security > Accessibility, then start it again.",
            )
        if self._api.is_locked():
            raise InputNotDeliveredError("the screen is locked", remedy="Unlock the screen.")
        releases: list[Callable[[], bool]] = []
        for number, (post, release) in enumerate(steps):
            if number:
                # Events posted in one instant are dropped or put together by some programs.
                self._clock.sleep(_STEP_S)
            if post():
                if release is not None:
                    releases.append(release)
                elif releases and post is releases[-1]:
                    releases.pop()
                continue
            if number == 0:
                raise InputNotDeliveredError("macOS made no input event", remedy="Log in on the Mac's own screen.")
            for let_go in reversed(releases):
                let_go()
            raise UncertainDeliveryError(f"macOS took {number} of {len(steps)} input events")

    def _move(self, to: Point) -> Step:
        return self._mouse(m.MOVED, to, 0, 0)

    def _mouse(self, kind: int, at: Point, button: int, clicks: int) -> Step:
        width, height = self._screen.size()
        if not (0 <= at[0] < width and 0 <= at[1] < height):
            raise InputNotDeliveredError(
                f"the point {at} is not on the screen of {width} by {height}",
                remedy="Look at the screen again; its size may have changed.",
            )
        x, y = self._screen.to_mac(at)
        return (lambda: self._api.post_mouse(kind, x, y, button, clicks)), None

    def _pressed_and_released(
        self, at: Point, button: MouseButton, clicks: int, *, let_go_at: Point | None = None
    ) -> tuple[Step, Step]:
        number, down, _, up = _BUTTONS[button]
        release, _ = self._mouse(up, let_go_at or at, number, clicks)
        press, _ = self._mouse(down, at, number, clicks)
        return (press, release), (release, None)

    def _character(self, character: str) -> list[Step]:
        def release() -> bool:
            return self._api.post_text(character, False)

        return [((lambda: self._api.post_text(character, True)), release), (release, None)]

    def _chord(self, names: list[str]) -> list[Step]:
        # Modifiers first; each event carries the flags that hold with it, for macOS does not add them itself.
        ordered = sorted(names, key=lambda name: name not in MODIFIER_NAMES)
        presses: list[Step] = []
        releases: list[Step] = []
        flags = 0
        for name in ordered:
            before, flags = flags, flags | FLAG_BY_NAME.get(name, 0)
            release = self._key(CODE_BY_NAME[name], False, before)
            presses.append((self._key(CODE_BY_NAME[name], True, flags), release))
            releases.insert(0, (release, None))
        return [*presses, *releases]

    def _key(self, code: int, down: bool, flags: int) -> Callable[[], bool]:
        return lambda: self._api.post_key(code, down, flags)
