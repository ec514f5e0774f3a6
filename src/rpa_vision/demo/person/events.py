"""What hands do, one event at a time, and the XTEST way of doing it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TextIO

from Xlib import X
from Xlib.ext import xtest


class Kind(StrEnum):
    """The inputs a hand can give."""

    MOVE = "move"
    BUTTON_DOWN = "button_down"
    BUTTON_UP = "button_up"
    KEY_DOWN = "key_down"
    KEY_UP = "key_up"


@dataclass(frozen=True, slots=True)
class Event:
    """One input: a place for a move, else a button number or a key code in `detail`."""

    kind: Kind
    detail: int = 0
    x: int = 0
    y: int = 0


_RIGHT = 3
Sink = Callable[[Event], None]

_X_KINDS = {
    Kind.BUTTON_DOWN: X.ButtonPress,
    Kind.BUTTON_UP: X.ButtonRelease,
    Kind.KEY_DOWN: X.KeyPress,
    Kind.KEY_UP: X.KeyRelease,
}


class XTestSink:
    """Sends events to the X server as if devices did, and can write down what it sent."""

    def __init__(self, display: Any, log: TextIO | None = None) -> None:
        self._display = display
        self._log = log
        self.presses = 0
        """How many buttons and keys went down so far, the wheel aside."""

    def __call__(self, event: Event) -> None:
        is_wheel = event.kind is Kind.BUTTON_DOWN and event.detail > _RIGHT
        self.presses += event.kind in (Kind.BUTTON_DOWN, Kind.KEY_DOWN) and not is_wheel
        if event.kind is Kind.MOVE:
            xtest.fake_input(self._display, X.MotionNotify, x=event.x, y=event.y)
        else:
            xtest.fake_input(self._display, _X_KINDS[event.kind], event.detail)
        self._display.sync()
        if self._log is not None:
            written = (
                [event.kind.value, event.x, event.y] if event.kind is Kind.MOVE else [event.kind.value, event.detail]
            )
            self._log.write(json.dumps(written) + "\n")
