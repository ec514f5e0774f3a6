"""Schedules when clocks are put forward and back, or are wrong for a while: always on, never twice."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from rpa_vision.app.cron import next_due


@pytest.fixture
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The machine's time zone, until the test is over."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


def dues(cron: str, after: str, until: str) -> list[str]:
    """What is due between two moments, as clocks on the wall show it."""
    moment, end = datetime.fromisoformat(after).replace(tzinfo=UTC), datetime.fromisoformat(until).replace(tzinfo=UTC)
    found: list[str] = []
    while True:
        due = next_due(cron, moment)
        assert due > moment, "it stands still"
        if due > end:
            return found
        found.append(due.strftime("%d %H:%M"))
        moment = due


@pytest.mark.parametrize(
    ("zone", "night"), [("Europe/Paris", "2026-03-29"), ("America/New_York", "2026-03-08")], indirect=["zone"]
)
def test_a_time_that_there_is_not_is_due_once_when_the_clock_goes_on(zone: None, night: str) -> None:
    """UX-3: 02:30 is skipped in spring; the run of that night is not."""
    day = night[-2:]
    found = dues("30 2 * * *", f"{night}T00:00", f"{night}T23:00")
    assert found == [f"{day} 03:00"]


@pytest.mark.parametrize("zone", ["Europe/Paris"], indirect=True)
def test_what_is_due_every_quarter_of_an_hour_is_due_in_every_hour_that_passes(zone: None) -> None:
    """UX-3: spring and autumn have a quarter of an hour after every quarter of an hour."""
    for night in ("2026-03-29", "2026-10-25"):
        moment = datetime.fromisoformat(f"{night}T00:00").replace(tzinfo=UTC)
        for _ in range(16):
            due = next_due("*/15 * * * *", moment)
            assert due - moment == timedelta(minutes=15), moment
            moment = due


@pytest.mark.parametrize("zone", ["Europe/Paris"], indirect=True)
def test_a_time_that_comes_twice_is_due_once(zone: None) -> None:
    """UX-3: 02:30 comes twice in autumn."""
    assert dues("30 2 * * *", "2026-10-24T12:00", "2026-10-26T12:00") == ["25 02:30", "26 02:30"]


@pytest.mark.parametrize("zone", ["America/Santiago"], indirect=True)
def test_a_midnight_that_there_is_not_is_due_too(zone: None) -> None:
    """UX-3: in some places clocks are put forward at midnight."""
    found = dues("@daily", "2026-09-05T12:00", "2026-09-07T12:00")
    assert found == ["06 01:00", "07 00:00"]


@pytest.mark.parametrize("zone", ["Australia/Lord_Howe"], indirect=True)
def test_half_an_hour_forward_and_back_is_no_other(zone: None) -> None:
    """UX-3"""
    assert dues("15 2 * * *", "2026-10-03T00:00", "2026-10-04T12:00") == ["04 02:30"]
    assert dues("45 1 * * *", "2026-04-04T00:00", "2026-04-05T12:00") == ["05 01:45"]


@pytest.mark.parametrize("zone", ["Europe/Paris"], indirect=True)
def test_what_is_due_once_in_years_is_found_at_once(zone: None) -> None:
    """UX-3"""
    due = next_due("0 0 29 2 *", datetime(2026, 3, 1, tzinfo=UTC))
    assert due.strftime("%Y-%m-%d %H:%M") == "2028-02-29 00:00"
