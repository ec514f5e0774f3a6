"""A list on the screen that a queued run did not do to its end: told, and gone on with as a person wants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from list_office import ListOffice, invoices, rounds, validating

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.adapters.vectors.faiss_index import FaissIndex
from rpa_vision.app.left_over import HowToGoOn, go_on, left_over
from rpa_vision.app.office import Office
from rpa_vision.app.queue import ask_run
from rpa_vision.app.queue_worker import QueueWorker
from rpa_vision.app.run_tools import RunTools
from rpa_vision.app.schedule import make_schedule
from rpa_vision.app.wiring_office import open_office
from rpa_vision.app.work import do_queued
from rpa_vision.embedding.faiss_manager import FAISSManager
from rpa_vision.errors import UsageError
from rpa_vision.models.execution import RunReport
from rpa_vision.models.queue import RunAsked
from rpa_vision.models.workflow_graph import Workflow
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


def work(office: Office, screen: ListOffice) -> None:
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


def test_nobody_has_looked_for_what_runs_by_the_clock(office: Office, workflow: Workflow) -> None:
    """UX-3, L4-5: rows are left out or done twice by a person's word, for one run."""
    for word in ("again", "rest"):
        asked = RunAsked.from_json({"workflow_id": workflow.workflow_id, word: True}, where="test")
        with pytest.raises(UsageError, match="has looked"):
            make_schedule(office, "every day", "30 8 * * *", asked, who="anna")
    both = RunAsked(workflow_id=workflow.workflow_id, again=True, rest=True)
    with pytest.raises(UsageError, match="exclude"):
        ask_run(office, both, who="anna")
