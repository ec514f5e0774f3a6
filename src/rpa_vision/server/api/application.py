"""The API as one application, every answer of every kind documented."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from rpa_vision import __version__
from rpa_vision.app.folder_watch import FolderWatch
from rpa_vision.app.office import Office
from rpa_vision.errors import RpaVisionError
from rpa_vision.server.api import (
    auto_heal,
    datasets,
    events,
    failure_cases,
    healing,
    policy,
    runs,
    schedules,
    sessions,
    status,
    users,
    workflows,
)
from rpa_vision.server.errors import body_of, status_of
from rpa_vision.server.news import News

PREFIX = "/api/v1"
_ABOUT = """Everything the dashboard does. Send `Authorization: Bearer TOKEN`; tokens are made in Settings.
Every error is `{"error": {"code", "message", "remedy"}}`; docs/errors.md lists the codes."""
_CODES = {404: "id.unknown", 405: "usage", 400: "usage", 413: "server.too_large"}


def make_api(office: Office, folder_watch: FolderWatch) -> FastAPI:
    """The API over an office. Who asks is found out by the gate in front of it."""
    app = FastAPI(title="RPA Vision", version=__version__, description=_ABOUT, redoc_url=None)
    app.state.office = office
    app.state.folder_watch = folder_watch
    app.state.news = News(office, folder_watch)
    for part in (
        status,
        sessions,
        workflows,
        runs,
        schedules,
        auto_heal,
        failure_cases,
        healing,
        policy,
        datasets,
        users,
        events,
    ):
        app.include_router(part.router, prefix=PREFIX, tags=[part.__name__.rpartition(".")[2].replace("_", " ")])
    app.include_router(policy.privacy, prefix=PREFIX, tags=["policy"])
    app.include_router(status.outside, tags=["monitoring"])
    app.add_exception_handler(RpaVisionError, _told)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_exception_handler(HTTPException, _refused)
    return app


def _told(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RpaVisionError)
    return JSONResponse(body_of(error), status_code=status_of(error))


def _not_understood(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    message, remedy = f"{where}: {first['msg']}", "/docs says what is expected."
    return JSONResponse({"error": {"code": "usage", "message": message, "remedy": remedy}}, status_code=422)


def _refused(request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    body = {
        "code": _CODES.get(error.status_code, "usage"),
        "message": str(error.detail),
        "remedy": "/docs lists what there is.",
    }
    return JSONResponse({"error": body}, status_code=error.status_code, headers=error.headers)
