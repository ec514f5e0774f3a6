"""Runs that begin by the clock: five fields as cron writes them, in the machine's local time.

A time that passed while nobody was there is made good once, within an hour; older ones are skipped. Every due time has
its own key in the queue, so that no restart makes two runs of it.

Nobody is there when a schedule fires: it has no word of a person that lets a young workflow run alone.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

import structlog

from rpa_vision.app.cron import Cron, next_due
from rpa_vision.errors import RpaVisionError, StorageError, UnknownIdError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import RunAsked, Schedule

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

GRACE: Final = timedelta(hours=1)
_log = structlog.get_logger("rpa_vision.schedule")


def make_schedule(
    office: Office, name: str, cron: str, asked: RunAsked, *, who: str, display: str | None = None, priority: int = 4
) -> Schedule:
    """Keep a schedule that was checked as a run would be."""
    from rpa_vision.app.queue import checked_display, no_standing_word
    from rpa_vision.app.run_values import checked_values

    Cron.parse(cron)
    no_standing_word(asked)
    workflow = office.data.workflows.load(asked.workflow_id)
    checked_values(workflow, asked.parameters)
    now = office.clock.now()
    schedule = Schedule(
        schedule_id=office.ids.new("schedule"),
        name=name,
        cron=cron,
        asked=asked.model_copy(update={"workflow_id": workflow.workflow_id}),
        display=checked_display(office, display),
        priority=priority,
        who=who,
        created_at=now,
    )
    _note(office, schedule, "made", who)
    office.queue.save_schedule(schedule, enabled=True, last_due=now)
    return schedule


def switch_schedule(office: Office, schedule_id: str, *, enabled: bool, who: str) -> None:
    """Turn a schedule on or off; what was missed meanwhile is not made good."""
    found = _found(office, schedule_id)
    _note(office, found, "on" if enabled else "off", who)
    office.queue.save_schedule(found, enabled=enabled, last_due=office.clock.now())


def delete_schedule(office: Office, schedule_id: str, *, who: str) -> None:
    """Forget a schedule."""
    _note(office, _found(office, schedule_id), "deleted", who)
    office.queue.delete_schedule(schedule_id)


def list_schedules(office: Office) -> list[JsonObject]:
    """Every schedule, and when it is due next."""
    now = office.clock.now()
    return [
        {**one.to_json(), "enabled": enabled, "next_due": next_due(one.cron, now).isoformat() if enabled else None}
        for one, enabled, _ in office.queue.schedules()
    ]


def see_to_schedules(office: Office) -> int:
    """Queue what is due; says how many. What goes wrong with one is no fault of the others.

    A time is seen to when its run is in the queue, or when it can never be (the workflow is gone). What may pass, such
    as a busy disk, is tried again at the next look.
    """
    asked = 0
    for schedule, enabled, last_due in office.queue.schedules():
        try:
            asked += _see_to(office, schedule, last_due) if enabled else 0
        except Exception:  # the top of one schedule
            _log.exception("schedule_not_seen_to", schedule_id=schedule.schedule_id)
    return asked


def _see_to(office: Office, kept: Schedule, last_due: datetime) -> int:
    from rpa_vision.app.queue import ask_run

    now, asked = office.clock.now(), 0
    schedule = _without_authorisation(office, kept, last_due)
    if last_due > now:  # written down when the clock was wrong
        office.queue.saw_to(schedule.schedule_id, now)
    due = _last_due(schedule.cron, min(last_due, now), now)
    if due is None:
        return 0
    try:
        queued = ask_run(
            office, schedule.asked, who=schedule.who, display=schedule.display, priority=schedule.priority,
            origin="schedule", key=f"{schedule.schedule_id}@{due.isoformat()}",
        )  # fmt: skip
        asked += queued.is_new
    except StorageError:
        raise
    except RpaVisionError as error:  # the workflow is gone, or wants other values: told
        office.queue.tell(
            "schedule_failed", {"schedule_id": schedule.schedule_id, "reason": str(error)}, now=now,
            workflow_id=schedule.asked.workflow_id,
        )  # fmt: skip
    office.queue.saw_to(schedule.schedule_id, due)
    return asked


def _without_authorisation(office: Office, schedule: Schedule, last_due: datetime) -> Schedule:
    """A schedule as it may be: one that was kept with a person's word for every run loses it, and that is told."""
    from rpa_vision.app.queue import DROPPED

    if schedule.asked.authorised_because is None:
        return schedule
    mended = schedule.model_copy(update={"asked": schedule.asked.model_copy(update={"authorised_because": None})})
    _note(office, mended, "authorisation_dropped", "rpa-vision")
    office.queue.save_schedule(mended, enabled=True, last_due=last_due)
    office.queue.tell(
        "authorisation_dropped", {"schedule_id": schedule.schedule_id, "reason": f"{schedule.name}: {DROPPED}"},
        now=office.clock.now(), workflow_id=schedule.asked.workflow_id,
    )  # fmt: skip
    return mended


def _last_due(cron: str, after: datetime, now: datetime) -> datetime | None:
    """The last due time since a moment, if there was one within the hour; of several that were missed only the last
    counts."""
    parsed = Cron.parse(cron)
    due = parsed.due_after(max(after, now - GRACE))
    last = None
    while due <= now:
        last, due = due, parsed.due_after(due)
    return last


def _found(office: Office, schedule_id: str) -> Schedule:
    found = next((one for one, _, _ in office.queue.schedules() if one.schedule_id == schedule_id), None)
    if found is None:
        raise UnknownIdError(f"there is no schedule {schedule_id!r}", remedy="List the schedules.")
    return found


def _note(office: Office, schedule: Schedule, change: str, who: str) -> None:
    """Write down who changed what runs by itself, before it is changed."""
    office.heal.audit.append(
        "schedule_changed",
        {"schedule_id": schedule.schedule_id, "workflow_id": schedule.asked.workflow_id, "change": change,
         "name": schedule.name, "cron": schedule.cron, "display": schedule.display, "who": who},
    )  # fmt: skip
