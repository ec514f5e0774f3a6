"""A person at the fake PC: the same verbs as the hands, but through the devices and on their keyboard layout."""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.adapters.desktop.windows.keys import EXTENDED_VKS, VK_BY_NAME
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import MouseButton
from rpa_vision.testing.fake_windows.input import FakeInput
from rpa_vision.testing.fake_windows.keyboard import VK_LSHIFT, VK_RMENU, FakeKeyboard
from rpa_vision.testing.fake_windows.machine import Machine

_FLAGS = {MouseButton.LEFT: (0x02, 0x04), MouseButton.RIGHT: (0x08, 0x10), MouseButton.MIDDLE: (0x20, 0x40)}
_PAUSE_S = 0.01


class FakePerson:
    """Implements `ports.desktop.Hands`; points are the port's."""

    def __init__(self, machine: Machine, devices: FakeInput, keyboard: FakeKeyboard) -> None:
        self._machine = machine
        self._devices = devices
        self._keyboard = keyboard

    def move(self, to: Point) -> None:
        self._mouse(0, to)

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        self.move(at)
        for _ in range(count):
            for flag in _FLAGS[button]:
                self._mouse(flag)

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        down, up = _FLAGS[button]
        self.move(start)
        self._mouse(down)
        self.move(((start[0] + end[0]) // 2, (start[1] + end[1]) // 2))
        self.move(end)
        self._mouse(up)

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        self.move(at)
        for _ in range(abs(down)):
            self._mouse(0x0800, data=-120 if down > 0 else 120)
        for _ in range(abs(right)):
            self._mouse(0x1000, data=120 if right > 0 else -120)

    def wheel(self, delta: int) -> None:
        """Part of a notch, as finer wheels tell it."""
        self._mouse(0x0800, data=delta)

    def type_text(self, text: str) -> None:
        for character in text:
            for code, shift, altgr in self._keyboard.layout.strokes(character):
                self._chord([*([VK_LSHIFT] if shift else []), *([VK_RMENU] if altgr else []), code])

    def press(self, keys: Sequence[str]) -> None:
        self._chord([VK_BY_NAME[name] for name in keys])

    def hold(self, name: str) -> None:
        """Press a key and keep it down."""
        self._key(VK_BY_NAME[name], up=False)

    def let_go(self, name: str) -> None:
        self._key(VK_BY_NAME[name], up=True)

    def _chord(self, codes: list[int]) -> None:
        for code in codes:
            self._key(code, up=False)
        for code in reversed(codes):
            self._key(code, up=True)

    def _key(self, code: int, *, up: bool) -> None:
        self._machine.clock.sleep(_PAUSE_S)
        self._devices.device_key(code, up=up, extended=code in EXTENDED_VKS)

    def _mouse(self, flags: int, to: Point | None = None, data: int = 0) -> None:
        self._machine.clock.sleep(_PAUSE_S)
        if to is None:
            self._devices.device_mouse(flags, data=data)
            return
        bounds = self._machine.bounds
        self._devices.device_mouse(flags, to[0] + bounds.x1, to[1] + bounds.y1, data)
