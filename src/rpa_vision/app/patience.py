"""Something that is done once nothing has happened for a while."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Patience:
    """Calls `then`, from a thread of its own, `after_s` after it was last begun, unless it was ended."""

    def __init__(self, after_s: float, then: Callable[[], None]) -> None:
        self._after_s = after_s
        self._then = then
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def begin(self) -> None:
        """Wait, from now on."""
        timer = threading.Timer(self._after_s, self._then)
        timer.daemon = True
        with self._lock:
            self._replace(timer)
        timer.start()

    def end(self) -> None:
        """Wait no more."""
        with self._lock:
            self._replace(None)

    def _replace(self, timer: threading.Timer | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = timer
