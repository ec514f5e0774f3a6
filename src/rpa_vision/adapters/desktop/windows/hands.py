"""Input as a person would give it, by SendInput.

Before anything is sent it is made sure that it would do what was asked: the point is on the screen, no person holds
a modifier, and the program behind the target takes input from us.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.adapters.desktop.windows import gesture as g
from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.integrity import IntegrityGate
from rpa_vision.adapters.desktop.windows.keys import (
    EXTENDED_VKS,
    MODIFIER_VKS,
    VK_BY_NAME,
    VK_LCONTROL,
    VK_LMENU,
    VK_LSHIFT,
    VK_RETURN,
    VK_RMENU,
    VK_TAB,
)
from rpa_vision.adapters.desktop.windows.screen import VirtualScreen
from rpa_vision.adapters.desktop.windows.structs import INPUT, POINT, utf16_units
from rpa_vision.adapters.desktop.windows.window_context import WindowDescriber
from rpa_vision.errors import InputNotDeliveredError, UsageError
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MODIFIER_NAMES, MouseButton
from rpa_vision.ports.runtime import Clock

GA_ROOT = 2
SM_SWAPBUTTON = 23
MAPVK_VK_TO_VSC = 0
_SHIFT_NEEDED, _CTRL_NEEDED, _ALT_NEEDED = 1, 2, 4
_DRAG_STEPS = 8
_DRAG_STEP_S = 0.01
_BATCH_EVENTS = 200
"""Text is sent in pieces: a program's input queue holds 10,000 messages and it must come to read them."""
_BUTTONS = {
    MouseButton.LEFT: (g.MOUSEEVENTF_LEFTDOWN, g.MOUSEEVENTF_LEFTUP),
    MouseButton.MIDDLE: (g.MOUSEEVENTF_MIDDLEDOWN, g.MOUSEEVENTF_MIDDLEUP),
    MouseButton.RIGHT: (g.MOUSEEVENTF_RIGHTDOWN, g.MOUSEEVENTF_RIGHTUP),
}
_SWAPPED = {MouseButton.LEFT: MouseButton.RIGHT, MouseButton.RIGHT: MouseButton.LEFT}


class WindowsHands:
    """Mouse and keyboard. `signature` marks our events, so that the ears can tell them from others."""

    def __init__(
        self, api: WindowsApi, screen: VirtualScreen, describer: WindowDescriber, clock: Clock, signature: int
    ) -> None:
        self._api = api
        self._screen = screen
        self._describer = describer
        self._clock = clock
        self._signature = signature
        self._gate = IntegrityGate(api)

    def move(self, to: Point) -> None:
        with self._screen.aware():
            self._gesture().send([self._move(to)])

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        if count < 1:
            raise UsageError(f"{count} clicks cannot be made", remedy="Click at least once.")
        with self._screen.aware():
            down, up = self._button(button)
            move = self._move(at)
            self._require_free_modifiers()
            self._require_reachable(self._window_at(at))
            self._gesture().send([move, *([g.mouse(down), g.mouse(up)] * count)])

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        with self._screen.aware():
            down, up = self._button(button)
            path = [self._move(point) for point in _path(start, end)]
            self._require_free_modifiers()
            self._require_reachable(self._window_at(start))
            gesture = self._gesture()
            gesture.send([self._move(start), g.mouse(down)])
            for step in path:
                # A drag in one instant is not recognised by programs that look at the pointer now and then.
                self._clock.sleep(_DRAG_STEP_S)
                gesture.send([step])
            gesture.send([g.mouse(up)])

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        with self._screen.aware():
            events = [self._move(at)]
            self._require_free_modifiers()
            self._require_reachable(self._window_at(at))
            turn = -g.WHEEL_DELTA if down > 0 else g.WHEEL_DELTA
            events += [g.mouse(g.MOUSEEVENTF_WHEEL, turn)] * abs(down)
            turn = g.WHEEL_DELTA if right > 0 else -g.WHEEL_DELTA
            events += [g.mouse(g.MOUSEEVENTF_HWHEEL, turn)] * abs(right)
            self._gesture().send(events)

    def type_text(self, text: str, *, is_secret: bool = False) -> None:
        events: list[INPUT] = []
        layout = self._layout()
        for character in text.replace("\r\n", "\n").replace("\r", "\n"):
            if character in "\n\t":
                code = VK_RETURN if character == "\n" else VK_TAB
                events += [self._key(code, layout, up=False), self._key(code, layout, up=True)]
            elif character < " " or character == "\x7f":
                raise UsageError(f"the character {character!r} cannot be typed", remedy="Press the key instead.")
            else:
                for unit in utf16_units(character):
                    events += [g.unicode_unit(unit, up=False), g.unicode_unit(unit, up=True)]
        self._require_free_modifiers()
        self._require_reachable(self._api.GetForegroundWindow())
        gesture = self._gesture()
        for first in range(0, len(events), _BATCH_EVENTS):
            gesture.send(events[first : first + _BATCH_EVENTS])

    def press(self, keys: Sequence[str]) -> None:
        if isinstance(keys, str):
            raise UsageError('a chord is a sequence of key names, such as ("CTRL", "S")')
        layout = self._layout()
        codes = self._chord(keys, layout)
        self._require_free_modifiers()
        self._require_reachable(self._api.GetForegroundWindow())
        pressed = [self._key(code, layout, up=False) for code in codes]
        released = [self._key(code, layout, up=True) for code in reversed(codes)]
        self._gesture().send([*pressed, *released])

    def _gesture(self) -> g.Gesture:
        return g.Gesture(self._api, self._signature)

    def _move(self, to: Point) -> INPUT:
        bounds = self._screen.bounds()
        if not (0 <= to[0] < bounds.width and 0 <= to[1] < bounds.height):
            raise InputNotDeliveredError(
                f"the point {to} is not on the screen of {bounds.width} by {bounds.height}",
                remedy="Look at the screen again; its size may have changed.",
            )
        return g.move(to, bounds)

    def _button(self, button: MouseButton) -> tuple[int, int]:
        # SendInput moves the physical buttons; for a left-handed person Windows has swapped what they mean.
        if self._api.GetSystemMetrics(SM_SWAPBUTTON):
            button = _SWAPPED.get(button, button)
        return _BUTTONS[button]

    def _key(self, code: int, layout: int, *, up: bool) -> INPUT:
        scan_code = self._api.MapVirtualKeyExW(code, MAPVK_VK_TO_VSC, layout) & 0xFF
        return g.key(code, scan_code, up=up, extended=code in EXTENDED_VKS)

    def _layout(self) -> int:
        """The keyboard layout of the program that will get the keys; every thread may have another one."""
        return self._api.GetKeyboardLayout(self._api.GetWindowThreadProcessId(self._api.GetForegroundWindow(), None))

    def _chord(self, keys: Sequence[str], layout: int) -> list[int]:
        codes: list[int] = []
        for name in keys:
            for code in self._codes_of(name, layout):
                if code not in codes:
                    codes.append(code)
        if not codes:
            raise UsageError("no key to press", remedy="Give at least one key name.")
        # Modifiers a character needs (such as Shift for "+") must be down before it.
        modifiers = [code for code in codes if code in _MODIFIER_CODES]
        return [*modifiers, *(code for code in codes if code not in _MODIFIER_CODES)]

    def _codes_of(self, name: str, layout: int) -> list[int]:
        if name.upper() in VK_BY_NAME:
            return [VK_BY_NAME[name.upper()]]
        if len(name) != 1:
            raise UsageError(
                f"there is no key {name!r}", remedy="Use the names of models.input.KEY_NAMES or a character."
            )
        units = utf16_units(name.lower())
        found = self._api.VkKeyScanExW(units[0], layout) if len(units) == 1 else -1
        if found == -1:
            raise InputNotDeliveredError(
                f"the keyboard layout of the active window has no key for {name!r}", remedy="Type it as text instead."
            )
        code, state = found & 0xFF, found >> 8
        if state & _CTRL_NEEDED and state & _ALT_NEEDED:
            needed = [VK_RMENU]
        else:
            needed = [VK_LCONTROL] if state & _CTRL_NEEDED else [VK_LMENU] if state & _ALT_NEEDED else []
        return [*([VK_LSHIFT] if state & _SHIFT_NEEDED else []), *needed, code]

    def _window_at(self, point: Point) -> int:
        x, y = self._screen.to_windows(point)
        handle = self._api.WindowFromPoint(POINT(x, y))
        return self._api.GetAncestor(handle, GA_ROOT) if handle else 0

    def _require_free_modifiers(self) -> None:
        """Keys a person holds would turn our input into something else (Ctrl + click, Ctrl + text)."""
        held = [name for name, codes in MODIFIER_VKS.items() if any(self._api.GetAsyncKeyState(c) < 0 for c in codes)]
        if held:
            raise InputNotDeliveredError(
                f"somebody holds {' and '.join(held)} on the keyboard", remedy="Let go of the keys; then try again."
            )

    def _require_reachable(self, window: int) -> None:
        if window and not self._gate.lets_through(self._describer.process_of(window)):
            raise InputNotDeliveredError(
                f"Windows keeps our input from {self._describer.title_of(window)!r}, which has more rights than we do",
                remedy="Run rpa-vision as administrator, or the program without administrator rights.",
            )


_MODIFIER_CODES = frozenset(VK_BY_NAME[name] for name in MODIFIER_NAMES)


def _path(start: Point, end: Point) -> list[Point]:
    """Points on the way, the last of which is the end."""
    (x1, y1), (x2, y2) = start, end
    return [
        (x1 + round((x2 - x1) * step / _DRAG_STEPS), y1 + round((y2 - y1) * step / _DRAG_STEPS))
        for step in range(1, _DRAG_STEPS + 1)
    ]
