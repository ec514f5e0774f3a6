"""The kill switch: a run ends between two inputs, whoever throws it, and only the runs that are meant."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from office import NEW, Diary, Office, show_three
from pydantic import JsonValue

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage.running_runs import FileRunningRuns
from rpa_vision.adapters.storage.signs_of_life import Heartbeat
from rpa_vision.app.run import RunRequest, run_workflow
from rpa_vision.app.stopping import announced, heeding_stops, stop_runs
from rpa_vision.errors import InputNotDeliveredError, UnknownIdError
from rpa_vision.execution.guarded_desktop import InputGate
from rpa_vision.models.running_run import RunningRun, StopRequest
from rpa_vision.testing.scripted_desktop import Deed

CLOCK = SystemClock()


@pytest.fixture
def runs(office: Office) -> FileRunningRuns:
    office.data.claim()
    return FileRunningRuns(office.data.files, "here")


def test_the_gate_closes_within_a_moment_and_stays_closed(runs: FileRunningRuns) -> None:
    """L4-13, EX-10: measured"""
    gate = InputGate()
    now = CLOCK.now()
    with announced(runs, "run_1", "WF", now), heeding_stops(runs, "run_1", now, gate):
        assert [one.run_id for one in runs.all()] == ["run_1"]
        began = CLOCK.monotonic()
        done = stop_runs(runs, Diary(), CLOCK, who="anne", reason="enough", run_id="run_1", wait_s=0.0)
        while gate.is_open:
            CLOCK.sleep(0.005)
            assert CLOCK.monotonic() - began < 10.0
        assert done.still_going == ("run_1",)
        with pytest.raises(InputNotDeliveredError, match=r"stopped by anne \(enough\)"), gate.passing():
            pass
    assert runs.all() == [], "it is over"


def test_only_the_run_that_is_meant_ends_and_later_ones_are_not_meant(runs: FileRunningRuns) -> None:
    """L4-13"""
    diary = Diary()
    before = CLOCK.now()
    with pytest.raises(UnknownIdError, match="does not go on"):
        stop_runs(runs, diary, CLOCK, who="anne", run_id="run_9")
    runs.begin("run_1", "WF", before)
    runs.begin("run_2", "WF", before)
    stop_runs(runs, diary, CLOCK, who="anne", run_id="run_1", wait_s=0.0)
    assert runs.stop_for("run_1", before) is not None
    assert runs.stop_for("run_2", before) is None
    everything = stop_runs(runs, diary, CLOCK, who="anne", wait_s=0.0)
    assert everything.asked == ("run_1", "run_2")
    assert runs.stop_for("run_2", before) is not None
    assert runs.stop_for("run_3", CLOCK.now()) is None, "started after it"
    assert [record["runs"] for _, record in diary.entries] == [["run_1"], None]


def test_all_runs_end_though_the_clock_was_set_back_since_they_began(runs: FileRunningRuns) -> None:
    """L4-13: or another machine's clock is ahead"""
    later = CLOCK.now() + timedelta(minutes=5)
    runs.begin("run_1", "WF", later)
    assert stop_runs(runs, Diary(), CLOCK, who="anne", wait_s=0.0).asked == ("run_1",)
    assert runs.stop_for("run_1", later) is not None


def test_a_stop_by_a_clock_that_is_ahead_stops_what_goes_on_and_nothing_that_begins_later(
    runs: FileRunningRuns,
) -> None:
    """L4-13: else the whole queue ends, run by run, once the display is released."""

    class Ahead(SystemClock):
        def now(self) -> datetime:
            return super().now() + timedelta(minutes=3)

    now = CLOCK.now()
    runs.begin("run_1", "WF", now)
    stop_runs(runs, Diary(), Ahead(), who="anne", wait_s=0.0)
    assert runs.stop_for("run_1", now) is not None
    later = CLOCK.now()
    runs.begin("run_2", "WF", later)
    assert runs.stop_for("run_2", later) is None
    runs.request_stop(StopRequest(at=CLOCK.now(), who="anne"))
    assert runs.stop_for("run_2", later) is not None, "another stop is heeded"
    assert runs.stop_for("run_3", later) is not None, "of one that nobody announced nobody knows when it began"


def test_a_run_that_is_announced_while_all_are_stopped_is_stopped(runs: FileRunningRuns) -> None:
    """L4-13: whatever the clocks say"""
    begun = CLOCK.now() + timedelta(hours=1)

    class Meanwhile(FileRunningRuns):
        def request_stop(self, request: StopRequest) -> None:
            if request.run_id is None:
                runs.begin("run_1", "WF", begun)
            super().request_stop(request)

    assert stop_runs(Meanwhile(runs._files, "here"), Diary(), CLOCK, who="anne", wait_s=0.0).asked == ("run_1",)
    assert runs.stop_for("run_1", begun) is not None


def test_a_stop_with_much_to_say_is_read_as_what_it_is(runs: FileRunningRuns) -> None:
    """L4-13: and means nobody who begins afterwards"""
    now, diary = CLOCK.now(), Diary()
    stop_runs(runs, diary, CLOCK, who="anne", reason="\ud800" + "é" * 70_000, wait_s=0.0)
    told = runs.stop_for("run_1", now)
    assert told is not None
    assert told.reason == diary.entries[0][1]["reason"] == "?" + "é" * 499
    assert runs.stop_for("run_2", CLOCK.now()) is None


class Announced(Diary):
    """Writes down, with every line, which runs are known to go on."""

    def __init__(self, runs: FileRunningRuns) -> None:
        super().__init__()
        self.going: dict[str, list[str]] = {}
        self._runs = runs

    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        super().append(kind, record)
        self.going[kind] = [one.run_id for one in self._runs.all()]


def test_a_run_goes_on_from_the_first_question_to_its_report(office: Office, runs: FileRunningRuns) -> None:
    """L4-13: whoever says `stop` while it asks, or while it ends, is not told that there is no run"""
    office.keep(show_three(office.book))
    diary = Announced(runs)
    request = RunRequest(office.learn().workflow, {"nom": NEW}, "auto", "a test")
    report, _ = run_workflow(request, office.tools(office.desktop(), running=runs, audit=diary))
    assert report.status == "success", report.reason
    assert diary.going["run_requested"] == diary.going["run_ended"] == [report.run_id]
    assert runs.all() == []


def test_what_a_dead_process_left_does_not_go_on(runs: FileRunningRuns, office: Office) -> None:
    """L4-13"""
    gone = subprocess.Popen([sys.executable, "-c", "pass"])
    gone.wait()
    left = RunningRun(run_id="run_1", workflow_id="WF", pid=gone.pid, hostname="here", started_at=CLOCK.now())
    path = office.data.paths.running("run_1")
    office.data.files.write(path, left.model_dump_json().encode())
    office.data.files.write(office.data.paths.running("run_2"), b'{"torn')
    assert list(runs.all()) == []
    assert not Path(path).exists()


def test_another_process_of_the_same_number_is_not_the_run(runs: FileRunningRuns, office: Office) -> None:
    """L4-13, L4-5: else a list is taken for ever"""
    runs.begin("run_1", "WF", CLOCK.now())
    (real,) = runs.all()
    path = office.data.paths.running("run_1")
    office.data.files.write(path, real.model_copy(update={"process": "another:1"}).model_dump_json().encode())
    assert list(runs.all()) == []
    assert not path.exists()


def test_a_run_of_another_machine_goes_on_for_as_long_as_it_gives_a_sign(runs: FileRunningRuns, office: Office) -> None:
    """L4-13, L4-5: one of which nobody knows whether it gives any is believed"""
    there = FileRunningRuns(office.data.files, "there")
    there.begin("run_1", "WF", CLOCK.now())
    path = office.data.paths.running("run_1")
    (seen,) = runs.all()
    long_ago = path.stat().st_mtime - 61.0
    os.utime(path, (long_ago, long_ago))
    assert list(runs.all()) == []
    assert path.exists(), "it may only have been asleep"
    Heartbeat(path, every_s=0.01)
    began = CLOCK.monotonic()
    while list(runs.all()) != [seen]:
        CLOCK.sleep(0.01)
        assert CLOCK.monotonic() - began < 10.0
    there.end("run_1")
    office.data.files.write(path, seen.model_copy(update={"beats": False}).model_dump_json().encode())
    os.utime(path, (long_ago, long_ago))
    assert [one.run_id for one in runs.all()] == ["run_1"]


def test_a_request_that_cannot_be_read_stops_too(runs: FileRunningRuns, office: Office) -> None:
    """L4-13: in doubt the hands are tied"""
    gate = InputGate()
    office.data.files.write(office.data.paths.stop_request, b"\x00")
    with heeding_stops(runs, "run_1", CLOCK.now(), gate):
        for _ in range(2000):
            if not gate.is_open:
                break
            CLOCK.sleep(0.005)
        assert not gate.is_open


def test_a_run_that_could_not_be_stopped_any_more_is_stopped(office: Office) -> None:
    """L4-13: whatever breaks the thread that looks for requests"""

    class Broken(FileRunningRuns):
        def stop_for(self, run_id: str, began_at: datetime) -> StopRequest | None:
            raise OSError(24, "Too many open files")

    gate, now = InputGate(), CLOCK.now()
    with heeding_stops(Broken(office.data.files, "here"), "run_1", now, gate):
        began = CLOCK.monotonic()
        while gate.is_open:
            CLOCK.sleep(0.005)
            assert CLOCK.monotonic() - began < 10.0
    assert "Too many open files" in str(gate.refusal())


def test_a_run_is_stopped_from_elsewhere_before_its_next_input(office: Office, runs: FileRunningRuns) -> None:
    """L4-13: a real run, stopped while its first input is sent"""
    office.keep(show_three(office.book))
    learned = office.learn()
    desktop = office.desktop()
    stopped = threading.Event()
    follow = desktop._script
    assert callable(follow)

    def slow(screen: str, deed: Deed) -> str | None:
        if deed.verb == "type_text" and not stopped.is_set():
            stopped.set()
            stop_runs(runs, Diary(), CLOCK, who="anne", wait_s=0.0)
            began = CLOCK.monotonic()
            while CLOCK.monotonic() - began < 0.5:  # an input that takes its time: the switch is thrown meanwhile
                CLOCK.sleep(0.01)
        return follow(screen, deed)

    desktop._script = slow
    request = RunRequest(learned.workflow, {"nom": NEW}, "auto", "a test", screen_timeout_s=1.0)
    report, _ = run_workflow(request, office.tools(desktop, running=runs, clock=SystemClock()))
    assert report.status in ("halted", "failed")
    assert [deed.verb for deed in desktop.deeds if deed.verb in ("click", "type_text")] == ["click", "type_text"]
    assert runs.all() == []
