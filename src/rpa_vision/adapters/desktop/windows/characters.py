"""From keys to names and characters, without disturbing what the person types.

Asking Windows what a key writes normally uses up a waiting accent (dead key), so that the person gets "e" instead of
"ê". The flag KEEP_STATE prevents that (Windows 10 1607 and newer); in exchange the accent has to be combined here.
"""

from __future__ import annotations

import ctypes
import unicodedata
from collections.abc import Set

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.keys import (
    MODIFIER_VKS,
    NAME_BY_VK,
    VK_CAPITAL,
    VK_CONTROL,
    VK_LCONTROL,
    VK_MENU,
    VK_RMENU,
    VK_SHIFT,
)
from rpa_vision.adapters.desktop.windows.structs import text_of, wide_buffer

KEEP_STATE = 0x4
MAPVK_VK_TO_CHAR = 2
_DEAD = 0x80000000
_DOWN, _TOGGLED = 0x80, 0x01
_WAYS_TO_WRITE = (frozenset[str](), frozenset({"SHIFT"}), frozenset({"ALTGR"}), frozenset({"SHIFT", "ALTGR"}))
"""Modifiers under which a key writes; with any other it is a command."""
_ACCENTS = {
    "^": "\u0302", "~": "\u0303", "`": "\u0300", "\u00a8": "\u0308", "\u00b4": "\u0301", "\u00b8": "\u0327",
    "\u00b0": "\u030a", "\u02da": "\u030a", "\u02c7": "\u030c", "\u02d8": "\u0306", "\u02d9": "\u0307",
    "\u02db": "\u0328", "\u02dd": "\u030b", "\u00af": "\u0304",
}  # fmt: skip
"""What a dead key is called by Windows (a spacing accent) and the mark that combines."""


def held_modifiers(api: WindowsApi) -> frozenset[str]:
    """The modifiers that are down now. Asked of Windows each time: a hook misses keys let go on the lock screen."""
    down = {code for codes in MODIFIER_VKS.values() for code in codes if api.GetAsyncKeyState(code) < 0}
    altgr = {VK_LCONTROL, VK_RMENU} <= down  # what layouts with AltGr make of the right Alt
    if altgr:
        down -= {VK_LCONTROL, VK_RMENU}
    names = {name for name, codes in MODIFIER_VKS.items() if down & set(codes)}
    return frozenset(names | ({"ALTGR"} if altgr else set()))


class KeyReader:
    """Names of keys and what they write, for the layout of the window that has the focus."""

    def __init__(self, api: WindowsApi) -> None:
        self._api = api
        self._accent: str | None = None
        self._caps = bool(api.GetKeyState(VK_CAPITAL) & 1)

    def name(self, code: int, layout: int) -> str | None:
        """The port's name of a key, or None for one it has no name for (media keys and the like)."""
        if code in NAME_BY_VK:
            return NAME_BY_VK[code]
        written = self._api.MapVirtualKeyExW(code, MAPVK_VK_TO_CHAR, layout) & ~_DEAD
        return key_name(chr(written)) if written > 32 else None

    def toggle_caps(self) -> None:
        """Caps Lock was pressed. Counted here: the state Windows keeps for a hook's thread does not follow."""
        self._caps = not self._caps

    def written(self, code: int, scan_code: int, held: Set[str], layout: int) -> str | None:
        """What a key writes when pressed, or None."""
        accent, self._accent = self._accent, None
        if held not in _WAYS_TO_WRITE:
            return None
        buffer = wide_buffer(8)
        count = self._api.ToUnicodeEx(code, scan_code, self._state(held), buffer, len(buffer), KEEP_STATE, layout)
        if count < 0:
            self._accent = text_of(buffer, 1)
            return None
        text = "".join(c for c in text_of(buffer, count) if c >= " " and c != "\x7f")
        if not text:
            return None
        return combine(accent, text) if accent else text

    def _state(self, held: Set[str]) -> ctypes.Array[ctypes.c_uint8]:
        state = (ctypes.c_uint8 * 256)()
        if "SHIFT" in held:
            state[VK_SHIFT] = _DOWN
        if "ALTGR" in held:
            state[VK_CONTROL] = state[VK_MENU] = state[VK_LCONTROL] = state[VK_RMENU] = _DOWN
        if self._caps:
            state[VK_CAPITAL] = _TOGGLED
        return state


def combine(accent: str, text: str) -> str:
    """What a waiting accent and a character make together: "ê", or both where they do not fit."""
    if text == " ":
        return accent
    mark = _ACCENTS.get(accent)
    together = unicodedata.normalize("NFC", text + mark) if mark else ""
    if len(together) == 1:
        return together
    if mark and mark in unicodedata.normalize("NFD", text):
        return text  # Windows had combined them already
    return accent + text


def key_name(character: str) -> str:
    """A character as the name of its key: letters in upper case."""
    upper = character.upper()
    return upper if len(upper) == 1 else character
