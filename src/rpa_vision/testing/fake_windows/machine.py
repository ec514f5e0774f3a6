"""The state of the fake PC that every part of the fake Windows shares."""

from __future__ import annotations

import itertools
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.ports.runtime import Clock

ERROR_ACCESS_DENIED = 5
ERROR_INVALID_HANDLE = 6
ERROR_INVALID_PARAMETER = 87
ERROR_INSUFFICIENT_BUFFER = 122
ERROR_INVALID_WINDOW_HANDLE = 1400
ERROR_CLASS_DOES_NOT_EXIST = 1411
ERROR_CLIPBOARD_NOT_OPEN = 1418
ERROR_HOOK_NEEDS_HMOD = 1428
ERROR_INVALID_THREAD_ID = 1444

MEDIUM_INTEGRITY, HIGH_INTEGRITY = 0x2000, 0x3000
OUR_PID = 4242
CONTEXT_UNAWARE, CONTEXT_V2 = 0x6010, 0x0022
T = TypeVar("T")


@dataclass
class FakeProcess:
    """A program and its rights."""

    pid: int
    image: str
    integrity: int = MEDIUM_INTEGRITY
    protected: bool = False
    """OpenProcess is denied."""
    token_readable: bool = True


@dataclass
class FakeWindow:
    """A top-level window."""

    handle: int
    title: str
    pid: int
    rect: Box
    """In Windows' coordinates, with the invisible border."""
    seen: Box | None = None
    """What the compositor tells; None makes DwmGetWindowAttribute fail."""
    visible: bool = True
    cloaked: bool = False
    minimized: bool = False
    hung: bool = False
    ex_style: int = 0
    owner: int = 0
    thread_id: int = 0
    inner_pid: int = 0
    """The process of a store app inside its frame."""
    refuses_front: bool = False


@dataclass
class FakeThread:
    """A thread as Windows knows it: a number, maybe a message queue, whom its input is attached to."""

    thread_id: int
    has_queue: bool = False
    attached_to: set[int] = field(default_factory=set)
    dpi_context: int | None = None
    waiting: threading.Condition = field(default_factory=threading.Condition)
    items: deque[tuple[int, int, int] | Callable[[], None]] = field(default_factory=deque)
    """Posted messages, and calls (of hooks) to be made while the thread waits for messages."""


class Machine:
    """A PC: monitors, processes, windows, and what Windows keeps per thread."""

    def __init__(self, clock: Clock, monitors: tuple[Box, ...], dpi: int, tick_offset_ms: int) -> None:
        self.clock = clock
        self.monitors = monitors
        """In Windows' coordinates, the primary one (with the origin) among them."""
        self.dpi = dpi
        self.tick_offset_ms = tick_offset_ms
        self.tick_step_ms = 16
        self.locked = False
        self.input_desktop_error = 0
        """With what OpenInputDesktop fails although nothing is locked; 0: it does not."""
        self.bounds = monitors[0]
        for monitor in monitors[1:]:
            self.bounds = self.bounds.union(monitor)
        self.pixels: Pixels = np.zeros((self.bounds.height, self.bounds.width, 4), np.uint8)
        self.cursor = (0, 0)
        self.swapped_buttons = False
        self.processes: dict[int, FakeProcess] = {
            OUR_PID: FakeProcess(OUR_PID, r"C:\Python311\python.exe"),
            1: FakeProcess(1, r"C:\Windows\explorer.exe"),
        }
        self.windows: list[FakeWindow] = []
        """From front to back."""
        self.foreground = 0
        self.process_dpi_context = CONTEXT_UNAWARE
        self.dpi_was_set = False
        self._handles: dict[int, object] = {}
        # Above 32 bits: a handle that was cut short on its way finds nothing here.
        self._numbers = itertools.count(0x1_0000_0010, 0x10)
        self._thread_ids = itertools.count(7001)
        self._threads: list[FakeThread] = []
        self._local = threading.local()

    # errors, handles, threads

    def fail(self, error: int, result: int = 0) -> int:
        """Set the thread's last error and give the result that says so."""
        self._local.error = error
        return result

    def last_error(self) -> int:
        return int(getattr(self._local, "error", 0))

    def new_handle(self, thing: object) -> int:
        handle = next(self._numbers)
        self._handles[handle] = thing
        return handle

    def by_handle(self, handle: int, kind: type[T]) -> T | None:
        thing = self._handles.get(handle)
        return thing if isinstance(thing, kind) else None

    def drop_handle(self, handle: int, kind: type[object]) -> bool:
        if self.by_handle(handle, kind) is None:
            return False
        del self._handles[handle]
        return True

    def open_handles(self) -> list[object]:
        """What was opened and not given back."""
        return list(self._handles.values())

    def thread(self) -> FakeThread:
        """The calling thread."""
        known: FakeThread | None = getattr(self._local, "thread", None)
        if known is None:
            known = self._local.thread = FakeThread(next(self._thread_ids))
            self._threads.append(known)
        return known

    def thread_by_id(self, thread_id: int) -> FakeThread | None:
        return next((thread for thread in self._threads if thread.thread_id == thread_id), None)

    # time and coordinates

    def tick(self) -> int:
        """Milliseconds since the start, in steps, starting anew after 32 bits."""
        now_ms = int(self.clock.monotonic() * 1000) // self.tick_step_ms * self.tick_step_ms
        return (now_ms + self.tick_offset_ms) & 0xFFFFFFFF

    def factor(self) -> float:
        """By how much Windows divides coordinates for the calling thread: 1 for those that are DPI aware."""
        context = self.thread().dpi_context or self.process_dpi_context
        return 1.0 if context == CONTEXT_V2 else self.dpi / 96

    def told(self, value: int) -> int:
        """A coordinate as it is told to the calling thread."""
        return int(value / self.factor())

    # windows

    def window(self, handle: int) -> FakeWindow | None:
        return next((window for window in self.windows if window.handle == handle), None)

    def front_window(self) -> FakeWindow | None:
        return self.window(self.foreground)

    def window_under(self, x: int, y: int) -> FakeWindow | None:
        return next(
            (w for w in self.windows if w.visible and not w.minimized and not w.cloaked and w.rect.contains((x, y))),
            None,
        )
