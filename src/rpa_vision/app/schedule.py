"""Runs that begin by the clock: five fields as cron writes them, in the machine's local time.

A time that passed while nobody was there is made good once, within an hour; older ones are skipped. Every due time has
its own key in the queue, so that no restart makes two runs of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from rpa_vision.errors import RpaVisionError, UnknownIdError, UsageError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import RunAsked, Schedule

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

GRACE: Final = timedelta(hours=1)
_FIELDS: Final = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_HORIZON_DAYS: Final = 366 * 5
_SHORT: Final = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}


@dataclass(frozen=True, slots=True)
class Cron:
    """When something is due. As in cron, where both day and weekday are restricted, either will do."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool

    @classmethod
    def parse(cls, text: str) -> Cron:
        """Read five fields, or say which one is wrong."""
        parts = _SHORT.get(text.strip(), text).split()
        if len(parts) != len(_FIELDS):
            raise UsageError(
                f"{text!r} has {len(parts)} fields, not five",
                remedy="Write minute hour day month weekday, for example: 30 8 * * 1-5",
            )
        found = [_values(part, *about) for part, about in zip(parts, _FIELDS, strict=True)]
        weekdays = frozenset(day % 7 for day in found[4])
        either = not parts[2].startswith("*") and not parts[4].startswith("*")
        cron = cls(found[0], found[1], found[2], found[3], weekdays, either)
        if cron.next_after(datetime(2024, 1, 1)) is None:  # noqa: DTZ001
            raise UsageError(f"{text!r} never comes", remedy="Check the day and the month.")
        return cron

    def next_after(self, moment: datetime) -> datetime | None:
        """The next due time after a local one without a time zone, or None if there is none for years."""
        day, first = moment.date(), True
        for _ in range(_HORIZON_DAYS):
            if day.month in self.months and self._day_fits(day.day, day.isoweekday() % 7):
                for hour in sorted(self.hours):
                    for minute in sorted(self.minutes):
                        due = datetime(day.year, day.month, day.day, hour, minute)  # noqa: DTZ001
                        if not first or due > moment:
                            return due
            day, first = day + timedelta(days=1), False
        return None

    def _day_fits(self, day: int, weekday: int) -> bool:
        fits = day in self.days, weekday in self.weekdays
        return any(fits) if self.either_day else all(fits)


def next_due(cron: str, after: datetime) -> datetime:
    """The next due time after a moment, with its time zone."""
    local = after.astimezone().replace(tzinfo=None)
    due = Cron.parse(cron).next_after(local)
    assert due is not None
    return due.astimezone()


def make_schedule(
    office: Office, name: str, cron: str, asked: RunAsked, *, who: str, display: str | None = None, priority: int = 4
) -> Schedule:
    """Keep a schedule that was checked as a run would be."""
    from rpa_vision.app.queue import checked_display
    from rpa_vision.app.run_values import checked_values

    Cron.parse(cron)
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
    office.queue.save_schedule(schedule, enabled=True, last_due=now)
    return schedule


def switch_schedule(office: Office, schedule_id: str, *, enabled: bool) -> None:
    """Turn a schedule on or off; what was missed meanwhile is not made good."""
    found = next((one for one, _, _ in office.queue.schedules() if one.schedule_id == schedule_id), None)
    if found is None:
        raise UnknownIdError(f"there is no schedule {schedule_id!r}", remedy="List the schedules.")
    office.queue.save_schedule(found, enabled=enabled, last_due=office.clock.now())


def delete_schedule(office: Office, schedule_id: str) -> None:
    """Forget a schedule."""
    if not office.queue.delete_schedule(schedule_id):
        raise UnknownIdError(f"there is no schedule {schedule_id!r}", remedy="List the schedules.")


def list_schedules(office: Office) -> list[JsonObject]:
    """Every schedule, and when it is due next."""
    now = office.clock.now()
    return [
        {**one.to_json(), "enabled": enabled, "next_due": next_due(one.cron, now).isoformat() if enabled else None}
        for one, enabled, _ in office.queue.schedules()
    ]


def see_to_schedules(office: Office) -> int:
    """Queue what is due; says how many."""
    from rpa_vision.app.queue import ask_run

    now, asked = office.clock.now(), 0
    for schedule, enabled, last_due in office.queue.schedules():
        due = _last_due(schedule.cron, last_due, now) if enabled else None
        if due is None:
            continue
        if now - due <= GRACE:
            try:
                queued = ask_run(
                    office, schedule.asked, who=schedule.who, display=schedule.display, priority=schedule.priority,
                    origin="schedule", key=f"{schedule.schedule_id}@{due.isoformat()}",
                )  # fmt: skip
                asked += queued.is_new
            except RpaVisionError as error:  # the workflow is gone, or its display: told, and the next time tried again
                office.queue.tell(
                    "schedule_failed", {"schedule_id": schedule.schedule_id, "reason": str(error)}, now=now,
                    workflow_id=schedule.asked.workflow_id,
                )  # fmt: skip
        office.queue.saw_to(schedule.schedule_id, due)
    return asked


def _last_due(cron: str, after: datetime, now: datetime) -> datetime | None:
    """The last due time since a moment, if there was one; of several that were missed only the last counts."""
    due = next_due(cron, max(after, now - GRACE - timedelta(days=1)))
    last = None
    while due <= now:
        last, due = due, next_due(cron, due)
    return last


def _values(text: str, name: str, low: int, high: int) -> frozenset[int]:
    found: set[int] = set()
    for part in text.split(","):
        span, _, step_text = part.partition("/")
        first, _, last = span.partition("-")
        try:
            step = int(step_text) if step_text else 1
            begin = low if span == "*" else int(first)
            end = high if span == "*" or (step_text and not last) else int(last or first)
        except ValueError as error:
            raise UsageError(f"the {name} {text!r} is no number, range or list", remedy=_remedy(low, high)) from error
        if not (low <= begin <= end <= high and 1 <= step <= high + 1):
            raise UsageError(f"the {name} {text!r} is not within {low}..{high}", remedy=_remedy(low, high))
        found.update(range(begin, end + 1, step))
    return frozenset(found)


def _remedy(low: int, high: int) -> str:
    return f"Use numbers {low}..{high}: 5, 1-5, 1,3,5, */15 or *."
