"""The keyboard's map: which key writes what at which level, under the layout in force.

The core map has a row per key; its columns are plain, Shift (group 1), the same for group 2, then both again with
AltGr. Which modifier bit means AltGr, Alt or Num Lock is looked up, not assumed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from Xlib import X

from rpa_vision.adapters.desktop.x11 import keysyms
from rpa_vision.adapters.desktop.x11.compose import spacing_accent
from rpa_vision.adapters.desktop.x11.connection import Connection

_GROUP_SHIFT = 13


class KeyPlace(NamedTuple):
    """Where a character is: the key, and what to hold with it."""

    keycode: int
    shift: bool
    altgr: bool


@dataclass(frozen=True, slots=True)
class DecodedKey:
    """What a key press means: the key's name, the keysym in force and the character it writes by itself."""

    name: str | None
    keysym: int
    char: str | None


class KeyMap:
    """One state of the map. Fetch a new one when the server says that it changed."""

    def __init__(self, first_keycode: int, rows: Sequence[Sequence[int]], modifiers: Sequence[Sequence[int]]) -> None:
        self._first = first_keycode
        self._rows = rows
        self._masks = {name: self._mask_of(modifiers, syms) for name, syms in _MODIFIER_KEYSYMS.items()}
        self._masks["SHIFT"], self._masks["CTRL"] = X.ShiftMask, X.ControlMask
        # Usual layouts put Mode_switch, which no key bears, on the bit of AltGr: there the bit means AltGr.
        self._masks["MODE_SWITCH"] &= ~self._masks["ALTGR"]
        self._places: dict[int, dict[str, KeyPlace]] = {}

    @classmethod
    def fetch(cls, connection: Connection) -> KeyMap:
        """Ask the server for the map in force."""
        with connection.use() as display:
            info = display.display.info
            count = info.max_keycode - info.min_keycode + 1
            rows = [tuple(row) for row in display.get_keyboard_mapping(info.min_keycode, count)]
            modifiers = [tuple(codes) for codes in display.get_modifier_mapping()]
        return cls(info.min_keycode, rows, modifiers)

    def row(self, keycode: int) -> Sequence[int]:
        """The keysyms of a key, by column."""
        index = keycode - self._first
        return self._rows[index] if 0 <= index < len(self._rows) else ()

    def modifiers(self, state: int) -> frozenset[str]:
        """Names of the modifiers held in a state."""
        names = {name for name in ("SHIFT", "CTRL", "ALT", "ALTGR", "SUPER") if state & self._masks[name]}
        if state & self._masks["MODE_SWITCH"]:
            names.add("ALTGR")
        return frozenset(names)

    def decode(self, keycode: int, state: int) -> DecodedKey:
        """Say what the key means in that state."""
        row = self.row(keycode)
        group = 1 if state & self._masks["MODE_SWITCH"] else state >> _GROUP_SHIFT & 1
        base = _symbol(row, group, shift=False, altgr=False)
        shift, altgr = bool(state & X.ShiftMask), bool(state & self._masks["ALTGR"])
        if keysyms.is_keypad(_symbol(row, group, shift=True, altgr=False)):
            shift ^= bool(state & self._masks["NUM_LOCK"])
            keysym = base = _symbol(row, group, shift=shift, altgr=False)
        else:
            keysym = _symbol(row, group, shift=shift, altgr=altgr)
        char = keysyms.char_of(keysym)
        if char is not None and state & X.LockMask and char.isalpha():
            char = _other_case(char)
        return DecodedKey(_key_name(base), keysym, char)

    def find_char(self, char: str, group: int = 0) -> KeyPlace | None:
        """Say how to write a character on this layout; None when it cannot."""
        if group not in self._places:
            self._places[group] = self._all_places(group)
        return self._places[group].get(char)

    def find_keysym(self, candidates: Sequence[int]) -> int | None:
        """Give the key that bears one of the keysyms unshifted, the first candidate first."""
        for keysym in candidates:
            for index, row in enumerate(self._rows):
                if row and row[0] == keysym:
                    return self._first + index
        return None

    def free_keycodes(self) -> list[int]:
        """Keys that bear nothing."""
        return [self._first + index for index, row in enumerate(self._rows) if not any(row)]

    def _all_places(self, group: int) -> dict[str, KeyPlace]:
        places: dict[str, KeyPlace] = {}
        for altgr in (False, True):
            for shift in (False, True):
                for keycode, row in enumerate(self._rows, self._first):
                    keysym = _exact(row, group, shift=shift, altgr=altgr)
                    # On the keypad Num Lock decides, so a character is better typed elsewhere.
                    char = None if keysyms.is_keypad(keysym) else keysyms.char_of(keysym)
                    if char is not None:
                        places.setdefault(char, KeyPlace(keycode, shift, altgr))
        return places

    def _mask_of(self, modifiers: Sequence[Sequence[int]], wanted: Sequence[int]) -> int:
        mask = 0
        for bit, keycodes in enumerate(modifiers):
            for keycode in keycodes:
                if keycode and any(keysym in wanted for keysym in self.row(keycode)):
                    mask |= 1 << bit
        return mask


_MODIFIER_KEYSYMS = {
    "ALT": (0xFFE9, 0xFFEA),
    "ALTGR": (keysyms.LEVEL3_SHIFT,),
    "SUPER": (0xFFEB, 0xFFEC),
    "NUM_LOCK": (keysyms.NUM_LOCK,),
    "MODE_SWITCH": (keysyms.MODE_SWITCH,),
}


def _column(group: int, *, shift: bool, altgr: bool) -> int:
    return (4 if altgr else 0) + 2 * group + shift


def _exact(row: Sequence[int], group: int, *, shift: bool, altgr: bool) -> int:
    column = _column(group, shift=shift, altgr=altgr)
    return row[column] if column < len(row) else keysyms.NO_SYMBOL


def _symbol(row: Sequence[int], group: int, *, shift: bool, altgr: bool) -> int:
    """The keysym in force: where a level or group bears nothing, the one below it holds."""
    for try_group in dict.fromkeys((group, 0)):
        for try_altgr in dict.fromkeys((altgr, False)):
            for try_shift in dict.fromkeys((shift, False)):
                keysym = _exact(row, try_group, shift=try_shift, altgr=try_altgr)
                if keysym:
                    return keysym
    return keysyms.NO_SYMBOL


def _key_name(keysym: int) -> str | None:
    name = keysyms.name_of(keysym)
    if name is not None:
        return name
    char = keysyms.char_of(keysym) or spacing_accent(keysym)
    if char is None:
        return None
    return char.upper() if len(char.upper()) == 1 else char


def _other_case(char: str) -> str:
    other = char.swapcase()
    return other if len(other) == 1 else char
