"""Keysyms: X's numbers for what is engraved on keys, as characters and as names of keys.

Most layouts use Latin-1 or Unicode numbers; older ones use tables that are ISO 8859 parts with a page number in front.
"""

from __future__ import annotations

NO_SYMBOL = 0
SHIFT, CONTROL, CAPS_LOCK, NUM_LOCK = 0xFFE1, 0xFFE3, 0xFFE5, 0xFF7F
LEVEL3_SHIFT, MODE_SWITCH = 0xFE03, 0xFF7E
RETURN, TAB = 0xFF0D, 0xFF09

_UNICODE = 0x01000000

NAMED = {
    "CTRL": (CONTROL, 0xFFE4),
    "ALT": (0xFFE9, 0xFFEA, 0xFFE7, 0xFFE8),
    "SHIFT": (SHIFT, 0xFFE2),
    "ALTGR": (LEVEL3_SHIFT, MODE_SWITCH),
    "SUPER": (0xFFEB, 0xFFEC),
    "ENTER": (RETURN, 0xFF8D),
    "TAB": (TAB, 0xFE20, 0xFF89),
    "ESCAPE": (0xFF1B,),
    "BACKSPACE": (0xFF08,),
    "DELETE": (0xFFFF, 0xFF9F),
    "INSERT": (0xFF63, 0xFF9E),
    "SPACE": (0x20, 0xFF80),
    "HOME": (0xFF50, 0xFF95),
    "END": (0xFF57, 0xFF9C),
    "PAGE_UP": (0xFF55, 0xFF9A),
    "PAGE_DOWN": (0xFF56, 0xFF9B),
    "LEFT": (0xFF51, 0xFF96),
    "RIGHT": (0xFF53, 0xFF98),
    "UP": (0xFF52, 0xFF97),
    "DOWN": (0xFF54, 0xFF99),
    "CAPS_LOCK": (CAPS_LOCK,),
    "NUM_LOCK": (NUM_LOCK,),
    "PRINT": (0xFF61, 0xFF15),
    "MENU": (0xFF67,),
    "PAUSE": (0xFF13, 0xFF6B),
    **{f"F{number}": (0xFFBD + number,) for number in range(1, 13)},
}
"""Keysyms of each key name of `models.input.KEY_NAMES`, the one to press first; the others are its doubles."""

_NAME_OF = {keysym: name for name, keysyms in NAMED.items() for keysym in keysyms}

_PAGES = {
    0x01: "iso8859_2",
    0x02: "iso8859_3",
    0x03: "iso8859_4",
    0x05: "iso8859_6",
    0x06: "koi8_u",
    0x07: "iso8859_7",
    0x0C: "iso8859_8",
    0x0D: "tis_620",
    0x12: "iso8859_14",
    0x13: "iso8859_15",
}

_SINGLE = {
    0x0AA9: "—",
    0x0AAA: "–",
    0x0AAE: "…",
    0x0AC9: "™",
    0x0AD0: "‘",
    0x0AD1: "’",
    0x0AD2: "“",
    0x0AD3: "”",
    0x0AFD: "‚",
    0x0AFE: "„",
}

_KEYPAD = {
    0xFF80: " ",
    0xFFAA: "*",
    0xFFAB: "+",
    0xFFAC: ",",
    0xFFAD: "-",
    0xFFAE: ".",
    0xFFAF: "/",
    0xFFBD: "=",
    **{0xFFB0 + digit: str(digit) for digit in range(10)},
}

DEAD = {
    0xFE50: "\u0300",
    0xFE51: "\u0301",
    0xFE52: "\u0302",
    0xFE53: "\u0303",
    0xFE54: "\u0304",
    0xFE55: "\u0306",
    0xFE56: "\u0307",
    0xFE57: "\u0308",
    0xFE58: "\u030a",
    0xFE59: "\u030b",
    0xFE5A: "\u030c",
    0xFE5B: "\u0327",
    0xFE5C: "\u0328",
    0xFE60: "\u0323",
    0xFE61: "\u0309",
    0xFE62: "\u031b",
    0xFE63: "\u0338",
}
"""Dead keys and the combining mark each puts on the next character."""


def char_of(keysym: int) -> str | None:
    """Give the character a keysym writes by itself, or None."""
    if 0x20 <= keysym <= 0x7E or 0xA0 <= keysym <= 0xFF:
        return chr(keysym)
    if _UNICODE < keysym <= _UNICODE + 0x10FFFF:
        return chr(keysym - _UNICODE)
    if 0x20A0 <= keysym <= 0x20AC:
        return chr(keysym)
    if keysym in _SINGLE:
        return _SINGLE[keysym]
    if keysym in _KEYPAD:
        return _KEYPAD[keysym]
    page = _PAGES.get(keysym >> 8)
    if page is None or keysym & 0xFF < 0xA0:
        return None
    return bytes([keysym & 0xFF]).decode(page, errors="ignore") or None


def keysym_of(char: str) -> int:
    """Give a keysym that writes the character; every X client of this century understands it."""
    code = ord(char)
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else _UNICODE | code


def name_of(keysym: int) -> str | None:
    """Give the name of a key that has one ("ENTER", "F5"), else None."""
    return _NAME_OF.get(keysym)


def is_keypad(keysym: int) -> bool:
    """Whether the key is on the keypad, where Num Lock chooses the level instead of Shift."""
    return 0xFF80 <= keysym <= 0xFFBD
