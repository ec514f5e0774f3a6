"""Workflows: list, read, draw, compare and go back."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Response
from pydantic import Field

from rpa_vision.app import heal as heal_use_case
from rpa_vision.app import workflow_views as views
from rpa_vision.app.rollback_view import rollback_consequences
from rpa_vision.app.sop import sop_of
from rpa_vision.app.workflow_edit import check_edit, save_edit
from rpa_vision.server.api.answers import (
    Ask,
    IdPath,
    JsonBody,
    OfficeHere,
    Operator,
    VersionPath,
    Viewer,
    failures,
    picture,
)

router = APIRouter(prefix="/workflows", responses=failures())
Lang = Annotated[str, Query(alias="lang", pattern="^(en|fr)$")]
Version = Annotated[str, Query(pattern=r"^v?\d{1,6}$")]


class RollbackAsk(Ask):
    """Which version to go back to, and why; without a version, the one before."""

    to_version: str | None = Field(default=None, pattern=r"^v?\d{1,6}$")
    reason: str = Field(min_length=1, max_length=500)


class DocumentAsk(Ask):
    """The whole document, as it is read here."""

    document: dict[str, Any]


class EditAsk(DocumentAsk):
    """The whole document as it shall be, and why."""

    reason: str = Field(min_length=1, max_length=500)


@router.get("")
def list_workflows(office: OfficeHere, me: Viewer) -> JsonBody:
    """All workflows, with maturity, state and how the last week went."""
    return views.list_workflows(office)


@router.get("/{workflow_id}", responses=failures(404))
def read_workflow(workflow_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """The whole document."""
    return views.require_workflow(office, workflow_id).to_json()


@router.put("/{workflow_id}", responses=failures(404, 409))
def edit_workflow(workflow_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[EditAsk, Body()]) -> JsonBody:
    """Keep an edited document as the next version; 409 when the one it began with is no longer in use."""
    return save_edit(office, workflow_id, asked.document, who=me.account.name, reason=asked.reason)


@router.post("/{workflow_id}/validate", responses=failures(404))
def validate(workflow_id: IdPath, office: OfficeHere, me: Viewer, asked: Annotated[DocumentAsk, Body()]) -> JsonBody:
    """Whether an edited document is a workflow, with every mistake named, and what it would change."""
    return check_edit(office, workflow_id, asked.document)


@router.get("/{workflow_id}/graph", responses=failures(404))
def read_graph(workflow_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """Screens and steps, to be drawn."""
    return views.graph(views.require_workflow(office, workflow_id))


@router.get("/{workflow_id}/procedure", responses=failures(404))
def read_procedure(workflow_id: IdPath, office: OfficeHere, me: Viewer, lang: Lang = "en") -> JsonBody:
    """The workflow in words, line by line."""
    return views.steps_in_words(views.require_workflow(office, workflow_id), "fr" if lang == "fr" else "en")


@router.get("/{workflow_id}/perception", responses=failures(404))
def read_perception(workflow_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """By which detector, judge and reader it was learned, which ones run it now, and what to do where they differ."""
    return views.learned_with(office, views.require_workflow(office, workflow_id))


@router.get(
    "/{workflow_id}/sop.md",
    response_class=Response,
    responses={200: {"content": {"text/markdown": {}}}, **failures(404)},
)
def read_sop(workflow_id: IdPath, office: OfficeHere, me: Viewer, lang: Lang = "en") -> Response:
    """The workflow as a Markdown document."""
    workflow = views.require_workflow(office, workflow_id)
    told = sop_of(workflow, office.data.pictures.load, folder="pictures", language="fr" if lang == "fr" else "en")
    return Response(told.markdown, media_type="text/markdown")


@router.get("/{workflow_id}/pictures/{name}", response_class=Response, responses=picture())
def read_picture(workflow_id: IdPath, name: IdPath, office: OfficeHere, me: Viewer) -> Response:
    """A screen by its node's id, or a step's target by its edge's."""
    return Response(views.picture_of(office, workflow_id, name), media_type="image/png")


@router.get("/{workflow_id}/versions", responses=failures(404))
def list_versions(workflow_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """Every version, each file checked."""
    views.require_workflow(office, workflow_id)
    return heal_use_case.list_versions(office.heal.versions, workflow_id, office.heal)


@router.get("/{workflow_id}/compare", responses=failures(404))
def compare(
    workflow_id: IdPath,
    office: OfficeHere,
    me: Viewer,
    before: Annotated[str, Query(alias="from", pattern=r"^v?\d{1,6}$")],
    after: Annotated[str, Query(alias="to", pattern=r"^v?\d{1,6}$")],
) -> JsonBody:
    """What two versions say differently."""
    views.require_workflow(office, workflow_id)
    return views.compare_versions(office, workflow_id, before, after)


@router.get("/{workflow_id}/versions/{version}", responses=failures(404))
def read_version(workflow_id: IdPath, version: VersionPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """The document as it was in a version."""
    views.require_workflow(office, workflow_id)
    return views.version_document(office, workflow_id, version).to_json()


@router.get("/{workflow_id}/rollback", responses=failures(404))
def plan_rollback(workflow_id: IdPath, office: OfficeHere, me: Viewer, to: Version | None = None) -> JsonBody:
    """What a rollback would do, before anybody does it."""
    views.require_workflow(office, workflow_id)
    return rollback_consequences(office, workflow_id, to)


@router.post("/{workflow_id}/rollback", responses=failures(404, 409))
def roll_back(workflow_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[RollbackAsk, Body()]) -> JsonBody:
    """Go back to an earlier version, all of it."""
    views.require_workflow(office, workflow_id)
    plan = heal_use_case.plan_rollback(office.heal.versions, workflow_id, asked.to_version)
    return heal_use_case.roll_back(office.heal, plan, asked.reason, me.account.name).to_json()
