"""A person who stops the robot means the robot: the next queued run does not begin until a person says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from office import NEW, Diary, Office, show_three

from rpa_vision.adapters.audit.trail_reader import JsonlTrail
from rpa_vision.adapters.office.queue import SqliteRunQueue
from rpa_vision.adapters.storage.running_runs import FileRunningRuns
from rpa_vision.app.held_displays import release
from rpa_vision.app.queue_worker import QueueWorker, RunKeeper
from rpa_vision.app.stopping import stop_runs
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.app.work import do_queued
from rpa_vision.errors import UsageError
from rpa_vision.execution.foreign_input import PersonWatch
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.models.queue import NewItem, QueuedRun, RunAsked
from rpa_vision.testing.scripted_desktop import ScriptedDesktop

STOP = InputEvent(InputKind.KEY_PRESS, 0, 0, (0, 0), key="END", modifiers=frozenset({"CTRL", "ALT"}), own=False)


@pytest.fixture
def queue(office: Office) -> Iterator[SqliteRunQueue]:
    opened = SqliteRunQueue(office.data.paths.queue)
    yield opened
    opened.close()


class Shift:
    """Three runs wait for a display, and something happens while the first is done."""

    def __init__(self, office: Office, heal: AutoHeal, queue: SqliteRunQueue) -> None:
        office.keep(show_three(office.book))
        workflow = office.learn().workflow
        (variable,) = workflow.variables
        asked = RunAsked(workflow_id=workflow.workflow_id, parameters={variable: NEW}, authorised_because="a test")
        items = [NewItem(f"run_{number}", asked, ":1", 5, "me", "person") for number in (1, 2, 3)]
        queue.add(items, now=office.clock.now())
        self.office, self.heal, self.queue = office, heal, queue
        self.runs = FileRunningRuns(office.data.files, "here")
        self.desktops: list[ScriptedDesktop] = []

    def work(self, happens: Callable[[RunKeeper], Any] = lambda keeper: None) -> int:
        real = do_queued(self.office.data, lambda workflow: self.office.tools(self._desktop(), running=self.runs))

        def do(item: QueuedRun, keeper: RunKeeper) -> Any:
            if item.run_id == "run_1":
                happens(keeper)
            return real(item, keeper)

        return QueueWorker(self.queue, self.heal, ":1", "worker_1", self.office.clock, do).work(until_empty=True)

    def _desktop(self) -> ScriptedDesktop:
        self.desktops.append(self.office.desktop())
        return self.desktops[-1]

    @property
    def states(self) -> list[str]:
        found = [self.queue.item(f"run_{number}") for number in (1, 2, 3)]
        return [one.state for one in found if one is not None]


@pytest.fixture
def shift(office: Office, heal: AutoHeal, queue: SqliteRunQueue) -> Shift:
    return Shift(office, heal, queue)


def press_stop_key(shift: Shift) -> Callable[[RunKeeper], None]:
    return lambda keeper: PersonWatch(keeper.gate, shift.office.clock).hear(STOP)


def test_the_stop_key_holds_the_queue_of_its_display_until_a_person_releases_it(shift: Shift) -> None:
    """L4-12, UX-3"""
    assert shift.work(press_stop_key(shift)) == 1
    assert shift.states == ["ended", "waiting", "waiting"]
    assert not any(desktop.deeds for desktop in shift.desktops)
    assert shift.work() == 0, "still held"
    release(shift.queue, shift.heal.audit, shift.office.clock, ":1", who="anna")
    assert shift.work() == 2
    told = [one for one in JsonlTrail(shift.office.audit_file).entries() if one.kind.startswith("display_")]
    assert [(one.kind, one.record["display"]) for one in told] == [("display_held", ":1"), ("display_released", ":1")]
    assert [one.kind for one in shift.queue.happenings(0) if one.kind.startswith("display_")] == [
        "display_held", "display_released",
    ]  # fmt: skip


def test_what_is_held_stays_held_after_a_restart_and_says_since_when_and_what_to_do(shift: Shift) -> None:
    """L4-12, UX-3"""
    shift.work(press_stop_key(shift))
    shift.queue.close()
    again = SqliteRunQueue(shift.office.data.paths.queue)
    try:
        (held,) = again.held_displays()
    finally:
        again.close()
    assert (held.display, held.why) == (":1", "stopped with CTRL+ALT+END")
    assert f"{held.at.astimezone():%H:%M}" in held.told()
    assert "rpa-vision work --display :1 --release" in held.told()


def test_a_stop_of_all_runs_holds_every_queue_that_has_something_also_between_two_runs(shift: Shift) -> None:
    """L4-13, UX-3"""
    diary = Diary()
    done = stop_runs(shift.runs, diary, shift.office.clock, who="anna", reason="fire", queue=shift.queue)
    assert done.held == (":1",)
    assert shift.work() == 0
    assert shift.queue.held_displays()[0].why == "all runs were stopped by anna: fire"
    assert [kind for kind, _ in diary.entries] == ["stop_requested", "display_held"]


def test_a_stop_of_one_run_holds_nothing(shift: Shift) -> None:
    """L4-13, UX-2"""

    def stop_that_run(keeper: RunKeeper) -> None:
        shift.queue.want("run_1", "stop", now=shift.office.clock.now(), who="anna")

    assert shift.work(stop_that_run) == 3
    assert shift.queue.held_displays() == []


def test_a_stop_of_one_run_by_its_id_from_a_terminal_holds_nothing(shift: Shift) -> None:
    """L4-13"""
    shift.runs.begin("run_1", "WF", shift.office.clock.now())
    done = stop_runs(
        shift.runs, Diary(), shift.office.clock, who="anna", run_id="run_1", wait_s=0.0, queue=shift.queue
    )  # fmt: skip
    assert (done.asked, done.held, shift.queue.held_displays()) == (("run_1",), (), [])


def test_a_worker_that_is_to_stop_holds_nothing(shift: Shift) -> None:
    """UX-3: the server restarts, and its queue goes on."""
    shift.work(lambda keeper: keeper.gate.close("the worker was stopped"))
    assert shift.queue.held_displays() == []


def test_another_display_goes_on(shift: Shift) -> None:
    """UX-3"""
    shift.work(press_stop_key(shift))
    shift.queue.add(
        [NewItem("run_4", RunAsked(workflow_id="WF"), ":2", 5, "me", "person")], now=shift.office.clock.now()
    )
    there = QueueWorker(shift.queue, shift.heal, ":2", "worker_2", shift.office.clock, lambda item, keeper: 1 / 0)  # type: ignore[arg-type, return-value]
    claimed = there.next_run()
    assert claimed is not None
    assert claimed.run_id == "run_4"


def test_what_is_not_held_cannot_be_released(shift: Shift) -> None:
    """UX-2"""
    with pytest.raises(UsageError, match=":1 is not held"):
        release(shift.queue, shift.heal.audit, shift.office.clock, ":1", who="anna")
