"""A queued run is done as any other, under the id it was queued with, and people can stop it between steps."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from office import NEW, Office, show_three

from rpa_vision.adapters.audit.trail_reader import JsonlTrail
from rpa_vision.adapters.office.queue import SqliteRunQueue
from rpa_vision.app.queue_worker import QueueWorker
from rpa_vision.app.report import report_page
from rpa_vision.app.run_live import warnings_so_far
from rpa_vision.app.wiring_auto_heal import AutoHeal
from rpa_vision.app.work import do_queued
from rpa_vision.models.perception import Perception
from rpa_vision.models.queue import NewItem, Origin, QueuedRun, RunAsked
from rpa_vision.models.workflow_graph import Workflow

NETS = Perception(detector="elements-1", judge="judge-1", reader="ink-1")
RULES_ONLY = Perception(detector="rules", reader="ink-1")


@pytest.fixture
def workflow(office: Office) -> Workflow:
    office.keep(show_three(office.book))
    return office.learn().workflow


@pytest.fixture
def queue(office: Office) -> Iterator[SqliteRunQueue]:
    opened = SqliteRunQueue(office.data.paths.queue)
    yield opened
    opened.close()


def worker(office: Office, heal: AutoHeal, queue: SqliteRunQueue, desktop: Any) -> QueueWorker:
    do = do_queued(office.data, lambda workflow: office.tools(desktop))
    return QueueWorker(queue, heal, ":1", "worker_1", office.clock, do)


def ask(queue: SqliteRunQueue, office: Office, workflow: Workflow, origin: Origin = "person") -> None:
    (variable,) = workflow.variables
    asked = RunAsked(workflow_id=workflow.workflow_id, parameters={variable: NEW}, authorised_because="a test")
    queue.add([NewItem("run_queued_1", asked, ":1", 5, "me", origin)], now=office.clock.now())


def test_a_queued_run_is_done_under_its_own_id_and_told_step_by_step(
    office: Office, heal: AutoHeal, queue: SqliteRunQueue, workflow: Workflow
) -> None:
    """UX-2, UX-3"""
    ask(queue, office, workflow)
    assert worker(office, heal, queue, office.desktop()).work(until_empty=True) == 1
    ended = queue.item("run_queued_1")
    assert ended is not None
    assert (ended.state, ended.status, ended.input_sent) == ("ended", "success", True), ended.reason
    (requested,) = [one.record for one in JsonlTrail(office.audit_file).entries() if one.kind == "run_requested"]
    assert (requested["who"], requested["authorised_because"]) == ("me", "a test")
    report = office.data.runs.load("run_queued_1")
    kinds = [one.kind for one in queue.happenings(0)]
    assert kinds[:3] == ["run_queued", "run_started", "step_begins"]
    assert kinds.count("step_ended") == len(report.steps) == ended.steps_done
    assert office.data.runs.picture("run_queued_1", "step_01_before.jpg")[:2] == b"\xff\xd8"


def test_a_queued_run_says_that_it_is_done_by_other_eyes_than_those_that_learned_it(
    office: Office, heal: AutoHeal, queue: SqliteRunQueue, workflow: Workflow
) -> None:
    """UX-1, UX-2: while it goes on, and in its report for whoever looks later"""
    office.data.workflows.save(workflow.model_copy(update={"learned_with": (RULES_ONLY,)}))
    office.book.observer.perception = NETS
    ask(queue, office, workflow)
    worker(office, heal, queue, office.desktop()).work(until_empty=True)
    told = queue.told_of("run_queued_1")
    (live,) = warnings_so_far(told)
    (kept,) = office.data.runs.load("run_queued_1").warnings
    assert live == {"said": kept.said, "remedy": kept.remedy}
    assert "detector rules then, elements-1 now" in kept.said
    assert "rpa-vision learn sess_patients" in kept.remedy
    html = report_page(office.data.runs, "run_queued_1", "fr")
    assert "avec d&#39;autres yeux" in html
    assert "Réapprenez-le" in html


@pytest.mark.parametrize("now", [RULES_ONLY, None])
def test_the_same_eyes_and_unknown_ones_are_no_warning(
    office: Office, heal: AutoHeal, queue: SqliteRunQueue, workflow: Workflow, now: Perception | None
) -> None:
    """UX-1"""
    office.data.workflows.save(workflow.model_copy(update={"learned_with": (RULES_ONLY,)}))
    office.book.observer.perception = now
    ask(queue, office, workflow)
    worker(office, heal, queue, office.desktop()).work(until_empty=True)
    assert warnings_so_far(queue.told_of("run_queued_1")) == []
    assert office.data.runs.load("run_queued_1").warnings == ()


@pytest.mark.parametrize("origin", ["batch", "schedule", "folder"])
def test_a_word_that_was_kept_with_runs_nobody_asked_for_lets_no_young_workflow_run_alone(
    office: Office, heal: AutoHeal, queue: SqliteRunQueue, workflow: Workflow, origin: Origin
) -> None:
    """L4-12: such a run, queued by an earlier version, is refused; it sent nothing, and says so."""
    ask(queue, office, workflow, origin)
    worker(office, heal, queue, office.desktop()).work(until_empty=True)
    ended = queue.item("run_queued_1")
    assert ended is not None
    assert (ended.status, ended.input_sent) == ("blocked", False), ended.reason


def test_a_queued_run_whose_worker_is_to_stop_ends_before_its_next_step(
    office: Office, heal: AutoHeal, queue: SqliteRunQueue, workflow: Workflow
) -> None:
    """UX-2"""
    ask(queue, office, workflow)
    by_hand = worker(office, heal, queue, office.desktop())
    real = by_hand.do

    def told_to_stop(item: QueuedRun, keeper: Any) -> Any:
        by_hand.stopping.set()
        return real(item, keeper)

    by_hand.do = told_to_stop
    assert by_hand.work() == 1
    ended = queue.item("run_queued_1")
    assert ended is not None
    assert (ended.status, ended.input_sent) == ("halted", False)


def test_a_queued_run_that_is_stopped_sends_nothing_more(
    office: Office, heal: AutoHeal, queue: SqliteRunQueue, workflow: Workflow
) -> None:
    """UX-2"""
    ask(queue, office, workflow)
    desktop = office.desktop()
    by_hand = worker(office, heal, queue, desktop)
    real = by_hand.do

    def stop_first(item: QueuedRun, keeper: Any) -> Any:
        queue.want(item.run_id, "stop", now=office.clock.now(), who="somebody")
        return real(item, keeper)

    by_hand.do = stop_first
    by_hand.work(until_empty=True)
    ended = queue.item("run_queued_1")
    assert ended is not None
    assert (ended.status, ended.reason) == ("halted", "stopped by a person")
    assert office.data.runs.load("run_queued_1").steps == ()


def test_a_paused_workflow_keeps_its_runs_waiting(
    office: Office, heal: AutoHeal, queue: SqliteRunQueue, workflow: Workflow
) -> None:
    """AH-8, UX-3"""
    ask(queue, office, workflow)
    heal.manager.pause(workflow.workflow_id, reason="look first", who="me")
    by_hand = worker(office, heal, queue, office.desktop())
    assert by_hand.work(until_empty=True) == 0
    heal.manager.resume(workflow.workflow_id, reason="looked", who="me")
    assert by_hand.work(until_empty=True) == 1
