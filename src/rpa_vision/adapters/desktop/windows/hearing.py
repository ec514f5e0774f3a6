"""From the structures the hooks are called with to the events of the port."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.characters import KeyReader, held_modifiers, key_name
from rpa_vision.adapters.desktop.windows.gesture import WHEEL_DELTA
from rpa_vision.adapters.desktop.windows.keys import VK_CAPITAL, VK_LCONTROL, VK_PACKET, VK_RMENU
from rpa_vision.adapters.desktop.windows.screen import VirtualScreen
from rpa_vision.errors import DesktopError
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind, MouseButton
from rpa_vision.ports.runtime import Clock

Noted = tuple[InputEvent, int]
"""An event, and the handle of the window that had the focus when it happened."""

LLKHF_UP = 0x80
WM_MOUSEMOVE, WM_MOUSEWHEEL, WM_MOUSEHWHEEL = 0x0200, 0x020A, 0x020E
_BUTTON_MESSAGES = {
    0x0201: (InputKind.BUTTON_PRESS, MouseButton.LEFT),
    0x0202: (InputKind.BUTTON_RELEASE, MouseButton.LEFT),
    0x0204: (InputKind.BUTTON_PRESS, MouseButton.RIGHT),
    0x0205: (InputKind.BUTTON_RELEASE, MouseButton.RIGHT),
    0x0207: (InputKind.BUTTON_PRESS, MouseButton.MIDDLE),
    0x0208: (InputKind.BUTTON_RELEASE, MouseButton.MIDDLE),
}
_ALTGR_SHADOW_SCAN_CODE = 0x21D
"""The left Ctrl that Windows itself presses along with AltGr carries this impossible scan code."""
_SHADOW_NAMES = frozenset({"CTRL", "ALT"})
"""What AltGr looks like while only one of its two halves is down."""
_OLDEST_MS = 60_000
_TICKS = 0xFFFFFFFF


class EventTimes:
    """Windows' event times (milliseconds that start anew every 49.7 days) as monotonic seconds.

    What is measured is how old an event is when heard, so the two clocks may drift apart. Ticks come every 10 to 16 ms;
    times never go back all the same.
    """

    def __init__(self, api: WindowsApi) -> None:
        self._api = api
        self._last_s = float("-inf")

    def of(self, tick_ms: int, heard_s: float) -> float:
        age_ms = (self._api.GetTickCount() - tick_ms) & _TICKS
        # Programs may inject events with any time they like; one from the future looks 49 days old.
        if age_ms > _OLDEST_MS:
            age_ms = 0
        self._last_s = min(heard_s, max(self._last_s, heard_s - age_ms / 1000))
        return self._last_s


class HookReader:
    """Reads what the hooks get. Lives on the hooks' thread."""

    def __init__(self, api: WindowsApi, screen: VirtualScreen, clock: Clock) -> None:
        self._api = api
        self._screen = screen
        self._clock = clock
        self._times = EventTimes(api)
        self._keys = KeyReader(api)
        self._pressed: dict[int, str | None] = {}
        self._last_pos: Point = (0, 0)
        self._high_surrogate = 0
        self._wheel_rest = {WM_MOUSEWHEEL: 0, WM_MOUSEHWHEEL: 0}

    def mouse(self, message: int, raw: Any) -> Noted | None:
        """The event of an MSLLHOOKSTRUCT; None for what the port has no word for (side buttons, parts of a notch)."""
        pos = self._screen.to_port(raw.pt.x, raw.pt.y)
        if message == WM_MOUSEMOVE:
            return self._noted(InputKind.MOTION, raw.time, pos)
        if message in self._wheel_rest:
            notches = self._notches(message, raw.mouseData >> 16)
            if not notches:
                return None
            # Windows counts the wheel upwards and to the right.
            scroll = (notches, 0) if message == WM_MOUSEHWHEEL else (0, -notches)
            return self._noted(InputKind.SCROLL, raw.time, pos, scroll=scroll)
        if message in _BUTTON_MESSAGES:
            kind, button = _BUTTON_MESSAGES[message]
            return self._noted(kind, raw.time, pos, button=button)
        return None

    def key(self, _message: int, raw: Any) -> Noted | None:
        """The event of a KBDLLHOOKSTRUCT; None for the shadow of AltGr and the first half of a surrogate pair."""
        if raw.vkCode == VK_LCONTROL and raw.scanCode == _ALTGR_SHADOW_SCAN_CODE:
            return None
        is_up = bool(raw.flags & LLKHF_UP)
        kind = InputKind.KEY_RELEASE if is_up else InputKind.KEY_PRESS
        if raw.vkCode == VK_PACKET:
            return self._packet(kind, raw)
        held = held_modifiers(self._api)
        layout = self._layout()
        if is_up:
            # The name it was pressed with: what was AltGr must not be let go as Alt.
            name = self._pressed.pop(raw.vkCode, None) or self._keys.name(raw.vkCode, layout)
            if name == "ALTGR":
                held = held - _SHADOW_NAMES | {"ALTGR"}
            return self._noted(kind, raw.time, self._pointer(), key=name, modifiers=held)
        name = self._keys.name(raw.vkCode, layout)
        if raw.vkCode == VK_RMENU and self._api.GetAsyncKeyState(VK_LCONTROL) < 0:
            name, held = "ALTGR", held - _SHADOW_NAMES
        if raw.vkCode == VK_CAPITAL and raw.vkCode not in self._pressed:
            self._keys.toggle_caps()
        self._pressed[raw.vkCode] = name
        char = None
        if name not in MODIFIER_NAMES:
            char = self._keys.written(raw.vkCode, raw.scanCode, held, layout)
        return self._noted(kind, raw.time, self._pointer(), key=name, char=char, modifiers=held)

    def _packet(self, kind: InputKind, raw: Any) -> Noted | None:
        """Text that a program sends (on-screen keyboards, dictation, our own hands): a UTF-16 unit at a time."""
        unit = raw.scanCode & 0xFFFF
        if 0xD800 <= unit < 0xDC00:
            if kind is InputKind.KEY_PRESS:
                self._high_surrogate = unit
            return None
        character = chr(unit)
        if 0xDC00 <= unit < 0xE000:
            if not self._high_surrogate:
                return None
            character = chr(0x10000 + ((self._high_surrogate - 0xD800) << 10) + (unit - 0xDC00))
        if kind is InputKind.KEY_RELEASE:
            self._high_surrogate = 0
        char = character if kind is InputKind.KEY_PRESS and character >= " " else None
        held = held_modifiers(self._api)
        pos = self._pointer()
        return self._noted(kind, raw.time, pos, key=key_name(character), char=char, modifiers=held)

    def _noted(
        self,
        kind: InputKind,
        tick_ms: int,
        pos: Point,
        *,
        button: MouseButton | None = None,
        scroll: Point | None = None,
        key: str | None = None,
        char: str | None = None,
        modifiers: frozenset[str] | None = None,
    ) -> Noted:
        heard_s = self._clock.monotonic()
        held = held_modifiers(self._api) if modifiers is None else modifiers
        event = InputEvent(kind, self._times.of(tick_ms, heard_s), heard_s, pos, button, scroll, key, char, held)
        return event, self._api.GetForegroundWindow()

    def _pointer(self) -> Point:
        # While the screen is being locked the pointer is not told; the key is worth more than its exact place.
        with suppress(DesktopError):
            self._last_pos = self._screen.pointer()
        return self._last_pos

    def _notches(self, message: int, high_word: int) -> int:
        """Whole notches turned; finer wheels tell parts, which are added up."""
        delta = high_word - 0x10000 if high_word >= 0x8000 else high_word
        rest = self._wheel_rest[message]
        total = delta if rest * delta < 0 else rest + delta  # turning back forgets what was begun
        notches = int(total / WHEEL_DELTA)
        self._wheel_rest[message] = total - notches * WHEEL_DELTA
        return notches

    def _layout(self) -> int:
        return self._api.GetKeyboardLayout(self._api.GetWindowThreadProcessId(self._api.GetForegroundWindow(), None))
