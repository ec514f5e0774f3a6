"""Workers and servers are killed in the middle of a queue: no run is lost, and none is done twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from rpa_vision.adapters.office.queue import SqliteRunQueue
from rpa_vision.models.queue import NewItem, RunAsked

ROBOT = Path(__file__).with_name("queue_robot.py")
SERVER = Path(__file__).with_name("office_server.py")
LEASE_S = 1.0
RUNS = 8


class Fleet:
    """Workers of one data directory, and what they wrote down."""

    def __init__(self, root: Path) -> None:
        self.data, self.diary = root / "data", root / "diary"
        self.diary.touch()
        (self.data / "system").mkdir(parents=True)
        self.queue = SqliteRunQueue(self.data / "system" / "queue.db")
        self._robots: list[subprocess.Popen[bytes]] = []

    def start(self, display: str = ":1", program: Path = ROBOT) -> subprocess.Popen[bytes]:
        robot = subprocess.Popen([sys.executable, str(program), str(self.data), display, str(LEASE_S), str(self.diary)])
        self._robots.append(robot)
        return robot

    def ask(self, *run_ids: str) -> None:
        items = [NewItem(one, RunAsked(workflow_id="WF"), ":1", 5, "me") for one in run_ids]
        self.queue.add(items, now=datetime.now(UTC))

    def began(self) -> Counter[str]:
        return self._told("began")

    def ended(self) -> Counter[str]:
        return self._told("ended")

    def states(self) -> Counter[str]:
        return Counter(item.state for item in self.queue.items())

    def close(self) -> None:
        for robot in self._robots:
            if robot.poll() is None:
                robot.kill()
            robot.wait()
        self.queue.close()

    def _told(self, what: str) -> Counter[str]:
        lines = self.diary.read_text(encoding="utf-8").splitlines()
        return Counter(line.split()[1] for line in lines if line.startswith(what))


@pytest.fixture
def fleet(tmp_path: Path) -> Iterator[Fleet]:
    made = Fleet(tmp_path)
    yield made
    made.close()


def test_a_worker_killed_again_and_again_neither_loses_nor_doubles_a_run(fleet: Fleet, wait: Any) -> None:
    """UX-3: what was in flight is told as interrupted, everything else is done exactly once."""
    fleet.ask(*(f"run_{number}" for number in range(RUNS)))
    kills = int(os.environ.get("SERVER_SOAK_KILLS", "2"))
    for _ in range(kills):
        robot, before = fleet.start(), len(fleet.began())
        wait.until(lambda before=before: len(fleet.began()) > before, timeout_s=60, what="a run begins")
        robot.send_signal(signal.SIGKILL)
        robot.wait()
    fleet.start()
    wait.until(lambda: not fleet.states()["waiting"] and not fleet.states()["running"], timeout_s=120, what="all over")
    states = {item.run_id: item for item in fleet.queue.items()}
    assert len(states) == RUNS
    assert set(fleet.began().values()) == {1}, "a run was begun twice"
    assert fleet.began().keys() == states.keys(), "a run was never begun"
    interrupted = {name for name, item in states.items() if item.state == "interrupted"}
    assert len(interrupted) <= kills
    done = {name for name, item in states.items() if item.status == "success"}
    assert done == states.keys() - interrupted
    assert done <= fleet.ended().keys()


def test_two_workers_on_one_display_never_run_at_once(fleet: Fleet, wait: Any) -> None:
    """UX-3"""
    fleet.ask("a", "b", "c", "d")
    fleet.start()
    fleet.start()
    wait.until(lambda: len(fleet.ended()) == 4, timeout_s=60, what="all done")
    lines = fleet.diary.read_text(encoding="utf-8").splitlines()
    assert all(one.split()[1] == other.split()[1] for one, other in zip(lines[::2], lines[1::2], strict=True))


def test_a_person_stops_a_run_between_its_steps(fleet: Fleet, wait: Any) -> None:
    """UX-2"""
    fleet.ask("a")
    fleet.queue.want("a", "pause", now=datetime.now(UTC), who="me")
    fleet.start()
    fleet.queue.want("a", "go", now=datetime.now(UTC), who="me")
    wait.until(lambda: fleet.began()["a"], timeout_s=60, what="it begins")
    fleet.queue.want("a", "stop", now=datetime.now(UTC), who="me")
    wait.until(lambda: fleet.states()["ended"], timeout_s=30, what="it ends")
    stopped = fleet.queue.item("a")
    assert stopped is not None
    assert (stopped.status, fleet.ended()["a"]) == ("halted", 0)


def test_a_server_killed_with_its_worker_in_mid_run_and_restarted_neither_loses_nor_doubles_a_run(
    fleet: Fleet, wait: Any
) -> None:
    """UX-3: the worker of the dead server ends by itself before its next step; the next server does the rest."""
    fleet.ask(*(f"run_{number}" for number in range(RUNS)))
    server = fleet.start(program=SERVER)
    wait.until(lambda: len(fleet.began()) > 1, timeout_s=60, what="a run begins")
    server.send_signal(signal.SIGKILL)
    server.wait()
    wait.until(lambda: not fleet.states()["running"], timeout_s=30, what="the worker has ended its run")
    assert fleet.states()["waiting"], "nothing was left to be done by the next server"
    last = fleet.start(program=SERVER)
    wait.until(lambda: not fleet.states()["waiting"] and not fleet.states()["running"], timeout_s=120, what="all over")
    found = {item.run_id: item for item in fleet.queue.items()}
    assert len(found) == RUNS
    assert set(fleet.began().values()) == {1}, "a run was begun twice"
    assert fleet.began().keys() == found.keys(), "a run was never begun"
    stopped = {name for name, item in found.items() if item.status != "success"}
    assert len(stopped) <= 1, "more than the one in mid-run"
    assert fleet.ended().keys() == found.keys() - stopped
    last.send_signal(signal.SIGTERM)
    assert last.wait(timeout=60) is not None
    wait.until(lambda: not fleet.queue.workers(), timeout_s=30, what="its worker has left")
