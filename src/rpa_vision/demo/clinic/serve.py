"""Runs the clinic on a loopback port, in a thread of the caller's process."""

from __future__ import annotations

import json
import socket
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.request import Request, urlopen

import uvicorn

from rpa_vision.demo.clinic.accounts_data import make_accounts
from rpa_vision.demo.clinic.accounts_store import AccountsStore
from rpa_vision.demo.clinic.data import make_invoices
from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.server import create_app
from rpa_vision.demo.clinic.store import Store
from rpa_vision.errors import EnvironmentMissingError

START_TIMEOUT_S = 10.0


class PortTakenError(EnvironmentMissingError):
    """The port asked for is in use."""

    code = "demo.port_taken"
    default_remedy = "Choose another port, or port 0 for any free one."


class ClinicServer:
    """A running clinic; use it as a context manager, or call `stop`."""

    def __init__(
        self,
        *,
        seed: int = 7,
        drift: Drift | None = None,
        port: int = 0,
        database: Path | None = None,
        report_layout: bool = True,
        accounts: bool = False,
    ) -> None:
        self._store = Store(make_invoices(seed), time.time, database)
        module = AccountsStore(self._store, make_accounts(seed)) if accounts else None
        app = create_app(self._store, drift, accounts=module, report_layout=report_layout)
        self._socket = _listen(port)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = _ToldServer(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1, lifespan="off"))
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [self._socket]}, name="clinic", daemon=True
        )

    def start(self) -> ClinicServer:
        """Serve; returns when the first request can be answered."""
        self._thread.start()
        if not self._server.is_up.wait(START_TIMEOUT_S):
            raise EnvironmentMissingError("the demo application did not start", remedy="Try again on a calmer machine.")
        return self

    def stop(self) -> None:
        """Stop serving and close the database."""
        self._server.should_exit = True
        self._thread.join(START_TIMEOUT_S)
        self._socket.close()
        self._store.close()

    def truth(self) -> dict[str, Any]:
        """What `/truth` says now."""
        return self._ask("/truth")

    def change_drift(self, **changes: Any) -> dict[str, Any]:
        """Set switches while it runs."""
        return self._ask("/truth/drift", changes)

    def reset(self) -> None:
        """The data is as on the first day, and the journal is empty."""
        self._ask("/truth/reset", {})

    def expire_sessions(self) -> None:
        """Every session ends at its next request."""
        self._ask("/truth/expire", {})

    def __enter__(self) -> ClinicServer:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _ask(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.url + path, data=data), timeout=5) as answer:
            value: dict[str, Any] = json.load(answer)
        return value


class _ToldServer(uvicorn.Server):
    """A server that says when it is up, so that nobody has to poll for it."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.is_up = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.is_up.set()


def _listen(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        raise PortTakenError(f"port {port} cannot be used: {error.strerror}") from error
    return listener
