"""A worker acts for as long as a run is surely its own and it is not to stop, by a clock that nobody sets."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.adapters.office.queue import SqliteRunQueue
from rpa_vision.app.queue_worker import STOP_S, RunKeeper
from rpa_vision.errors import StorageError
from rpa_vision.models.queue import NewItem, RunAsked, Worker
from rpa_vision.testing.manual_clock import ManualClock

LEASE_S = 10.0


class CutOff:
    """A queue whose disk may be gone."""

    def __init__(self, queue: SqliteRunQueue) -> None:
        self._queue = queue
        self.is_gone = False

    def __getattr__(self, name: str) -> Any:
        if self.is_gone:
            raise StorageError("the disk is gone")
        return getattr(self._queue, name)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def queue(tmp_path: Path) -> Iterator[CutOff]:
    opened = SqliteRunQueue(tmp_path / "queue.db")
    yield CutOff(opened)
    opened.close()


def me(clock: ManualClock) -> Worker:
    return Worker(":1", "w1", clock.now(), clock.now() + timedelta(seconds=LEASE_S))


def keeper(queue: CutOff, clock: ManualClock, stopping: threading.Event | None = None) -> RunKeeper:
    queue.add([NewItem("a", RunAsked(workflow_id="WF"), ":1", 5, "me")], now=clock.now())
    item = queue.claim(me(clock), now=clock.now(), held_workflows=[], held_batches=[])
    return RunKeeper(queue, item, lambda: me(clock), clock, stopping)


def test_a_worker_that_is_cut_off_stops_acting_when_its_lease_is_over(queue: CutOff, clock: ManualClock) -> None:
    """EX-3, UX-3: by then people may be told that the run was interrupted."""
    kept = keeper(queue, clock)
    assert kept.may_go_on()
    queue.is_gone = True
    clock.advance(LEASE_S - 1)
    assert kept.may_go_on(), "the lease is still its own"
    kept.tie_hands()
    assert kept.gate.is_open
    clock.advance(1)
    assert not kept.may_go_on()
    kept.tie_hands()
    assert not kept.gate.is_open


def test_a_worker_that_is_back_in_time_goes_on(queue: CutOff, clock: ManualClock) -> None:
    """UX-3"""
    kept = keeper(queue, clock)
    queue.is_gone = True
    clock.advance(LEASE_S - 1)
    kept.may_go_on()
    queue.is_gone = False
    assert kept.may_go_on()
    clock.advance(LEASE_S - 1)
    assert kept.may_go_on()


def test_a_run_ends_when_its_worker_is_to_stop_and_its_hands_are_tied_in_the_end(
    queue: CutOff, clock: ManualClock
) -> None:
    """UX-2: also one that a person paused; a step that hangs sends nothing more."""
    stopping = threading.Event()
    kept = keeper(queue, clock, stopping)
    queue.want("a", "pause", now=clock.now(), who="me")
    stopping.set()
    assert not kept.may_go_on()
    kept.tie_hands()
    assert kept.gate.is_open, "a step that is under way may end"
    clock.advance(STOP_S)
    kept.tie_hands()
    assert kept.gate.refusal() == "the worker was stopped"
