"""Runs: the queue, what runs, what ended, reports; files of rows; what a week came to."""

from __future__ import annotations

import asyncio
import contextlib
import json
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Body, File, Form, Query, Request, Response, UploadFile
from fastapi.responses import JSONResponse
from pydantic import AwareDatetime, Field
from starlette.requests import ClientDisconnect

from rpa_vision.app import held_displays, queued_files
from rpa_vision.app import queue as queue_use_case
from rpa_vision.app.left_over import HowToGoOn, go_on, left_behind
from rpa_vision.app.overview import workers
from rpa_vision.app.report import report_page
from rpa_vision.app.run_history import MAX_LISTED, MAX_OFFSET, judge_run, junit, list_runs, run_details, weekly
from rpa_vision.app.stopping import stop_all
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.execution import RunMode
from rpa_vision.models.queue import MAX_PRIORITY, DisplayName, ItemState, RunAsked, Wanted
from rpa_vision.models.running_run import MAX_REASON
from rpa_vision.ports.run_index import RunFilter
from rpa_vision.server.api.answers import Ask, IdPath, JsonBody, OfficeHere, Operator, Viewer, failures, picture
from rpa_vision.server.errors import TooLargeError
from rpa_vision.server.own_thread import in_own_thread

router = APIRouter(responses=failures())
_WANTED: dict[str, Wanted] = {"pause": "pause", "resume": "go", "stop": "stop"}
_WHY_STOPPED = {
    "description": (
        f"Why everything is stopped; the first {MAX_REASON} characters are kept in the audit trail. Whatever is sent "
        "here, or nothing: it is a stop."
    ),
    "required": False,
    "content": {"application/json": {"schema": {"type": "object", "properties": {"reason": {"type": "string"}}}}},
}
_BODY_S = 1.0
"""A stop does not wait longer for the rest of what is sent with it."""


class RunAsk(Ask):
    """A run, for the queue. The same key twice asks for one run only."""

    workflow_id: str = Field(max_length=128)
    parameters: dict[str, str] = Field(default={}, max_length=200)
    mode: RunMode = "auto"
    authorised_because: str | None = Field(default=None, max_length=500)
    screen_timeout_s: float = Field(default=10.0, ge=0.5, le=600.0)
    from_here: bool = False
    asks: bool = False
    again: bool = False
    rest: bool = False
    display: DisplayName | None = None
    priority: int = Field(default=queue_use_case.DEFAULT_PRIORITY, ge=0, le=MAX_PRIORITY)
    key: str | None = Field(default=None, min_length=1, max_length=200)


class GoOnAsk(Ask):
    """How a list on the screen is gone on with: its `rest`, or all of it `again`. Somebody has looked."""

    how: HowToGoOn
    authorised_because: str | None = Field(default=None, max_length=500)


class AgainAsk(Ask):
    """Which rows of a file are run again. `uncertain`: also those that may have sent something, somebody has looked;
    with `rest`, what is left of a list on the screen that such a row goes over, and not all of it."""

    uncertain: bool = False
    rest: bool = False


class PriorityAsk(Ask):
    """How urgent a waiting run is: 0 to 9."""

    priority: int = Field(ge=0, le=MAX_PRIORITY)


class ReleaseAsk(Ask):
    """A display that is held."""

    display: DisplayName


class VerdictAsk(Ask):
    """Whether a run did right."""

    verdict: Literal["right", "wrong"]
    note: str = Field(default="", max_length=1000)


@router.get("/runs")
def read_runs(
    office: OfficeHere,
    me: Viewer,
    workflow_id: Annotated[str | None, Query(max_length=128)] = None,
    status: Literal["success", "halted", "failed", "blocked"] | None = None,
    mode: RunMode | None = None,
    since: AwareDatetime | None = None,
    until: AwareDatetime | None = None,
    healed: bool = False,
    wrong: bool = False,
    text: Annotated[str, Query(max_length=200)] = "",
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED)] = 50,
    offset: Annotated[int, Query(ge=0, le=MAX_OFFSET)] = 0,
) -> JsonBody:
    """Runs that ended, the newest first."""
    _within(since, until)
    which = RunFilter(workflow_id, status, mode, since, until, healed, wrong, text)
    return list_runs(office, which, limit=limit, offset=offset)


@router.post("/runs", status_code=202, responses={200: {"description": "asked for before"}, **failures(404)})
def ask_run(office: OfficeHere, me: Operator, asked: Annotated[RunAsk, Body()]) -> JSONResponse:
    """Put a run into the queue."""
    fields = asked.model_dump(exclude={"display", "priority", "key"})
    queued = queue_use_case.ask_run(
        office,
        RunAsked.from_json(fields, where="run"),
        who=me.account.name,
        display=asked.display,
        priority=asked.priority,
        key=asked.key,
    )
    body = {**queued.item.to_json(), "is_new": queued.is_new, "why": _why(office, queued.item.run_id)}
    return JSONResponse(body, status_code=202 if queued.is_new else 200)


@router.get("/weekly")
def read_week(office: OfficeHere, me: Viewer, weeks_ago: Annotated[int, Query(ge=0, le=520)] = 0) -> JsonBody:
    """What a week came to: completed, halted, healed, wrong, time saved."""
    return weekly(office, weeks_ago=weeks_ago)


@router.get("/queue")
def read_queue(
    office: OfficeHere,
    me: Viewer,
    state: Annotated[list[ItemState] | None, Query()] = None,
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> JsonBody:
    """What runs and waits, in order, and why it waits; `state` asks for others."""
    items = office.queue.items(states=tuple(state or ("running", "waiting")), limit=limit)
    why = queue_use_case.whys(office, items)
    return {
        "items": [{**item.to_json(), "why": why.get(item.run_id)} for item in items],
        "counts": office.queue.counts(),
        "workers": workers(office),
        "held_displays": [one.to_json() for one in office.queue.held_displays()],
    }


@router.post("/queue/release")
def release_display(office: OfficeHere, me: Operator, asked: Annotated[ReleaseAsk, Body()]) -> JsonBody:
    """Let the runs of a display begin again after a person stopped the robot there."""
    held_displays.release(office.queue, office.heal.audit, office.clock, asked.display, who=me.account.name)
    return {"display": asked.display, "released": True}


@router.post("/stop", openapi_extra={"requestBody": _WHY_STOPPED})
async def stop_everything(office: OfficeHere, me: Operator, request: Request) -> JsonBody:
    """End every run before its next input, as `rpa-vision stop` does, and hold every display until it is released."""
    stopped = await in_own_thread(stop_all, office, who=me.account.name, reason=await _why_stopped(request))
    return stopped.to_json()


@router.get("/runs/{run_id}", responses=failures(404))
def read_run(run_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """A run: its place in the queue, its report, what a person said of it."""
    details, left = run_details(office, run_id), None
    if details["report"] is not None or details["queued"]["state"] in ("ended", "interrupted"):
        left = left_behind(office, run_id)
    return {**details, "why": _why(office, run_id), "left_over": left.to_json() if left is not None else None}


@router.post(
    "/runs/{run_id}/go-on", status_code=202, responses={200: {"description": "asked for before"}, **failures(404)}
)
def go_on_with_list(
    run_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[GoOnAsk, Body()]
) -> JSONResponse:
    """Queue a run over what a run has left of a list on the screen (`left_over`), or over all of it again."""
    queued = go_on(office, run_id, asked.how, who=me.account.name, authorised_because=asked.authorised_because)
    body = {**queued.item.to_json(), "is_new": queued.is_new, "why": _why(office, queued.item.run_id)}
    return JSONResponse(body, status_code=202 if queued.is_new else 200)


@router.post("/runs/{run_id}/{wanted}", responses=failures(404))
def want_run(run_id: IdPath, wanted: Literal["pause", "resume", "stop"], office: OfficeHere, me: Operator) -> JsonBody:
    """Pause a run between steps, let it go on, or stop it before its next input; a stop takes a waiting one out."""
    return queue_use_case.want(office, run_id, _WANTED[wanted], who=me.account.name).to_json()


@router.put("/runs/{run_id}/priority", responses=failures(404))
def change_priority(
    run_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[PriorityAsk, Body()]
) -> JsonBody:
    """Let a waiting run be done sooner or later."""
    return queue_use_case.reprioritise(office, run_id, asked.priority, who=me.account.name).to_json()


@router.put("/runs/{run_id}/verdict", responses=failures(404))
def judge(run_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[VerdictAsk, Body()]) -> JsonBody:
    """Say whether a run did right: what was reported as done and was wrong counts most."""
    said = judge_run(office, run_id, asked.verdict, who=me.account.name, note=asked.note)
    return {"run_id": run_id, "verdict": said.verdict, "who": said.who, "at": said.at.isoformat(), "note": said.note}


@router.get(
    "/runs/{run_id}/report.html",
    response_class=Response,
    responses={200: {"content": {"text/html": {}}}, **failures(404)},
)
def read_report(run_id: IdPath, office: OfficeHere, me: Viewer, lang: Literal["en", "fr"] | None = None) -> Response:
    """The report as one page that needs nothing else, in the language asked for or that of the account."""
    language = lang or ("fr" if me.account.language == "fr" else "en")
    return Response(report_page(office.data.runs, run_id, language), media_type="text/html")


@router.get(
    "/runs/{run_id}/junit.xml",
    response_class=Response,
    responses={200: {"content": {"application/xml": {}}}, **failures(404)},
)
def read_junit(run_id: IdPath, office: OfficeHere, me: Viewer) -> Response:
    """The report for a CI system."""
    return Response(junit(office.data.runs.load(run_id)), media_type="application/xml")


@router.get("/runs/{run_id}/pictures/{name}", response_class=Response, responses=picture("image/jpeg"))
def read_picture(run_id: IdPath, name: IdPath, office: OfficeHere, me: Viewer) -> Response:
    """A picture of a run, also while it goes on: `step_01_before`, `step_01_after`."""
    return Response(office.data.runs.picture(run_id, f"{name.removesuffix('.jpg')}.jpg"), media_type="image/jpeg")


@router.post("/workflows/{workflow_id}/rows", status_code=202, responses=failures(404, 413))
def ask_rows(
    workflow_id: IdPath,
    office: OfficeHere,
    me: Operator,
    file: Annotated[UploadFile, File(description="CSV or XLSX; the first row names the variables")],
    mode: Annotated[RunMode, Form()] = "auto",
    authorised_because: Annotated[str | None, Form(max_length=500)] = None,
    display: Annotated[str | None, Form(max_length=64)] = None,
    priority: Annotated[int, Form(ge=0, le=MAX_PRIORITY)] = queue_use_case.DEFAULT_PRIORITY,
    again: Annotated[bool, Form()] = False,
    rest: Annotated[bool, Form()] = False,
) -> JsonBody:
    """One run for each row of a file. A file whose rows were asked for before is left out, unless `again`; of one that
    has grown, only the new rows are run. `rest`: of a list on the screen that a row goes over, what an earlier run did
    is left out. `authorised_because` is refused: it is for one run."""
    name = (file.filename or "rows.csv")[-200:]
    suffix = ".xlsx" if name.lower().endswith((".xlsx", ".xlsm")) else ".csv"
    with office.uploads(file.file.read(), suffix) as path:
        rows = office.row_files.read(path)
    asked = RunAsked(workflow_id=workflow_id, mode=mode, authorised_because=authorised_because or None, rest=rest)
    return queued_files.ask_rows(
        office, asked, rows, name, who=me.account.name, display=display, priority=priority, again=again
    ).to_json()


@router.get("/batches")
def list_batches(office: OfficeHere, me: Viewer) -> JsonBody:
    """Files of rows, the newest first."""
    held = queue_use_case.held_batches(office.queue)
    return {"batches": [queue_use_case.batch_json(office.queue, one, held) for one in office.queue.batches()]}


@router.get("/batches/{batch_id}", responses=failures(404))
def read_batch(batch_id: IdPath, office: OfficeHere, me: Viewer) -> JsonBody:
    """A file of rows, and what became of each row."""
    found = office.queue.batch(batch_id)
    if found is None:
        raise UnknownIdError(f"there is no file of rows {batch_id!r}", remedy="List the files of rows.")
    rows = office.queue.items(batch_id=batch_id, limit=100_000)
    why = queue_use_case.whys(office, rows)
    held = queue_use_case.held_batches(office.queue)
    return {
        **queue_use_case.batch_json(office.queue, found, held),
        "items": [{**item.to_json(), "why": why.get(item.run_id)} for item in rows],
    }


@router.post("/batches/{batch_id}/release", responses=failures(404))
def release(batch_id: IdPath, office: OfficeHere, me: Operator) -> JsonBody:
    """Let a file go on whose rows failed one after the other."""
    found = queued_files.release_batch(office, batch_id, who=me.account.name)
    return {"batch_id": found.batch_id, "released": True}


@router.post("/batches/{batch_id}/stop", responses=failures(404))
def stop_batch(batch_id: IdPath, office: OfficeHere, me: Operator) -> JsonBody:
    """Take all rows of a file that wait out of the queue, and end the one that runs before its next input."""
    return queued_files.stop_batch(office, batch_id, who=me.account.name)


@router.post("/batches/{batch_id}/again", status_code=202, responses=failures(404))
def run_batch_again(
    batch_id: IdPath, office: OfficeHere, me: Operator, asked: Annotated[AgainAsk | None, Body()] = None
) -> JsonBody:
    """Run the rows of a file again that did not complete and sent nothing; the others are left out, and told why."""
    which = asked or AgainAsk()
    return queued_files.run_again(
        office, batch_id, who=me.account.name, uncertain=which.uncertain, rest=which.rest
    ).to_json()


async def _why_stopped(request: Request) -> str:
    """What was sent as the reason of a stop, if that can be read: nobody in a hurry writes it right."""
    with contextlib.suppress(ValueError, RecursionError, TimeoutError, ClientDisconnect, TooLargeError):
        sent = json.loads(await asyncio.wait_for(request.body(), _BODY_S))
        said = sent.get("reason") if isinstance(sent, dict) else None
        return said[:MAX_REASON] if isinstance(said, str) else ""
    return ""


def _why(office: OfficeHere, run_id: str) -> str | None:
    item = office.queue.item(run_id)
    return queue_use_case.whys(office, [item]).get(run_id) if item is not None else None


def _within(since: datetime | None, until: datetime | None) -> None:
    for moment in (since, until):
        if moment is not None and not 1971 <= moment.year <= 9000:
            raise UsageError(f"{moment.year} is no year of a run", remedy="Give a time like 2026-03-31T12:00:00Z.")
