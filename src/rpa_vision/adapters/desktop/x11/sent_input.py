"""What our own hands sent, so that the ears can tell it from what a person did.

XTEST input looks like any other once the server has it, and the device it came from is the same for every program that
uses XTEST. So each event is noted before it is sent; events come back in the order in which they were sent, and what
was not noted is somebody else's.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass
from weakref import WeakSet

from Xlib import X

_MOST = 4096
"""Noted events that never came back are forgotten beyond that many: the server does not tell of every move."""


@dataclass(frozen=True, slots=True)
class _Sent:
    kind: int
    detail: int
    x: int
    y: int

    def is_like(self, kind: int, detail: int, x: int, y: int) -> bool:
        if kind != self.kind:
            return False
        if kind == X.MotionNotify:
            return (x, y) == (self.x, self.y)
        # The server may have swapped the buttons for a left hand.
        return kind in (X.ButtonPress, X.ButtonRelease) or detail == self.detail


class SentInput:
    """Notes what is sent; everyone who listens reads it for himself."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._readers: WeakSet[SentReader] = WeakSet()

    def note(self, kind: int, detail: int = 0, *, x: int = 0, y: int = 0) -> None:
        """This is about to be sent."""
        sent = _Sent(kind, detail, x, y)
        with self._lock:
            for reader in self._readers:
                reader.waiting.append(sent)

    def reader(self) -> SentReader:
        """For one listener, who hears everything from now on."""
        reader = SentReader()
        with self._lock:
            self._readers.add(reader)
        return reader


class SentReader:
    """What was sent and has not been heard yet. Used by one thread; noted by others."""

    def __init__(self) -> None:
        self.waiting: deque[_Sent] = deque(maxlen=_MOST)
        self._held: set[int] = set()

    def is_own(self, kind: int, detail: int, x: int, y: int) -> bool:
        """Whether that event is the next of ours; what was sent before it and not heard was lost on the way."""
        for position, sent in enumerate(tuple(self.waiting)):
            if sent.is_like(kind, detail, x, y):
                for _ in range(position + 1):
                    self.waiting.popleft()
                self._hold(kind, detail)
                return True
        # A key we hold for long is repeated by the server.
        return kind in (X.KeyPress, X.KeyRelease) and detail in self._held

    def _hold(self, kind: int, detail: int) -> None:
        if kind == X.KeyPress:
            self._held.add(detail)
        elif kind == X.KeyRelease:
            self._held.discard(detail)
