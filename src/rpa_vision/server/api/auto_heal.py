"""Auto-heal: states, history, alerts; pause, resume and change states by hand."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Query
from pydantic import Field

from rpa_vision.app import heal as heal_use_case
from rpa_vision.app.confidence import confidence_of, precision_now
from rpa_vision.app.workflow_views import require_workflow
from rpa_vision.models.auto_heal import AlertKind
from rpa_vision.models.ids import ID_PATTERN
from rpa_vision.server.api.answers import Ask, IdPath, JsonBody, OfficeHere, Operator, Viewer, failures

router = APIRouter(responses=failures())
WorkflowQuery = Annotated[str | None, Query(pattern=ID_PATTERN, max_length=128)]


class ChangeAsk(Ask):
    """Pause or resume one workflow, or without one everything, and why."""

    workflow_id: str | None = Field(default=None, pattern=ID_PATTERN, max_length=128)
    reason: str = Field(min_length=1, max_length=500)


class TransitionAsk(Ask):
    """Another state for a workflow, and why; a rollback is asked for where versions are."""

    workflow_id: str = Field(pattern=ID_PATTERN, max_length=128)
    state: Literal["running", "degraded", "quarantined", "paused"]
    reason: str = Field(min_length=1, max_length=500)


@router.get("/auto-heal")
def read_states(office: OfficeHere, me: Viewer) -> JsonBody:
    """Every workflow's state, how full the windows are, and the limits."""
    return heal_use_case.status(office.heal, office.clock.now())


@router.get("/auto-heal/history")
def read_history(
    office: OfficeHere,
    me: Viewer,
    workflow_id: WorkflowQuery = None,
    since: Annotated[str | None, Query(max_length=40)] = None,
    kind: Annotated[list[str] | None, Query(max_length=30)] = None,
    failure: Annotated[list[str] | None, Query(max_length=10)] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> JsonBody:
    """Changes of state with who, why and how long; with kinds, the decisions themselves."""
    now = office.clock.now()
    asked = heal_use_case.HistoryQuestion(
        workflow_id=workflow_id,
        since=heal_use_case.moment(since, now) if since is not None else None,
        kinds=tuple(kind or ()),
        failure_kinds=tuple(failure or ()),
        limit=limit,
    )
    return heal_use_case.history(office.heal, asked, now)


@router.get("/auto-heal/alerts")
def read_alerts(
    office: OfficeHere,
    me: Viewer,
    workflow_id: WorkflowQuery = None,
    kind: AlertKind | None = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> JsonBody:
    """What people were told, the newest first."""
    found = office.heal.alerts.recent(limit, kind=kind, workflow_id=workflow_id)
    return {"alerts": [alert.to_json() for alert in found]}


@router.post("/auto-heal/pause", responses=failures(404, 409))
def pause(office: OfficeHere, me: Operator, asked: Annotated[ChangeAsk, Body()]) -> JsonBody:
    """Pause a workflow or everything. Steps that have begun end; only a person lets it go on."""
    return heal_use_case.pause(office.heal, _known(office, asked.workflow_id), asked.reason, me.account.name).to_json()


@router.post("/auto-heal/resume", responses=failures(404, 409))
def resume(office: OfficeHere, me: Operator, asked: Annotated[ChangeAsk, Body()]) -> JsonBody:
    """Let a workflow or everything go on where it was paused."""
    return heal_use_case.resume(office.heal, _known(office, asked.workflow_id), asked.reason, me.account.name).to_json()


@router.post("/auto-heal/transition", responses=failures(404, 409))
def transition(office: OfficeHere, me: Operator, asked: Annotated[TransitionAsk, Body()]) -> JsonBody:
    """Change a state by hand; outside the table too, and marked so."""
    known = _known(office, asked.workflow_id) or ""
    return heal_use_case.transition(office.heal, known, asked.state, asked.reason, me.account.name).to_json()


@router.get("/confidence")
def read_precision(office: OfficeHere, me: Viewer) -> JsonBody:
    """How good each strategy was, against what it claimed."""
    return precision_now(office)


@router.get("/confidence/{workflow_id}", responses=failures(404))
def read_confidence(
    workflow_id: IdPath, office: OfficeHere, me: Viewer, days: Annotated[int, Query(ge=1, le=365)] = 30
) -> JsonBody:
    """How sure the steps of a workflow were, day by day, and what holds its promotion back."""
    return confidence_of(office, workflow_id, days=days)


def _known(office: OfficeHere, workflow_id: str | None) -> str | None:
    return require_workflow(office, workflow_id).workflow_id if workflow_id is not None else None
