"""The X server's clock against ours.

A local server counts CLOCK_MONOTONIC in milliseconds, on 32 bits, and lets it lag a few milliseconds behind. A server
elsewhere counts something else; then the difference is measured.
"""

from __future__ import annotations

from Xlib import X, Xatom

from rpa_vision.adapters.desktop.x11.connection import Connection
from rpa_vision.ports.runtime import Clock

_WRAP_MS = 1 << 32
_SAME_CLOCK_MS = 50.0
_TRIES = 3


class ServerTime:
    """Maps times of the server to monotonic seconds."""

    def __init__(self, connection: Connection, clock: Clock) -> None:
        self._clock = clock
        self._ahead_ms = _measure(connection, clock)

    def to_monotonic(self, server_ms: int) -> float:
        """Give our time of a recent moment of the server's clock: the same for the same moment, whenever asked."""
        ours_ms = server_ms - self._ahead_ms
        wraps = round((self._clock.monotonic() * 1000 - ours_ms) / _WRAP_MS)
        return (ours_ms + wraps * _WRAP_MS) / 1000


def _measure(connection: Connection, clock: Clock) -> float:
    """How far the server's clock is ahead of ours, in milliseconds; 0 when it is the same clock."""
    best_width_ms, best_ahead_ms = float("inf"), 0.0
    with connection.use() as display:
        window = connection.root.create_window(
            0, 0, 1, 1, 0, X.CopyFromParent, X.InputOnly, event_mask=X.PropertyChangeMask
        )
        for _ in range(_TRIES):
            began_ms = clock.monotonic() * 1000
            window.change_property(Xatom.WM_NAME, Xatom.STRING, 8, b".")
            event = display.next_event()
            while event.type != X.PropertyNotify or event.window.id != window.id:
                event = display.next_event()
            ended_ms = clock.monotonic() * 1000
            if ended_ms - began_ms < best_width_ms:
                best_width_ms = ended_ms - began_ms
                best_ahead_ms = _wrapped(event.time - (began_ms + ended_ms) / 2)
        window.destroy()
        display.flush()
    return 0.0 if abs(best_ahead_ms) < _SAME_CLOCK_MS else best_ahead_ms


def _wrapped(difference_ms: float) -> float:
    return (difference_ms + _WRAP_MS / 2) % _WRAP_MS - _WRAP_MS / 2
