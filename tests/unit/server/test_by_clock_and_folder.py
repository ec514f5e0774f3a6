"""Runs nobody asks for by hand: schedules fire once, watched folders are run row by row; and what waits says why."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from served import DISPLAY

from rpa_vision.adapters.office.local_folders import LocalFolders
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app import heal as heal_use_case
from rpa_vision.app.folder_watch import QUIET_S, FolderWatch
from rpa_vision.app.office import Office
from rpa_vision.app.overview import overview
from rpa_vision.app.queue import ask_run, want, whys
from rpa_vision.app.queued_files import ask_rows
from rpa_vision.app.schedule import delete_schedule, make_schedule, see_to_schedules, switch_schedule
from rpa_vision.app.wiring_office import open_office
from rpa_vision.errors import StorageError, UsageError
from rpa_vision.models.queue import NewItem, RunAsked, Worker
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.office_data import make_office

ASKED = RunAsked(workflow_id="WF_factures", parameters={"facture": "FAC-2026-0042"})
ROWS = RunAsked(workflow_id="WF_factures")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    root = tmp_path_factory.mktemp("clock") / "data"
    make_office(root, runs=1)
    with open_office(FileDataDirectory(root, clock=SystemClock()), (DISPLAY,)) as office:
        yield office


@pytest.fixture
def clock() -> ManualClock:
    now = datetime.now(UTC).astimezone().replace(hour=8, minute=29, second=0, microsecond=0)
    return ManualClock(now.astimezone(UTC))


@pytest.fixture
def office(opened: Office, clock: ManualClock) -> Iterator[Office]:
    """The office at half past eight, less a minute, with an empty queue when the test is over."""
    yield replace(opened, clock=clock)
    for schedule, _, _ in opened.queue.schedules():
        opened.queue.delete_schedule(schedule.schedule_id)
    for folder, _ in opened.queue.folders():
        opened.queue.delete_folder(folder.folder_id)
    for item in waiting(opened):
        opened.queue.want(item.run_id, "stop", now=opened.clock.now(), who="test")
    for worker in opened.queue.workers():
        opened.queue.leave(worker)


def looks(watch: FolderWatch, clock: ManualClock, count: int) -> list[int]:
    """What so many looks took, with a while between them."""
    taken = []
    for _ in range(count):
        taken.append(watch.look())
        clock.advance(QUIET_S)
    return taken


def told(office: Office, after: int, kind: str) -> list[dict[str, object]]:
    return [one.body for one in office.queue.happenings(after) if one.kind == kind]


def audited(office: Office, kind: str) -> list[dict[str, object]]:
    return [entry.record for entry in office.trail.entries() if entry.kind == kind]


def waiting(office: Office) -> list:  # type: ignore[type-arg]
    return office.queue.items(states=("waiting", "running"))


def test_a_schedule_fires_at_its_time_and_once(office: Office, clock: ManualClock) -> None:
    """UX-3"""
    make_schedule(office, "every morning", "30 8 * * *", ASKED, who="anna")
    assert see_to_schedules(office) == 0, "a minute too early"
    clock.advance(61)
    assert [see_to_schedules(office), see_to_schedules(office)] == [1, 0]
    (item,) = waiting(office)
    assert (item.origin, item.who, item.asked.parameters) == ("schedule", "anna", ASKED.parameters)
    clock.advance(timedelta(days=1).total_seconds())
    assert see_to_schedules(office) == 1, "and again the next morning"


def test_a_time_that_passed_while_nobody_was_there_is_made_good_once_within_the_hour(
    office: Office, clock: ManualClock
) -> None:
    """UX-3: three times were missed, one run is made of them; a day later none is."""
    make_schedule(office, "often", "*/15 8 * * *", ASKED, who="anna")
    clock.advance(45 * 60)
    assert see_to_schedules(office) == 1
    clock.advance(4 * 3600)
    assert see_to_schedules(office) == 0
    make_schedule(office, "once a day", "30 8 * * *", ASKED, who="anna")
    clock.advance(timedelta(days=1, hours=-1).total_seconds())
    assert see_to_schedules(office) == 0, "what is older than an hour is left"


def test_a_schedule_that_was_off_makes_nothing_good(office: Office, clock: ManualClock) -> None:
    """UX-3"""
    made = make_schedule(office, "every morning", "30 8 * * *", ASKED, who="anna")
    switch_schedule(office, made.schedule_id, enabled=False, who="anna")
    clock.advance(120)
    assert see_to_schedules(office) == 0
    switch_schedule(office, made.schedule_id, enabled=True, who="anna")
    assert see_to_schedules(office) == 0


def test_two_servers_that_see_to_the_same_time_make_one_run(office: Office, clock: ManualClock) -> None:
    """UX-3: a restart just after the due time doubles nothing, though the time was not yet written down."""
    made = make_schedule(office, "every morning", "30 8 * * *", ASKED, who="anna")
    before = clock.now()
    clock.advance(61)
    assert see_to_schedules(office) == 1
    office.queue.save_schedule(made, enabled=True, last_due=before)
    assert see_to_schedules(office) == 0
    assert len(waiting(office)) == 1


def test_a_clock_that_was_wrong_for_a_look_stops_no_schedule(office: Office, clock: ManualClock) -> None:
    """UX-3: a year ahead for one look, then right again."""
    make_schedule(office, "every morning", "30 8 * * *", ASKED, who="anna")
    assert see_to_schedules(replace(office, clock=ManualClock(clock.now() + timedelta(days=365, seconds=90)))) == 1
    assert see_to_schedules(office) == 0
    clock.advance(61)
    assert see_to_schedules(office) == 1, "this morning's, as ever"
    clock.advance(timedelta(days=1).total_seconds())
    assert see_to_schedules(office) == 1


class _BusyQueue:
    """A queue that takes nothing once."""

    def __init__(self, office: Office) -> None:
        self._queue, self.is_busy = office.queue, True

    def __getattr__(self, name: str) -> object:
        return getattr(self._queue, name)

    def add(self, items: list[NewItem], **more: object) -> object:
        if self.is_busy:
            self.is_busy = False
            raise StorageError("the disk is full")
        return self._queue.add(items, **more)  # type: ignore[arg-type]


def test_a_failure_that_passes_costs_no_run(office: Office, clock: ManualClock, tmp_path: Path) -> None:
    """UX-3: neither of a schedule nor of a watched folder."""
    busy = _BusyQueue(office)
    office = replace(office, queue=busy)  # type: ignore[arg-type]
    make_schedule(office, "every morning", "30 8 * * *", ASKED, who="anna")
    clock.advance(61)
    assert [see_to_schedules(office), see_to_schedules(office), see_to_schedules(office)] == [0, 1, 0]
    watch, busy.is_busy = FolderWatch(office, LocalFolders()), True
    watch.add(tmp_path, ROWS, who="anna")
    (tmp_path / "busy.csv").write_text("facture\nFAC-2026-7101\n", encoding="utf-8")
    assert looks(watch, clock, 4) == [0, 0, 1, 0]


def test_a_display_that_nobody_works_on_just_now_is_queued_for(office: Office, clock: ManualClock) -> None:
    """UX-3: its worker was there when the schedule was made; the run waits, and says why."""
    office.queue.arrive(Worker(":77", "w7", clock.now(), clock.now() + timedelta(seconds=10)))
    make_schedule(office, "elsewhere", "30 8 * * *", ASKED, who="anna", display=":77")
    office.queue.leave(Worker(":77", "w7", clock.now(), clock.now()))
    clock.advance(61)
    assert see_to_schedules(office) == 1
    (item,) = waiting(office)
    assert "nobody works on display :77" in whys(office, [item])[item.run_id]


def test_a_schedule_that_can_never_run_is_told_once(office: Office, clock: ManualClock) -> None:
    """UX-3"""
    made, before = make_schedule(office, "gone", "30 8 * * *", ASKED, who="anna"), office.queue.last_happening()
    gone = made.model_copy(update={"asked": made.asked.model_copy(update={"workflow_id": "WF_gone"})})
    office.queue.save_schedule(gone, enabled=True, last_due=clock.now())
    make_schedule(office, "there", "30 8 * * *", ASKED, who="anna")
    clock.advance(61)
    assert [see_to_schedules(office), see_to_schedules(office)] == [1, 0]
    assert len(told(office, before, "schedule_failed")) == 1


def test_nobody_authorises_runs_that_nobody_asks_for(office: Office, clock: ManualClock, tmp_path: Path) -> None:
    """L4-12: one run, by a person. What was kept otherwise loses it, and that is told and audited."""
    young = ASKED.model_copy(update={"authorised_because": "always"})
    watch, before = FolderWatch(office, LocalFolders()), office.queue.last_happening()
    with pytest.raises(UsageError, match="one run"):
        make_schedule(office, "young", "30 8 * * *", young, who="anna")
    with pytest.raises(UsageError, match="one run"):
        watch.add(tmp_path, young, who="anna")
    made = make_schedule(office, "old", "30 8 * * *", ASKED, who="anna")
    office.queue.save_schedule(made.model_copy(update={"asked": young}), enabled=True, last_due=clock.now())
    kept = watch.add(tmp_path, ROWS, who="anna")
    old = ROWS.model_copy(update={"authorised_because": "always"})
    office.queue.save_folder(kept.model_copy(update={"asked": old}), enabled=True)
    (tmp_path / "young.csv").write_text("facture\nFAC-2026-7201\n", encoding="utf-8")
    clock.advance(61)
    assert (see_to_schedules(office), looks(watch, clock, 2)) == (1, [0, 1])
    assert [item.asked.authorised_because for item in waiting(office)] == [None, None]
    assert len(told(office, before, "authorisation_dropped")) == 2
    assert audited(office, "schedule_changed")[-1]["change"] == "authorisation_dropped"
    assert audited(office, "folder_changed")[-1]["change"] == "authorisation_dropped"


def test_who_makes_switches_and_deletes_what_runs_by_itself_is_audited(office: Office, tmp_path: Path) -> None:
    """UX-3"""
    made = make_schedule(office, "every morning", "30 8 * * *", ASKED, who="anna")
    switch_schedule(office, made.schedule_id, enabled=False, who="bernd")
    delete_schedule(office, made.schedule_id, who="carla")
    watch = FolderWatch(office, LocalFolders())
    watch.remove(watch.add(tmp_path, ROWS, who="anna").folder_id, who="dora")
    schedules = [(one["change"], one["who"]) for one in audited(office, "schedule_changed")]
    assert schedules[-3:] == [("made", "anna"), ("off", "bernd"), ("deleted", "carla")]
    folders = [(one["change"], one["who"]) for one in audited(office, "folder_changed")]
    assert folders[-2:] == [("made", "anna"), ("deleted", "dora")]


def test_a_file_is_taken_when_it_has_stopped_growing_and_once(
    office: Office, clock: ManualClock, tmp_path: Path
) -> None:
    """UX-3: neither a second look, nor a restart, nor a copy doubles a row."""
    watch = FolderWatch(office, LocalFolders())
    watch.add(tmp_path, ROWS, who="anna")
    file = tmp_path / "monday.csv"
    file.write_text("facture\nFAC-2026-7001\n", encoding="utf-8")
    assert looks(watch, clock, 1) == [0], "seen for the first time"
    with file.open("a", encoding="utf-8") as growing:
        growing.write("FAC-2026-7002\n")
    assert watch.look() == 0, "it has grown since"
    clock.advance(QUIET_S - 1)
    assert watch.look() == 0, "a moment ago"
    clock.advance(1)
    assert looks(watch, clock, 2) == [2, 0]
    assert {item.asked.parameters["facture"] for item in waiting(office)} == {"FAC-2026-7001", "FAC-2026-7002"}
    again, before = FolderWatch(office, LocalFolders()), office.queue.last_happening()
    assert looks(again, clock, 3) == [0, 0, 0]
    assert told(office, before, "folder_skipped") == [], "a restart is nothing to be told"
    (tmp_path / "monday (1).csv").write_bytes(file.read_bytes())
    assert looks(again, clock, 3) == [0, 0, 0]
    (skipped,) = told(office, before, "folder_skipped")
    assert "as monday.csv" in str(skipped["reason"])
    with file.open("a", encoding="utf-8") as growing:
        growing.write("FAC-2026-7003\n")
    assert looks(again, clock, 2) == [0, 1], "only the row that is new"


def test_half_of_a_file_is_not_run(office: Office, clock: ManualClock, tmp_path: Path) -> None:
    """UX-3: a stalled copy may end in a row that is cut and looks whole: told, and run when all of it is there."""
    watch, before = FolderWatch(office, LocalFolders()), office.queue.last_happening()
    watch.add(tmp_path, ROWS, who="anna")
    file = tmp_path / "stalled.csv"
    file.write_text("facture\nFAC-2026-7301\nFAC-2026-7302", encoding="utf-8")
    assert looks(watch, clock, 4) == [0, 0, 0, 0]
    assert len(told(office, before, "folder_failed")) == 1
    with file.open("a", encoding="utf-8") as growing:
        growing.write("\nFAC-2026-7303\n")
    assert looks(watch, clock, 2) == [0, 3]
    assert len({item.batch_id for item in waiting(office)}) == 1


def test_a_folder_is_watched_for_one_workflow(office: Office, tmp_path: Path) -> None:
    """UX-3: also where it goes by another name."""
    watch, other = FolderWatch(office, LocalFolders()), tmp_path / "other name"
    folder = tmp_path / "folder"
    folder.mkdir()
    other.symlink_to(folder)
    watch.add(folder, ROWS, who="anna")
    with pytest.raises(UsageError, match="watched already"):
        watch.add(other, ROWS, who="anna")


def test_a_name_that_cannot_be_written_down_is_told_and_stops_no_other(
    office: Office, clock: ManualClock, tmp_path: Path
) -> None:
    """UX-3: bytes of another time, such as Latin-1."""
    watch, before = FolderWatch(office, LocalFolders()), office.queue.last_happening()
    watch.add(tmp_path, ROWS, who="anna")
    for name, row in ((b"a\xe9t\xe9.csv", "FAC-2026-7401"), (b"z.csv", "FAC-2026-7402")):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text(f"facture\n{row}\n", encoding="utf-8")
    assert looks(watch, clock, 3) == [0, 1, 0]
    (failed,) = told(office, before, "folder_failed")
    assert failed["remedy"] == "Rename the file."


def test_a_file_that_cannot_be_run_is_told_with_what_to_do(office: Office, clock: ManualClock, tmp_path: Path) -> None:
    """UX-3"""
    watch, before = FolderWatch(office, LocalFolders()), office.queue.last_happening()
    watch.add(tmp_path, ROWS, who="anna")
    (tmp_path / "strange.csv").write_text("colour\nblue\n", encoding="utf-8")
    assert looks(watch, clock, 3) == [0, 0, 0]
    (failed,) = told(office, before, "folder_failed")
    assert failed["file"] == "strange.csv"
    need, *_ = [one for one in overview(office)["needs"] if one["kind"] == "not_run"]
    assert "strange.csv" in need["why"]
    assert need["where"] == "/settings"
    assert failed["reason"]
    assert failed["remedy"]


def test_what_waits_says_why(office: Office, clock: ManualClock) -> None:
    """UX-2: nobody there, somebody before it, paused by a person, its workflow held, its file held, about to begin."""
    first = ask_run(office, ASKED, who="anna").item
    second = ask_run(office, ASKED, who="anna").item

    def why(run_id: str) -> str:
        return whys(office, waiting(office))[run_id]

    assert why(first.run_id) == f"nobody works on display {DISPLAY}: start `rpa-vision work --display {DISPLAY}`"
    me = Worker(DISPLAY, "w1", clock.now(), clock.now() + timedelta(seconds=60))
    assert office.queue.arrive(me)
    assert why(first.run_id) == "about to begin"
    assert why(second.run_id) == f"one run is before it on {DISPLAY}"
    office.queue.claim(me, now=clock.now(), held_workflows=[], held_batches=[])
    assert why(second.run_id) == f"next on {DISPLAY}, after {first.run_id}"
    want(office, second.run_id, "pause", who="anna")
    assert why(second.run_id) == "paused by a person"
    want(office, second.run_id, "go", who="anna")
    heal_use_case.pause(office.heal, "WF_factures", "a fire drill", "anna")
    assert why(second.run_id) == "the workflow is paused"
    heal_use_case.resume(office.heal, "WF_factures", "over", "anna")
    office.queue.end(first.run_id, "w1", now=clock.now(), status="success", reason="")


def test_a_file_whose_rows_fail_in_a_row_waits_for_a_person_and_says_so(
    office: Office, clock: ManualClock, tmp_path: Path
) -> None:
    """UX-2"""
    file = tmp_path / "bad.csv"
    file.write_text("facture\n" + "\n".join(f"FAC-2026-81{n:02d}" for n in range(5)), encoding="utf-8")
    ask_rows(office, ROWS, office.row_files.read(file), file.name, who="anna")
    me = Worker(DISPLAY, "w1", clock.now(), clock.now() + timedelta(seconds=60))
    office.queue.arrive(me)
    for _ in range(3):
        claimed = office.queue.claim(me, now=clock.now(), held_workflows=[], held_batches=[])
        assert claimed is not None
        office.queue.end(claimed.run_id, "w1", now=clock.now(), status="halted", reason="not found")
    reasons = set(whys(office, waiting(office)).values())
    assert reasons == {"3 rows in a row did not complete: look why, then release the file"}
