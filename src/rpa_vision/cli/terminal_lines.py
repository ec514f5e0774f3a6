"""The lines a person types into the terminal of a run: read in one place, for whoever has asked her something.

A line is an answer to what is asked when it is typed. What was typed before anybody asked is no answer to anything.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections.abc import Callable, Iterable, Iterator

if sys.platform != "win32":
    import termios

_ENDED = ""
"""What is read when nothing more will come."""


class TerminalLines:
    """Hands each line to the one who waits for it, else to the one who listens. Reads only once somebody does."""

    def __init__(self, typed: Iterable[str] | None = None) -> None:
        """`typed` are the lines a person types; without them, those of the terminal."""
        self._typed = typed
        self._lock = threading.Lock()
        self._waiting: queue.SimpleQueue[str] | None = None
        self._listener: Callable[[str], None] = lambda line: None
        self._has_ended = False
        self._reader: threading.Thread | None = None

    def read(self) -> str:
        """Wait for the next line that is typed; an empty one means that none will come."""
        mine: queue.SimpleQueue[str] = queue.SimpleQueue()
        with self._lock:
            if self._has_ended:
                return _ENDED
            self._waiting = mine
        self._begin()
        return mine.get()

    def listen(self, on_line: Callable[[str], None]) -> None:
        """Let every line be heard that nobody waits for, from a thread of its own."""
        with self._lock:
            self._listener = on_line
        self._begin()

    def leave(self) -> None:
        """Whoever waits for a line waits in vain: the person is leaving."""
        with self._lock:
            self._has_ended = True
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.put(_ENDED)

    def _begin(self) -> None:
        with self._lock:
            if self._reader is None:
                self._reader = threading.Thread(target=self._read, name="terminal lines", daemon=True)
                self._reader.start()

    def _read(self) -> None:
        for line in self._typed if self._typed is not None else _terminal():
            with self._lock:
                waiting, self._waiting = self._waiting, None
                listener = self._listener
            if waiting is not None:
                waiting.put(line)
            else:
                listener(line)
        with self._lock:
            self._has_ended = True
            waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.put(_ENDED)


def _terminal() -> Iterator[str]:
    """Past Python's own buffer, whose lock a thread must not hold while the program ends."""
    source, rest = sys.stdin.fileno(), b""
    if os.isatty(source) and sys.platform != "win32":
        termios.tcflush(source, termios.TCIFLUSH)  # typed before anybody asked
    while part := os.read(source, 4096):
        *whole, rest = (rest + part).split(b"\n")
        for line in whole:
            yield line.decode(sys.stdin.encoding or "utf-8", "replace") + "\n"
    if rest:
        yield rest.decode(sys.stdin.encoding or "utf-8", "replace")
