"""Listen on an address and serve until told to stop."""

from __future__ import annotations

import signal
import socket as sockets
import threading
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn

from rpa_vision.app.office import Office
from rpa_vision.app.wiring_office import folder_watch
from rpa_vision.errors import EnvironmentMissingError
from rpa_vision.server.application import make_server

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_EVERYWHERE = frozenset({"0.0.0.0", "::"})


@dataclass(frozen=True, slots=True)
class Address:
    """Where the server listens, and the names it answers to."""

    host: str
    port: int
    names: tuple[str, ...] = ()
    certificate: Path | None = None
    key: Path | None = None

    @property
    def url(self) -> str:
        """What a browser on this machine opens."""
        name = next(iter(self.names), "127.0.0.1" if self.host in _EVERYWHERE else self.host)
        shown = f"[{name}]" if ":" in name else name
        return f"{'https' if self.certificate else 'http'}://{shown}:{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        """The names requests may be addressed to: a page of another site under another name is refused."""
        own = frozenset({self.host}) - _EVERYWHERE
        return _LOOPBACK | own | {name.lower() for name in self.names}

    def link(self, code: str) -> str:
        """The address that lets somebody in once."""
        return f"{self.url}/enter?code={code}"

    def bound(self, socket: sockets.socket) -> Address:
        """The same, with the port that was free."""
        return replace(self, port=socket.getsockname()[1])


def listening_socket(address: Address) -> sockets.socket:
    """Take the port, or say who else may have it."""
    family = sockets.AF_INET6 if ":" in address.host else sockets.AF_INET
    socket = sockets.socket(family, sockets.SOCK_STREAM)
    socket.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        socket.bind((address.host, address.port))
        socket.listen(512)
    except OSError as error:
        socket.close()
        raise EnvironmentMissingError(
            f"cannot listen on {address.host}:{address.port} ({error.strerror})",
            remedy="Something else may be served there; choose another with --port.",
        ) from error
    return socket


def run_server(office: Office, address: Address, socket: sockets.socket) -> None:
    """Serve until a signal comes, and return, so that whoever has started workers can end them first. Requests are not
    logged: their addresses may hold codes."""
    from rpa_vision.server.dashboard.pages import add_dashboard

    app = make_server(
        office,
        folder_watch(office),
        hosts=address.hosts,
        secure_cookies=address.certificate is not None,
        dashboard=add_dashboard,
    )
    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=30,
        ssl_certfile=str(address.certificate) if address.certificate else None,
        ssl_keyfile=str(address.key) if address.key else None,
        ws_max_size=4 * 1024 * 1024,
    )
    if threading.current_thread() is threading.main_thread():
        # Once it has ended uvicorn raises the signal again, as it was handled before: that must not end us at once.
        signal.signal(signal.SIGTERM, lambda *_: None)
    uvicorn.Server(config).run(sockets=[socket])
