"""The clipboard and the global memory of the fake Windows, with their rules of ownership."""

# ruff: noqa: N802  (functions have the names Windows gave them)

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from rpa_vision.testing.fake_windows.machine import (
    ERROR_ACCESS_DENIED,
    ERROR_CLASS_DOES_NOT_EXIST,
    ERROR_CLIPBOARD_NOT_OPEN,
    ERROR_INVALID_HANDLE,
    ERROR_INVALID_PARAMETER,
    ERROR_INVALID_WINDOW_HANDLE,
    Machine,
)
from rpa_vision.testing.fake_windows.window_manager import read_wide

CF_UNICODETEXT = 13
_MOVEABLE = 0x0002
_HWND_MESSAGE = 2**64 - 3


@dataclass
class Memory:
    """A block of global memory. It is real memory, so that reading past its end or before locking shows."""

    block: ctypes.Array[ctypes.c_char]
    moveable: bool
    locks: int = 0
    owned_by_windows: bool = False


@dataclass
class MessageWindow:
    """A window nobody sees, with the thread it belongs to."""

    thread_id: int


class FakeClipboard:
    """One program at a time has it open; only the owner writes; what was written belongs to Windows."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self.busy_opens = 0
        """How often OpenClipboard fails because another program has it open."""
        self.refuses_data = False
        self._formats: dict[str, int] = {}
        self._content: dict[int, int] = {}
        self._open_for: tuple[int, int] | None = None  # window, thread
        self._owner = 0

    # for tests

    def put(self, kind: int, raw: bytes) -> None:
        """Another program copies something."""
        self._clear()
        self.add(kind, raw)

    def add(self, kind: int, raw: bytes) -> None:
        """Another program copies the same thing in one more format."""
        memory = self._allocate(_MOVEABLE, len(raw))
        held = self._memory(memory)
        ctypes.memmove(held.block, raw, len(raw))
        held.owned_by_windows = True
        self._content[kind] = memory

    def empty(self) -> None:
        self._clear()

    def raw(self, kind: int) -> bytes | None:
        return self._memory(self._content[kind]).block.raw if kind in self._content else None

    def registered(self, name: str) -> int:
        return self._formats.setdefault(name, 0xC000 + len(self._formats))

    def leaked_memory(self) -> int:
        """Blocks that neither Windows owns nor anybody freed."""
        things = self._machine.open_handles()
        return sum(isinstance(thing, Memory) and not thing.owned_by_windows for thing in things)

    # windows to open it for

    def CreateWindowExW(
        self, _ex: int, class_name: Any, _t: Any, _st: int, _x: int, _y: int, _w: int, _h: int,
        parent: int, _menu: int, _instance: int, _data: Any,
    ) -> int:  # fmt: skip
        if read_wide(class_name).upper() != "STATIC":
            return self._machine.fail(ERROR_CLASS_DOES_NOT_EXIST)
        if parent != _HWND_MESSAGE:
            return self._machine.fail(ERROR_INVALID_WINDOW_HANDLE)
        return self._machine.new_handle(MessageWindow(self._machine.thread().thread_id))

    def DestroyWindow(self, handle: int) -> int:
        window = self._machine.by_handle(handle, MessageWindow)
        if window is None:
            return self._machine.fail(ERROR_INVALID_WINDOW_HANDLE)
        if window.thread_id != self._machine.thread().thread_id:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        if self._owner == handle:
            self._owner = 0
        return int(self._machine.drop_handle(handle, MessageWindow))

    # the clipboard

    def OpenClipboard(self, window: int) -> int:
        if self.busy_opens > 0:
            self.busy_opens -= 1
            return self._machine.fail(ERROR_ACCESS_DENIED)
        if self._open_for is not None:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        if window and self._machine.by_handle(window, MessageWindow) is None:
            return self._machine.fail(ERROR_INVALID_WINDOW_HANDLE)
        self._open_for = (window, self._machine.thread().thread_id)
        return 1

    def CloseClipboard(self) -> int:
        if not self._is_open_here():
            return self._machine.fail(ERROR_CLIPBOARD_NOT_OPEN)
        self._open_for = None
        return 1

    def EmptyClipboard(self) -> int:
        if self._open_for is None or not self._is_open_here():
            return self._machine.fail(ERROR_CLIPBOARD_NOT_OPEN)
        self._clear()
        self._owner = self._open_for[0]
        return 1

    def IsClipboardFormatAvailable(self, kind: int) -> int:
        return int(kind in self._content)

    def RegisterClipboardFormatW(self, name: Any) -> int:
        return self.registered(read_wide(name))

    def GetClipboardData(self, kind: int) -> int:
        if not self._is_open_here():
            return self._machine.fail(ERROR_CLIPBOARD_NOT_OPEN)
        return self._content.get(kind, 0)

    def SetClipboardData(self, kind: int, memory: int) -> int:
        if not self._is_open_here():
            return self._machine.fail(ERROR_CLIPBOARD_NOT_OPEN)
        block = self._machine.by_handle(memory, Memory)
        # Documented: opened without a window, EmptyClipboard leaves no owner and this fails.
        if self._owner == 0 or self.refuses_data:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        if block is None or not block.moveable or block.locks or block.owned_by_windows:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        if kind == CF_UNICODETEXT and b"\0\0" not in block.block.raw:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        block.owned_by_windows = True
        self._content[kind] = memory
        return memory

    def _is_open_here(self) -> bool:
        return self._open_for is not None and self._open_for[1] == self._machine.thread().thread_id

    def _clear(self) -> None:
        for memory in self._content.values():
            self._machine.drop_handle(memory, Memory)
        self._content.clear()
        self._owner = 0

    # memory

    def GlobalAlloc(self, flags: int, size: int) -> int:
        return self._allocate(flags, size)

    def GlobalFree(self, memory: int) -> int:
        block = self._machine.by_handle(memory, Memory)
        if block is None or block.owned_by_windows:
            return self._machine.fail(ERROR_INVALID_HANDLE, memory)
        self._machine.drop_handle(memory, Memory)
        return 0

    def GlobalLock(self, memory: int) -> int:
        block = self._machine.by_handle(memory, Memory)
        if block is None:
            return self._machine.fail(ERROR_INVALID_HANDLE)
        block.locks += 1
        return ctypes.addressof(block.block)

    def GlobalUnlock(self, memory: int) -> int:
        block = self._machine.by_handle(memory, Memory)
        if block is None or not block.locks:
            return self._machine.fail(158)
        block.locks -= 1
        return int(block.locks > 0)

    def GlobalSize(self, memory: int) -> int:
        block = self._machine.by_handle(memory, Memory)
        return len(block.block) if block else self._machine.fail(ERROR_INVALID_HANDLE)

    def _allocate(self, flags: int, size: int) -> int:
        # Windows rounds blocks up; what lies behind the text is not part of it.
        room = (size + 15) // 16 * 16 or 16
        block = ctypes.create_string_buffer(b"\xaa" * room, room)  # memory comes with what was in it before
        return self._machine.new_handle(Memory(block, bool(flags & _MOVEABLE)))

    def _memory(self, handle: int) -> Memory:
        block = self._machine.by_handle(handle, Memory)
        if block is None:
            raise AssertionError("the clipboard holds memory that does not exist")
        return block
