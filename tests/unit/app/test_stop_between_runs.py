"""Whoever stops the robot is heard at every moment: while a run is taken, goes on, ends, and between two of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from office import NEW, Diary, Office, show_three
from pydantic import JsonValue

from rpa_vision.adapters.desktop.x11.background import StopSignal, running
from rpa_vision.adapters.office.queue import SqliteRunQueue
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage.running_runs import FileRunningRuns
from rpa_vision.app.queue_worker import Ending, QueueWorker, RunKeeper
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.run_each import PlannedRow
from rpa_vision.app.run_tools import RunHooks
from rpa_vision.app.stop_ears import StopEars
from rpa_vision.app.stopping import announced, heeding_stops, stop_runs
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.app.wiring_guidance import beside
from rpa_vision.cli.run_each import do_each
from rpa_vision.errors import DesktopError, StorageError, UnknownIdError
from rpa_vision.execution.foreign_input import STOP_KEY
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.batch import FileRow, RowEntry
from rpa_vision.models.input import InputEvent, InputKind
from rpa_vision.models.queue import NewItem, QueuedRun, RunAsked, Schedule, Worker
from rpa_vision.testing.scripted_desktop import Deed

CLOCK = SystemClock()
STOP = InputEvent(InputKind.KEY_PRESS, 0, 0, (0, 0), key="END", modifiers=frozenset({"CTRL", "ALT"}), own=False)


@dataclass
class HandEars:
    """Implements `ports.desktop.Ears`: what is heard is told by the test; `lose` makes them deaf."""

    hear: Callable[[InputEvent], None] = lambda event: None
    lose: Callable[[Exception], None] = lambda error: None
    opened: list[str] = field(default_factory=list)

    def listen(
        self, on_event: Callable[[InputEvent], None], on_lost: Callable[[Exception], None] | None = None
    ) -> AbstractContextManager[None]:
        assert on_lost is not None
        self.hear, self.lose = on_event, on_lost
        self.opened.append("open")
        return closing(self)  # type: ignore[return-value]

    def close(self) -> None:
        self.opened.append("closed")


class Moments(SqliteRunQueue):
    """A queue in which something happens at a moment of a worker's day."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.after: dict[str, Callable[[], object]] = {}

    def claim(self, *arguments: Any, **options: Any) -> QueuedRun | None:
        taken = super().claim(*arguments, **options)
        if taken is not None:
            self.after.get(f"claim {taken.run_id}", lambda: None)()
        return taken

    def end(self, run_id: str, *arguments: Any, **options: Any) -> bool:
        ended = super().end(run_id, *arguments, **options)
        self.after.get(f"end {run_id}", lambda: None)()
        return ended


@pytest.fixture
def queue(office: Office) -> Iterator[Moments]:
    opened = Moments(office.data.paths.queue)
    yield opened
    opened.close()


class Shift:
    """Two runs wait for a display. A run is one step, which passes the gate if it may."""

    def __init__(self, office: Office, heal: AutoHeal, queue: Moments) -> None:
        self.office, self.heal, self.queue = office, heal, queue
        self.ears = HandEars()
        self.runs = FileRunningRuns(office.data.files, "here", ":1")
        self.sent: list[str] = []
        asked = RunAsked(workflow_id="WF")
        items = [NewItem(f"run_{number}", asked, ":1", 5, "me", "person") for number in (1, 2)]
        queue.add(items, now=CLOCK.now())

    def do(self, item: QueuedRun, keeper: RunKeeper) -> Ending:
        began = CLOCK.now()
        with (
            announced(self.runs, item.run_id, "WF", began),
            heeding_stops(self.runs, item.run_id, began, keeper.gate),
        ):
            if not keeper.may_go_on() or not keeper.gate.is_open:
                return Ending("halted", keeper.gate.refusal() or "stopped by a person", input_sent=False)
            with keeper.gate.passing():
                self.sent.append(item.run_id)
            return Ending("success", "", input_sent=True)

    def worker(self, do: Callable[[QueuedRun, RunKeeper], Ending] | None = None) -> QueueWorker:
        ears = StopEars(self.ears, STOP_KEY)
        return QueueWorker(self.queue, self.heal, ":1", "worker_1", CLOCK, do or self.do, ears)

    def stop(self, **options: Any) -> Any:
        return stop_runs(self.runs, Diary(), CLOCK, who="anna", wait_s=0.0, queue=self.queue, **options)

    @property
    def states(self) -> list[str]:
        found = [self.queue.item(f"run_{number}") for number in (1, 2)]
        return [one.status or one.state for one in found if one is not None]

    @property
    def held(self) -> list[str]:
        return [one.why for one in self.queue.held_displays()]


@pytest.fixture
def shift(office: Office, heal: AutoHeal, queue: Moments) -> Shift:
    office.data.claim()
    return Shift(office, heal, queue)


def test_a_stop_between_the_taking_of_a_run_and_its_beginning_is_not_lost(shift: Shift) -> None:
    """L4-13: the worker has it, and nobody sees it run yet."""
    shift.queue.after["claim run_1"] = shift.stop
    assert shift.worker().work(until_empty=True) == 1
    assert (shift.sent, shift.states) == ([], ["halted", "waiting"])
    assert shift.held == ["all runs were stopped by anna"]


def test_a_run_that_was_just_taken_can_be_stopped_by_its_id(shift: Shift) -> None:
    """L4-13: and only that one is."""
    shift.queue.after["claim run_1"] = lambda: shift.stop(run_id="run_1")
    assert shift.worker().work(until_empty=True) == 2
    assert (shift.sent, shift.states, shift.held) == (["run_2"], ["halted", "success"], [])
    with pytest.raises(UnknownIdError):
        shift.stop(run_id="run_1")


@pytest.mark.parametrize("moment", ["end run_1", "claim run_2"])
def test_the_stop_key_is_heard_between_two_runs(shift: Shift, moment: str) -> None:
    """L4-12, UX-3"""
    shift.queue.after[moment] = lambda: shift.ears.hear(STOP)
    shift.worker().work(until_empty=True)
    assert (shift.sent, shift.held) == (["run_1"], [f"stopped with {STOP_KEY}"])
    assert shift.states == ["success", "waiting" if moment == "end run_1" else "halted"]
    assert shift.ears.opened == ["open", "closed"], "one listening for all"


def test_the_stop_key_pressed_as_the_last_run_ends_holds_the_display(shift: Shift) -> None:
    """L4-12: whatever is asked for next waits."""
    shift.queue.after["end run_2"] = lambda: shift.ears.hear(STOP)
    assert shift.worker().work(until_empty=True) == 2
    assert shift.held == [f"stopped with {STOP_KEY}"]


def test_a_worker_that_nobody_can_stop_does_nothing(shift: Shift) -> None:
    """L4-12, EX-7: a run that was taken when its worker went deaf halts and says so; the next listens anew, and waits
    until it can."""
    shift.queue.after["claim run_1"] = lambda: shift.ears.lose(DesktopError("the display went away"))
    shift.worker().work(until_empty=True)
    ended = shift.queue.item("run_1")
    assert ended is not None
    assert (shift.sent, shift.held) == (["run_2"], [])
    assert (ended.status, ended.reason) == ("halted", "a person can no longer be heard")

    class Deaf(HandEars):
        def listen(self, *arguments: Any, **options: Any) -> AbstractContextManager[None]:
            raise DesktopError("nothing can be heard here")

    shift.queue.add([NewItem("run_3", RunAsked(workflow_id="WF"), ":1", 5, "me")], now=CLOCK.now())
    shift.ears = Deaf()
    worker = shift.worker()
    assert worker.work(until_empty=True) == 0
    assert shift.sent == ["run_2"]
    worker.ears = StopEars(HandEars(), STOP_KEY)
    assert worker.work(until_empty=True) == 1, "it could not be heard for a moment, and nothing was lost"


def test_the_display_is_held_before_a_run_that_was_stopped_with_the_key_has_ended(shift: Shift) -> None:
    """L4-12, UX-3: a worker that dies over its report leaves nothing that begins."""

    def slow(item: QueuedRun, keeper: RunKeeper) -> Ending:
        shift.ears.hear(STOP)
        began = CLOCK.monotonic()
        while not shift.held:
            CLOCK.sleep(0.01)
            assert CLOCK.monotonic() - began < 10.0
        raise SystemExit(9)

    worker = shift.worker(slow)
    item = worker.next_run()
    assert item is not None
    with pytest.raises(SystemExit):
        worker.do_one(item)
    assert shift.worker().next_run() is None
    assert (shift.held, shift.states) == ([f"stopped with {STOP_KEY}"], ["running", "waiting"])


@pytest.mark.parametrize("in_use", ["a run", "a worker", "a worker that died", "a schedule", "this machine"])
def test_a_stop_of_everything_holds_a_display_of_which_the_queue_is_empty(
    office: Office, queue: Moments, in_use: str
) -> None:
    """L4-13, UX-3: nothing begins there by the clock a minute later."""
    office.data.claim()
    runs, now = FileRunningRuns(office.data.files, "here", ":7"), CLOCK.now()
    if in_use == "a run":
        runs.begin("run_1", "WF", now)
    elif in_use == "a worker":
        queue.arrive(Worker(":7", "worker_7", now, now.replace(year=now.year + 1)))
    elif in_use == "a worker that died":
        queue.arrive(Worker(":7", "worker_7", now - timedelta(seconds=21), now - timedelta(seconds=11)))
    elif in_use == "a schedule":
        asked = RunAsked(workflow_id="WF")
        for display, enabled in ((":7", True), (":8", False)):
            schedule = Schedule(
                schedule_id=f"s{display[1:]}", name="n", cron="0 8 * * *", asked=asked, display=display, who="anna",
                created_at=now,
            )  # fmt: skip
            queue.save_schedule(schedule, enabled=enabled, last_due=now)
    here = (":7",) if in_use == "this machine" else ()
    assert stop_runs(runs, Diary(), CLOCK, who="anna", wait_s=0.0, queue=queue, displays=here).held == (":7",)
    queue.add([NewItem("run_2", RunAsked(workflow_id="WF"), ":7", 5, "me")], now=now)
    me = Worker(":7", "worker_7", now, now.replace(year=now.year + 1))
    assert queue.claim(me, now=now, held_workflows=(), held_batches=()) is None


class FullDisk(Diary):
    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        raise StorageError("audit.jsonl: the disk is full")


def test_a_disk_that_takes_no_line_keeps_nobody_from_stopping_everything(shift: Shift) -> None:
    """L4-13, AH-7: what is thrown first, the paper after."""
    shift.queue.add([NewItem("run_3", RunAsked(workflow_id="WF"), ":2", 5, "me")], now=CLOCK.now())
    with pytest.raises(StorageError):
        stop_runs(shift.runs, FullDisk(), CLOCK, who="anna", wait_s=0.0, queue=shift.queue)
    assert {one.display for one in shift.queue.held_displays()} == {":1", ":2"}


def test_a_display_that_could_not_be_held_at_once_is_held_before_anything_else_is_done(shift: Shift) -> None:
    """L4-12: a busy disk does not let the next run begin, and the run that was stopped has ended."""
    refusals = iter([True, True, False])

    class Busy(Moments):
        def hold_display(self, display: str, *, now: datetime, why: str) -> None:
            if next(refusals):
                raise StorageError("queue.db: cannot be used (database is locked)")
            super().hold_display(display, now=now, why=why)

    shift.queue = Busy(shift.office.data.paths.queue)
    shift.queue.after["claim run_1"] = lambda: shift.ears.hear(STOP)
    assert shift.worker().work(until_empty=True) == 1
    assert (shift.sent, shift.states, len(shift.held)) == ([], ["halted", "waiting"], 1)
    shift.queue.close()


def test_a_stop_from_the_dashboard_ties_the_hands_in_the_middle_of_a_step(shift: Shift) -> None:
    """L4-13, UX-2: as `rpa-vision stop` does, and does not wait until the step has ended."""

    def long_step(item: QueuedRun, keeper: RunKeeper) -> Ending:
        keeper.begins("Type a long text")
        shift.queue.want(item.run_id, "stop", now=CLOCK.now(), who="anna")
        began = CLOCK.monotonic()
        while keeper.gate.is_open and CLOCK.monotonic() - began < 5.0:
            CLOCK.sleep(0.01)
        return Ending("halted", str(keeper.gate.refusal()), input_sent=True)

    shift.queue.want("run_2", "stop", now=CLOCK.now(), who="anna")
    shift.worker(long_step).work(until_empty=True)
    ended = shift.queue.item("run_1")
    assert ended is not None
    assert ended.reason == "stopped by a person"


def test_work_that_ends_by_itself_is_told_at_once_and_not_raised_again() -> None:
    """EX-7: the ears of X11, whose connection broke."""
    told, lost, go = list[Exception](), threading.Event(), threading.Event()

    def work(stop: StopSignal, ready: Callable[[], None]) -> None:
        ready()
        go.wait(10)
        raise DesktopError("the connection broke")

    def hear(error: Exception) -> None:
        told.append(error)
        lost.set()

    with running("listening", work, on_lost=hear):
        assert told == []
        go.set()
        assert lost.wait(10)
    assert [str(one) for one in told] == ["the connection broke"]
    with pytest.raises(DesktopError), running("listening", work):
        pass


class WithEars:
    """A desktop with other ears."""

    def __init__(self, desktop: Any, ears: HandEars) -> None:
        self._desktop, self.ears = desktop, ears

    def __getattr__(self, name: str) -> Any:
        return getattr(self._desktop, name)


@dataclass
class BesideDesktop:
    """A desktop for whoever listens beside a run."""

    ears: HandEars


def test_a_run_whose_ears_die_sends_nothing_more_and_says_why(office: Office) -> None:
    """L4-12, EX-7: it could not be stopped any more."""
    office.keep(show_three(office.book))
    workflow, desktop, ears = office.learn().workflow, office.desktop(), HandEars()
    follow = desktop._script
    assert callable(follow)

    def dying(screen: str, deed: Deed) -> str | None:
        if deed.verb == "type_text":
            ears.lose(DesktopError("the display went away"))
        return follow(screen, deed)

    desktop._script = dying
    tools = office.tools(desktop, beside=beside(BesideDesktop(ears)))  # type: ignore[arg-type]
    report, _ = run_workflow(RunRequest(workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0), tools)
    assert report.status == "halted", report.reason
    assert "a person can no longer be heard: the display went away" in report.reason
    assert [deed.verb for deed in desktop.deeds if deed.verb in ("click", "type_text")] == ["click", "type_text"]


@pytest.mark.parametrize("way", ["a stop of everything", "the stop key"])
def test_a_stop_between_two_rows_of_a_file_ends_the_rest(office: Office, way: str) -> None:
    """L4-13, L4-12: no row begins that somebody has just stopped."""
    office.keep(show_three(office.book))
    workflow, ears = office.learn().workflow, HandEars()
    runs, gate = FileRunningRuns(office.data.files, "here"), InputGate()

    class Journal:
        """Implements `ports.batches.BatchJournal`; somebody stops everything when a row has ended."""

        def entries(self) -> list[RowEntry]:
            return []

        def append(self, entry: RowEntry) -> None:
            if entry.event == "ended" and way == "the stop key":
                ears.hear(STOP)
            elif entry.event == "ended":
                stop_runs(runs, Diary(), office.clock, who="anna", wait_s=0.0)
                began = CLOCK.monotonic()
                while gate.is_open and CLOCK.monotonic() - began < 10.0:
                    CLOCK.sleep(0.01)

        def alone(self) -> AbstractContextManager[None]:
            return nullcontext()

    tools = replace(office.tools(office.desktop(), running=runs), beside=None)
    robot = SimpleNamespace(
        tools=replace(tools, desktop=WithEars(tools.desktop, ears)),
        hooks=RunHooks(), interruption=SimpleNamespace(gate=gate), say=lambda text: None,
    )  # fmt: skip
    rows = [PlannedRow(FileRow(line=line, cells={}), f"row-{line}", {"nom": NEW}) for line in (2, 3)]
    request = RunRequest(workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    results = do_each(request, rows, Journal(), robot, file="", again=False)
    assert [one.status for one in results] == ["success", "not_begun"], [one.reason for one in results]
    assert runs.all() == []


def test_a_gate_that_is_guarded_late_is_closed_at_once() -> None:
    """L4-12"""
    hand = HandEars()
    ears, gate = StopEars(hand, STOP_KEY), InputGate()
    ears.listen()
    hand.hear(InputEvent(STOP.kind, 0, 0, (0, 0), key="END", modifiers=STOP.modifiers, own=True))
    assert ears.heard is None, "our own hands"
    hand.hear(STOP)
    ears.guard(gate)
    assert (gate.is_stopped_by_person, gate.refusal()) == (True, f"stopped with {STOP_KEY}")
