"""Keyboard layouts of the fake Windows: US, and French with its accents, dead keys and AltGr."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

_FIXED_KEYS = {
    # virtual key: scan code (without the E0 prefix)
    0x08: 0x0E, 0x09: 0x0F, 0x0D: 0x1C, 0x1B: 0x01, 0x20: 0x39, 0x14: 0x3A, 0x90: 0x45, 0x13: 0x45, 0x2C: 0x37,
    0x10: 0x2A, 0xA0: 0x2A, 0xA1: 0x36, 0x11: 0x1D, 0xA2: 0x1D, 0xA3: 0x1D, 0x12: 0x38, 0xA4: 0x38, 0xA5: 0x38,
    0x5B: 0x5B, 0x5C: 0x5C, 0x5D: 0x5D,
    0x26: 0x48, 0x25: 0x4B, 0x27: 0x4D, 0x28: 0x50, 0x24: 0x47, 0x23: 0x4F, 0x21: 0x49, 0x22: 0x51, 0x2D: 0x52,
    0x2E: 0x53,
    **{0x70 + number: 0x3B + number for number in range(10)}, 0x7A: 0x57, 0x7B: 0x58,
}  # fmt: skip
_CONTROL_CHARACTERS = {0x08: "\b", 0x09: "\t", 0x0D: "\r", 0x1B: "\x1b", 0x20: " "}
_DEAD_MARKS = {"^": "\u0302", "\u00a8": "\u0308"}


@dataclass(frozen=True)
class Key:
    """A key: its place and what it writes alone, with Shift, with AltGr."""

    scan: int
    plain: str
    shift: str = ""
    altgr: str = ""


@dataclass(frozen=True)
class Layout:
    """A keyboard layout. `dead` are the characters that wait for the next one."""

    handle: int
    keys: dict[int, Key]
    has_altgr: bool = False
    dead: frozenset[str] = frozenset()

    def scan(self, code: int) -> int:
        return self.keys[code].scan if code in self.keys else _FIXED_KEYS.get(code, 0)

    def written(self, code: int, *, shift: bool, altgr: bool, caps: bool) -> str:
        """What a key writes, "" for nothing."""
        key = self.keys.get(code)
        if key is None:
            return "" if altgr else _CONTROL_CHARACTERS.get(code, "")
        if altgr:
            return "" if shift else key.altgr
        return key.shift if shift != (caps and key.plain.isalpha()) else key.plain

    def find(self, character: str) -> tuple[int, bool, bool] | None:
        """Key, Shift, AltGr that write a character at once."""
        return self._search(character, dead=False)

    def find_key(self, character: str) -> tuple[int, bool, bool] | None:
        """The same, or the dead key of that name."""
        return self._search(character, dead=True) or self._search(character, dead=False)

    def _search(self, character: str, *, dead: bool) -> tuple[int, bool, bool] | None:
        if character == " ":
            return None if dead else (0x20, False, False)
        for code, key in self.keys.items():
            for shift, altgr, written in (
                (False, False, key.plain),
                (True, False, key.shift),
                (False, True, key.altgr),
            ):
                if written == character and dead == (written in self.dead and not altgr):
                    return (code, shift, altgr)
        return None

    def strokes(self, character: str) -> list[tuple[int, bool, bool]]:
        """The keys a person presses for a character, the dead one first where one is needed."""
        direct = self.find(character)
        if direct is not None:
            return [direct]
        base, *marks = list(unicodedata.normalize("NFD", character))
        accent = next((dead for dead, mark in _DEAD_MARKS.items() if [mark] == marks and dead in self.dead), None)
        stroke, letter = self.find_key(accent) if accent else None, self.find(base)
        if stroke is None or letter is None:
            raise ValueError(f"this keyboard cannot write {character!r}")
        return [stroke, letter]


def composed(dead: str, character: str) -> str:
    """What the program gets for a dead key and the next one."""
    together = unicodedata.normalize("NFC", character + _DEAD_MARKS[dead])
    return together if len(together) == 1 else dead if character == " " else dead + character


def _row(first_scan: int, codes: list[int], plain: str, shift: str, altgr: str = "") -> dict[int, Key]:
    padded = altgr.ljust(len(codes))
    return {
        code: Key(first_scan + n, plain[n], shift[n], padded[n].strip())
        for n, code in enumerate(codes)
    }  # fmt: skip


def _codes(characters: str) -> list[int]:
    return [ord(c) for c in characters]


US = Layout(
    0x0409_0409,
    {
        **_row(0x02, [*_codes("1234567890"), 0xBD, 0xBB], "1234567890-=", "!@#$%^&*()_+"),
        **_row(0x10, [*_codes("QWERTYUIOP"), 0xDB, 0xDD], "qwertyuiop[]", "QWERTYUIOP{}"),
        **_row(0x1E, [*_codes("ASDFGHJKL"), 0xBA, 0xDE], "asdfghjkl;'", 'ASDFGHJKL:"'),
        **_row(0x29, [0xC0], "`", "~"),
        **_row(0x2B, [0xDC], "\\", "|"),
        **_row(0x2C, [*_codes("ZXCVBNM"), 0xBC, 0xBE, 0xBF], "zxcvbnm,./", "ZXCVBNM<>?"),
    },
)

FRENCH = Layout(
    0x040C_040C,
    {
        **_row(0x02, [*_codes("1234567890"), 0xDB, 0xBB], "&é\"'(-è_çà)=", "1234567890°+", " ~#{[|`\\^@]}"),
        **_row(0x10, [*_codes("AZERTYUIOP"), 0xDD, 0xBA], "azertyuiop^$", "AZERTYUIOP\u00a8£", "  €        ¤"),
        **_row(0x1E, [*_codes("QSDFGHJKLM"), 0xC0], "qsdfghjklmù", "QSDFGHJKLM%"),
        **_row(0x29, [0xDE], "²", "²"),
        **_row(0x2B, [0xDC], "*", "µ"),
        **_row(0x2C, [*_codes("WXCVBN"), 0xBC, 0xBE, 0xBF, 0xDF], "wxcvbn,;:!", "WXCVBN?./§"),
        **_row(0x56, [0xE2], "<", ">"),
    },
    has_altgr=True,
    dead=frozenset({"^", "\u00a8"}),
)
LAYOUTS = {"us": US, "fr": FRENCH}
