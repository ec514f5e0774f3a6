"""Runs by the clock and by folder."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Body, Request
from pydantic import Field

from rpa_vision.app import schedule as use_case
from rpa_vision.app.cron import next_due
from rpa_vision.app.folder_watch import FolderWatch
from rpa_vision.models.execution import RunMode
from rpa_vision.models.queue import MAX_PRIORITY, DisplayName, RunAsked
from rpa_vision.server.api.answers import Admin, Ask, IdPath, JsonBody, OfficeHere, Operator, Viewer, failures

router = APIRouter(responses=failures())


class _Asked(Ask):
    """What is run with nobody there: no word of a person lets a young workflow run alone here."""

    workflow_id: str = Field(max_length=128)
    parameters: dict[str, str] = Field(default={}, max_length=200)
    mode: RunMode = "auto"
    display: DisplayName | None = None
    priority: int = Field(default=4, ge=0, le=MAX_PRIORITY)

    def asked(self) -> RunAsked:
        return RunAsked.from_json(
            {
                "workflow_id": self.workflow_id,
                "parameters": self.parameters,
                "mode": self.mode,
            },
            where="run",
        )


class ScheduleAsk(_Asked):
    """A schedule: five fields as cron writes them, in the server's local time."""

    name: str = Field(min_length=1, max_length=100)
    cron: str = Field(min_length=1, max_length=100, examples=["30 8 * * 1-5"])


class FolderAsk(_Asked):
    """A folder of the server whose CSV and XLSX files are run."""

    folder: str = Field(min_length=1, max_length=1000)


class Switch(Ask):
    """On or off."""

    enabled: bool


@router.get("/schedules")
def list_schedules(office: OfficeHere, me: Viewer) -> JsonBody:
    """Every schedule, and when it is due next."""
    return {"schedules": use_case.list_schedules(office)}


@router.post("/schedules", status_code=201, responses=failures(404))
def make_schedule(office: OfficeHere, me: Operator, asked: Annotated[ScheduleAsk, Body()]) -> JsonBody:
    """Let runs begin by the clock."""
    made = use_case.make_schedule(
        office,
        asked.name,
        asked.cron,
        asked.asked(),
        who=me.account.name,
        display=asked.display,
        priority=asked.priority,
    )
    return {**made.to_json(), "next_due": next_due(made.cron, office.clock.now()).isoformat()}


@router.patch("/schedules/{schedule_id}", responses=failures(404))
def switch_schedule(
    schedule_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[Switch, Body()]
) -> JsonBody:
    """Turn a schedule on or off."""
    use_case.switch_schedule(office, schedule_id, enabled=asked.enabled, who=me.account.name)
    return {"schedule_id": schedule_id, "enabled": asked.enabled}


@router.delete("/schedules/{schedule_id}", responses=failures(404))
def delete_schedule(schedule_id: IdPath, office: OfficeHere, me: Operator) -> JsonBody:
    """Forget a schedule; runs that it queued stay."""
    use_case.delete_schedule(office, schedule_id, who=me.account.name)
    return {"schedule_id": schedule_id, "deleted": True}


@router.get("/folders")
def list_folders(request: Request, office: OfficeHere, me: Viewer) -> JsonBody:
    """Every watched folder."""
    return {"folders": _watch(request).list()}


@router.post("/folders", status_code=201, responses=failures(404))
def watch_folder(request: Request, office: OfficeHere, me: Admin, asked: Annotated[FolderAsk, Body()]) -> JsonBody:
    """Run the files of a folder of the server, row by row, as they arrive."""
    made = _watch(request).add(
        Path(asked.folder), asked.asked(), who=me.account.name, display=asked.display, priority=asked.priority
    )
    return made.to_json()


@router.delete("/folders/{folder_id}", responses=failures(404))
def leave_folder(folder_id: IdPath, request: Request, office: OfficeHere, me: Admin) -> JsonBody:
    """Watch a folder no longer."""
    _watch(request).remove(folder_id, who=me.account.name)
    return {"folder_id": folder_id, "deleted": True}


def _watch(request: Request) -> FolderWatch:
    found: FolderWatch = request.app.state.folder_watch
    return found
