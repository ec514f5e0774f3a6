"""What the person does, heard with the RECORD extension.

Each event carries the server's own time, so that the frame before it can be found; keys are decoded here, from key code
and state, because the libraries that do it get AltGr and remapped keys wrong.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from Xlib import X
from Xlib.ext import record

from rpa_vision.adapters.desktop.x11.background import StopSignal, running
from rpa_vision.adapters.desktop.x11.compose import Composer
from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.adapters.desktop.x11.focus import FocusTracker
from rpa_vision.adapters.desktop.x11.keymap import KeyMap
from rpa_vision.adapters.desktop.x11.keysyms import DEAD
from rpa_vision.adapters.desktop.x11.sent_input import SentInput, SentReader
from rpa_vision.adapters.desktop.x11.servertime import ServerTime
from rpa_vision.errors import DesktopError
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import InputEvent, InputKind, MouseButton
from rpa_vision.ports.runtime import Clock

# A core device event: type, detail, sequence, time, three windows, root x and y, window x and y, state, two bytes.
_EVENT = struct.Struct("=BBHIIIIhhhhHBB")

_BUTTONS = {1: MouseButton.LEFT, 2: MouseButton.MIDDLE, 3: MouseButton.RIGHT}
_WHEEL: dict[int, Point] = {4: (0, -1), 5: (0, 1), 6: (-1, 0), 7: (1, 0)}
_SILENCING_MODIFIERS = frozenset({"CTRL", "ALT", "SUPER"})


class X11Ears:
    """Implements `ports.desktop.Ears`. Each `listen` has its own connections and thread."""

    def __init__(self, display_name: str | None, clock: Clock, sent_input: SentInput | None = None) -> None:
        self._display_name = display_name
        self._clock = clock
        self._sent_input = sent_input or SentInput()

    def listen(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> AbstractContextManager[None]:
        def work(stop: StopSignal, ready: Callable[[], None]) -> None:
            session = _Listening(self._display_name, self._clock, on_event, self._sent_input.reader())
            try:
                session.run(stop, ready)
            finally:
                session.close()

        return running("listening to input", work, on_lost=on_lost)


class _Listening:
    """One connection receives the recording and nothing else; the other one follows focus and keyboard map."""

    def __init__(
        self, display_name: str | None, clock: Clock, on_event: Callable[[InputEvent], None], sent: SentReader
    ) -> None:
        self._clock = clock
        self._on_event = on_event
        self._sent = sent
        self._recording = Connection(display_name, requires=("RECORD",))
        self._following = Connection(display_name)
        self._time = ServerTime(self._following, clock)
        self._focus = FocusTracker(self._following)
        self._keymap = KeyMap.fetch(self._following)
        self._composer = Composer()
        self._started = False

    def run(self, stop: StopSignal, ready: Callable[[], None]) -> None:
        files = [self._recording.fileno(), self._following.fileno()]
        with self._recording.use() as display:
            context = display.record_create_context(0, [record.AllClients], [_WHAT_TO_RECORD])
            # Deferred: the answers come while we wait on both connections, instead of blocking here for ever.
            record.EnableContext(
                callback=self._on_reply,
                display=display.display,
                defer=True,
                opcode=display.display.get_extension_major("RECORD"),
                context=context,
            )
            display.flush()
            while True:
                display.pending_events()
                self._follow()
                if self._started:
                    ready()
                if not stop.wait(files):
                    return

    def close(self) -> None:
        self._recording.close()
        self._following.close()

    def _follow(self) -> None:
        for event in self._following.events():
            if event.type == X.MappingNotify:
                self._keymap = KeyMap.fetch(self._following)
            else:
                self._focus.handle(event)

    def _on_reply(self, reply: Any) -> None:
        if reply.category == record.StartOfData:
            self._started = True
        elif reply.category == record.EndOfData:
            raise DesktopError("the X server no longer tells what is typed and clicked")
        if reply.category != record.FromServer or reply.client_swapped:
            return
        heard_s = self._clock.monotonic()
        data = bytes(reply.data)
        # A key map or focus that changed before these events must be known before they are read.
        self._follow()
        for offset in range(0, len(data) - _EVENT.size + 1, _EVENT.size):
            fields = _EVENT.unpack_from(data, offset)
            own = self._sent.is_own(fields[0], fields[1], fields[7], fields[8])
            for event in self._decode(fields, heard_s):
                self._on_event(replace(event, own=own))

    def _decode(self, fields: tuple[int, ...], heard_s: float) -> Iterator[InputEvent]:
        kind, detail, _, server_ms, _, _, _, x, y, _, _, state, _, _ = fields
        at_s = min(self._time.to_monotonic(server_ms), heard_s)
        modifiers = self._keymap.modifiers(state)
        if kind == X.MotionNotify:
            yield InputEvent(InputKind.MOTION, at_s, heard_s, (x, y), modifiers=modifiers)
            return
        window = self._focus.before(server_ms)
        if kind in (X.ButtonPress, X.ButtonRelease):
            press = kind == X.ButtonPress
            if detail in _BUTTONS:
                what = InputKind.BUTTON_PRESS if press else InputKind.BUTTON_RELEASE
                yield InputEvent(
                    what, at_s, heard_s, (x, y), button=_BUTTONS[detail], modifiers=modifiers, window=window
                )
            elif detail in _WHEEL and press:
                yield InputEvent(
                    InputKind.SCROLL, at_s, heard_s, (x, y), scroll=_WHEEL[detail], modifiers=modifiers, window=window
                )
            return
        if kind not in (X.KeyPress, X.KeyRelease):
            return
        key = self._keymap.decode(detail, state)
        what = InputKind.KEY_PRESS if kind == X.KeyPress else InputKind.KEY_RELEASE
        char = self._written(key.name, key.keysym, key.char, modifiers) if kind == X.KeyPress else None
        held = modifiers - {key.name} if key.name else modifiers
        yield InputEvent(what, at_s, heard_s, (x, y), key=key.name, char=char, modifiers=held, window=window)

    def _written(self, name: str | None, keysym: int, char: str | None, modifiers: frozenset[str]) -> str | None:
        if name in _MODIFIER_KEYS:
            return None
        if modifiers & _SILENCING_MODIFIERS:
            self._composer.press(0, None)
            return None
        if char is None and keysym not in DEAD:
            self._composer.press(0, None)
            return None
        return self._composer.press(keysym, char)


_MODIFIER_KEYS = frozenset({"CTRL", "ALT", "SHIFT", "ALTGR", "SUPER", "CAPS_LOCK", "NUM_LOCK"})

_WHAT_TO_RECORD = {
    "core_requests": (0, 0),
    "core_replies": (0, 0),
    "ext_requests": (0, 0, 0, 0),
    "ext_replies": (0, 0, 0, 0),
    "delivered_events": (0, 0),
    "device_events": (X.KeyPress, X.MotionNotify),
    "errors": (0, 0),
    "client_started": False,
    "client_died": False,
}
