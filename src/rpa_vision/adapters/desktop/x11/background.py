"""A thread that waits on sockets, and ends when told: what `watch` and `listen` have in common."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rpa_vision.errors import DesktopError


class StopSignal:
    """Lets a thread wait for sockets and for the order to stop at once."""

    def __init__(self) -> None:
        self._near, self._far = socket.socketpair()
        self._stopped = threading.Event()

    @property
    def stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        if not self._stopped.is_set():
            self._stopped.set()
            self._far.send(b".")

    def wait(self, files: Sequence[int], timeout_s: float | None = None) -> bool:
        """Wait until a file is readable, the time is over or the order comes; say whether to go on."""
        select.select([*files, self._near.fileno()], [], [], timeout_s)
        return not self.stopped

    def close(self) -> None:
        self._near.close()
        self._far.close()


@contextmanager
def running(
    name: str,
    work: Callable[[StopSignal, Callable[[], None]], None],
    *,
    start_timeout_s: float = 10.0,
    on_lost: Callable[[Exception], None] | None = None,
) -> Iterator[None]:
    """Run `work(stop, ready)` in a thread while entered. Entering returns when it said ready.

    What ends the work before it is told to is told to `on_lost` at once; without that it is raised on leaving, unless
    the block raised already: a recorder that went deaf must not look like one that heard nothing.
    """
    stop = StopSignal()
    ready = threading.Event()
    failures: list[Exception] = []

    def top() -> None:
        try:
            work(stop, ready.set)
            if not stop.stopped:
                raise DesktopError(f"{name} ended by itself")
        except Exception as error:  # the top of a thread: nobody else would hear of it
            failures.append(error)
            if on_lost is not None and ready.is_set() and not stop.stopped:
                on_lost(error)
        finally:
            ready.set()

    thread = threading.Thread(target=top, name=name, daemon=True)
    thread.start()
    try:
        if not ready.wait(start_timeout_s):
            raise DesktopError(f"{name} did not start within {start_timeout_s:g} s")
        if failures:
            raise failures.pop()
        yield
    finally:
        stop.stop()
        if thread is not threading.current_thread():
            thread.join()
        stop.close()
    if failures and on_lost is None:
        raise failures[0]
