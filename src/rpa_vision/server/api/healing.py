"""What people decide: approvals of workflows, proposals of healing, questions of lost runs."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Query, Response
from pydantic import Field

from rpa_vision.app import approve as approve_use_case
from rpa_vision.app.open_questions import open_questions
from rpa_vision.app.status import statuses
from rpa_vision.app.workflow_views import require_workflow
from rpa_vision.errors import UnknownIdError
from rpa_vision.models.ids import ID_PATTERN
from rpa_vision.server.api.answers import Ask, IdPath, JsonBody, OfficeHere, Operator, Viewer, failures, picture

router = APIRouter(responses=failures())


class ApprovalAsk(Ask):
    """Let a workflow run alone, and why: the version and the steps consented to are those that were shown.

    Weak evidence must be acknowledged.
    """

    version: int = Field(ge=1, le=1_000_000)
    consent_steps: list[Annotated[str, Field(max_length=128)]] = Field(max_length=1000)
    reason: str = Field(min_length=1, max_length=500)
    acknowledge: bool = False


class ReasonAsk(Ask):
    """Why."""

    reason: str = Field(min_length=1, max_length=500)


class AnswerAsk(Ask):
    """One answer: the number of a candidate, a point of the screen, none of them, or yes."""

    number: int | None = Field(default=None, ge=1, le=1000)
    point: list[int] | None = Field(default=None, min_length=2, max_length=2)
    none: bool = False
    yes: bool = False
    keep: bool = False


@router.get("/maturity")
def list_maturity(office: OfficeHere, me: Viewer) -> JsonBody:
    """Who acts in each workflow, and what it waits for."""
    return {"workflows": [one.to_json() for one in statuses(office.data, office.heal, office.clock.now())]}


@router.get("/maturity/{workflow_id}", responses=failures(404))
def read_evidence(workflow_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """What speaks for letting a workflow run alone."""
    return approve_use_case.evidence(office.heal, require_workflow(office, workflow_id)).to_json()


@router.post("/maturity/{workflow_id}/approve", responses=failures(404, 409))
def approve(workflow_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[ApprovalAsk, Body()]) -> JsonBody:
    """Let a workflow run alone, its irreversible steps included; 409 when it is not as it was shown any more."""
    workflow = require_workflow(office, workflow_id)
    seen = approve_use_case.Seen(asked.version, tuple(asked.consent_steps))
    approve_use_case.approve(
        office.heal, workflow_id, seen, who=me.account.name, reason=asked.reason, acknowledge=asked.acknowledge
    )
    return approve_use_case.evidence(office.heal, workflow).to_json()


@router.post("/maturity/{workflow_id}/withdraw", responses=failures(404, 409))
def withdraw(workflow_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[ReasonAsk, Body()]) -> JsonBody:
    """Take it back, at once."""
    workflow = require_workflow(office, workflow_id)
    approve_use_case.withdraw(office.heal, workflow, who=me.account.name, reason=asked.reason)
    return approve_use_case.evidence(office.heal, workflow).to_json()


@router.get("/proposals")
def list_proposals(
    office: OfficeHere,
    me: Viewer,
    workflow_id: Annotated[str | None, Query(pattern=ID_PATTERN, max_length=128)] = None,
    decided: bool = False,
) -> JsonBody:
    """Targets that were found otherwise than recorded, and worked."""
    found = office.heal.proposals.views(workflow_id, decided=decided)
    return {
        "proposals": [view.to_json() for view in found.items],
        "unreadable": [{"name": bad.name, "problem": bad.problem} for bad in found.unreadable],
    }


@router.get("/proposals/{proposal_id}/pictures/{name}", response_class=Response, responses=picture())
def read_proposal_picture(
    proposal_id: IdPath, name: Literal["before", "after", "look"], office: OfficeHere, me: Viewer
) -> Response:
    """The target before and after."""
    office.heal.proposals.store.load(proposal_id)
    png = office.heal.proposals.store.picture(proposal_id, name)
    if png is None:
        raise UnknownIdError(f"{proposal_id} has no picture {name!r}", remedy="Not every proposal has one.")
    return Response(png, media_type="image/png")


@router.post("/proposals/{proposal_id}/{verdict}", responses=failures(404, 409))
def decide(
    proposal_id: IdPath,
    verdict: Literal["accept", "reject"],
    office: OfficeHere,
    me: Operator,
    asked: Annotated[ReasonAsk, Body()],
) -> JsonBody:
    """Keep a change as a new version of the workflow, or never propose it again."""
    desk = office.heal.proposals
    do = desk.accept if verdict == "accept" else desk.reject
    return do(proposal_id, me.account.name, asked.reason).to_json()


@router.get("/questions")
def list_questions(office: OfficeHere, me: Viewer) -> JsonBody:
    """What runs ask just now."""
    return {"questions": [one.to_json() for one in open_questions(office)]}


@router.get("/questions/{question_id}/picture", response_class=Response, responses=picture())
def read_question_picture(question_id: IdPath, office: OfficeHere, me: Viewer) -> Response:
    """The screen of a question, candidates numbered."""
    office.heal.questions.store.load(question_id)
    png = office.heal.questions.store.picture(question_id)
    if png is None:
        raise UnknownIdError(f"{question_id} has no picture", remedy="Answer by number.")
    return Response(png, media_type="image/png")


@router.post("/questions/{question_id}/answer", responses=failures(404))
def answer(question_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[AnswerAsk, Body()]) -> JsonBody:
    """Show a lost run what is meant."""
    given = office.heal.questions.answer(
        question_id,
        me.account.name,
        number=asked.number,
        point=(asked.point[0], asked.point[1]) if asked.point is not None else None,
        none=asked.none,
        yes=asked.yes,
        keep=asked.keep,
    )
    return given.to_json()
