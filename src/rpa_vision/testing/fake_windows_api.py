"""A fake Windows that the Windows adapter cannot tell from the real one through its C functions.

Each function is made a real C function with the signature of the adapter's own table and is called through ctypes:
structures, pointers and callbacks travel as memory, 64 bits wide, exactly as they would into user32. What Windows
checks is checked here (sizes of structures, handles, who may do what), and fails as Windows fails: by a return value
and a last error. What the fake rests on is Microsoft's documentation; see docs/limits.md.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
from collections.abc import Callable
from typing import Any

from rpa_vision.adapters.desktop.windows.api import PROTOTYPES, Prototype, WindowsApi
from rpa_vision.models.geometry import Box
from rpa_vision.ports.runtime import Clock
from rpa_vision.testing.fake_windows.clipboard import FakeClipboard
from rpa_vision.testing.fake_windows.display import FakeDisplay
from rpa_vision.testing.fake_windows.input import FakeInput
from rpa_vision.testing.fake_windows.keyboard import FakeKeyboard
from rpa_vision.testing.fake_windows.layouts import LAYOUTS
from rpa_vision.testing.fake_windows.machine import (
    HIGH_INTEGRITY,
    MEDIUM_INTEGRITY,
    FakeProcess,
    FakeWindow,
    Machine,
)
from rpa_vision.testing.fake_windows.person import FakePerson
from rpa_vision.testing.fake_windows.window_manager import FakeWindowManager, border

__all__ = ["HIGH_INTEGRITY", "MEDIUM_INTEGRITY", "FakeWindows"]


class FakeWindows:
    """A PC with Windows: `api` for the adapter, the rest for the test that plays the world around it."""

    def __init__(
        self,
        clock: Clock,
        *,
        monitors: tuple[Box, ...] = (Box(0, 0, 320, 200),),
        dpi: int = 96,
        layout: str = "fr",
        tick_offset_ms: int = 0,
        dpi_already_set: bool = False,
    ) -> None:
        self.machine = Machine(clock, monitors, dpi, tick_offset_ms)
        self.machine.dpi_was_set = dpi_already_set
        self.keyboard = FakeKeyboard(self.machine, LAYOUTS[layout])
        self.input = FakeInput(self.machine, self.keyboard)
        self.display = FakeDisplay(self.machine)
        self.window_manager = FakeWindowManager(self.machine)
        self.clipboard = FakeClipboard(self.machine)
        self.person = FakePerson(self.machine, self.input, self.keyboard)
        self._window_handles = itertools.count(0x20010, 2)
        self._pids = itertools.count(5000, 4)
        self._thread_ids = itertools.count(9000, 4)
        self._resources = len(self.machine.open_handles())
        self.api = self._bound()

    def add_window(
        self,
        title: str,
        image: str,
        seen: Box,
        *,
        integrity: int = MEDIUM_INTEGRITY,
        compositor_tells: bool = True,
        **more: Any,
    ) -> FakeWindow:
        """Open a window in front of the others and give it the focus. `seen` is in the port's coordinates."""
        pid = next(self._pids)
        self.machine.processes[pid] = FakeProcess(pid, image, integrity)
        seen = seen.moved(self.machine.bounds.x1, self.machine.bounds.y1)
        window = FakeWindow(
            next(self._window_handles),
            title,
            pid,
            border(seen),
            seen if compositor_tells else None,
            thread_id=next(self._thread_ids),
            **more,
        )
        self.machine.windows.insert(0, window)
        if window.visible and not window.cloaked and not window.minimized:
            self.machine.foreground = window.handle
        return window

    def paint(self, box: Box, bgr: tuple[int, int, int]) -> None:
        """Change what a box of the screen (in the port's coordinates) shows."""
        self.machine.pixels[box.y1 : box.y2, box.x1 : box.x2, :3] = bgr

    def leaks(self) -> list[object]:
        """What the adapter opened and did not give back; the clipboard's content is not among it."""
        owned = (thing for thing in self.machine.open_handles() if not getattr(thing, "owned_by_windows", False))
        return list(owned)[self._resources :]

    def _bound(self) -> WindowsApi:
        parts = (self.display, self.window_manager, self.keyboard, self.input, self.clipboard)
        functions: dict[str, Callable[..., int]] = {}
        for name, prototype in PROTOTYPES.items():
            implementation = next(getattr(part, name) for part in parts if hasattr(part, name))
            functions[name] = _as_c_function(name, implementation, prototype)
        return WindowsApi(functions, self.machine.last_error)


def _as_c_function(name: str, implementation: Callable[..., int], prototype: Prototype) -> Callable[..., int]:
    """A real C function around Python, and an error of the fake itself raised in the caller's face, not swallowed."""
    faults = threading.local()

    def guarded(*arguments: Any) -> int:
        try:
            return implementation(*arguments)
        except BaseException as error:  # ctypes would print it and go on
            faults.error = error
            return 0

    c_function = ctypes.CFUNCTYPE(prototype.result, *prototype.arguments)(guarded)
    wanted = len(prototype.arguments)

    def call(*arguments: Any) -> int:
        if len(arguments) != wanted:
            raise TypeError(f"{name} takes {wanted} arguments, not {len(arguments)}")
        faults.error = None
        result: int = c_function(*arguments)
        if faults.error is not None:
            raise faults.error
        return result

    return call
