"""Runs that wait for their turn: what was asked, what became of it, and where it came from."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal

from pydantic import AwareDatetime, Field, StringConstraints

from rpa_vision.models.document import Document, JsonObject
from rpa_vision.models.execution import RunMode
from rpa_vision.models.ids import Id

ItemState = Literal["waiting", "running", "ended", "interrupted", "cancelled"]
"""`interrupted`: it ran when its worker died; nobody knows how far it came, so it is never repeated blindly."""
Wanted = Literal["go", "pause", "stop"]
Origin = Literal["person", "batch", "schedule", "folder"]

DisplayName = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9:._\-]{1,64}$")]
MAX_PRIORITY = 9


class RunAsked(Document):
    """What somebody wants run, as it is kept until its turn comes."""

    schema_version: Literal["run_asked_v1"] = "run_asked_v1"
    workflow_id: Id
    parameters: dict[str, str] = {}
    mode: RunMode = "auto"
    authorised_because: str | None = Field(
        default=None,
        max_length=500,
        description="why a person lets a young workflow run alone this once; never kept for runs nobody asks for",
    )
    screen_timeout_s: float = Field(default=10.0, ge=0.5, le=600.0)
    from_here: bool = False
    asks: bool = Field(default=False, description="somebody watches the dashboard: it may ask to be shown a target")
    again: bool = Field(
        default=False,
        description="do all rows of a list on the screen, also those an earlier run did: a person has looked",
    )
    rest: bool = Field(
        default=False, description="leave out rows of a list on the screen that an earlier run did: a person has looked"
    )


class Schedule(Document):
    """Runs that begin by the clock."""

    schema_version: Literal["schedule_v1"] = "schedule_v1"
    schedule_id: Id
    name: str = Field(min_length=1, max_length=100)
    cron: str = Field(max_length=100, description="minute hour day month weekday, as cron writes it, in local time")
    asked: RunAsked
    display: DisplayName
    priority: int = Field(default=4, ge=0, le=MAX_PRIORITY)
    who: str
    created_at: AwareDatetime


class WatchedFolder(Document):
    """A folder whose new CSV and XLSX files are run, row by row."""

    schema_version: Literal["watched_folder_v1"] = "watched_folder_v1"
    folder_id: Id
    folder: str = Field(min_length=1, max_length=1000)
    asked: RunAsked
    display: DisplayName
    priority: int = Field(default=3, ge=0, le=MAX_PRIORITY)
    who: str
    created_at: AwareDatetime


@dataclass(frozen=True, slots=True)
class NewItem:
    """A run to be put into the queue. Two with the same `origin_key` are one, and so are two with the same `list_key`
    while one of them waits or runs: both would go on with one list on the screen."""

    run_id: str
    asked: RunAsked
    display: str
    priority: int
    who: str
    origin: Origin = "person"
    origin_key: str | None = None
    batch_id: str | None = None
    line: int | None = None
    list_key: str | None = None


@dataclass(frozen=True, slots=True)
class QueuedRun:
    """A run in the queue, or that was in it."""

    number: int
    run_id: str
    asked: RunAsked
    display: str
    priority: int
    who: str
    origin: Origin
    batch_id: str | None
    line: int | None
    queued_at: datetime
    state: ItemState
    wanted: Wanted
    worker_id: str | None
    lease_until: datetime | None
    started_at: datetime | None
    ended_at: datetime | None
    status: str
    reason: str
    doing: str
    steps_done: int
    input_sent: bool | None = None
    """Of a run that ended, whether it may have sent anything; None where nobody knows."""

    @property
    def workflow_id(self) -> str:
        return self.asked.workflow_id

    def to_json(self) -> JsonObject:
        """For the API."""
        return {
            "run_id": self.run_id,
            "workflow_id": self.workflow_id,
            "parameters": self.asked.parameters,
            "mode": self.asked.mode,
            "display": self.display,
            "priority": self.priority,
            "who": self.who,
            "origin": self.origin,
            "batch_id": self.batch_id,
            "line": self.line,
            "queued_at": self.queued_at.isoformat(),
            "state": self.state,
            "wanted": self.wanted,
            "started_at": self.started_at.isoformat() if self.started_at is not None else None,
            "ended_at": self.ended_at.isoformat() if self.ended_at is not None else None,
            "status": self.status,
            "reason": self.reason,
            "doing": self.doing,
            "steps_done": self.steps_done,
            "input_sent": self.input_sent,
            "again": self.asked.again,
            "rest": self.asked.rest,
        }


@dataclass(frozen=True, slots=True)
class Batch:
    """A file of rows in the queue. A released one goes on although rows in a row did not complete."""

    batch_id: str
    workflow_id: str
    name: str
    who: str
    queued_at: datetime
    rows: int
    skipped: int
    released: int
    digest: str = ""
    """Of all its rows: two files with the same one are the same, whatever they are called."""


@dataclass(frozen=True, slots=True)
class Worker:
    """Who does the runs of a display."""

    display: str
    worker_id: str
    since: datetime
    lease_until: datetime


@dataclass(frozen=True, slots=True)
class HeldDisplay:
    """A display where a person stopped the robot: no run of its queue begins until a person releases it."""

    display: str
    at: datetime
    why: str

    def told(self) -> str:
        """Why its runs wait, and what to do."""
        return (
            f"a person stopped {self.display} at {self.at.astimezone():%H:%M} ({self.why}): release it, here or with"
            f" `rpa-vision work --display {self.display} --release`"
        )

    def to_json(self) -> JsonObject:
        """For the API and for scripts."""
        return {"display": self.display, "at": self.at.isoformat(), "why": self.why, "told": self.told()}


@dataclass(frozen=True, slots=True)
class Happening:
    """Something that whoever watches wants to see at once."""

    number: int
    at: datetime
    kind: str
    run_id: str | None
    workflow_id: str | None
    body: JsonObject
