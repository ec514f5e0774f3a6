"""SendInput, low-level hooks and message queues of the fake Windows.

Every event, injected or from the person's devices, goes the same way: through the hooks on the threads that installed
them (newest first, before any state changes), then into keyboard and pointer, then to the window it is for.
"""

# ruff: noqa: N802  (functions have the names Windows gave them)

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rpa_vision.adapters.desktop.windows import structs as s
from rpa_vision.testing.fake_windows import keyboard as k
from rpa_vision.testing.fake_windows.machine import (
    ERROR_ACCESS_DENIED,
    ERROR_HOOK_NEEDS_HMOD,
    ERROR_INVALID_HANDLE,
    ERROR_INVALID_PARAMETER,
    ERROR_INVALID_THREAD_ID,
    OUR_PID,
    FakeThread,
    Machine,
)

MODULE = 0x7FF6_1234_0000
_KEYBOARD, _MOUSE = 13, 14
_HOOK_TIMEOUT_S = 1.0
_WM_QUIT = 0x0012
_BUTTON_FLAGS = {
    # flag: (message, physical button, is down)
    0x02: (0x0201, "left", True), 0x04: (0x0202, "left", False),
    0x08: (0x0204, "right", True), 0x10: (0x0205, "right", False),
    0x20: (0x0207, "middle", True), 0x40: (0x0208, "middle", False),
}  # fmt: skip
_SWAP = {0x0201: 0x0204, 0x0202: 0x0205, 0x0204: 0x0201, 0x0205: 0x0202}


@dataclass(frozen=True)
class Message:
    """Something a window got."""

    message: int
    code: int = 0
    scan: int = 0
    extended: bool = False
    injected: bool = False
    point: tuple[int, int] = (0, 0)
    data: int = 0
    held: frozenset[int] = frozenset()


@dataclass
class Hook:
    """An installed hook and the thread it is called on."""

    kind: int
    procedure: Any
    thread: FakeThread
    passed_on: bool = False


class FakeInput:
    """Where input comes in. `received` is what windows got, in order."""

    def __init__(self, machine: Machine, keyboard: k.FakeKeyboard) -> None:
        self._machine = machine
        self._keyboard = keyboard
        self._serial = threading.Lock()
        self._hooks: list[int] = []
        self._current_hook = threading.local()
        self.received: list[Message] = []
        self.older_hook_heard: list[int] = []
        """Messages heard by a program that installed its hook before us."""
        self.refuse_after: int | None = None
        """Accept that many more events, refuse the rest of that call, then be as before."""
        self.forbids_hooks = False
        self.hooks_without_queue = 0
        """Hooks installed by threads to which no WM_QUIT could have been posted yet."""

    @property
    def hook_count(self) -> int:
        return len(self._hooks)

    # the person's devices

    def device_key(self, code: int, *, up: bool, extended: bool = False) -> None:
        with self._serial:
            self._key(code, self._keyboard.layout.scan(code), up, extended, False, 0, self._machine.tick())

    def device_mouse(self, flags: int, x: int | None = None, y: int | None = None, data: int = 0) -> None:
        with self._serial:
            if x is not None and y is not None:
                self._move(x, y, False, 0, self._machine.tick())
            self._buttons(flags, data & 0xFFFFFFFF, False, 0, self._machine.tick())

    # SendInput

    def SendInput(self, count: int, events: Any, size: int) -> int:
        if size != ctypes.sizeof(s.INPUT) or count == 0 or not events:
            return self._machine.fail(ERROR_INVALID_PARAMETER)
        if self._machine.locked:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        with self._serial:
            for number in range(count):
                if self.refuse_after is not None:
                    if self.refuse_after <= 0:
                        self.refuse_after = None
                        return self._machine.fail(ERROR_ACCESS_DENIED, number)
                    self.refuse_after -= 1
                if not self._insert(events[number]):
                    return self._machine.fail(ERROR_INVALID_PARAMETER, number)
        return count

    def _insert(self, event: Any) -> bool:
        if event.type == 0:
            return self._insert_mouse(event.mi)
        return event.type == 1 and self._insert_key(event.ki)

    def _insert_mouse(self, event: Any) -> bool:
        time = event.time or self._machine.tick()
        if event.dwFlags & 0x0001:
            if event.dwFlags & 0x8000:
                whole = event.dwFlags & 0x4000
                box = self._machine.bounds if whole else self._machine.monitors[0]
                x = box.x1 + min(event.dx * box.width // 65536, box.width - 1)
                y = box.y1 + min(event.dy * box.height // 65536, box.height - 1)
            else:
                x, y = self._machine.cursor[0] + event.dx, self._machine.cursor[1] + event.dy
            self._move(x, y, True, event.dwExtraInfo, time)
        self._buttons(event.dwFlags, event.mouseData, True, event.dwExtraInfo, time)
        return True

    def _insert_key(self, event: Any) -> bool:
        time = event.time or self._machine.tick()
        up, extended = bool(event.dwFlags & 2), bool(event.dwFlags & 1)
        if event.dwFlags & 4:
            if event.wVk:
                return False
            self._hear_key(k.VK_PACKET, event.wScan, up, extended, True, event.dwExtraInfo, time)
            return True
        if not 1 <= event.wVk <= 254:
            return False
        self._key(event.wVk, event.wScan, up, extended, True, event.dwExtraInfo, time)
        return True

    # the way of an event

    def _key(self, code: int, scan: int, up: bool, extended: bool, injected: bool, extra: int, time: int) -> None:
        code = _sided(code, scan, extended)
        if code == k.VK_RMENU and self._keyboard.layout.has_altgr:
            # Layouts with AltGr press a left Ctrl along with it, with a scan code no keyboard has.
            self._hear_key(k.VK_LCONTROL, 0x21D, up, False, injected, extra, time)
        self._hear_key(code, scan, up, extended, injected, extra, time)

    def _hear_key(self, code: int, scan: int, up: bool, extended: bool, injected: bool, extra: int, time: int) -> None:
        alt = self._keyboard.is_down(k.VK_MENU) or code in (k.VK_LMENU, k.VK_RMENU)
        system = alt and not self._keyboard.is_down(k.VK_CONTROL)
        message = (0x0104 if system else 0x0100) + int(up)
        flags = (1 if extended else 0) | (0x10 if injected else 0) | (0x20 if alt else 0) | (0x80 if up else 0)
        raw = s.KBDLLHOOKSTRUCT(code, scan, flags, time, extra)
        if self._is_eaten(_KEYBOARD, message, raw) or (injected and self._is_above_us(self._machine.front_window())):
            return
        held = frozenset(self._keyboard.down)
        self._keyboard.note(code, scan, up=up)
        self.received.append(Message(message, code, scan, extended, injected, self._machine.cursor, 0, held))

    def _move(self, x: int, y: int, injected: bool, extra: int, time: int) -> None:
        # The hook is told where the pointer wants to be, even beyond the edge, and before it is there.
        if self._is_eaten(_MOUSE, 0x0200, self._mouse_struct(x, y, 0, injected, extra, time)):
            return
        bounds = self._machine.bounds
        self._machine.cursor = (min(max(x, bounds.x1), bounds.x2 - 1), min(max(y, bounds.y1), bounds.y2 - 1))
        self.received.append(Message(0x0200, injected=injected, point=self._machine.cursor))

    def _buttons(self, flags: int, data: int, injected: bool, extra: int, time: int) -> None:
        messages = [(message, 0) for flag, (message, _, _) in _BUTTON_FLAGS.items() if flags & flag]
        if self._machine.swapped_buttons:
            messages = [(_SWAP.get(message, message), 0) for message, _ in messages]
        messages += [(0x020A, data)] if flags & 0x0800 else []
        messages += [(0x020E, data)] if flags & 0x1000 else []
        messages += [(0x020B, data)] if flags & 0x0080 else []
        x, y = self._machine.cursor
        for message, amount in messages:
            raw = self._mouse_struct(x, y, amount << 16 & 0xFFFFFFFF, injected, extra, time)
            eaten = self._is_eaten(_MOUSE, message, raw)
            if not eaten and not (injected and self._is_above_us(self._machine.window_under(x, y))):
                held = frozenset(self._keyboard.down)
                delta = amount - 0x1_0000_0000 if amount >= 0x8000_0000 else amount
                self.received.append(Message(message, injected=injected, point=(x, y), data=delta, held=held))

    def _mouse_struct(self, x: int, y: int, data: int, injected: bool, extra: int, time: int) -> Any:
        return s.MSLLHOOKSTRUCT(s.POINT(x, y), data, int(injected), time, extra)

    def _is_above_us(self, window: Any) -> bool:
        """UIPI: injected input for a program with more rights vanishes, and nobody is told."""
        if window is None:
            return False
        processes = self._machine.processes
        return processes[window.pid].integrity > processes[OUR_PID].integrity

    # hooks

    def GetModuleHandleW(self, name: Any) -> int:
        return MODULE if not name else 0

    def SetWindowsHookExW(self, kind: int, procedure: Any, module: int, thread_id: int) -> int:
        if kind not in (_KEYBOARD, _MOUSE) or thread_id != 0:
            return self._machine.fail(1429)
        if module != MODULE:
            return self._machine.fail(ERROR_HOOK_NEEDS_HMOD)
        if self.forbids_hooks:
            return self._machine.fail(ERROR_ACCESS_DENIED)
        self.hooks_without_queue += not self._machine.thread().has_queue
        handle = self._machine.new_handle(Hook(kind, procedure, self._machine.thread()))
        self._hooks.insert(0, handle)
        return handle

    def UnhookWindowsHookEx(self, handle: int) -> int:
        if not self._machine.drop_handle(handle, Hook):
            return self._machine.fail(ERROR_INVALID_HANDLE)
        self._hooks.remove(handle)
        return 1

    def CallNextHookEx(self, _hook: int, _code: int, _message: int, _address: int) -> int:
        current = getattr(self._current_hook, "hook", None)
        if current is not None:
            current.passed_on = True
        return 0

    def _is_eaten(self, kind: int, message: int, raw: Any) -> bool:
        for handle in list(self._hooks):
            hook = self._machine.by_handle(handle, Hook)
            if hook is None or hook.kind != kind:
                continue
            result = self._call(hook, message, raw)
            if result is None:
                continue  # too slow: Windows goes on without it
            if result:
                return True
            if not hook.passed_on:
                return False
        self.older_hook_heard.append(message)
        return False

    def _call(self, hook: Hook, message: int, raw: Any) -> int | None:
        hook.passed_on = False
        done = threading.Event()
        results: list[int] = []

        def on_its_thread() -> None:
            self._current_hook.hook = hook
            results.append(hook.procedure(0, message, ctypes.addressof(raw)))
            self._current_hook.hook = None
            done.set()

        self._post(hook.thread, on_its_thread)
        done.wait(_HOOK_TIMEOUT_S)
        return results[0] if results else None

    # messages

    def PeekMessageW(self, message: Any, _window: int, _low: int, _high: int, _remove: int) -> int:
        self._machine.thread().has_queue = True
        return 0 if message else self._machine.fail(ERROR_INVALID_PARAMETER)

    def GetMessageW(self, message: Any, _window: int, _low: int, _high: int) -> int:
        thread = self._machine.thread()
        thread.has_queue = True
        if not message:
            return self._machine.fail(ERROR_INVALID_PARAMETER, -1)
        while True:
            with thread.waiting:
                thread.waiting.wait_for(lambda: thread.items)
                item = thread.items.popleft()
            if not isinstance(item, tuple):
                item()
                continue
            message.contents.message, message.contents.wParam, message.contents.lParam = item
            return int(item[0] != _WM_QUIT)

    def PostThreadMessageW(self, thread_id: int, message: int, w_param: int, l_param: int) -> int:
        thread = self._machine.thread_by_id(thread_id)
        if thread is None or not thread.has_queue:
            return self._machine.fail(ERROR_INVALID_THREAD_ID)
        self._post(thread, (message, w_param, l_param))
        return 1

    def GetCurrentThreadId(self) -> int:
        return self._machine.thread().thread_id

    def GetTickCount(self) -> int:
        return self._machine.tick()

    def _post(self, thread: FakeThread, item: tuple[int, int, int] | Callable[[], None]) -> None:
        with thread.waiting:
            thread.items.append(item)
            thread.waiting.notify_all()


def _sided(code: int, scan: int, extended: bool) -> int:
    """The left or right key that is meant. The prefix decides, also against the code that was given."""
    if code in (k.VK_SHIFT, k.VK_LSHIFT, k.VK_RSHIFT):
        return k.VK_RSHIFT if scan == 0x36 or code == k.VK_RSHIFT else k.VK_LSHIFT
    if code in (k.VK_CONTROL, k.VK_LCONTROL, k.VK_RCONTROL):
        return k.VK_RCONTROL if extended else k.VK_LCONTROL
    if code in (k.VK_MENU, k.VK_LMENU, k.VK_RMENU):
        return k.VK_RMENU if extended else k.VK_LMENU
    return code
