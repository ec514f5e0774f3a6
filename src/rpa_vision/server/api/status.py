"""How things are: the first page's numbers, health, metrics, and who I am."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Body, Request, Response
from fastapi.responses import JSONResponse

from rpa_vision.app.overview import overview
from rpa_vision.app.server_health import health_now, metrics_now, status_now
from rpa_vision.app.users import account_json, token_json
from rpa_vision.models.account import Language, Theme
from rpa_vision.server.api.answers import Ask, JsonBody, OfficeHere, Viewer, failures
from rpa_vision.system.metrics import CONTENT_TYPE

router = APIRouter(responses=failures())
outside = APIRouter()


class Preferences(Ask):
    """What the dashboard should look like."""

    language: Language | None = None
    theme: Theme | None = None


@router.get("/overview")
def read_overview(office: OfficeHere, me: Viewer) -> JsonBody:
    """What runs, what needs a person, and how today went."""
    return overview(office)


@router.get("/status", responses={304: {"description": "as it was (`If-None-Match`)"}})
def read_status(office: OfficeHere, me: Viewer) -> JsonBody:
    """The supervisor's view of every workflow, with the limits at which something happens, and how many runs wait.

    Made to be asked often: at most half a second old, with an `ETag`.
    """
    return status_now(office)


@router.get("/me")
def read_me(office: OfficeHere, me: Viewer) -> JsonBody:
    """Who is asking."""
    return {"account": account_json(me.account), "token": token_json(me.token)}


@router.patch("/me")
def change_me(office: OfficeHere, me: Viewer, wanted: Annotated[Preferences, Body()]) -> JsonBody:
    """Choose a language or theme; empty means what the browser prefers."""
    changed = office.accounts.prefer(me.account.user_id, language=wanted.language, theme=wanted.theme)
    return {"account": account_json(changed)}


@outside.get("/health", responses={503: {"description": "not ready"}})
@outside.get("/health/ready", responses={503: {"description": "not ready"}})
def read_health(request: Request, office: OfficeHere) -> JSONResponse:
    """Whether work should be sent here, and what was looked at. Details only for those who are signed in."""
    found = health_now(office)
    known = getattr(request.state, "identity", None) is not None
    body = found.to_json() if known else {"live": found.live, "ready": found.ready}
    return JSONResponse(body, status_code=found.status_code)


@outside.get("/health/live")
def read_live() -> JsonBody:
    """Whether this process lives."""
    return {"live": True}


@outside.get("/metrics", responses={200: {"content": {"text/plain": {}}}, **failures()}, response_class=Response)
def read_metrics(office: OfficeHere, me: Viewer) -> Response:
    """Numbers for Prometheus, in its text format."""
    return Response(metrics_now(office), headers={"content-type": CONTENT_TYPE})
