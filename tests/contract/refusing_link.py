"""A link to an X server that refuses input when told, as a server with access control does.

It listens as a display of its own and hands everything on, both ways. An XTEST request to be refused is handed on with
a kind of event that does not exist: the server itself then answers with an error, in its place among the answers.
"""

from __future__ import annotations

import os
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType

_SOCKETS = Path("/tmp/.X11-unix")
_NUMBERS_ABOVE = 20_000
_CHUNK_BYTES = 1 << 16
_MOST_FILES = 8
_FAKE_INPUT = 2
_KIND_AT = 4

Change = Callable[[bytes], bytes]


class RefusingLink:
    """Enter it to open the display `name`, which leads to the server's own one."""

    def __init__(self, server: str, xtest_opcode: int) -> None:
        number = int(server.removeprefix(":"))
        self.name = f":{number + _NUMBERS_ABOVE}"
        self._server = _SOCKETS / f"X{number}"
        self._path = _SOCKETS / f"X{number + _NUMBERS_ABOVE}"
        self._xtest_opcode = xtest_opcode
        self._refuse_after: int | None = None
        self._listener = socket.socket(socket.AF_UNIX)

    def __enter__(self) -> RefusingLink:
        self._path.unlink(missing_ok=True)
        self._listener.bind(str(self._path))
        self._listener.listen()
        _start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._path.unlink(missing_ok=True)

    def refuse(self, after: int) -> None:
        """Let so many single events through and refuse the one after."""
        self._refuse_after = after

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                requests = _Requests(self._judged)
                _start(lambda c=client, s=server, r=requests: _pump(c, s, r.take))  # type: ignore[misc]
                _start(lambda c=client, s=server: _pump(s, c, lambda data: data))  # type: ignore[misc]

    def _judged(self, request: bytes) -> bytes:
        if request[0] != self._xtest_opcode or request[1] != _FAKE_INPUT or self._refuse_after is None:
            return request
        if self._refuse_after:
            self._refuse_after -= 1
            return request
        self._refuse_after = None
        return request[:_KIND_AT] + b"\0" + request[_KIND_AT + 1 :]


class _Requests:
    """Cuts what a client sends into its requests; a half one waits for the rest."""

    def __init__(self, judge: Change) -> None:
        self._judge = judge
        self._waiting = b""
        self._is_set_up = False

    def take(self, data: bytes) -> bytes:
        self._waiting += data
        whole = b""
        while (size := self._size()) and len(self._waiting) >= size:
            request, self._waiting = self._waiting[:size], self._waiting[size:]
            whole += self._judge(request) if self._is_set_up else request
            self._is_set_up = True
        return whole

    def _size(self) -> int | None:
        if not self._is_set_up:
            if len(self._waiting) < 12:
                return None
            name, data = struct.unpack_from("=HH", self._waiting, 6)
            return 12 + int(name + 3) // 4 * 4 + int(data + 3) // 4 * 4
        if len(self._waiting) < 8:
            # The shortest requests have four bytes; a long one says 0 there and its size in the next four.
            short = struct.unpack_from("=H", self._waiting, 2)[0] if len(self._waiting) >= 4 else 0
            return int(short) * 4 or None
        short, long = struct.unpack_from("=2xHI", self._waiting)
        return int(short or long) * 4


def _pump(source: socket.socket, sink: socket.socket, change: Change) -> None:
    files: list[int] = []
    with suppress(OSError):
        while True:
            # Pictures travel in shared memory, whose file is handed over on the side.
            data, more_files, _, _ = socket.recv_fds(source, _CHUNK_BYTES, _MOST_FILES)
            files += more_files
            if not data:
                break
            changed = change(data)
            if changed:
                sent = socket.send_fds(sink, [changed], files)
                sink.sendall(changed[sent:])
                for file in files:
                    os.close(file)
                files.clear()
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
    source.close()


def _start(work: Callable[[], None]) -> None:
    threading.Thread(target=work, name="refusing-link", daemon=True).start()
