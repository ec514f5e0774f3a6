"""The person's clipboard.

One program at a time may have it open, so opening is tried again for a moment. It is opened in the name of a window of
ours that lives only as long: a window that stayed would have to answer messages, and without one Windows may refuse
what is written.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager

from rpa_vision.adapters.desktop.windows.api import WindowsApi
from rpa_vision.adapters.desktop.windows.structs import wide
from rpa_vision.errors import DesktopError
from rpa_vision.ports.runtime import Clock

CF_UNICODETEXT = 13
CF_DIB, CF_HDROP = 8, 15
GMEM_MOVEABLE = 0x0002
HWND_MESSAGE = -3
_REGISTERED_FORMATS = ("HTML Format", "Rich Text Format")
_TRIES = 20
_PAUSE_S = 0.025
_LARGEST_BORROWED_BYTES = 64 * 1024 * 1024


class WindowsClipboard:
    """Reads and writes text; keeps the person's text, picture or files while borrowed."""

    def __init__(self, api: WindowsApi, clock: Clock) -> None:
        self._api = api
        self._clock = clock

    def read(self) -> str | None:
        with self._opened():
            raw = self._content(CF_UNICODETEXT)
        return None if raw is None else _text(raw).replace("\r\n", "\n")

    def write(self, text: str) -> None:
        # Windows programs expect CR LF between lines.
        raw = (text.replace("\r\n", "\n").replace("\n", "\r\n") + "\0").encode("utf-16-le", "surrogatepass")
        with self._opened():
            self._replace([(CF_UNICODETEXT, raw)])

    @contextmanager
    def borrowed(self) -> Iterator[None]:
        with self._opened():
            kept = self._all_content()
        try:
            yield
        finally:
            with self._opened():
                self._replace(kept)

    @contextmanager
    def _opened(self) -> Iterator[None]:
        window = self._api.CreateWindowExW(0, wide("STATIC"), None, 0, 0, 0, 0, 0, HWND_MESSAGE, 0, 0, None)
        if not window:
            raise self._failure("make a window for the clipboard")
        try:
            self._open(window)
            try:
                yield
            finally:
                self._api.CloseClipboard()
        finally:
            self._api.DestroyWindow(window)

    def _open(self, window: int) -> None:
        for attempt in range(_TRIES):
            if attempt:
                self._clock.sleep(_PAUSE_S)
            if self._api.OpenClipboard(window):
                return
        raise DesktopError(
            f"another program kept the clipboard open for {_TRIES * _PAUSE_S:.1f} s (error {self._api.last_error()})",
            remedy="Close clipboard managers and remote sessions that hold it; then try again.",
        )

    def _all_content(self) -> list[tuple[int, bytes]]:
        formats = [CF_UNICODETEXT, CF_DIB, CF_HDROP]
        formats += [self._api.RegisterClipboardFormatW(wide(name)) for name in _REGISTERED_FORMATS]
        kept = [(kind, raw) for kind in formats if kind and (raw := self._content(kind)) is not None]
        return [(kind, raw) for kind, raw in kept if len(raw) <= _LARGEST_BORROWED_BYTES]

    def _content(self, kind: int) -> bytes | None:
        if not self._api.IsClipboardFormatAvailable(kind):
            return None
        memory = self._api.GetClipboardData(kind)
        if not memory:
            return None
        address = self._api.GlobalLock(memory)
        if not address:
            raise self._failure("read the clipboard")
        try:
            return ctypes.string_at(address, self._api.GlobalSize(memory))
        finally:
            self._api.GlobalUnlock(memory)

    def _replace(self, content: list[tuple[int, bytes]]) -> None:
        if not self._api.EmptyClipboard():
            raise self._failure("empty the clipboard")
        for kind, raw in content:
            memory = self._filled_memory(raw)
            if not self._api.SetClipboardData(kind, memory):
                failure = self._failure("write the clipboard")
                self._api.GlobalFree(memory)  # still ours: Windows owns it only after a success
                raise failure

    def _filled_memory(self, raw: bytes) -> int:
        memory = self._api.GlobalAlloc(GMEM_MOVEABLE, len(raw))
        address = self._api.GlobalLock(memory) if memory else 0
        if not address:
            raise self._failure("find memory for the clipboard")
        ctypes.memmove(address, raw, len(raw))
        self._api.GlobalUnlock(memory)
        return memory

    def _failure(self, what: str) -> DesktopError:
        return DesktopError(f"Windows did not let us {what} (error {self._api.last_error()})")


def _text(raw: bytes) -> str:
    """The text up to its null; the memory block is often larger than what was put into it."""
    return raw[: len(raw) // 2 * 2].decode("utf-16-le", "replace").split("\0", 1)[0]
