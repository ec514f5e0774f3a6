"""Which key gives which character; characters that no key gives are put on free keys, once.

Binding a key makes every program reread the keyboard, so it is done before typing and then left alone:
remapping between key strokes loses characters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from Xlib import XK

from rpa_vision.demo.person.pace import Pace
from rpa_vision.errors import DesktopError

REREAD_S = 0.3
_SHIFTED, _ALTGR, _ALTGR_SHIFTED = 1, 4, 5
_ALTGR_KEYSYM = 0xFE03
_CONTROL_CHARACTERS = {"\n": XK.XK_Return, "\t": XK.XK_Tab}
# Layouts give these three by an older name than Unicode's.
_OLD_NAMES = {"€": 0x20AC, "Œ": 0x13BC, "œ": 0x13BD}


@dataclass(frozen=True, slots=True)
class Stroke:
    """The key for a character, and what must be held down with it."""

    keycode: int
    shift: bool = False
    altgr: bool = False


class KeyTable:
    """The keyboard as rows of key symbols by key code; pure, so that it can be tried without a display."""

    def __init__(self, rows: Mapping[int, Sequence[int]]) -> None:
        self._strokes: dict[int, Stroke] = {}
        self._free: list[int] = []
        for keycode, symbols in sorted(rows.items()):
            if not any(symbols):
                self._free.append(keycode)
            for level in (0, _SHIFTED, _ALTGR, _ALTGR_SHIFTED):
                if level < len(symbols) and symbols[level]:
                    stroke = Stroke(keycode, level in (_SHIFTED, _ALTGR_SHIFTED), level in (_ALTGR, _ALTGR_SHIFTED))
                    self._strokes.setdefault(symbols[level], stroke)

    def stroke(self, character: str) -> Stroke | None:
        """How to type a character, if a key gives it."""
        for symbol in (keysym(character), _OLD_NAMES.get(character)):
            if symbol is not None and symbol in self._strokes:
                return self._strokes[symbol]
        return None

    def keycode(self, symbol: int) -> int | None:
        """The key of a symbol such as Return or Control_L."""
        stroke = self._strokes.get(symbol)
        return stroke.keycode if stroke else None

    def bind_missing(self, text: str) -> dict[int, tuple[int, int, int, int]]:
        """Give every missing character a free key, small and capital together; says what to tell the X server."""
        bindings: dict[int, tuple[int, int, int, int]] = {}
        for small in sorted({c.lower() for c in text if self.stroke(c) is None}):
            if not self._free:
                raise DesktopError(f"no free key left to type '{small}'", remedy="Type fewer different characters.")
            keycode = self._free.pop()
            capital = small.upper() if len(small.upper()) == 1 else small
            bindings[keycode] = (keysym(small), keysym(capital), keysym(small), keysym(capital))
            self._strokes[keysym(small)] = Stroke(keycode)
            self._strokes.setdefault(keysym(capital), Stroke(keycode, shift=True))
        return bindings


class Keyboard:
    """The key table of a real display."""

    def __init__(self, display: Any, pace: Pace) -> None:
        self._display = display
        self._pace = pace
        info = display.display.info
        rows = display.get_keyboard_mapping(info.min_keycode, info.max_keycode - info.min_keycode + 1)
        self._table = KeyTable({info.min_keycode + index: tuple(row) for index, row in enumerate(rows)})

    def prepare(self, text: str) -> None:
        """Make sure every character of the text has a key."""
        bindings = self._table.bind_missing(text)
        for keycode, symbols in bindings.items():
            self._display.change_keyboard_mapping(keycode, [symbols])
        if bindings:
            self._display.sync()
            self._pace.poll(REREAD_S)

    def stroke(self, character: str) -> Stroke:
        """How to type a character that was prepared."""
        stroke = self._table.stroke(character)
        if stroke is None:
            raise DesktopError(f"no key gives '{character}'", remedy="Prepare the text before typing it.")
        return stroke

    def keycode(self, name: str) -> int:
        """The key of a name: Return, Escape, Control_L, a."""
        symbol = _ALTGR_KEYSYM if name == "ISO_Level3_Shift" else XK.string_to_keysym(name)
        keycode = self._table.keycode(symbol)
        if keycode is None:
            raise DesktopError(f"the keyboard has no key '{name}'", remedy="Load a usual layout: setxkbmap us.")
        return keycode


def keysym(character: str) -> int:
    """The X key symbol of a character."""
    if character in _CONTROL_CHARACTERS:
        return int(_CONTROL_CHARACTERS[character])
    code = ord(character)
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else 0x01000000 | code
