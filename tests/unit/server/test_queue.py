"""The queue: one run at a time on a display, none lost, none twice, and every one says why it waits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from rpa_vision.adapters.office.queue import SqliteRunQueue
from rpa_vision.app.cron import Cron, next_due
from rpa_vision.errors import UsageError
from rpa_vision.models.queue import NewItem, RunAsked, Worker
from rpa_vision.testing.manual_clock import ManualClock

LEASE = timedelta(seconds=10)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[SqliteRunQueue]:
    opened = SqliteRunQueue(tmp_path / "queue.db")
    yield opened
    opened.close()


def item(run_id: str, *, display: str = ":1", priority: int = 5, key: str | None = None) -> NewItem:
    return NewItem(run_id, RunAsked(workflow_id="WF"), display, priority, "me", origin_key=key)


def worker(clock: ManualClock, name: str = "w1", display: str = ":1") -> Worker:
    return Worker(display, name, clock.now(), clock.now() + LEASE)


def claim(queue: SqliteRunQueue, clock: ManualClock, name: str = "w1", display: str = ":1") -> str | None:
    found = queue.claim(worker(clock, name, display), now=clock.now(), held_workflows=[], held_batches=[])
    return found.run_id if found is not None else None


def sweep(queue: SqliteRunQueue, clock: ManualClock, *, now: datetime | None = None) -> list[str]:
    lost = queue.sweep(
        now=now or clock.now(), monotonic_s=clock.monotonic(), lease_s=LEASE.total_seconds()
    )  # fmt: skip
    return [one.run_id for one in lost]


def test_the_more_urgent_goes_first_then_who_came_first(queue: SqliteRunQueue, clock: ManualClock) -> None:
    """UX-3"""
    queue.add([item("a"), item("b"), item("c", priority=9)], now=clock.now())
    order = []
    while (run := claim(queue, clock)) is not None:
        order.append(run)
        assert queue.end(run, "w1", now=clock.now(), status="success", reason="")
    assert order == ["c", "a", "b"]


def test_a_display_has_one_run_at_a_time_whoever_asks(queue: SqliteRunQueue, clock: ManualClock) -> None:
    """UX-3: the index of the database keeps it, not the manners of the workers."""
    queue.add([item("a"), item("b"), item("c", display=":2")], now=clock.now())
    assert claim(queue, clock, "w1") == "a"
    assert claim(queue, clock, "w2") is None
    assert claim(queue, clock, "w3", ":2") == "c"


def test_two_processes_share_a_queue_without_doubling(
    queue: SqliteRunQueue, clock: ManualClock, tmp_path: Path
) -> None:
    other = SqliteRunQueue(tmp_path / "queue.db")
    queue.add([item("a"), item("b", display=":2")], now=clock.now())
    assert (claim(other, clock, "w1"), claim(queue, clock, "w2"), claim(queue, clock, "w2", ":2")) == ("a", None, "b")
    other.close()


def test_a_run_whose_worker_died_is_interrupted_and_never_repeated(queue: SqliteRunQueue, clock: ManualClock) -> None:
    """UX-3, EX-3: input may have been sent."""
    queue.add([item("a"), item("b")], now=clock.now())
    assert claim(queue, clock, "dead") == "a"
    assert sweep(queue, clock) == []
    clock.advance(LEASE.total_seconds() + 1)
    assert sweep(queue, clock) == ["a"]
    assert claim(queue, clock, "next") == "b"
    lost = queue.item("a")
    assert lost is not None
    assert (lost.state, lost.status) == ("interrupted", "interrupted")
    assert queue.renew("a", "dead", lease_until=clock.now() + LEASE) is None  # the dead one, should it wake up, is told
    assert not queue.end("a", "dead", now=clock.now(), status="success", reason="")


def test_a_lease_that_is_renewed_is_kept(queue: SqliteRunQueue, clock: ManualClock) -> None:
    queue.add([item("a")], now=clock.now())
    claim(queue, clock)
    for _ in range(5):
        clock.advance(6)
        assert queue.renew("a", "w1", lease_until=clock.now() + LEASE) == "go"
        assert sweep(queue, clock) == []


def test_a_clock_that_jumps_interrupts_nobody_who_is_alive(queue: SqliteRunQueue, clock: ManualClock) -> None:
    """UX-3: an hour forward, while the worker renews its lease as ever; nor does a wrong lease keep a dead run."""
    queue.add([item("a"), item("b")], now=clock.now())
    claim(queue, clock)
    hour = timedelta(hours=1)
    assert sweep(queue, clock, now=clock.now() + hour) == [], "seen for the first time"
    clock.advance(6)
    queue.renew("a", "w1", lease_until=clock.now() + hour + LEASE)
    assert sweep(queue, clock, now=clock.now() + hour) == []
    clock.advance(6)
    assert sweep(queue, clock) == [], "the clock is right again, and the lease an hour ahead"
    clock.advance(LEASE.total_seconds())
    assert sweep(queue, clock) == ["a"], "nobody renewed it"


def test_a_lease_of_a_wrong_clock_keeps_nobody_from_a_display(queue: SqliteRunQueue, clock: ManualClock) -> None:
    """UX-3"""
    future = clock.now() + timedelta(days=1)
    assert queue.arrive(Worker(":1", "dead", future, future + LEASE))
    assert queue.arrive(worker(clock, "next"))
    assert not queue.arrive(worker(clock, "third")), "a lease as it should be"


def test_the_same_key_asks_for_one_run_only(queue: SqliteRunQueue, clock: ManualClock) -> None:
    """UX-3"""
    assert len(queue.add([item("a", key="order 7")], now=clock.now())) == 1
    assert queue.add([item("b", key="order 7")], now=clock.now()) == []
    assert [one.run_id for one in queue.items()] == ["a"]


def test_two_that_go_on_with_one_list_are_one_until_it_is_over(queue: SqliteRunQueue, clock: ManualClock) -> None:
    """UX-3: while it waits and while it runs, on whatever display; afterwards the list may be gone on with again."""
    first, second, other = (
        replace(item(name, display=display), list_key=key)
        for name, display, key in (("a", ":1", "list"), ("b", ":2", "list"), ("c", ":2", "another list"))
    )
    assert [one.run_id for one in queue.add([first, second, other], now=clock.now())] == ["a", "c"]
    assert claim(queue, clock) == "a"
    assert queue.add([second], now=clock.now()) == []
    known = queue.item_by_list("list")
    assert known is not None
    assert known.run_id == "a"
    assert queue.end("a", "w1", now=clock.now(), status="halted", reason="")
    assert queue.item_by_list("list") is None
    assert queue.add([second], now=clock.now()) == [second]


def test_a_stop_takes_a_waiting_run_out_and_tells_a_running_one(queue: SqliteRunQueue, clock: ManualClock) -> None:
    queue.add([item("a"), item("b")], now=clock.now())
    claim(queue, clock)
    queue.want("b", "stop", now=clock.now(), who="me")
    queue.want("a", "stop", now=clock.now(), who="me")
    assert queue.renew("a", "w1", lease_until=clock.now() + LEASE) == "stop"
    queue.want("a", "go", now=clock.now(), who="me")
    assert queue.renew("a", "w1", lease_until=clock.now() + LEASE) == "stop"  # a stop is not taken back
    waiting = queue.item("b")
    assert waiting is not None
    assert waiting.state == "cancelled"


def test_what_happened_is_told_in_order(queue: SqliteRunQueue, clock: ManualClock) -> None:
    queue.add([item("a")], now=clock.now())
    claim(queue, clock)
    queue.end("a", "w1", now=clock.now(), status="success", reason="all verified")
    assert [one.kind for one in queue.happenings(0)] == ["run_queued", "run_started", "run_ended"]


@pytest.mark.parametrize(
    ("cron", "after", "due"),
    [
        ("30 8 * * 1-5", "2026-03-06T09:00", "2026-03-09T08:30"),
        ("*/15 * * * *", "2026-03-06T09:01", "2026-03-06T09:15"),
        ("0 0 29 2 *", "2026-03-01T00:00", "2028-02-29T00:00"),
        ("0 12 1 * 0", "2026-03-02T00:00", "2026-03-08T12:00"),
        ("@daily", "2026-12-31T23:59", "2027-01-01T00:00"),
    ],
)
def test_a_schedule_is_due_as_cron_would_say(cron: str, after: str, due: str) -> None:
    """UX-3"""
    assert Cron.parse(cron).next_after(datetime.fromisoformat(after)) == datetime.fromisoformat(due)


@pytest.mark.parametrize("cron", ["", "* * * *", "60 * * * *", "a * * * *", "0 0 31 2 *", "5-1 * * * *", "*/0 * * * *"])
def test_a_schedule_that_makes_no_sense_is_refused(cron: str) -> None:
    with pytest.raises(UsageError):
        next_due(cron, ManualClock().now())
