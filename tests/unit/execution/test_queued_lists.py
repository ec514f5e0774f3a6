"""A list on the screen that a queued run did not do to its end: told, and gone on with as a person wants."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from list_office import ListOffice, invoices, rounds, validating

from rpa_vision.adapters.office.queue import SqliteRunQueue
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.storage.running_runs import FileRunningRuns
from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.app.left_over import HowToGoOn, go_on, left_behind, left_over
from rpa_vision.app.office import Office
from rpa_vision.app.queue import ask_run, want
from rpa_vision.app.queue_worker import QueueWorker
from rpa_vision.app.queued_files import ask_rows, run_again
from rpa_vision.app.run_tools import RunTools
from rpa_vision.app.schedule import make_schedule
from rpa_vision.app.wiring_office import open_office
from rpa_vision.app.work import do_queued
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.errors import DocumentError, StorageError, UnknownIdError, UsageError
from rpa_vision.learning.live_state import at_exactly
from rpa_vision.models.batch import FileRow, RowFile
from rpa_vision.models.execution import RunReport
from rpa_vision.models.queue import Batch, NewItem, RunAsked
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.models.workflow_standing import AUTO_CONFIRMED
from rpa_vision.testing.supervisors import OpenSupervisor

DISPLAY = ":1"


@pytest.fixture
def screen() -> ListOffice:
    return ListOffice(invoices("1,00", "2,00", "3,00", "4,00"))


@pytest.fixture
def workflow(screen: ListOffice) -> Workflow:
    return validating(loop=rounds(rule=None, last_edge="E2"), office=screen)


@pytest.fixture
def office(tmp_path: Path, screen: ListOffice, workflow: Workflow) -> Iterator[Office]:
    data = FileDataDirectory(tmp_path / "data", clock=screen.clock)
    with open_office(data, (DISPLAY,)) as opened:
        for node in workflow.nodes:
            prototype = node.screen_template.embedding_prototype
            assert prototype is not None
            data.vectors.save(prototype.vector_id, screen.book[node.label].vector)
        data.workflows.save(workflow)
        yield replace(opened, clock=screen.clock)


def work(office: Office, screen: ListOffice, running: FileRunningRuns | None = None) -> None:
    """Do what is in the queue, from the list as it stands."""
    screen.desktop.show(screen.show_list())
    tools = RunTools(
        data=office.data,
        observer=screen.book.observer,
        desktop=screen.desktop,
        audit=office.heal.audit,
        clock=screen.clock,
        ids=office.ids,
        new_index=lambda workflow_id, space: FAISSManager(FaissIndex, workflow_id=workflow_id, space=space),
        supervisor=lambda run_id: OpenSupervisor(),
        lists=office.lists,
        running=running,
    )
    do = do_queued(office.data, lambda workflow: tools)
    QueueWorker(office.queue, office.heal, DISPLAY, "w1", screen.clock, do).work(until_empty=True)


def halted_at_the_third(office: Office, screen: ListOffice, workflow: Workflow) -> RunReport:
    numbers, screen.rows[2].number = screen.rows[2].number, "FAC-2026-0OO03"
    asked = RunAsked(workflow_id=workflow.workflow_id, authorised_because="a test")
    queued = ask_run(office, asked, who="anna")
    work(office, screen)
    screen.rows[2].number = numbers
    report = office.data.runs.load(queued.item.run_id)
    assert (report.status, len(screen.validated)) == ("halted", 2), report.reason
    return report


@pytest.mark.parametrize(("how", "rows"), [("rest", [0, 1, 2, 3]), ("again", [0, 1, 0, 1, 2, 3])])
def test_a_list_that_was_broken_off_is_gone_on_with_from_the_queue(
    office: Office, screen: ListOffice, workflow: Workflow, how: HowToGoOn, rows: list[int]
) -> None:
    """UX-3, L4-5: as `run --rest` and `run --again` do it, and once however often it is asked for."""
    report = halted_at_the_third(office, screen, workflow)
    left = left_over(office, report)
    assert left is not None
    assert (left.may_rest, "of the list at E1" in left.told) == (True, True), left.told
    first = go_on(office, report.run_id, how, who="anna", authorised_because="a test")
    twice = go_on(office, report.run_id, how, who="anna", authorised_because="a test")
    assert (first.is_new, twice.is_new, twice.item.run_id) == (True, False, first.item.run_id)
    work(office, screen)
    ended = office.queue.item(first.item.run_id)
    assert ended is not None
    assert ended.status == "success", ended.reason
    assert screen.validated == [screen.rows[row].number for row in rows]
    assert left_over(office, report) is None
    with pytest.raises(UsageError, match="left nothing"):
        go_on(office, report.run_id, how, who="anna")


def test_a_run_that_was_taken_out_of_the_queue_can_be_asked_for_anew(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """UX-3"""
    report = halted_at_the_third(office, screen, workflow)
    first = go_on(office, report.run_id, "rest", who="anna")
    office.queue.want(first.item.run_id, "stop", now=office.clock.now(), who="anna")
    anew = go_on(office, report.run_id, "rest", who="anna")
    assert (anew.is_new, anew.item.asked.rest) == (True, True)


def test_two_people_who_go_on_with_one_list_get_one_run(office: Office, screen: ListOffice, workflow: Workflow) -> None:
    """L4-5, EX-7: rows are not done twice because two people asked, whatever each of them wanted."""
    report = halted_at_the_third(office, screen, workflow)
    wanted: list[tuple[str, HowToGoOn]] = [("anna", "rest"), ("bert", "rest"), ("bert", "again"), ("anna", "again")]
    asked = [go_on(office, report.run_id, how, who=who, authorised_because="a test") for who, how in wanted]
    assert [one.is_new for one in asked] == [True, False, False, False]
    assert len({one.item.run_id for one in asked}) == 1
    work(office, screen)
    assert screen.validated == [row.number for row in screen.rows]


def test_nobody_goes_on_with_a_secret_that_was_written_down_nowhere(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """L0-7, L4-5: what stands in its place in the report is never typed."""
    report = halted_at_the_third(office, screen, workflow)
    beside = VariableSource(method="parameter", element_label="Code PIN")
    variables = {**workflow.variables, "code": Variable(type="string", source=beside, required=False)}
    office.data.workflows.save(workflow.model_copy(update={"variables": variables}))
    by_hand = report.model_copy(update={"run_id": "run_by_hand", "parameters": {"code": "secret:code"}})
    office.data.runs.save(by_hand, "")
    with pytest.raises(UsageError, match="was given a secret"):
        go_on(office, by_hand.run_id, "rest", who="anna", authorised_because="a test")


def test_who_goes_on_with_a_run_that_went_on_gets_the_one_that_waits(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """L4-5: from the page of the first run or of the second, it is one list."""
    first = halted_at_the_third(office, screen, workflow)
    again = go_on(office, first.run_id, "rest", who="anna", authorised_because="a test")
    number, screen.rows[3].number = screen.rows[3].number, "FAC-2026-0OO04"
    work(office, screen)
    screen.rows[3].number = number
    second = office.data.runs.load(again.item.run_id)
    assert (second.status, len(screen.validated)) == ("halted", 3), second.reason
    waits = go_on(office, first.run_id, "rest", who="anna", authorised_because="a test")
    same = go_on(office, second.run_id, "again", who="bert", authorised_because="a test")
    assert (waits.is_new, same.is_new, same.item.run_id) == (True, False, waits.item.run_id)
    work(office, screen)
    assert screen.validated == [row.number for row in screen.rows]
    for report in (first, second):
        assert left_over(office, report) is None


def test_a_rest_of_which_nothing_is_left_does_nothing(office: Office, screen: ListOffice, workflow: Workflow) -> None:
    """L4-5, EX-7: whoever wants the rest does not mean all rows."""
    asked = RunAsked(workflow_id=workflow.workflow_id, authorised_because="a test", rest=True)
    for _ in range(2):  # never begun; then done to its end
        queued = ask_run(office, asked, who="anna")
        before = list(screen.validated)
        work(office, screen)
        ended = office.queue.item(queued.item.run_id)
        assert ended is not None
        assert (ended.status, ended.input_sent, screen.validated) == ("blocked", False, before)
        assert "nothing is left" in ended.reason
        ask_run(office, asked.model_copy(update={"rest": False}), who="anna")
        work(office, screen)
    assert len(screen.validated) == 8


def test_nobody_goes_on_with_a_list_in_the_middle_of_which_a_run_is(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """L4-5: also one that was started in a terminal, and is in no queue."""
    report = halted_at_the_third(office, screen, workflow)
    running = FileRunningRuns(office.data.files, "here")
    running.begin(report.run_id, workflow.workflow_id, office.clock.now())
    queued = go_on(office, report.run_id, "again", who="anna", authorised_because="a test")
    work(office, screen, running)
    ended = office.queue.item(queued.item.run_id)
    assert ended is not None
    assert (ended.status, ended.input_sent, len(screen.validated)) == ("blocked", False, 2), ended.reason
    assert f"{report.run_id} is in the middle of this list" in ended.reason


def test_a_run_that_was_killed_before_it_could_report_is_gone_on_with(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """UX-3, L4-5, EX-7: the queue knows what it was"""
    report = halted_at_the_third(office, screen, workflow)
    shutil.rmtree(office.data.paths.run_file(report.run_id, "report.json").parent)
    with pytest.raises(UnknownIdError):
        office.data.runs.load(report.run_id)
    left = left_behind(office, report.run_id)
    assert left is not None
    assert left.may_rest
    go_on(office, report.run_id, "rest", who="anna", authorised_because="a test")
    work(office, screen)
    assert screen.validated == [row.number for row in screen.rows]
    assert left_behind(office, report.run_id) is None
    with pytest.raises(UnknownIdError):
        go_on(office, "run_of_nobody", "rest", who="anna")


def test_who_goes_on_after_midnight_goes_on_with_the_list_of_that_day(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """L4-5: another day leads to another list"""
    day = Variable(type="string", source=VariableSource(method="system_time"))
    office.data.workflows.save(workflow.model_copy(update={"variables": {**workflow.variables, "jour": day}}))
    report = halted_at_the_third(office, screen, workflow)
    assert report.parameters["jour"]
    office.data.runs.save(report.model_copy(update={"parameters": {"jour": "2026-01-31"}}), "")
    queued = go_on(office, report.run_id, "rest", who="anna", authorised_because="a test")
    assert queued.item.asked.parameters == {"jour": "2026-01-31"}


def test_a_key_that_was_answered_with_the_run_of_somebody_else_is_answered_with_it_again(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """UX-3, EX-7: the answer was lost on the way; meanwhile that run has ended"""
    report = halted_at_the_third(office, screen, workflow)
    first = go_on(office, report.run_id, "again", who="bert", authorised_because="a test")
    asked = RunAsked(workflow_id=workflow.workflow_id, again=True, authorised_because="a test")
    same = ask_run(office, asked, who="script", key="one")
    work(office, screen)
    again = ask_run(office, asked, who="script", key="one")
    assert {same.item.run_id, again.item.run_id} == {first.item.run_id}
    assert (same.is_new, again.is_new) == (False, False)
    assert ask_run(office, asked, who="script", key="another").is_new


def test_rows_of_a_file_that_share_what_is_left_of_a_list_are_told_and_can_be_asked_for_later(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """UX-3, L4-5: they were never asked for"""
    note = Variable(type="string", source=VariableSource(method="parameter"), required=False)
    office.data.workflows.save(workflow.model_copy(update={"variables": {**workflow.variables, "note": note}}))
    halted_at_the_third(office, screen, workflow)
    file = RowFile(("note",), tuple(FileRow(line, {"note": text}) for line, text in enumerate("abc", start=2)))
    asked = RunAsked(workflow_id=workflow.workflow_id, rest=True)
    first = ask_rows(office, asked, file, "m.csv", who="anna")
    assert (first.rows, first.skipped, first.left_out) == (1, 2, {"list_gone_on_with": 2})
    later = ask_rows(office, asked.model_copy(update={"rest": False}), file, "m.csv", who="anna")
    assert (later.rows, later.skipped, later.left_out) == (2, 1, {"asked_before": 1})


def rows_of(office: Office, workflow: Workflow) -> str:
    """A file of one row, in the queue."""
    batch = Batch("batch_1", workflow.workflow_id, "rows.csv", "anna", office.clock.now(), 1, 0, 0, "digest")
    row = NewItem(
        "run_row_1", RunAsked(workflow_id=workflow.workflow_id), DISPLAY, 5, "anna", "batch", "rows:1", "batch_1", 2
    )
    office.queue.add([row], now=office.clock.now(), batch=batch)
    return batch.batch_id


def confirmed(office: Office, workflow: Workflow) -> None:
    """Rows of a file run alone only where people trust the workflow to."""
    office.data.workflows.save(at_exactly(workflow, AUTO_CONFIRMED))


def test_a_row_of_a_file_goes_on_with_its_list_once(office: Office, screen: ListOffice, workflow: Workflow) -> None:
    """UX-3, L4-5: neither while a run that goes on with it waits, nor when that one has done what was left."""
    confirmed(office, workflow)
    batch_id = rows_of(office, workflow)
    number, screen.rows[2].number = screen.rows[2].number, "FAC-2026-0OO03"
    work(office, screen)
    screen.rows[2].number = number
    first = go_on(office, "run_row_1", "rest", who="bert", authorised_because="a test")
    waiting = run_again(office, batch_id, who="anna", uncertain=True)
    assert (waiting.rows, waiting.left_out) == (0, {"run_again_before": 1})
    want(office, first.item.run_id, "stop", who="bert")
    queued = run_again(office, batch_id, who="anna", uncertain=True, rest=True)
    same = go_on(office, "run_row_1", "again", who="bert", authorised_because="a test")
    assert (queued.rows, same.is_new, same.item.asked.rest, same.item.batch_id) == (1, False, True, queued.batch_id)
    work(office, screen)
    assert screen.validated == [row.number for row in screen.rows]
    over = run_again(office, batch_id, who="anna", uncertain=True)
    assert (over.rows, over.left_out) == (0, {"gone_on_with": 1})


def test_a_workflow_that_cannot_be_read_hides_nothing(office: Office, screen: ListOffice, workflow: Workflow) -> None:
    """UX-2: what may be left is told, and what keeps people from going on."""
    report = halted_at_the_third(office, screen, workflow)
    (path,) = office.data.paths.root.rglob("workflow*.json")
    path.write_text("{broken", encoding="utf-8")
    left = left_over(office, report)
    assert left is not None
    assert (left.may_rest, left.may_again) == (False, False)
    assert "cannot be read" in left.told
    with pytest.raises(DocumentError):
        go_on(office, report.run_id, "rest", who="anna")


class FullQueue(SqliteRunQueue):
    """A disk that takes no more."""

    def add(self, items: Sequence[NewItem], *, now: datetime, batch: Batch | None = None) -> list[NewItem]:
        raise StorageError("queue.db: cannot be used (disk full)")


def test_no_line_is_written_of_a_run_that_never_was_in_the_queue(
    office: Office, screen: ListOffice, workflow: Workflow
) -> None:
    """AH-7, UX-3: and what was asked for twice is written down once."""
    asked = RunAsked(workflow_id=workflow.workflow_id)
    runs = {ask_run(office, asked, who="anna", key="one").item.run_id for _ in range(2)}
    full = FullQueue(office.data.paths.queue)
    with pytest.raises(StorageError):
        ask_run(replace(office, queue=full), asked, who="anna")
    full.close()
    told = [one.record["run_id"] for one in office.trail.entries() if one.kind == "run_queued"]
    assert told == sorted(runs)


def test_nobody_has_looked_for_what_runs_by_the_clock(office: Office, workflow: Workflow) -> None:
    """UX-3, L4-5: rows are left out or done twice by a person's word, for one run."""
    for word in ("again", "rest"):
        asked = RunAsked.from_json({"workflow_id": workflow.workflow_id, word: True}, where="test")
        with pytest.raises(UsageError, match="has looked"):
            make_schedule(office, "every day", "30 8 * * *", asked, who="anna")
    both = RunAsked(workflow_id=workflow.workflow_id, again=True, rest=True)
    with pytest.raises(UsageError, match="exclude"):
        ask_run(office, both, who="anna")
