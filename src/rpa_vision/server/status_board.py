"""The status, made once for everybody who asks within half a second.

Programs ask for it a thousand times a second; whoever watches must not slow a robot down. So it is answered before the
rest of the server is woken, from bytes that lie ready, and whoever has them already is told only that.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from dataclasses import dataclass
from typing import Final

from rpa_vision.app.office import Office
from rpa_vision.app.server_health import status_now
from rpa_vision.errors import RpaVisionError
from rpa_vision.server.errors import body_of, status_of
from rpa_vision.server.gate import App, Receive, Scope, Send

PATH: Final = "/api/v1/status"
FRESH_S: Final = 0.5
_VOLATILE: Final = ("at", "generated_at")


@dataclass(frozen=True, slots=True)
class _Notice:
    status: int
    body: bytes
    etag: bytes
    at_s: float


class StatusBoard:
    """Where the status hangs for everybody to read."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._notice: _Notice | None = None
        self._writing: asyncio.Task[_Notice] | None = None

    async def read(self) -> _Notice:
        """The notice, at most half a second old; only one is written at a time, and whoever comes meanwhile waits."""
        now_s = self._office.clock.monotonic()
        if self._notice is not None and now_s - self._notice.at_s < FRESH_S:
            return self._notice
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(asyncio.to_thread(self._written))
        self._notice = await asyncio.shield(self._writing)
        return self._notice

    def _written(self) -> _Notice:
        at_s = self._office.clock.monotonic()
        try:
            told, status = status_now(self._office), 200
        except RpaVisionError as error:
            told, status = dict(body_of(error)), status_of(error)
        steady = {key: value for key, value in told.items() if key not in _VOLATILE}
        digest = hashlib.sha256(_encoded(steady)).hexdigest()[:20]
        return _Notice(status, _encoded(told), f'"{digest}"'.encode(), at_s)


class StatusFirst:
    """Answers whoever reads the status; hands on everybody else."""

    def __init__(self, inner: App, board: StatusBoard) -> None:
        self._inner = inner
        self._board = board

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != PATH or scope["method"] != "GET":
            await self._inner(scope, receive, send)
            return
        notice = await self._board.read()
        known = next((value for name, value in scope["headers"] if name == b"if-none-match"), b"")
        same = notice.status == 200 and notice.etag in known
        body = b"" if same else notice.body
        headers = [(b"etag", notice.etag), (b"cache-control", b"private, no-cache")]
        if not same:
            headers += [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 304 if same else notice.status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


def _encoded(told: object) -> bytes:
    return json.dumps(told, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
