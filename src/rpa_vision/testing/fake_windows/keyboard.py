"""Keyboard state and translation of the fake Windows, and the text a program in front would get."""

# ruff: noqa: N802  (functions have the names Windows gave them)

from __future__ import annotations

from typing import Any

from rpa_vision.testing.fake_windows.layouts import Layout, composed
from rpa_vision.testing.fake_windows.machine import Machine

VK_SHIFT, VK_CONTROL, VK_MENU, VK_CAPITAL = 0x10, 0x11, 0x12, 0x14
VK_LSHIFT, VK_RSHIFT, VK_LCONTROL, VK_RCONTROL, VK_LMENU, VK_RMENU = 0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5
VK_LWIN, VK_RWIN, VK_PACKET = 0x5B, 0x5C, 0xE7
_SIDES = {VK_SHIFT: (VK_LSHIFT, VK_RSHIFT), VK_CONTROL: (VK_LCONTROL, VK_RCONTROL), VK_MENU: (VK_LMENU, VK_RMENU)}
_DEAD_BIT = 0x80000000
_KEEP_STATE = 4


class FakeKeyboard:
    """Which keys are down, the waiting accent, and what the program in front reads from all that."""

    def __init__(self, machine: Machine, layout: Layout) -> None:
        self._machine = machine
        self.layout = layout
        self.down: set[int] = set()
        self.caps = False
        self.waiting_accent = ""
        self.text = ""
        """What a text field in the front window would hold."""
        self._units: list[int] = []

    # for the rest of the fake

    def is_down(self, code: int) -> bool:
        return any(side in self.down for side in _SIDES.get(code, (code,)))

    def note(self, code: int, scan: int, *, up: bool) -> None:
        """A key event has reached the program in front."""
        if code == VK_PACKET:
            if not up:
                self._take_unit(scan)
            return
        if up:
            self.down.discard(code)
            return
        if code == VK_CAPITAL and code not in self.down:
            self.caps = not self.caps
        self.down.add(code)
        self._write(code)

    def _take_unit(self, unit: int) -> None:
        self._units.append(unit)
        if 0xD800 <= unit < 0xDC00:
            return
        raw = b"".join(one.to_bytes(2, "little") for one in self._units)
        self._units.clear()
        self.text += raw.decode("utf-16-le", "replace")

    def _write(self, code: int) -> None:
        ctrl, alt = self.is_down(VK_CONTROL), self.is_down(VK_MENU)
        if ctrl != alt or VK_LWIN in self.down or VK_RWIN in self.down:
            return
        written = self.layout.written(code, shift=self.is_down(VK_SHIFT), altgr=ctrl and alt, caps=self.caps)
        if not written:
            return
        if written in self.layout.dead and not (ctrl and alt):
            self.waiting_accent = written
            return
        if self.waiting_accent:
            written, self.waiting_accent = composed(self.waiting_accent, written), ""
        if written == "\b":
            self.text = self.text[:-1]
        elif written != "\x1b":
            self.text += written.replace("\r", "\n")

    # the functions

    def GetAsyncKeyState(self, code: int) -> int:
        return -0x8000 if not self._machine.locked and self.is_down(code) else 0

    def GetKeyState(self, code: int) -> int:
        return (-0x8000 if self.is_down(code) else 0) | int(code == VK_CAPITAL and self.caps)

    def GetKeyboardLayout(self, _thread: int) -> int:
        return self.layout.handle

    def MapVirtualKeyExW(self, code: int, kind: int, layout: int) -> int:
        if layout != self.layout.handle:
            return 0
        if kind == 0:
            return self.layout.scan(code)
        key = self.layout.keys.get(code)
        if kind != 2 or key is None:
            return 0
        return ord(key.plain.upper()) | (_DEAD_BIT if key.plain in self.layout.dead else 0)

    def VkKeyScanExW(self, unit: int, layout: int) -> int:
        found = self.layout.find_key(chr(unit)) if layout == self.layout.handle else None
        if found is None:
            return -1
        code, shift, altgr = found
        return code | (0x100 if shift else 0) | (0x600 if altgr else 0)

    def ToUnicodeEx(self, code: int, _scan: int, state: Any, buffer: Any, room: int, flags: int, layout: int) -> int:
        if layout != self.layout.handle or room < 1:
            return 0
        shift, ctrl, alt = (bool(state[key] & 0x80) for key in (VK_SHIFT, VK_CONTROL, VK_MENU))
        caps = bool(state[VK_CAPITAL] & 1)
        if ctrl and not alt:
            written = chr(code - 64) if ord("A") <= code <= ord("Z") else ""
        else:
            written = self.layout.written(code, shift=shift, altgr=ctrl and alt, caps=caps)
        if not flags & _KEEP_STATE:
            # What makes naive listeners swallow the person's accents.
            self.waiting_accent = ""
        for number, character in enumerate(written[:room]):
            buffer[number] = ord(character)
        return -1 if written in self.layout.dead and not ctrl else len(written)
