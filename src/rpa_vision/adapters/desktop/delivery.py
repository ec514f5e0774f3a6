"""Two small threads that every desktop needs: one hands things to a callback, one looks for changed frames.

A callback that fails does not vanish with its thread: its error is raised where the listening ends.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

import numpy as np

from rpa_vision.models.frame import Frame
from rpa_vision.ports.runtime import Clock

T = TypeVar("T")

_LONGEST_NAP_S = 0.05
"""A watcher at a low frame rate still notices quickly that it shall end."""


class Delivery(Generic[T]):
    """Calls back from its own thread, in order, so that whoever reports things never waits for the callback."""

    def __init__(
        self, callback: Callable[[T], None], name: str, on_error: Callable[[Exception], None] | None = None
    ) -> None:
        """`on_error` is told at once that nothing more is handed over."""
        self._callback = callback
        self._on_error = on_error
        self._queue: queue.Queue[T | None] = queue.Queue()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def put(self, item: T) -> None:
        self._queue.put(item)

    def flush(self) -> None:
        """Wait until everything put so far was handed over."""
        self._queue.join()

    def stop(self) -> Exception | None:
        """Hand over what is left, end, and give the error of the callback if it had one."""
        self._queue.put(None)
        if threading.current_thread() is not self._thread:
            self._thread.join()
        return self._error

    def _run(self) -> None:
        while (item := self._queue.get()) is not None:
            try:
                if self._error is None:
                    self._callback(item)
            except Exception as error:  # the top of a thread: kept for whoever ends the delivery
                self._error = error
                if self._on_error is not None:
                    self._on_error(error)
            finally:
                self._queue.task_done()
        self._queue.task_done()


class FrameWatch:
    """Takes a frame at most `max_fps` times a second and reports the first one and each that differs."""

    def __init__(
        self, grab: Callable[[], Frame], on_frame: Callable[[Frame], None], clock: Clock, max_fps: float
    ) -> None:
        self._grab = grab
        self._on_frame = on_frame
        self._clock = clock
        self._period_s = 1.0 / max(max_fps, 0.01)
        self._stopped = threading.Event()
        self._error: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="frame-watch", daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._stopped.set()
        if threading.current_thread() is not self._thread:
            self._thread.join()
        if self._error is not None and error is None:
            raise self._error

    def _run(self) -> None:
        try:
            last: Frame | None = None
            while not self._stopped.is_set():
                began_s = self._clock.monotonic()
                frame = self._grab()
                if last is None or not same_pixels(last, frame):
                    last = frame
                    self._on_frame(frame)
                self._wait_until(began_s + self._period_s)
        except Exception as error:  # the top of a thread: raised where the watching ends
            self._error = error

    def _wait_until(self, due_s: float) -> None:
        while not self._stopped.is_set() and (left_s := due_s - self._clock.monotonic()) > 0:
            self._clock.sleep(min(left_s, _LONGEST_NAP_S))


def same_pixels(one: Frame, other: Frame) -> bool:
    """Say whether two frames show the same, four bytes at a time because that is much faster."""
    if one.pixels.shape != other.pixels.shape:
        return False
    return bool(np.array_equal(_words(one), _words(other)))


def _words(frame: Frame) -> np.ndarray[tuple[int, ...], np.dtype[np.uint32]]:
    return np.ascontiguousarray(frame.pixels).view(np.uint32)
