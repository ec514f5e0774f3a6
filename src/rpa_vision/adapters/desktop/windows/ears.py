"""What the person does, by the low-level hooks of mouse and keyboard.

Windows calls the hooks on the thread that installed them, while that thread waits for messages, and *all* input of
the machine waits until they return; a slow hook is removed without a word. So the hook's thread only notes what
happened, and another thread looks up the window and calls back.
"""

from __future__ import annotations

import ctypes
import dataclasses
import threading
import weakref
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from rpa_vision.adapters.desktop.delivery import Delivery
from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.hearing import HookReader, Noted
from rpa_vision.adapters.desktop.windows.screen import VirtualScreen
from rpa_vision.adapters.desktop.windows.structs import HOOKPROC, KBDLLHOOKSTRUCT, MSG, MSLLHOOKSTRUCT
from rpa_vision.adapters.desktop.windows.window_context import WindowDescriber
from rpa_vision.errors import DesktopError
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.runtime import Clock

WH_KEYBOARD_LL, WH_MOUSE_LL = 13, 14
HC_ACTION = 0
WM_QUIT = 0x0012
PM_NOREMOVE = 0


class WindowsEars:
    """Listens. With `hears_own_hands=False` what our own hands do is left out; other programs' input never is."""

    def __init__(
        self,
        api: WindowsApi,
        screen: VirtualScreen,
        describer: WindowDescriber,
        clock: Clock,
        *,
        signature: int,
        hears_own_hands: bool = True,
    ) -> None:
        self._api = api
        self._screen = screen
        self._describer = describer
        self._clock = clock
        self._left_out = None if hears_own_hands else signature
        self._listening: weakref.WeakSet[_Listening] = weakref.WeakSet()

    def listen(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> AbstractContextManager[None]:
        listening = _Listening(self._api, self._screen, self._describer, self._clock, on_event, on_lost, self._left_out)
        self._listening.add(listening)
        return listening

    def close(self) -> None:
        """End every listening that was left open, so that no hook stays behind."""
        for listening in list(self._listening):
            listening.end()


class _Listening:
    """One `listen`: the hooks' thread and the thread that calls back."""

    def __init__(
        self,
        api: WindowsApi,
        screen: VirtualScreen,
        describer: WindowDescriber,
        clock: Clock,
        on_event: Callable[[InputEvent], None],
        on_lost: Callable[[Exception], None] | None,
        left_out: int | None,
    ) -> None:
        self._api = api
        self._screen = screen
        self._describer = describer
        self._clock = clock
        self._on_event = on_event
        self._on_lost = on_lost
        self._left_out = left_out
        self._delivery: Delivery[Noted] = Delivery(self._hand_over, "ears-delivery", on_lost)
        self._thread = threading.Thread(target=self._run, name="ears-hooks", daemon=True)
        self._thread_id = 0
        self._ready = threading.Event()
        self._error: Exception | None = None
        self._last_window: tuple[int, WindowContext | None] = (0, None)

    def __enter__(self) -> None:
        self._delivery.start()
        self._thread.start()
        self._ready.wait()
        if self._error is not None:
            self.end()
            raise self._error

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        failure = self.end()
        if failure is not None and error is None and self._on_lost is None:
            raise failure

    def end(self) -> Exception | None:
        """Stop the threads; give the first error they had. Does nothing the second time."""
        if self._thread.is_alive():
            self._api.PostThreadMessageW(self._thread_id, WM_QUIT, 0, 0)
            self._thread.join()
        if self._thread.ident is None:
            return None
        return self._delivery.stop() or self._error

    def _run(self) -> None:
        hooks: list[int] = []
        try:
            with self._screen.aware():
                message = MSG()
                # The first look makes the thread's message queue; without one WM_QUIT could not be posted to it.
                self._api.PeekMessageW(message, 0, 0, 0, PM_NOREMOVE)
                self._thread_id = self._api.GetCurrentThreadId()
                reader = HookReader(self._api, self._screen, self._clock)
                procedures = self._procedures(reader)  # kept in a variable: Windows holds only their address
                hooks += [self._install(kind, procedure) for kind, procedure in procedures]
                self._ready.set()
                while (answer := self._api.GetMessageW(message, 0, 0, 0)) > 0:
                    pass
                if answer < 0:
                    raise DesktopError(f"Windows no longer calls the hooks (error {self._api.last_error()})")
        except Exception as error:  # the top of a thread: raised where the listening begins or ends
            self._lose(error)
        finally:
            for hook in hooks:
                self._api.UnhookWindowsHookEx(hook)
            self._ready.set()

    def _lose(self, error: Exception) -> None:
        self._error = error
        if self._on_lost is not None and self._ready.is_set():
            self._on_lost(error)

    def _procedures(self, reader: HookReader) -> list[tuple[int, Any]]:
        return [
            (WH_KEYBOARD_LL, HOOKPROC(self._procedure(KBDLLHOOKSTRUCT, reader.key))),
            (WH_MOUSE_LL, HOOKPROC(self._procedure(MSLLHOOKSTRUCT, reader.mouse))),
        ]

    def _procedure(
        self, structure: type[ctypes.Structure], read: Callable[[int, Any], Noted | None]
    ) -> Callable[[int, int, int], int]:
        def procedure(code: int, message: int, address: int) -> int:
            if code == HC_ACTION and self._error is None:
                try:
                    raw: Any = structure.from_address(address)
                    if self._left_out is None or raw.dwExtraInfo != self._left_out:
                        noted = read(message, raw)
                        if noted is not None:
                            self._delivery.put(noted)
                except Exception as error:  # nothing may escape into Windows; raised where the listening ends
                    self._lose(error)
            # Whatever happened here, the input belongs to the person: it always goes on.
            return self._api.CallNextHookEx(0, code, message, address)

        return procedure

    def _install(self, kind: int, procedure: Any) -> int:
        hook = self._api.SetWindowsHookExW(kind, procedure, self._api.GetModuleHandleW(None), 0)
        if not hook:
            raise DesktopError(
                f"Windows does not let us listen (error {self._api.last_error()})",
                remedy="Run rpa-vision in the session of the logged-in person; some security software forbids hooks.",
            )
        return hook

    def _hand_over(self, noted: Noted) -> None:
        event, window = noted
        self._on_event(dataclasses.replace(event, window=self._context(event.kind, window)))

    def _context(self, kind: InputKind, handle: int) -> WindowContext | None:
        if not handle:
            return None
        known, context = self._last_window
        # A mouse tells up to a thousand moves a second; they are not worth asking anew.
        if kind is not InputKind.MOTION or known != handle:
            with self._screen.aware():
                context = self._describer.describe(handle)
            self._last_window = (handle, context)
        return context
