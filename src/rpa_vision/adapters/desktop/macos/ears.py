"""What the person does, by an event tap that only listens."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager

from rpa_vision.adapters.desktop.delivery import Delivery
from rpa_vision.adapters.desktop.macos import api as m
from rpa_vision.adapters.desktop.macos.keys import FLAG_BY_NAME, NAME_BY_CODE, modifiers
from rpa_vision.adapters.desktop.macos.screen import MacScreen
from rpa_vision.errors import DesktopError, EnvironmentMissingError
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import InputEvent, InputKind, MouseButton
from rpa_vision.ports.runtime import Clock

_BUTTONS = {
    m.LEFT_DOWN: (InputKind.BUTTON_PRESS, MouseButton.LEFT),
    m.LEFT_UP: (InputKind.BUTTON_RELEASE, MouseButton.LEFT),
    m.RIGHT_DOWN: (InputKind.BUTTON_PRESS, MouseButton.RIGHT),
    m.RIGHT_UP: (InputKind.BUTTON_RELEASE, MouseButton.RIGHT),
    m.OTHER_DOWN: (InputKind.BUTTON_PRESS, MouseButton.MIDDLE),
    m.OTHER_UP: (InputKind.BUTTON_RELEASE, MouseButton.MIDDLE),
}
_MOVES = (m.MOVED, m.LEFT_DRAGGED, m.RIGHT_DRAGGED, m.OTHER_DRAGGED)
_MIDDLE_BUTTON = 2
_PRIVATE_USE = range(0xF700, 0xF900)
"""Characters by which macOS "writes" arrows and function keys."""


class MacEars:
    """Listens."""

    def __init__(self, api: m.MacApi, screen: MacScreen, clock: Clock) -> None:
        self._api = api
        self._screen = screen
        self._clock = clock
        self._listening: weakref.WeakSet[_Listening] = weakref.WeakSet()

    def listen(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> AbstractContextManager[None]:
        listening = _Listening(self._api, self._screen, self._clock, on_event, on_lost)
        self._listening.add(listening)
        return listening

    def close(self) -> None:
        for listening in list(self._listening):
            listening.end()


class _Listening:
    def __init__(
        self,
        api: m.MacApi,
        screen: MacScreen,
        clock: Clock,
        on_event: Callable[[InputEvent], None],
        on_lost: Callable[[Exception], None] | None,
    ) -> None:
        self._api = api
        self._screen = screen
        self._clock = clock
        self._on_lost = on_lost
        self._delivery: Delivery[InputEvent] = Delivery(on_event, "ears-delivery", on_lost)
        self._tap: m.Tap | None = None
        self._error: Exception | None = None
        self._last_s = float("-inf")

    def __enter__(self) -> None:
        if not self._api.may_listen():
            raise EnvironmentMissingError(
                "macOS does not let us listen to the keyboard",
                remedy="Allow the program that runs rpa-vision (Terminal, or python) under System Settings > "
                "Privacy & Security > Input Monitoring, then start it again.",
            )
        self._delivery.start()
        self._tap = self._api.start_tap(self._note)
        if self._tap is None:
            self._delivery.stop()
            raise DesktopError("macOS made no event tap", remedy="Check the Input Monitoring permission; log in again.")

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        failure = self.end()
        if failure is not None and error is None and self._on_lost is None:
            raise failure

    def end(self) -> Exception | None:
        if self._tap is None:
            return None
        tap, self._tap = self._tap, None
        tap.stop()
        return self._delivery.stop() or self._error

    def _note(self, raw: m.MacEvent) -> None:
        try:
            event = self._read(raw)
            if event is not None:
                self._delivery.put(event)
        except Exception as error:  # nothing may escape into the system; raised where the listening ends
            self._error = self._error or error
            if self._on_lost is not None:
                self._on_lost(error)

    def _read(self, raw: m.MacEvent) -> InputEvent | None:
        held = modifiers(raw.flags)
        if raw.kind in _BUTTONS:
            kind, button = _BUTTONS[raw.kind]
            if button is MouseButton.MIDDLE and raw.button != _MIDDLE_BUTTON:
                return None
            return self._event(raw, kind, held, button=button)
        if raw.kind in _MOVES:
            return self._event(raw, InputKind.MOTION, held)
        if raw.kind == m.SCROLL:
            scroll = (-raw.scroll_left, -raw.scroll_up)
            return self._event(raw, InputKind.SCROLL, held, scroll=scroll) if scroll != (0, 0) else None
        if raw.kind == m.FLAGS_CHANGED:
            return self._modifier(raw, held)
        if raw.kind not in (m.KEY_DOWN, m.KEY_UP):
            return None
        name = _name(raw)
        if raw.kind == m.KEY_UP:
            return self._event(raw, InputKind.KEY_RELEASE, held, key=name)
        return self._event(raw, InputKind.KEY_PRESS, held, key=name, char=_written(raw, held))

    def _modifier(self, raw: m.MacEvent, held: frozenset[str]) -> InputEvent | None:
        """macOS tells which key changed and what holds now; down is what holds now."""
        name = NAME_BY_CODE.get(raw.key_code)
        flag = FLAG_BY_NAME.get(name or "", 0)
        if not flag:
            return None
        kind = InputKind.KEY_PRESS if raw.flags & flag == flag else InputKind.KEY_RELEASE
        return self._event(raw, kind, held - {name or ""}, key=name)

    def _event(
        self,
        raw: m.MacEvent,
        kind: InputKind,
        held: frozenset[str],
        *,
        button: MouseButton | None = None,
        scroll: Point | None = None,
        key: str | None = None,
        char: str | None = None,
    ) -> InputEvent:
        heard_s = self._clock.monotonic()
        age_s = max(0, self._api.uptime_ns() - raw.time_ns) / 1e9
        self._last_s = min(heard_s, max(self._last_s, heard_s - age_s))
        pos = self._screen.to_port(raw.x, raw.y)
        front = self._screen.front_window()
        window = self._screen.context(front) if front else None
        return InputEvent(kind, self._last_s, heard_s, pos, button, scroll, key, char, held, window)


def _name(raw: m.MacEvent) -> str | None:
    """The port's name; for keys that write, by what they write, because key codes are places on a US keyboard."""
    by_place = NAME_BY_CODE.get(raw.key_code)
    if by_place is not None and len(by_place) > 1:
        return by_place
    upper = raw.text.upper()
    return upper if len(upper) == 1 and upper.isalnum() and upper.isascii() else by_place


def _written(raw: m.MacEvent, held: frozenset[str]) -> str | None:
    if held & {"CTRL", "SUPER"}:
        return None
    text = "".join(c for c in raw.text if c.isprintable() and ord(c) not in _PRIVATE_USE)
    return text or None
