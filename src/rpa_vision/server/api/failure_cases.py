"""Failure cases: list, look at one with its pictures, resolve it again."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from rpa_vision.app.failures import CaseFilter, list_cases, replay_case
from rpa_vision.errors import UnknownIdError
from rpa_vision.models.execution import FailureKind
from rpa_vision.models.ids import ID_PATTERN
from rpa_vision.ports.failures import CasePicture
from rpa_vision.server.api.answers import IdPath, JsonBody, OfficeHere, Operator, Viewer, failures, picture

router = APIRouter(prefix="/failures", responses=failures())
IdQuery = Annotated[str | None, Query(pattern=ID_PATTERN, max_length=128)]


@router.get("")
def list_failures(
    office: OfficeHere,
    me: Viewer,
    workflow_id: IdQuery = None,
    step_id: IdQuery = None,
    kind: FailureKind | None = None,
) -> JsonBody:
    """The cases, the last seen first."""
    found = list_cases(office.heal.failure_store, CaseFilter(workflow_id, step_id, kind))
    return {
        "cases": [case.to_json() for case in found.items],
        "unreadable": [{"name": bad.name, "problem": bad.problem} for bad in found.unreadable],
    }


@router.get("/{case_id}", responses=failures(404))
def read_failure(case_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """Everything there is to know about a case."""
    return office.heal.failure_store.load(case_id).to_json()


@router.get("/{case_id}/pictures/{name}", response_class=Response, responses=picture())
def read_picture(case_id: IdPath, name: CasePicture, office: OfficeHere, me: Viewer) -> Response:
    """The screen of a case, what was seen `after` something was sent, or the recorded look of what was sought."""
    office.heal.failure_store.sightings(case_id)
    png = office.heal.failure_store.picture(case_id, name)
    if png is None:
        raise UnknownIdError(f"{case_id} has no picture {name!r}", remedy="Not every failure has one.")
    return Response(png, media_type="image/png")


@router.post("/{case_id}/replay", responses=failures(404))
def replay(case_id: IdPath, office: OfficeHere, me: Operator) -> JsonBody:
    """Resolve the target of a case again: what would be done now."""
    case, again = replay_case(office.heal.failure_store, case_id)
    return {"case_id": case.case_id, **again.to_json()}
