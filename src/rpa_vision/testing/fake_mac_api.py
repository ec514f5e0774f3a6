"""A small fake macOS behind `MacApi`: displays, pixels, windows, posted events and the person's devices.

It stands in for `native.py`, so it checks the adapter's logic, not the C calls; those were never run (docs/limits.md).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

import numpy as np

from rpa_vision.adapters.desktop.macos import api as m
from rpa_vision.adapters.desktop.macos.keys import CODE_BY_NAME, FLAG_BY_NAME, NAME_BY_CODE, modifiers
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import MODIFIER_NAMES, InputEvent, InputKind, MouseButton
from rpa_vision.ports.runtime import Clock

_KINDS = {MouseButton.LEFT: (0, 1, 6, 2), MouseButton.RIGHT: (1, 3, 7, 4), MouseButton.MIDDLE: (2, 25, 27, 26)}
_BUTTON_BY_KIND = {kind: button for button, (_, down, _, up) in _KINDS.items() for kind in (down, up)}
_MOVES = (m.MOVED, m.LEFT_DRAGGED, m.RIGHT_DRAGGED, m.OTHER_DRAGGED)
_PAUSE_S = 0.01


class FakeMac:
    """Implements `MacApi`; the rest is for the test that plays the world."""

    def __init__(self, clock: Clock, displays: Sequence[m.MacDisplay] | None = None) -> None:
        self.clock = clock
        self.display_list = list(displays or [m.MacDisplay(0, 0, 320, 200, 320, True)])
        self.scale = max(d.pixels_wide / d.width for d in self.display_list)
        self.left, self.top = min(d.x for d in self.display_list), min(d.y for d in self.display_list)
        right = max(d.x + d.width for d in self.display_list)
        bottom = max(d.y + d.height for d in self.display_list)
        self.pixels: Pixels = np.zeros(
            (round((bottom - self.top) * self.scale), round((right - self.left) * self.scale), 4), np.uint8
        )
        self.front_to_back: list[m.MacWindow] = []
        self.events: list[InputEvent] = []
        self.text = ""
        self.clipboard = b""
        self.locked = False
        self.sees = self.listens = self.controls = True
        self.refuse_after: int | None = None
        self.refuses_front = False
        self._at = (0.0, 0.0)
        self._taps: list[_FakeTap] = []
        self.person = FakeMacPerson(self)

    # the screen

    def displays(self) -> list[m.MacDisplay]:
        return self.display_list

    def capture(self, x: float, y: float, width: float, height: float) -> Pixels | None:
        x1, y1 = round((x - self.left) * self.scale), round((y - self.top) * self.scale)
        crop = self.pixels[y1 : y1 + round(height * self.scale), x1 : x1 + round(width * self.scale)]
        return None if self.locked else crop.copy()

    def pointer(self) -> tuple[float, float]:
        return self._at

    def paint(self, box: Box, bgr: tuple[int, int, int]) -> None:
        self.pixels[box.y1 : box.y2, box.x1 : box.x2, :3] = bgr

    # windows

    def windows(self) -> list[m.MacWindow]:
        return [m.MacWindow(1, "Window Server", "Menubar", 24, 0, 0, 320, 24), *self.front_to_back]

    def raise_window(self, pid: int, title: str) -> bool:
        for window in self.front_to_back if not self.refuses_front else []:
            if (window.pid, window.title) == (pid, title):
                self.front_to_back.remove(window)
                self.front_to_back.insert(0, window)
                return True
        return False

    # input

    def post_mouse(self, kind: int, x: float, y: float, button: int, clicks: int) -> bool:
        del clicks
        return self._post(m.MacEvent(kind, 0, x, y, button))

    def post_scroll(self, up: int, left: int) -> bool:
        return self._post(m.MacEvent(m.SCROLL, 0, *self._at, scroll_up=up, scroll_left=left))

    def post_key(self, key_code: int, down: bool, flags: int) -> bool:
        return self._post(key_event(key_code, down, flags, self._at))

    def post_text(self, text: str, down: bool) -> bool:
        return self._post(m.MacEvent(m.KEY_DOWN if down else m.KEY_UP, 0, *self._at, key_code=0, text=text))

    def _post(self, event: m.MacEvent) -> bool:
        if self.refuse_after is not None:
            self.refuse_after -= 1
            if self.refuse_after < 0:
                self.refuse_after = None
                return False
        self.happen(event)
        return True

    def happen(self, event: m.MacEvent) -> None:
        """An event reaches the taps and then the program in front."""
        event = event._replace(time_ns=self.uptime_ns())
        self._at = (event.x, event.y)
        for tap in list(self._taps):
            tap.on_event(event)
        if event.kind == m.KEY_DOWN and not event.flags & (m.CONTROL | m.COMMAND):
            name = NAME_BY_CODE.get(event.key_code) if not event.text else None
            self.text += {"ENTER": "\n", "TAB": "\t"}.get(name or "", event.text)
        self.events.append(self._as_port(event))

    def _as_port(self, e: m.MacEvent) -> InputEvent:
        """As the program in front would tell it in the port's words."""
        pos = (int((e.x - self.left) * self.scale), int((e.y - self.top) * self.scale))
        held = modifiers(e.flags)
        if e.kind in _BUTTON_BY_KIND:
            button = _BUTTON_BY_KIND[e.kind]
            kind = InputKind.BUTTON_PRESS if e.kind == _KINDS[button][1] else InputKind.BUTTON_RELEASE
            return InputEvent(kind, 0, 0, pos, button, modifiers=held)
        if e.kind in _MOVES:
            return InputEvent(InputKind.MOTION, 0, 0, pos)
        if e.kind == m.SCROLL:
            return InputEvent(InputKind.SCROLL, 0, 0, pos, scroll=(-e.scroll_left, -e.scroll_up))
        name = NAME_BY_CODE[e.key_code] if not e.text else e.text.upper()
        if e.kind == m.FLAGS_CHANGED:
            flag = FLAG_BY_NAME[name]
            kind = InputKind.KEY_PRESS if e.flags & flag == flag else InputKind.KEY_RELEASE
        else:
            kind = InputKind.KEY_PRESS if e.kind == m.KEY_DOWN else InputKind.KEY_RELEASE
        return InputEvent(kind, 0, 0, pos, key=name, modifiers=held - {name})

    def start_tap(self, on_event: Callable[[m.MacEvent], None]) -> m.Tap | None:
        tap = _FakeTap(self._taps, on_event)
        self._taps.append(tap)
        return tap

    @property
    def tap_count(self) -> int:
        return len(self._taps)

    def uptime_ns(self) -> int:
        return int(self.clock.monotonic() * 1e9)

    def may_see(self) -> bool:
        return self.sees

    def may_listen(self) -> bool:
        return self.listens

    def may_control(self) -> bool:
        return self.controls

    def is_locked(self) -> bool | None:
        return self.locked

    def run(self, command: Sequence[str], given: bytes) -> tuple[int, bytes]:
        """pbcopy and pbpaste."""
        if command[0] == "pbcopy":
            self.clipboard = given
            return 0, b""
        return (0, self.clipboard) if command[0] == "pbpaste" else (127, b"")


def key_event(key_code: int, down: bool, flags: int, at: tuple[float, float]) -> m.MacEvent:
    """A key as macOS makes the event: modifiers tell flags, arrows and function keys write private characters."""
    name = NAME_BY_CODE.get(key_code, "")
    if name in MODIFIER_NAMES:
        return m.MacEvent(m.FLAGS_CHANGED, 0, *at, key_code=key_code, flags=flags)
    return m.MacEvent(m.KEY_DOWN if down else m.KEY_UP, 0, *at, key_code=key_code, flags=flags)


class _FakeTap:
    def __init__(self, taps: list[_FakeTap], on_event: Callable[[m.MacEvent], None]) -> None:
        self._taps = taps
        self.on_event = on_event

    def stop(self) -> None:
        self._taps.remove(self)


class FakeMacPerson:
    """Implements `ports.desktop.Hands` through the devices; points are the port's."""

    def __init__(self, mac: FakeMac) -> None:
        self._mac = mac

    def move(self, to: Point, kind: int = m.MOVED) -> None:
        mac = self._mac
        self._happen(m.MacEvent(kind, 0, mac.left + (to[0] + 0.5) / mac.scale, mac.top + (to[1] + 0.5) / mac.scale))

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        number, down, _, up = _KINDS[button]
        self.move(at)
        for _ in range(count):
            for kind in (down, up):
                self._happen(m.MacEvent(kind, 0, *self._mac.pointer(), button=number))

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        number, down, dragged, up = _KINDS[button]
        self.move(start)
        self._happen(m.MacEvent(down, 0, *self._mac.pointer(), button=number))
        self.move(end, dragged)
        self._happen(m.MacEvent(up, 0, *self._mac.pointer(), button=number))

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        self.move(at)
        self._happen(m.MacEvent(m.SCROLL, 0, *self._mac.pointer(), scroll_up=-down, scroll_left=-right))

    def type_text(self, text: str) -> None:
        for character in text:
            plain = unicodedata.normalize("NFD", character)[0].upper()
            code = {" ": 49, "€": 14}.get(character, CODE_BY_NAME.get(plain, 50))
            shift = ["SHIFT"] if character != character.lower() else []
            self._chord([*shift], code, character)

    def press(self, keys: Sequence[str]) -> None:
        *held, last = keys
        self._chord(held, CODE_BY_NAME[last], last.lower() if len(last) == 1 else "")

    def _chord(self, held: list[str], code: int, text: str) -> None:
        flags = 0
        for name in held:
            flags |= FLAG_BY_NAME[name]
            self._key(CODE_BY_NAME[name], True, flags)
        self._key(code, True, flags, text)
        self._key(code, False, flags, text)
        for name in reversed(held):
            flags &= ~FLAG_BY_NAME[name]
            self._key(CODE_BY_NAME[name], False, flags)

    def _key(self, code: int, down: bool, flags: int, text: str = "") -> None:
        self._happen(key_event(code, down, flags, self._mac.pointer())._replace(text=text))

    def _happen(self, event: m.MacEvent) -> None:
        self._mac.clock.sleep(_PAUSE_S)
        self._mac.happen(event)
