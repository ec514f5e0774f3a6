"""What somebody who comes in wants to know first: what runs, what needs me, how today went."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from rpa_vision.app import heal as heal_use_case
from rpa_vision.app.failures import list_cases
from rpa_vision.app.open_questions import open_questions
from rpa_vision.app.queue import held_batches, whys
from rpa_vision.models.document import JsonObject
from rpa_vision.ports.run_index import RunFilter

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

_DAYS = 14
_RECENT_CASES = 7
_NOT_RUN = ("folder_failed", "folder_skipped", "schedule_failed", "authorisation_dropped")
"""What is told of runs that nobody asked for by hand, and that did not come about."""


def overview(office: Office) -> JsonObject:
    """The first page."""
    office.runs.refresh()
    now = office.clock.now()
    today = now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)
    status = heal_use_case.status(office.heal, now)
    return {
        "at": now.isoformat(),
        "today": office.runs.count(RunFilter(since=today)),
        "week": office.runs.count(RunFilter(since=today - timedelta(days=6))),
        "all": office.runs.count(RunFilter()),
        "days": [asdict(day) for day in office.runs.days(RunFilter(since=today - timedelta(days=_DAYS - 1)))],
        **now_going_on(office),
        "needs": needs(office, status, now),
        "states": status["states"],
        "global_pause": status["global_pause"],
        "workflows": len(office.data.workflows.list().items),
        "sessions": len(office.data.sessions.list().items),
    }


def now_going_on(office: Office) -> JsonObject:
    """What runs and what waits, why, and who works where: what changes with every step."""
    line = office.queue.items(states=("running", "waiting"), limit=200)
    why = whys(office, line[:50]) if any(item.state == "waiting" for item in line) else {}
    return {
        "running": [item.to_json() for item in line if item.state == "running"],
        "waiting": [{**item.to_json(), "why": why[item.run_id]} for item in line[:50] if item.run_id in why],
        "queue": office.queue.counts(),
        "workers": workers(office),
    }


def workers(office: Office) -> list[JsonObject]:
    """Who works on which display, and whether they were seen lately."""
    now = office.clock.now()
    known = {worker.display: worker for worker in office.queue.workers()}
    names = dict.fromkeys([*office.displays, *known])
    return [
        {
            "display": name,
            "alive": name in known and known[name].lease_until > now,
            "since": known[name].since.isoformat() if name in known else None,
        }
        for name in names
    ]


def needs(office: Office, status: JsonObject, now: datetime) -> list[JsonObject]:
    """What waits for a person, the most urgent first. Each says what, why and where it is dealt with."""
    found: list[JsonObject] = []
    if status["global_pause"] is not None:
        found.append(_need("global_pause", "", status["global_pause"]["reason"], "/auto-heal", now.isoformat()))
    for held in office.queue.held_displays():
        found.append(_need("held_display", held.display, held.told(), "/runs", held.at.isoformat()))
    if status["policy"]["problem"]:
        found.append(_need("policy", "", status["policy"]["problem"], "/policy", now.isoformat()))
    for question in open_questions(office):
        why = f"{question.step}: {question.why}"
        found.append(_need("question", question.workflow_id, why, "/approvals", question.asked_at.isoformat()))
    for view in office.heal.proposals.views().items:
        proposal = view.proposal
        found.append(
            _need("proposal", proposal.workflow_id, proposal.step, "/approvals", proposal.updated_at.isoformat())
        )
    for one in status["workflows"]:
        if one["current_state"] in ("quarantined", "paused", "rollback") and status["global_pause"] is None:
            where = f"/auto-heal?workflow={one['workflow_id']}"
            found.append(_need(one["current_state"], one["workflow_id"], "", where, one["state_since"]))
    for item in office.queue.items(states=["interrupted"], limit=20):
        if item.ended_at is not None and now - item.ended_at < timedelta(days=_RECENT_CASES):
            found.append(
                _need("interrupted", item.workflow_id, item.reason, f"/runs/{item.run_id}", item.ended_at.isoformat())
            )
    for batch, why in held_batches(office.queue).items():
        about = office.queue.batch(batch)
        if about is not None:
            found.append(
                _need("batch", about.workflow_id, f"{about.name}: {why}", f"/batches/{batch}", now.isoformat())
            )
    for one in office.queue.told_lately(_NOT_RUN, now - timedelta(days=1), limit=8):
        name, where = one.body.get("file"), "/settings" if "file" in one.body or "folder_id" in one.body else "/start"
        why = f"{name}: {one.body['reason']}" if name and name not in one.body["reason"] else one.body["reason"]
        found.append(_need("not_run", one.workflow_id or "", why, where, one.at.isoformat()))
    recent = [one for one in list_cases(office.heal.failure_store).items if one.last_seen > now - timedelta(days=7)]
    for case in recent[:8]:
        found.append(
            _need("case", case.workflow_id, case.message, f"/failures/{case.case_id}", case.last_seen.isoformat(),
                  step_id=case.step_id, occurrences=case.occurrences)
        )  # fmt: skip
    return found


def _need(kind: str, workflow_id: str, why: str, where: str, at: str, **more: Any) -> JsonObject:
    return {"kind": kind, "workflow_id": workflow_id, "why": why, "where": where, "at": at, **more}
