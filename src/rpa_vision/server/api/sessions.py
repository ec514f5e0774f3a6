"""Recorded sessions: list them, look through one, its pictures."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Response

from rpa_vision.app.session_views import elements_on, session_details, session_timeline
from rpa_vision.app.sessions import delete_session
from rpa_vision.server.api.answers import Admin, IdPath, JsonBody, OfficeHere, Viewer, failures, picture

router = APIRouter(prefix="/sessions", responses=failures())


@router.get("")
def list_sessions(office: OfficeHere, me: Viewer) -> JsonBody:
    """All sessions, the newest first."""
    found = office.data.sessions.list()
    return {
        "sessions": [{**asdict(one), "started_at": one.started_at.isoformat(), "path": None} for one in found.items],
        "unreadable": [asdict(bad) for bad in found.unreadable],
    }


@router.get("/{session_id}", responses=failures(404))
def read_session(session_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """One session at a glance: where, when, how many events of which kind, its episodes."""
    return session_details(office, session_id)


@router.delete("/{session_id}", responses=failures(404, 409))
def remove_session(
    session_id: IdPath, office: OfficeHere, me: Admin, reason: Annotated[str, Query(max_length=1000)] = ""
) -> JsonBody:
    """Delete a session for good, with its pictures; what was learned from it stays, and datasets keep their copies: the
    answer names both. The `reason` is kept in the audit trail. Not while it is being recorded."""
    who, why = me.account.name, reason.strip()
    return delete_session(office.data, office.datasets, office.heal.audit, session_id, who=who, reason=why).to_json()


@router.get("/{session_id}/timeline", responses=failures(404))
def read_timeline(
    session_id: IdPath,
    office: OfficeHere,
    me: Viewer,
    offset: Annotated[int, Query(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> JsonBody:
    """What happened, event by event, with the screen before and after each."""
    return session_timeline(office, session_id, offset=offset, limit=limit)


@router.get("/{session_id}/screenshots/{screenshot_id}/elements", responses=failures(404))
def read_elements(session_id: IdPath, screenshot_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """What was understood of a picture: its elements with their places; nothing before it was learned from."""
    return elements_on(office, session_id, screenshot_id)


@router.get("/{session_id}/screenshots/{screenshot_id}", response_class=Response, responses=picture())
def read_screenshot(session_id: IdPath, screenshot_id: IdPath, office: OfficeHere, me: Viewer) -> Response:
    """A picture, as it was recorded; secrets are painted over in it."""
    from rpa_vision.app.session_views import screenshot

    return Response(screenshot(office, session_id, screenshot_id), media_type="image/png")
