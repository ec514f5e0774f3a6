"""Single pages in detail: lists gone on with, a film, a recording deleted, reasons in words, all of it in French."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app import list_journal, wiring
from rpa_vision.app.list_journal import ListJournal
from rpa_vision.app.wiring_office import run_queue
from rpa_vision.app.wiring_run import running_runs
from rpa_vision.execution.run_outcome import DoneRow, Progress, Rounds
from rpa_vision.models.action import Action
from rpa_vision.models.execution import RunReport
from rpa_vision.models.queue import NewItem, RunAsked
from rpa_vision.models.target import TargetSpec
from rpa_vision.models.variables import Variable, VariableSource
from rpa_vision.models.workflow_graph import Loop, PostConditions, ScreenTemplate, Workflow, WorkflowEdge, WorkflowNode


def unfinished_list(data: FileDataDirectory, name: str) -> str:
    """A run that did one row of a list and was halted; its id."""
    clock, run_id = wiring.clock(), f"run_{name}"
    click = Action(type="mouse_click", target=TargetSpec(type="button", role="validate", label="Valider"))
    bound = {"numero": "row.Numéro"}
    edge = WorkflowEdge(
        edge_id="E1", from_node="list", to_node="list", action=click,
        post_conditions=PostConditions(conditions=("text_appears:Validée",)),
        loop=Loop(type="for_each", iterator="row", max_iterations=9, variable_binding=bound),
    )  # fmt: skip
    workflow = Workflow(
        workflow_id=f"WF_{name}", name=f"Liste {name}", created_at=clock.now(), updated_at=clock.now(),
        entry_nodes=("list",), end_nodes=("list",), edges=(edge,),
        nodes=(WorkflowNode(node_id="list", label="Liste", screen_template=ScreenTemplate()),),
        variables={"numero": Variable(type="string", source=VariableSource(method="ui_element_extraction"))},
    )  # fmt: skip
    data.workflows.save(workflow)
    journal = ListJournal(wiring.batch_journal(data, workflow, list_journal.NAME), workflow, run_id, {}, clock)
    progress = Progress(rounds={"E1": Rounds(current=DoneRow(("FAC-1",), ("FAC-1",)))})
    journal.hear("round_begins", "E1", progress)
    progress.rounds["E1"].done, progress.rounds["E1"].current = [DoneRow(("FAC-1",), ("FAC-1",))], None
    journal.hear("round_ends", "E1", progress)
    report = RunReport(
        run_id=run_id, workflow_id=workflow.workflow_id, workflow_name=workflow.name, workflow_version=1, mode="auto",
        status="halted", reason="row « FAC-2 »: the button « Valider » is disabled", started_at=clock.now(),
        ended_at=clock.now(), duration_s=1.0,
    )  # fmt: skip
    data.runs.save(report, "")
    return run_id


@pytest.fixture
def data(server: Any) -> FileDataDirectory:
    return FileDataDirectory(server.data, clock=wiring.clock())


@pytest.mark.parametrize("how", ["rest", "again"])
def test_a_list_that_was_broken_off_is_gone_on_with(
    open_page: Any, server: Any, data: FileDataDirectory, how: str
) -> None:
    """UX-2, L4-5: with what is left, or with all of it, by a button on the page of its run."""
    page: Page = open_page(f"/runs/{unfinished_list(data, how)}")
    expect(page.locator("[data-testid=left-over]")).to_contain_text("1 row of the list")
    page.locator(f"[data-testid=list-{how}]").click()
    page.wait_for_url(lambda url: "/runs/run_" in url and not url.endswith(f"/run_{how}"))
    queued = page.request.get(f"{server.url}/api/v1/runs/{page.url.rpartition('/')[2]}").json()["queued"]
    assert (queued["workflow_id"], queued["rest"], queued["again"]) == (f"WF_{how}", how == "rest", how == "again")


def test_a_display_that_a_person_stopped_is_released(open_page: Any, data: FileDataDirectory) -> None:
    """UX-2: the page says why nothing begins there, and lets it go on."""
    with closing(run_queue(data)) as queue:
        queue.hold_display(":90", now=wiring.clock().now(), why="stopped with CTRL+ALT+END")
        page: Page = open_page("/runs")
        expect(page.get_by_text("a person stopped :90").first).to_be_visible()
        page.locator("[data-testid=release]").click()
        expect(page.get_by_text("a person stopped :90")).to_have_count(0)
        assert queue.held_displays() == []


def test_one_press_on_home_stops_everything_and_says_how_it_goes_on(open_page: Any, data: FileDataDirectory) -> None:
    """UX-2, L4-13: without a question, also a run of a terminal."""
    runs = running_runs(data)
    with closing(run_queue(data)) as queue:
        queue.add(
            [NewItem("run_stop_1", RunAsked(workflow_id="WF_factures"), ":91", 5, "me")], now=wiring.clock().now()
        )
        runs.begin("run_terminal", "WF_factures", wiring.clock().now())
        page: Page = open_page("/")
        page.locator("[data-testid=stop-everything]").click()
        told = page.locator("[data-testid=stopped]")
        expect(told).to_contain_text("run_terminal sends no more input")
        expect(told).to_contain_text("until somebody releases it: on the page Runs")
        assert runs.stop_for("run_terminal", wiring.clock().now()) is not None
        assert ":91" in [one.display for one in queue.held_displays()]
        runs.end("run_terminal")
        queue.want("run_stop_1", "stop", now=wiring.clock().now(), who="test")
        for one in queue.held_displays():
            queue.release_display(one.display, now=wiring.clock().now(), who="test")


def test_a_recording_plays_like_a_film(open_page: Any) -> None:
    """UX-2: event by event by itself, until one holds it; with what was understood drawn over it, or without."""
    page: Page = open_page("/sessions/sess_office_facture")
    shown, told = page.locator("[data-testid=film] img"), page.locator("[data-testid=film-at]")
    expect(told).to_contain_text("1 / ")
    first = shown.get_attribute("src")
    expect(page.locator("svg rect").first).to_be_attached()
    page.locator("[data-testid=play]").click()
    expect(told).to_contain_text("3 / ")
    assert shown.get_attribute("src") != first
    page.locator("[data-testid=play]").click()
    held = told.inner_text()
    page.locator("[data-testid=elements]").click()
    expect(page.locator("svg rect")).to_have_count(0)
    assert told.inner_text() == held


def test_a_recording_is_deleted_and_what_was_learned_from_it_says_so(open_page: Any, server: Any) -> None:
    """L0-7, UX-2"""
    page: Page = open_page("/sessions/sess_office_patient")
    page.locator("[data-testid=delete]").click()
    page.get_by_label("Why? The audit trail keeps it.").fill("the patient asked for it")
    page.locator("[data-testid=confirm]").click()
    page.wait_for_url("**/sessions")
    expect(page.get_by_text("Prise de rendez-vous")).to_have_count(0)
    assert not list(Path(server.data).rglob("*sess_office_patient*"))
    open_page("/workflows/WF_rendez_vous")
    expect(page.locator("[data-testid=learned-from]")).to_contain_text("1 recording that was deleted since")
    open_page("/sessions/sess_office_patient")
    expect(page.get_by_text("Not here")).to_be_visible()


def test_a_failure_is_told_in_words_with_its_code_beside_it(open_page: Any) -> None:
    """UX-2, AH-7.1"""
    kind = open_page("/failures/case_office_without_effect").locator("[data-testid=failure-kind]")
    expect(kind.locator(".chip")).to_have_text("the expected effect did not come")
    expect(kind.locator(".mono")).to_have_text("POSTCONDITION_FAILED")


def test_a_french_page_shows_its_charts_and_the_report_in_french(open_page: Any, server: Any, page: Page) -> None:
    """UX-2, UX-4: what only the browser writes, and what opens from the page; all words: tests/unit/server."""
    own = {"X-RPA-Vision": "1"}
    page.request.patch(f"{server.url}/api/v1/me", data={"language": "fr"}, headers=own)
    try:
        open_page("/confidence?workflow=WF_factures")
        expect(page.locator("svg text", has_text="0,9").first).to_be_visible()
        expect(page.locator("svg text", has_text="0.9")).to_have_count(0)
        assert page.locator("html").get_attribute("lang") == "fr"
        run_id = page.request.get(f"{server.url}/api/v1/runs?limit=1&status=success").json()["runs"][0]["run_id"]
        link = open_page(f"/runs/{run_id}").get_by_role("link", name="Rapport").get_attribute("href")
        report = page.request.get(f"{server.url}{link}").text()
    finally:
        page.request.patch(f"{server.url}/api/v1/me", data={"language": "en"}, headers=own)
    assert '<html lang="fr">' in report
    assert "1 250,00 €" in report
    assert "la colonne « Montant »" in report
