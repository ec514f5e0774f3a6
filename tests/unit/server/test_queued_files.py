"""Files of rows: known by their rows, not by their name; stopped as a whole; run again where nothing was sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from served import DISPLAY

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.office import Office
from rpa_vision.app.queue import batch_json, held_batches, whys
from rpa_vision.app.queued_files import QueuedRows, ask_rows, run_again, stop_batch
from rpa_vision.app.wiring_office import open_office
from rpa_vision.errors import UnknownIdError, UsageError
from rpa_vision.models.batch import FileRow, RowFile
from rpa_vision.models.queue import QueuedRun, RunAsked, Worker
from rpa_vision.testing.manual_clock import ManualClock
from rpa_vision.testing.office_data import make_office

ROWS = RunAsked(workflow_id="WF_factures")
LEASE = timedelta(seconds=10)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    root = tmp_path_factory.mktemp("files") / "data"
    make_office(root, runs=1)
    with open_office(FileDataDirectory(root, clock=SystemClock()), (DISPLAY,)) as office:
        yield office


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def office(opened: Office, clock: ManualClock) -> Iterator[Office]:
    yield replace(opened, clock=clock)
    for item in opened.queue.items(states=["running"]):
        opened.queue.end(item.run_id, item.worker_id or "", now=clock.now(), status="halted", reason="")
    for batch in opened.queue.batches():
        opened.queue.stop_batch(batch.batch_id, now=clock.now(), who="test")


def rows(first: int, last: int) -> RowFile:
    """The bills from a number to another, one a row."""
    numbers = enumerate(range(first, last + 1), start=2)
    return RowFile(
        ("facture",),
        tuple(FileRow(line, {"facture": f"FAC-{2000 + n // 10_000}-{n % 10_000:04d}"}) for line, n in numbers),
    )


def ask(office: Office, file: RowFile, name: str, *, again: bool = False) -> QueuedRows:
    return ask_rows(office, ROWS, file, name, who="anna", again=again)


def begin(office: Office) -> QueuedRun:
    now = office.clock.now()
    me = Worker(DISPLAY, "w1", now, now + LEASE)
    found = office.queue.claim(me, now=now, held_workflows=[], held_batches=[])
    assert found is not None
    return found


def end(office: Office, status: str, *, input_sent: bool | None) -> QueuedRun:
    item = begin(office)
    office.queue.end(
        item.run_id, "w1", now=office.clock.now(), status=status, reason="", input_sent=input_sent
    )  # fmt: skip
    return item


def test_the_same_rows_under_another_name_are_the_same_file(office: Office) -> None:
    """UX-3: a second download, `m (1).csv`, is told and nothing is queued, unless a person says so."""
    first = ask(office, rows(100, 104), "m.csv")
    copy = ask(office, rows(100, 104), "m (1).csv")
    assert (first.rows, copy.rows, copy.batch_id, copy.skipped) == (5, 0, None, 5)
    assert copy.asked_before is not None
    assert (copy.asked_before.batch_id, copy.to_json()["left_out"]) == (first.batch_id, {"asked_before": 5})
    assert ask(office, rows(100, 104), "m (1).csv", again=True).rows == 5


def test_next_months_file_is_another_although_a_row_is_equal(office: Office) -> None:
    """UX-3: no row is dropped without a word."""
    assert ask(office, rows(200, 202), "orders.csv").rows == 3
    assert ask(office, rows(202, 205), "orders.csv").rows == 4


def test_of_a_file_that_has_grown_only_the_new_rows_are_run_and_the_others_told(office: Office) -> None:
    """UX-3"""
    ask(office, rows(300, 302), "grows.csv")
    grown = ask(office, rows(300, 304), "grows.csv")
    assert (grown.rows, grown.skipped, grown.left_out) == (2, 3, {"asked_before": 3})
    batch = office.queue.batch(grown.batch_id or "")
    assert batch is not None
    assert (batch.rows, batch.skipped) == (2, 3)
    assert ask(office, rows(300, 304), "grows.csv").rows == 0


def test_a_file_is_stopped_as_a_whole_however_many_rows_it_has(office: Office) -> None:
    """UX-2: more rows than a page shows, one of them over, one running."""
    queued = ask(office, rows(1000, 1599), "long.csv")
    end(office, "success", input_sent=True)
    running = begin(office)
    told = stop_batch(office, queued.batch_id or "", who="anna")
    assert (told["cancelled"], told["stopped"]) == (598, 1)
    assert office.queue.batch_counts(queued.batch_id or "") == {"success": 1, "running": 1, "cancelled": 598}
    stopped = office.queue.item(running.run_id)
    assert stopped is not None
    assert stopped.wanted == "stop"
    with pytest.raises(UnknownIdError):
        stop_batch(office, "batch_nobody", who="anna")


def test_what_did_not_complete_and_sent_nothing_is_run_again_once(office: Office) -> None:
    """UX-3, EX-3: what may have sent something is left to a person, and told."""
    queued = ask(office, rows(400, 405), "again.csv")
    end(office, "success", input_sent=True)
    halted = end(office, "halted", input_sent=False)
    end(office, "halted", input_sent=True)
    end(office, "failed", input_sent=None)
    lost = begin(office)
    for _ in range(2):
        office.queue.sweep(now=office.clock.now(), monotonic_s=office.clock.monotonic(), lease_s=LEASE.total_seconds())
        office.clock.sleep(LEASE.total_seconds())
    gone = office.queue.item(lost.run_id)
    assert gone is not None
    assert gone.state == "interrupted"
    stop_batch(office, queued.batch_id or "", who="anna")
    again = run_again(office, queued.batch_id or "", who="bernd")
    assert (again.rows, again.left_out) == (2, {"complete": 1, "may_have_sent": 3})
    anew = office.queue.items(batch_id=again.batch_id)
    assert [item.line for item in anew] == [halted.line, 7]
    assert anew[0].asked.parameters == halted.asked.parameters
    twice = run_again(office, queued.batch_id or "", who="bernd")
    assert (twice.batch_id, twice.rows, twice.left_out["run_again_before"]) == (None, 0, 2)


def test_rows_that_may_have_sent_something_are_run_again_once_a_person_has_looked(office: Office) -> None:
    """UX-3, EX-3: as `run --each FILE --again` does; what is complete stays complete. Where no list on the screen is
    left, there is no rest of one either: the row is run as it was."""
    queued = ask(office, rows(450, 452), "looked.csv")
    end(office, "success", input_sent=True)
    end(office, "halted", input_sent=True)
    end(office, "failed", input_sent=None)
    anew = run_again(office, queued.batch_id or "", who="anna", uncertain=True, rest=True)
    assert (anew.rows, anew.left_out) == (2, {"complete": 1})
    assert {(item.asked.rest, item.asked.again) for item in office.queue.items(batch_id=anew.batch_id)} == {
        (False, False)
    }


def test_nobody_authorises_a_whole_file(office: Office) -> None:
    """L4-12: one run, by a person: a file of rows is many."""
    asked = ROWS.model_copy(update={"authorised_because": "all of them"})
    with pytest.raises(UsageError, match="one run"):
        ask_rows(office, asked, rows(500, 501), "young.csv", who="anna")


def test_a_long_queue_says_why_and_what_holds_it_without_being_read(office: Office) -> None:
    """UX-2: the places of 3,000 rows, and what three failures in a row hold."""
    queued = ask(office, rows(20_000, 22_999), "huge.csv")
    office.queue.arrive(Worker(DISPLAY, "w1", office.clock.now(), office.clock.now() + LEASE))
    waiting = office.queue.items(states=["waiting"], limit=100_000)
    told = whys(office, waiting)
    assert (told[waiting[0].run_id], told[waiting[-1].run_id]) == (
        "about to begin",
        f"{len(waiting) - 1} runs are before it on {DISPLAY}",
    )
    for _ in range(3):
        end(office, "halted", input_sent=False)
    batch = office.queue.batch(queued.batch_id or "")
    assert batch is not None
    held = held_batches(office.queue)
    assert held.keys() == {batch.batch_id}
    about = batch_json(office.queue, batch, held)
    assert about["counts"] == {"halted": 3, "waiting": 2997}
