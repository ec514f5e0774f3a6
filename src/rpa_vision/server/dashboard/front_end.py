"""What the front end's own files need of every answer, as plain ASGI.

The front end brings layers of its own for this, which make a task of every request and break with a traceback when a
browser leaves before it is answered. Ours only looks at the head of an answer as it passes.
"""

from __future__ import annotations

from typing import Final

from nicegui import __version__, app
from starlette.middleware.base import BaseHTTPMiddleware

from rpa_vision.server.gate import App, Message, Receive, Scope, Send

_OWN: Final = f"/_nicegui/{__version__}/"
_MADE_ANEW: Final = f"{_OWN}dynamic_resources/"


class FrontEndHeaders:
    """Lets browsers keep the front end's files, and leads back under the prefix of a proxy."""

    def __init__(self, app: App) -> None:
        self._inner = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def told(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": _changed(scope, list(message.get("headers", ())))}
            await send(message)

        await self._inner(scope, receive, told if scope["type"] == "http" else send)


def take_over() -> None:
    """Put ours in the place of the front end's own layers, before anything is served."""
    kept = [layer for layer in app.user_middleware if not _is_task_of_its_own(layer.cls)]
    app.user_middleware[:] = kept
    app.add_middleware(FrontEndHeaders)


def _is_task_of_its_own(layer: object) -> bool:
    return isinstance(layer, type) and issubclass(layer, BaseHTTPMiddleware)


def _changed(scope: Scope, headers: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    if scope["path"].startswith(_OWN) and not scope["path"].startswith(_MADE_ANEW):
        kept = [(name, value) for name, value in headers if name.lower() != b"cache-control"]
        return [*kept, (b"cache-control", app.config.cache_control_directives.encode())]
    prefix = next((value for name, value in scope["headers"] if name == b"x-forwarded-prefix"), b"")
    return [
        (name, prefix + value if name.lower() == b"location" and value.startswith(b"/") else value)
        for name, value in headers
    ]
