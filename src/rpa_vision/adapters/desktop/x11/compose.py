"""Dead keys: an accent that waits for its letter.

What the keyboard does is what Unicode composition does, save for a few marks Unicode does not compose and for the
accents as such, which are written with the space bar or by pressing the dead key twice.
"""

from __future__ import annotations

import unicodedata

from rpa_vision.adapters.desktop.x11.keysyms import DEAD

_SPACING = {
    "\u0300": "`",
    "\u0301": "´",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "¯",
    "\u0306": "˘",
    "\u0307": "˙",
    "\u0308": "¨",
    "\u030a": "°",
    "\u030b": "˝",
    "\u030c": "ˇ",
    "\u0327": "¸",
    "\u0328": "˛",
    "\u0338": "/",
}
_STROKE = "\u0338"
_STRUCK = dict(zip("oOdDlLhHtTbB", "øØđĐłŁħĦŧŦƀɃ", strict=True))


class Composer:
    """Turns the keys of one keyboard into text, one key press after the other."""

    def __init__(self) -> None:
        self._waiting: str | None = None

    def press(self, keysym: int, char: str | None) -> str | None:
        """Give what this key writes now: its character, the composed one, or nothing (yet)."""
        mark = DEAD.get(keysym)
        waiting, self._waiting = self._waiting, None
        if waiting is None:
            self._waiting = mark
            return None if mark else char
        if char == " " or mark == waiting:
            return _SPACING.get(waiting)
        if char is None:
            # A second accent takes the place of the first; any other key drops it.
            self._waiting = mark
            return None
        return _composed(char, waiting)


def spacing_accent(keysym: int) -> str | None:
    """The accent engraved on a dead key, as a character."""
    mark = DEAD.get(keysym)
    return _SPACING.get(mark) if mark else None


def _composed(char: str, mark: str) -> str | None:
    if mark == _STROKE and char in _STRUCK:
        return _STRUCK[char]
    composed = unicodedata.normalize("NFC", char + mark)
    # X drops both keys when they do not go together.
    return composed if len(composed) == 1 else None
