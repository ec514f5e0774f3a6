"""Key codes of macOS (positions on an ANSI keyboard) against the names of the port."""

from __future__ import annotations

from rpa_vision.adapters.desktop.macos.api import COMMAND, CONTROL, OPTION, RIGHT_OPTION, SHIFT

_LETTERS = {
    "A": 0, "S": 1, "D": 2, "F": 3, "H": 4, "G": 5, "Z": 6, "X": 7, "C": 8, "V": 9, "B": 11, "Q": 12, "W": 13, "E": 14,
    "R": 15, "Y": 16, "T": 17, "O": 31, "U": 32, "I": 34, "P": 35, "L": 37, "J": 38, "K": 40, "N": 45, "M": 46,
    "1": 18, "2": 19, "3": 20, "4": 21, "6": 22, "5": 23, "9": 25, "7": 26, "8": 28, "0": 29,
    "=": 24, "-": 27, "]": 30, "[": 33, "'": 39, ";": 41, "\\": 42, ",": 43, "/": 44, ".": 47, "`": 50,
}  # fmt: skip

CODE_BY_NAME: dict[str, int] = {
    **_LETTERS,
    "CTRL": 59, "ALT": 58, "SHIFT": 56, "ALTGR": 61, "SUPER": 55,
    "ENTER": 36, "TAB": 48, "ESCAPE": 53, "BACKSPACE": 51, "DELETE": 117, "INSERT": 114, "SPACE": 49,
    "HOME": 115, "END": 119, "PAGE_UP": 116, "PAGE_DOWN": 121, "LEFT": 123, "RIGHT": 124, "DOWN": 125, "UP": 126,
    "CAPS_LOCK": 57, "NUM_LOCK": 71, "PRINT": 105, "MENU": 110, "PAUSE": 113,
    "F1": 122, "F2": 120, "F3": 99, "F4": 118, "F5": 96, "F6": 97, "F7": 98, "F8": 100, "F9": 101, "F10": 109,
    "F11": 103, "F12": 111,
}  # fmt: skip

NAME_BY_CODE: dict[int, str] = {
    **{code: name for name, code in CODE_BY_NAME.items()},
    54: "SUPER", 60: "SHIFT", 62: "CTRL", 76: "ENTER",
}  # fmt: skip

FLAG_BY_NAME = {"SHIFT": SHIFT, "CTRL": CONTROL, "ALT": OPTION, "ALTGR": OPTION | RIGHT_OPTION, "SUPER": COMMAND}


def modifiers(flags: int) -> frozenset[str]:
    """The names of the modifiers in a set of flags. The right Option key is AltGr: it writes third characters."""
    names = {name for name, flag in (("SHIFT", SHIFT), ("CTRL", CONTROL), ("SUPER", COMMAND)) if flags & flag}
    if flags & OPTION:
        names.add("ALTGR" if flags & RIGHT_OPTION else "ALT")
    return frozenset(names)
