"""When something is due: five fields as cron writes them, in the machine's local time.

When clocks are put forward, a time of the day that there is not is due when the clock goes on; when they are put back,
a time of the day that comes twice is due once. What is due in every hour is due in every hour that passes.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from rpa_vision.errors import UsageError

_FIELDS: Final = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_HORIZON_DAYS: Final = 366 * 5
_SHORT: Final = {"@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *"}
_MINUTE: Final = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Cron:
    """When something is due. As in cron, where both day and weekday are restricted, either will do."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    either_day: bool
    every_hour: bool

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
        cron = cls(found[0], found[1], found[2], found[3], weekdays, either, parts[1].startswith("*"))
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

    def due_after(self, moment: datetime) -> datetime:
        """The next due moment after a moment, in UTC. Clocks are put forward and back on the way."""
        now = moment.astimezone(UTC).replace(second=0, microsecond=0)
        local = _local(now)
        last = local + timedelta(days=_HORIZON_DAYS)
        while local < last:
            expected = self._look_again(local)
            # The first minute of a day is found by its name; within a day it is counted.
            there = expected.astimezone(UTC) if expected.date() != local.date() else now + (expected - local)
            now = max(now + _MINUTE, there)
            landed = _local(now)
            was_skipped = landed > expected and not self.every_hour
            if was_skipped and self._fits_within(expected, landed):
                return now
            local = landed
            if self._fits(local) and (self.every_hour or not _is_second(local, now)):
                return now
        raise UsageError("nothing is due for years", remedy="Check the day and the month.")

    def _look_again(self, local: datetime) -> datetime:
        """The next local minute that may fit, where no clock is put forward or back."""
        if local.month not in self.months or not self._day_fits(local.day, local.isoweekday() % 7):
            return local.replace(hour=0, minute=0) + timedelta(days=1)
        if local.hour not in self.hours:
            return local.replace(minute=0) + timedelta(hours=1)
        return local + _MINUTE

    def _fits_within(self, begin: datetime, end: datetime) -> bool:
        minutes = int((end - begin) / _MINUTE)
        return any(self._fits(begin + number * _MINUTE) for number in range(minutes))

    def _fits(self, local: datetime) -> bool:
        in_time = local.minute in self.minutes and local.hour in self.hours and local.month in self.months
        return in_time and self._day_fits(local.day, local.isoweekday() % 7)

    def _day_fits(self, day: int, weekday: int) -> bool:
        fits = day in self.days, weekday in self.weekdays
        return any(fits) if self.either_day else all(fits)


def _local(moment: datetime) -> datetime:
    """What clocks on the wall show."""
    return moment.astimezone().replace(tzinfo=None)


def _is_second(local: datetime, moment: datetime) -> bool:
    """Whether clocks showed the same before: they were put back."""
    return local.replace(fold=0).astimezone(UTC) != moment


def next_due(cron: str, after: datetime) -> datetime:
    """The next due time after a moment, with its time zone."""
    return Cron.parse(cron).due_after(after).astimezone()


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
