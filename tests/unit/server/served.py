"""An office with an API in front, in this process: who asks is told by the token."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from starlette.testclient import TestClient

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.office import Office
from rpa_vision.app.wiring_office import folder_watch, open_office
from rpa_vision.models.account import ROLES
from rpa_vision.server.application import make_server
from rpa_vision.server.gate import Gate
from rpa_vision.server.running import Address, listening_socket

BASE = "http://127.0.0.1:5001"
DISPLAY = ":90"


@dataclass(frozen=True)
class Served:
    """A running API and a token for each role."""

    office: Office
    gate: Gate
    client: TestClient
    tokens: dict[str, str]

    def as_(self, role: str) -> dict[str, str]:
        """The header by which somebody of that role is known."""
        return {"Authorization": f"Bearer {self.tokens[role]}"} if role in self.tokens else {}


@contextmanager
def served(root: Path, dashboard: Callable[[FastAPI], None] | None = None) -> Iterator[Served]:
    """Open the office of a data directory and serve it; its pages too, if wanted: what breaks there is an
    answer of 500."""
    with open_office(FileDataDirectory(root, clock=SystemClock()), (DISPLAY,)) as office:
        gate = make_server(office, folder_watch(office), hosts=frozenset({"127.0.0.1"}), dashboard=dashboard)
        tokens = {}
        for role in ROLES:
            account = office.accounts.create(f"{role} one", role, who="test")
            tokens[role] = office.accounts.issue(account.user_id, "api", "test", who="test")[1]
        with TestClient(gate, base_url=BASE, raise_server_exceptions=dashboard is None) as client:  # type: ignore[arg-type]
            yield Served(office, gate, client, tokens)


@contextmanager
def listening(gate: Gate) -> Iterator[str]:
    """The same on a real socket, for whoever wants to come through the network; gives its address."""
    address = Address("127.0.0.1", 0)
    socket = listening_socket(address)
    server = uvicorn.Server(uvicorn.Config(gate, log_level="warning", lifespan="off"))  # type: ignore[arg-type]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    try:
        yield address.bound(socket).url
    finally:
        server.should_exit = True
        thread.join()
