"""Writing any text on any layout.

Characters that the layout lacks are bound, all at once and in lower/upper pairs, to keys that bear nothing;
applications get time to take note of it; then keys are pressed. Binding one character at a time, as the usual tools do,
loses some.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from Xlib import X

from rpa_vision.adapters.desktop.x11 import keysyms
from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.adapters.desktop.x11.injection import Injection
from rpa_vision.adapters.desktop.x11.keymap import KeyMap, KeyPlace
from rpa_vision.errors import InputNotDeliveredError, UsageError
from rpa_vision.models.input import KEY_NAMES
from rpa_vision.ports.runtime import Clock

_TAKE_NOTE_S = 0.3
"""What applications need to take note of a changed keyboard map (measured: Chromium, GTK)."""
_KEY_INTERVAL_S = 0.004
"""Between two keys. Applications take them from a queue, in order, however fast they come: what must be waited for is a
changed map, not a key. That a text arrived whole is read on the screen (measured: Chromium, GTK, Qt; 10,000 keys)."""
_SECRET_KEY_INTERVAL_S = 0.01
"""Between two keys of a secret: nobody can read on the screen that it arrived whole."""
_HELD_S = 0.01
"""How long a chord is held."""
_LET_GO_TIMEOUT_S = 1.0
_POLL_S = 0.02
_CONTROL_KEYS = {"\n": "ENTER", "\t": "TAB"}


class Keyboard:
    """Knows the map in force and which keys it borrowed. Used by one thread at a time."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._connection = connection
        self._clock = clock
        self._keymap = KeyMap.fetch(connection)
        self._borrowed: dict[int, tuple[int, ...]] = {}

    def require_free_modifiers(self) -> None:
        """Wait a moment for the person to let go of Ctrl, Shift, Alt: with one held, input means something else."""
        self._keymap = KeyMap.fetch(self._connection)
        deadline_s = self._clock.monotonic() + _LET_GO_TIMEOUT_S
        while held := self._keymap.modifiers(self._state()):
            if self._clock.monotonic() >= deadline_s:
                raise InputNotDeliveredError(
                    f"the key {'+'.join(sorted(held))} is being held down on the keyboard",
                    remedy="Let go of the keyboard and try again.",
                )
            self._clock.sleep(_POLL_S)

    def write(self, text: str, injection: Injection, *, is_secret: bool = False) -> None:
        """Type the text, a secret with more time."""
        interval_s = _SECRET_KEY_INTERVAL_S if is_secret else _KEY_INTERVAL_S
        text = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        for char in text:
            if unicodedata.category(char) in ("Cc", "Cs") and char not in _CONTROL_KEYS:
                raise UsageError(f"the character U+{ord(char):04X} cannot be typed", remedy="Press the key instead.")
        group = self._group()
        with ExitStack() as stack:
            if self._state() & X.LockMask:
                self._toggle_caps_lock(injection)
                stack.callback(self._toggle_caps_lock, injection)
            for part in self._parts(text, group):
                self._bind_missing(part, group)
                for char in part:
                    self._type(self._place(char, group), injection, interval_s)

    def chord(self, keys: Sequence[str], injection: Injection) -> None:
        """Press keys together by name, in the order given, and let them go in reverse."""
        for key in keys:
            if key not in KEY_NAMES and len(key) != 1:
                raise UsageError(f"there is no key called {key!r}", remedy="See KEY_NAMES for the names.")
        group = self._group()
        chars = [_chord_char(key) for key in keys if key not in KEY_NAMES]
        self._bind_missing("".join(chars), group)
        keycodes = [code for key in keys for code in self._chord_keycodes(key, keys, group)]
        with ExitStack() as stack:
            for keycode in dict.fromkeys(keycodes):
                stack.enter_context(injection.held_key(keycode))
            self._clock.sleep(_HELD_S)

    def close(self) -> None:
        """Give the borrowed keys back."""
        if not self._borrowed:
            return
        # What was typed last may not have been read yet.
        self._clock.sleep(_TAKE_NOTE_S)
        self._keymap = KeyMap.fetch(self._connection)
        self._give_back()

    def _type(self, place: KeyPlace, injection: Injection, interval_s: float) -> None:
        with ExitStack() as stack:
            if place.altgr:
                stack.enter_context(injection.held_key(self._modifier("ALTGR")))
            if place.shift:
                stack.enter_context(injection.held_key(self._modifier("SHIFT")))
            injection.tap_key(place.keycode)
        self._clock.sleep(interval_s)

    def _place(self, char: str, group: int) -> KeyPlace:
        if char in _CONTROL_KEYS:
            return KeyPlace(self._modifier(_CONTROL_KEYS[char]), False, False)
        place = self._keymap.find_char(char, group)
        if place is None:
            raise InputNotDeliveredError(f"the keyboard map changed while {char!r} was to be typed")
        return place

    def _chord_keycodes(self, key: str, keys: Sequence[str], group: int) -> Iterator[int]:
        if key in KEY_NAMES:
            yield self._modifier(key)
            return
        place = self._place(_chord_char(key), group)
        # "CTRL +" means Ctrl and what writes a plus, be it with Shift; "CTRL SHIFT =" says so itself.
        if place.altgr and "ALTGR" not in keys:
            yield self._modifier("ALTGR")
        if place.shift and "SHIFT" not in keys:
            yield self._modifier("SHIFT")
        yield place.keycode

    def _modifier(self, name: str) -> int:
        keycode = self._keymap.find_keysym(keysyms.NAMED[name])
        if keycode is None:
            raise InputNotDeliveredError(f"this keyboard layout has no key {name}")
        return keycode

    def _toggle_caps_lock(self, injection: Injection) -> None:
        injection.tap_key(self._modifier("CAPS_LOCK"))
        self._clock.sleep(_KEY_INTERVAL_S)

    def _parts(self, text: str, group: int) -> Iterator[str]:
        """Cut the text so that what each part lacks finds room on the free keys."""
        room = len(self._keymap.free_keycodes()) + len(self._borrowed)
        on_free_keys = {char for char in set(text) - set(_CONTROL_KEYS) if not self._is_engraved(char, group)}
        if on_free_keys and not room:
            raise InputNotDeliveredError("the keyboard has no free key to write this text with")
        start, pairs = 0, set[tuple[str, str]]()
        for index, char in enumerate(text):
            if char not in on_free_keys or _pair(char) in pairs:
                continue
            if len(pairs) == room:
                yield text[start:index]
                start, pairs = index, set()
            pairs.add(_pair(char))
        yield text[start:]

    def _is_engraved(self, char: str, group: int) -> bool:
        place = self._keymap.find_char(char, group)
        return place is not None and place.keycode not in self._borrowed

    def _missing(self, text: str, group: int) -> set[str]:
        return {char for char in text if char not in _CONTROL_KEYS and not self._keymap.find_char(char, group)}

    def _bind_missing(self, text: str, group: int) -> None:
        lacking = sorted({_pair(char) for char in self._missing(text, group)})
        if not lacking:
            return
        keycodes = self._keymap.free_keycodes()[::-1]
        if len(lacking) > len(keycodes):
            needed = {place.keycode for char in text if (place := self._keymap.find_char(char, group))}
            keycodes += [keycode for keycode in self._borrowed if keycode not in needed]
            # What was typed with these keys may not have been read yet.
            self._clock.sleep(_TAKE_NOTE_S)
        with self._connection.use() as display:
            # One request per key, no more than needed: each makes every application, the window manager too, read the
            # map again.
            for (lower, upper), keycode in zip(lacking, keycodes, strict=False):
                row = (keysyms.keysym_of(lower), keysyms.keysym_of(upper)) * 2
                display.change_keyboard_mapping(keycode, [row])
                self._borrowed[keycode] = row
            display.sync()
        self._keymap = KeyMap.fetch(self._connection)
        self._clock.sleep(_TAKE_NOTE_S)

    def _give_back(self) -> None:
        with self._connection.use() as display:
            for keycode, row in self._borrowed.items():
                # A new layout may have taken the key meanwhile; then it is not ours any more.
                if set(self._keymap.row(keycode)) - {keysyms.NO_SYMBOL} <= set(row):
                    display.change_keyboard_mapping(keycode, [(keysyms.NO_SYMBOL,)])
            self._borrowed.clear()
            display.sync()
        self._keymap = KeyMap.fetch(self._connection)

    def _state(self) -> int:
        with self._connection.use():
            return int(self._connection.root.query_pointer().mask)

    def _group(self) -> int:
        return self._state() >> 13 & 1


def _pair(char: str) -> tuple[str, str]:
    lower, upper = char.lower(), char.upper()
    # Only a true pair may share a key: the server applies Shift and Caps Lock to it as to any letter.
    if len(lower) == len(upper) == 1 and upper.lower() == lower and lower.upper() == upper:
        return (lower, upper)
    return (char, char)


def _chord_char(key: str) -> str:
    return key.lower() if len(key.lower()) == 1 else key
