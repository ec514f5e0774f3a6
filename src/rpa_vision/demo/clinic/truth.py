"""What really happened, for evaluation only: the database's own word, and the switches of an experiment.

Nothing that watches or automates the clinic may ask here.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rpa_vision.demo.clinic.accounts_store import AccountsStore
from rpa_vision.demo.clinic.drift import Drift, DriftError
from rpa_vision.demo.clinic.layout_board import LayoutBoard
from rpa_vision.demo.clinic.sessions import Sessions
from rpa_vision.demo.clinic.store import Store


class Truth:
    """The `/truth` routes, and the current drift that they can change."""

    def __init__(self, store: Store, sessions: Sessions, drift: Drift, accounts: AccountsStore | None = None) -> None:
        self._store = store
        self._accounts = accounts
        self.sessions = sessions
        self.drift = drift
        self._board = LayoutBoard()

    def routes(self) -> list[Route]:
        """Everything below /truth."""
        return [
            Route("/truth", self.read),
            Route("/truth/drift", self.read_drift, methods=["GET"]),
            Route("/truth/drift", self.change_drift, methods=["POST"]),
            Route("/truth/expire", self.expire, methods=["POST"]),
            Route("/truth/reset", self.reset, methods=["POST"]),
            Route("/truth/layout", self.read_layout, methods=["GET"]),
            Route("/truth/layout", self.post_layout, methods=["POST"]),
        ]

    async def read(self, request: Request) -> Response:
        return JSONResponse(
            {
                "invoices": [
                    {
                        "number": invoice.number,
                        "patient": invoice.patient,
                        "amount_cents": invoice.amount_cents,
                        "status": invoice.status.value,
                        "amount_is_wrong": invoice.amount_is_wrong,
                    }
                    for invoice in self._store.invoices()
                ],
                "journal": [asdict(entry) for entry in self._store.journal()],
                "drift": self.drift.as_dict(),
                **(self._accounts.truth() if self._accounts is not None else {}),
            }
        )

    async def read_drift(self, request: Request) -> Response:
        return JSONResponse(self.drift.as_dict())

    async def change_drift(self, request: Request) -> Response:
        changes = await _object(request)
        if changes is None:
            return _refusal("the body must be a JSON object of drift switches")
        try:
            self.drift = self.drift.changed(changes)
        except DriftError as error:
            return _refusal(str(error), error.remedy)
        return JSONResponse(self.drift.as_dict())

    async def expire(self, request: Request) -> Response:
        self.sessions.expire_all()
        return JSONResponse({"expired": True})

    async def reset(self, request: Request) -> Response:
        self._store.reset()
        if self._accounts is not None:
            self._accounts.reset()
        return JSONResponse({"reset": True})

    async def read_layout(self, request: Request) -> Response:
        return JSONResponse(self._board.latest())

    async def post_layout(self, request: Request) -> Response:
        report = await _object(request)
        if report is None:
            return _refusal("the body must be a JSON object")
        return JSONResponse({"taken": self._board.post(report)})


async def _object(request: Request) -> dict[str, Any] | None:
    try:
        value = json.loads(await request.body())
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _refusal(reason: str, remedy: str = "") -> JSONResponse:
    return JSONResponse({"error": reason, "remedy": remedy}, status_code=400)
