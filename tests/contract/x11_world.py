"""The world around an X11 desktop: a program with windows, and a person with a keyboard.

Both know X only through python-xlib, and nothing of what the adapter knows: what the adapter gets wrong they do not get
wrong with it. The keyboard is American with AltGr, so that accents have keys and digits are digits.
"""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from Xlib import XK, X, Xutil
from Xlib.display import Display
from Xlib.protocol.event import ClientMessage

from rpa_vision.models.geometry import Box, Point
from rpa_vision.models.input import InputEvent, InputKind, MouseButton
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.runtime import Clock

KEYBOARD = ("setxkbmap", "us", "-variant", "altgr-intl")
FRONT = Box(150, 120, 550, 400)
BEHIND = Box(60, 60, 460, 300)
UNNAMED = Box(600, 60, 700, 120)

_PATIENCE_S = 10.0
_POLL_S = 0.002
_WANTED = (
    X.KeyPressMask | X.KeyReleaseMask | X.ButtonPressMask | X.ButtonReleaseMask | X.PointerMotionMask
    | X.PropertyChangeMask
)  # fmt: skip
_BUTTONS = {1: MouseButton.LEFT, 2: MouseButton.MIDDLE, 3: MouseButton.RIGHT}
_WHEEL = {4: (0, -1), 5: (0, 1), 6: (-1, 0), 7: (1, 0)}
_KEYSYMS = {
    "CTRL": "Control_L", "ALT": "Alt_L", "SHIFT": "Shift_L", "ALTGR": "ISO_Level3_Shift", "SUPER": "Super_L",
    "ENTER": "Return", "TAB": "Tab", "ESCAPE": "Escape", "BACKSPACE": "BackSpace", "DELETE": "Delete",
    "SPACE": "space", "HOME": "Home", "END": "End", "PAGE_UP": "Prior", "PAGE_DOWN": "Next", "LEFT": "Left",
    "RIGHT": "Right", "UP": "Up", "DOWN": "Down", **{f"F{number}": f"F{number}" for number in range(1, 13)},
}  # fmt: skip
_KEYSYM_OF = {name: XK.string_to_keysym(keysym) or 0xFE03 for name, keysym in _KEYSYMS.items()}
_NAME_OF = {keysym: name for name, keysym in _KEYSYM_OF.items()}
_HELD = {X.ShiftMask: "SHIFT", X.ControlMask: "CTRL", X.Mod1Mask: "ALT", X.Mod4Mask: "SUPER", X.Mod5Mask: "ALTGR"}
_MARKS = {0xFE50: "\u0300", 0xFE51: "\u0301", 0xFE52: "\u0302", 0xFE53: "\u0303", 0xFE57: "\u0308"}
_UNICODE, _EURO = 0x01000000, 0x20AC


class Program:
    """Two windows with a title and one without; notes what it gets."""

    def __init__(self, display_name: str, clock: Clock) -> None:
        self._clock = clock
        self._display = Display(display_name)
        self._root = self._display.screen().root
        self._probe = self._root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
        self._events: list[Any] = []
        self._mark = ""
        self.windows = [
            WindowContext(title="Patients — Été", app_name="Clinic", pid=os.getpid(), geometry=FRONT.bbox),
            WindowContext(title="Invoices 2025", app_name="Ledger", pid=os.getppid(), geometry=BEHIND.bbox),
        ]
        self._open(WindowContext(title="", app_name="Nameless", pid=os.getpid(), geometry=UNNAMED.bbox))
        self._open(self.windows[1])
        self._front = self._open(self.windows[0])
        self._pen = self._front.create_gc()
        self.settle()

    def paint(self, box: Box, bgr: Sequence[int]) -> None:
        """Fill a box of the screen, inside the front window."""
        self._pen.change(foreground=bgr[2] << 16 | bgr[1] << 8 | bgr[0])
        self._front.fill_rectangle(self._pen, box.x1 - FRONT.x1, box.y1 - FRONT.y1, box.width, box.height)
        self._display.sync()

    def settle(self) -> None:
        """Return when the window manager has nothing left to do.

        It holds each press back until it has looked at it, and thereby what came after: as long as an answer of its own
        brought something new, there may be more.
        """
        while True:
            before = len(self._events)
            self._ask_the_window_manager()
            if len(self._events) == before:
                return

    def arrived(self) -> list[InputEvent]:
        """What the windows got since asked last."""
        return [event for raw in self._take() if (event := self._input(raw)) is not None]

    def text(self) -> str:
        """What a text field would have got since asked last."""
        return "".join(self._written(raw) for raw in self._take() if raw.type == X.KeyPress)

    def clear_clipboard(self) -> None:
        """Leave the clipboard without an owner."""
        owner = self._root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        owner.set_selection_owner(self._display.get_atom("CLIPBOARD"), X.CurrentTime)
        owner.destroy()
        self._display.sync()

    def clipboard_owner(self) -> object:
        owner = self._display.get_selection_owner(self._display.get_atom("CLIPBOARD"))
        return getattr(owner, "id", owner)

    def lock(self) -> None:
        """Do what i3lock does: a window over everything, past the window manager, that takes all input."""
        size = self._root.get_geometry()
        cover = self._root.create_window(
            0, 0, size.width, size.height, 0, X.CopyFromParent, override_redirect=True, background_pixel=0
        )
        cover.set_wm_class("i3lock", "i3lock")
        cover.map()
        cover.grab_keyboard(True, X.GrabModeAsync, X.GrabModeAsync, X.CurrentTime)
        cover.grab_pointer(True, 0, X.GrabModeAsync, X.GrabModeAsync, X.NONE, X.NONE, X.CurrentTime)
        self._display.sync()

    def keyboard(self) -> tuple[object, ...]:
        """The keyboard's map, and what is pressed on it and on the mouse."""
        first, last = self._display.display.info.min_keycode, self._display.display.info.max_keycode
        rows = self._display.get_keyboard_mapping(first, last - first + 1)
        bound = [[keysym for keysym in row if keysym] for row in rows]
        return (bound, list(self._display.query_keymap()), self._root.query_pointer().mask)

    def close(self) -> None:
        self._display.close()

    def wait_for(self, fact: Callable[[], bool], what: str) -> None:
        """Wait until something holds that must come."""
        deadline_s = self._clock.monotonic() + _PATIENCE_S
        while not fact():
            if self._clock.monotonic() >= deadline_s:
                raise AssertionError(f"{what} did not come within {_PATIENCE_S:g} s")
            self._clock.sleep(_POLL_S)

    def _open(self, told: WindowContext) -> Any:
        box = Box.of(told.geometry or (0, 0, 1, 1))
        atom = self._display.get_atom
        window = self._root.create_window(
            box.x1, box.y1, box.width, box.height, 0, X.CopyFromParent, background_pixel=0xC8C8C8, event_mask=_WANTED
        )
        window.set_wm_class(told.app_name.lower(), told.app_name)
        window.change_property(atom("_NET_WM_PID"), atom("CARDINAL"), 32, [told.pid or 0])
        if told.title:
            window.change_property(atom("_NET_WM_NAME"), atom("UTF8_STRING"), 8, told.title.encode())
        # Static: the place asked for is that of the window, not of the frame around it.
        window.set_wm_normal_hints(
            flags=Xutil.USPosition | Xutil.PWinGravity, x=box.x1, y=box.y1, win_gravity=X.StaticGravity
        )
        window.map()
        self.wait_for(lambda: self._active() == window.id, f"the window {told.title!r}")
        return window

    def _active(self) -> int:
        prop = self._root.get_full_property(self._display.get_atom("_NET_ACTIVE_WINDOW"), X.AnyPropertyType)
        return int(prop.value[0]) if prop is not None and prop.value else 0

    def _ask_the_window_manager(self) -> None:
        answer, request = (
            self._display.get_atom(name) for name in ("_NET_FRAME_EXTENTS", "_NET_REQUEST_FRAME_EXTENTS")
        )
        question = ClientMessage(window=self._probe, client_type=request, data=(32, [0] * 5))
        self._root.send_event(question, event_mask=X.SubstructureRedirectMask | X.SubstructureNotifyMask)
        self._display.flush()
        while True:
            event = self._display.next_event()
            if event.type == X.MappingNotify:
                self._display.refresh_keyboard_mapping(event)
            elif event.type != X.PropertyNotify:
                self._events.append(event)
            elif event.window.id == self._probe.id and event.atom == answer:
                return

    def _take(self) -> list[Any]:
        self.settle()
        events, self._events = self._events, []
        return events

    def _input(self, raw: Any) -> InputEvent | None:
        pos = (raw.root_x, raw.root_y)
        held = frozenset(name for mask, name in _HELD.items() if raw.state & mask)
        if raw.type == X.MotionNotify:
            return InputEvent(InputKind.MOTION, 0, 0, pos, modifiers=held)
        if raw.type in (X.ButtonPress, X.ButtonRelease):
            press = raw.type == X.ButtonPress
            if raw.detail in _WHEEL:
                return InputEvent(InputKind.SCROLL, 0, 0, pos, scroll=_WHEEL[raw.detail]) if press else None
            kind = InputKind.BUTTON_PRESS if press else InputKind.BUTTON_RELEASE
            return InputEvent(kind, 0, 0, pos, _BUTTONS[raw.detail], modifiers=held)
        kind = InputKind.KEY_PRESS if raw.type == X.KeyPress else InputKind.KEY_RELEASE
        keysym = self._display.keycode_to_keysym(raw.detail, 0)
        name = _NAME_OF.get(keysym) or _char(keysym).upper()
        return InputEvent(kind, 0, 0, pos, key=name, modifiers=held - {name})

    def _written(self, raw: Any) -> str:
        column = bool(raw.state & X.ShiftMask) + (4 if raw.state & X.Mod5Mask else 0)
        keysym = self._display.keycode_to_keysym(raw.detail, column)
        if keysym in _MARKS:
            self._mark = _MARKS[keysym]
            return ""
        char = {"ENTER": "\n", "TAB": "\t"}.get(_NAME_OF.get(keysym, ""), _char(keysym))
        if char:
            char, self._mark = unicodedata.normalize("NFC", char + self._mark), ""
        return char


class Person:
    """Somebody at mouse and keyboard, through an XTEST connection of their own."""

    def __init__(self, display_name: str) -> None:
        self._display = Display(display_name)

    def move(self, to: Point) -> None:
        self._do(X.MotionNotify, x=to[0], y=to[1])

    def click(self, at: Point, *, button: MouseButton = MouseButton.LEFT, count: int = 1) -> None:
        self.move(at)
        for _ in range(count):
            self._push(_number(button))

    def drag(self, start: Point, end: Point, *, button: MouseButton = MouseButton.LEFT) -> None:
        self.move(start)
        self._do(X.ButtonPress, _number(button))
        for share in (0.25, 0.5, 0.75, 1.0):
            self.move((round(start[0] + (end[0] - start[0]) * share), round(start[1] + (end[1] - start[1]) * share)))
        self._do(X.ButtonRelease, _number(button))

    def scroll(self, at: Point, *, right: int = 0, down: int = 0) -> None:
        self.move(at)
        for _ in range(abs(down)):
            self._push(5 if down > 0 else 4)
        for _ in range(abs(right)):
            self._push(7 if right > 0 else 6)

    def type_text(self, text: str) -> None:
        for char in text:
            for keysym in self._keysyms(char):
                code, column = min(self._display.keysym_to_keycodes(keysym), key=lambda place: place[1])
                held = [name for name, needed in (("SHIFT", column & 1), ("ALTGR", column & 4)) if needed]
                self._chord([*(self._code(name) for name in held), code])

    def press(self, keys: Sequence[str]) -> None:
        self._chord([self._code(key) for key in keys])

    def close(self) -> None:
        self._display.close()

    def _keysyms(self, char: str) -> Iterator[int]:
        """The keys to press: one that bears the character, or the accent and then the letter."""
        keysym = _EURO if char == "€" else ord(char)
        if self._display.keysym_to_keycodes(keysym):
            yield keysym
            return
        letter, mark = list(unicodedata.normalize("NFD", char))
        yield next(dead for dead, combining in _MARKS.items() if combining == mark)
        yield ord(letter)

    def _code(self, key: str) -> int:
        return int(self._display.keysym_to_keycode(_KEYSYM_OF.get(key) or ord(key.lower())))

    def _chord(self, codes: Sequence[int]) -> None:
        for code in codes:
            self._do(X.KeyPress, code)
        for code in reversed(codes):
            self._do(X.KeyRelease, code)

    def _push(self, button: int) -> None:
        self._do(X.ButtonPress, button)
        self._do(X.ButtonRelease, button)

    def _do(self, kind: int, detail: int = 0, x: int = 0, y: int = 0) -> None:
        self._display.xtest_fake_input(kind, detail, x=x, y=y)
        self._display.sync()


def _number(button: MouseButton) -> int:
    return next(number for number, name in _BUTTONS.items() if name is button)


def _char(keysym: int) -> str:
    if keysym >= _UNICODE:
        return chr(keysym - _UNICODE)
    return chr(keysym) if 0x20 <= keysym < 0x100 or keysym == _EURO else {0x13BC: "Œ", 0x13BD: "œ"}.get(keysym, "")
