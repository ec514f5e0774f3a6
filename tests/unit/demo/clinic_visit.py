"""The clinic without a network: the application itself, asked directly."""

from __future__ import annotations

from dataclasses import dataclass, field

from starlette.testclient import TestClient

from rpa_vision.demo.clinic.data import make_invoices
from rpa_vision.demo.clinic.server import create_app
from rpa_vision.demo.clinic.sessions import DEMO_PASSWORD, DEMO_USER
from rpa_vision.demo.clinic.store import Store


@dataclass
class Visit:
    """A browser at the clinic, and a clock that only moves when told."""

    time_s: float = 1000.0
    client: TestClient = field(init=False)

    def __post_init__(self) -> None:
        self.store = Store(make_invoices(7), lambda: self.time_s)
        self.client = TestClient(create_app(self.store, now=lambda: self.time_s))

    def drift(self, **changes: object) -> None:
        """Change the application."""
        assert self.client.post("/truth/drift", json=changes).status_code == 200

    def log_in(self, password: str = DEMO_PASSWORD) -> str:
        """Sign in; the page that follows."""
        return str(self.client.post("/connexion", data={"user": DEMO_USER, "password": password}).text)

    def page(self, path: str) -> str:
        """The page at an address, redirections followed."""
        return str(self.client.get(path).text)

    def post(self, path: str, **fields: str) -> str:
        """The page after sending a form."""
        return str(self.client.post(path, data=fields).text)
