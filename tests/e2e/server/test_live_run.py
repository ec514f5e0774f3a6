"""A robot on a real desktop, seen and led from the dashboard: watched, paused, stopped, and shown what it looks for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from real_server import Server

from rpa_vision.app import wiring
from rpa_vision.demo.replay.office import WORKFLOW_ID, ReplayOffice, open_office
from rpa_vision.demo.replay.page import DEEDS, Deed
from rpa_vision.embedding.screen_observer import ObservedScreen

pytestmark = pytest.mark.timeout(180)
CHECK = Deed("Vérifier", "button", shows="Identité vérifiée")
STRANGE = "Contrôle des droits"


@pytest.fixture(scope="module")
def form(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ReplayOffice]:
    with open_office(tmp_path_factory.mktemp("live")) as opened:
        yield opened


@pytest.fixture(scope="module")
def server(form: ReplayOffice) -> Iterator[Server]:
    started = Server(form.data_path, dict(form.env))
    yield started
    started.stop()


def learn_unhurried(form: ReplayOffice, seen: ObservedScreen) -> None:
    """A robot that takes its time after each step, so that a slow browser can get in between."""
    workflow, edges = form.learn(seen), []
    for edge in workflow.edges:
        assert edge.action is not None
        given = edge.action.parameters.model_copy(update={"wait_after_ms": 700})
        edges.append(edge.model_copy(update={"action": edge.action.model_copy(update={"parameters": given})}))
    wiring.data_directory(form.data_path).workflows.save(workflow.model_copy(update={"edges": tuple(edges)}))


def start(page: Page, server: Server, *, asks: bool = False) -> str:
    """Ask for a run in the dashboard, and give its id."""
    page.goto(f"{server.url}/start?workflow={WORKFLOW_ID}{'&asks=1' if asks else ''}")
    page.get_by_label("Let a young workflow run alone this once").fill("a test of the dashboard")
    page.locator("[data-testid=start-now]").click()
    page.wait_for_url("**/runs/run_*")
    return page.url.rpartition("/")[2]


def ended(page: Page, server: Server, run_id: str) -> dict[str, Any]:
    """The report of a run, when its page shows that it is over."""
    expect(page.get_by_text("Did it do right?")).to_be_visible(timeout=60_000)
    report: dict[str, Any] = page.request.get(f"{server.url}/api/v1/runs/{run_id}").json()["report"]
    return report


def test_a_live_run_is_watched_paused_let_on_and_stopped(form: ReplayOffice, server: Server, page: Page) -> None:
    """UX-2: the screen with its target as it happens, step by step, and the hands on the brake."""
    with form.page() as seen:
        learn_unhurried(form, seen)
        run_id = start(page, server)
        shot = page.locator("[data-testid=live-shot]")
        expect(shot).to_be_visible(timeout=60_000)
        assert shot.evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 600
        expect(page.locator("[data-testid=live-target]")).to_contain_text("Nom")
        expect(page.locator("[data-testid=live-step]").nth(1)).to_be_visible()

        page.locator("[data-testid=pause]").click()
        expect(page.get_by_text("paused", exact=True)).to_be_visible()
        expect(page.locator("[data-testid=live-step] .pulse")).to_have_count(0)
        paused_at = page.locator("[data-testid=live-step]").count()
        page.locator("[data-testid=go-on]").click()
        expect(page.locator("[data-testid=live-step]").nth(paused_at)).to_be_visible()

        page.locator("[data-testid=stop]").click()
        report = ended(page, server, run_id)
        truth = form.server.truth
    assert report["status"] in ("halted", "failed"), report["reason"]
    assert "stopped by a person" in report["reason"]
    assert paused_at <= len(report["steps"]) < len(DEEDS)
    verified = [step for step in report["steps"] if step["verified"]]
    assert len(report["steps"]) - len(verified) <= 1, "the one in whose middle it was stopped"
    typed = [deed.label for deed in DEEDS if deed.text and truth["values"].get(deed.label) == deed.text]
    did = len(typed) + len(truth["did"])
    assert len(verified) <= did <= len(report["steps"]), "what the page says was done is what was told"


def test_a_server_that_is_told_to_end_ends_its_workers_first(server: Server, page: Page) -> None:
    """UX-3: so that none of them is left on a desktop that goes away."""
    page.goto(f"{server.url}/")
    page.wait_for_function(
        "() => fetch('/api/v1/queue').then(told => told.json()).then(queue => queue.workers.some(one => one.alive))"
    )
    workers = server.children()
    assert len(workers) == 1
    server.stop()
    assert (server.process.returncode, server.alive(workers)) == (0, [])
    server.start()


@pytest.mark.soak
def test_a_failure_is_answered_by_pointing_and_the_next_run_succeeds(
    form: ReplayOffice, server: Server, page: Page
) -> None:
    """EX-8, UX-2: from the failure case to the run that asks, a click on its screen, and a run that asks nobody."""
    with form.page() as seen:
        form.learn(seen, (CHECK,))
    with form.page(Vérifier=STRANGE):
        assert ended(page, server, start(page, server))["status"] == "halted"
        page.goto(f"{server.url}/failures")
        page.locator("a.pick").first.click()
        page.wait_for_url("**/failures/case_*")
        page.get_by_role("button", name="Run it and let it ask me").click()
        page.wait_for_url("**/start?*asks=1")
        run_id = start(page, server, asks=True)
        expect(page.get_by_text("asks:")).to_be_visible(timeout=60_000)
        page.goto(f"{server.url}/approvals")
        (question,) = page.request.get(f"{server.url}/api/v1/questions").json()["questions"]
        x1, y1, x2, y2 = next(one["bbox"] for one in question["candidates"] if one["label"] == STRANGE)
        picture = page.locator("[data-testid=point-here] img")
        shown = picture.bounding_box()
        assert shown is not None
        scale = shown["width"] / question["screen_size"][0]
        picture.click(position={"x": (x1 + x2) / 2 * scale, "y": (y1 + y2) / 2 * scale})
        expect(page.get_by_text("Which one is it?")).to_be_hidden()
        page.goto(f"{server.url}/runs/{run_id}")
        shown_report = ended(page, server, run_id)
    assert (shown_report["status"], shown_report["steps"][-1]["strategy"]) == ("success", "shown_by_person")
    with form.page(Vérifier=STRANGE):
        again = ended(page, server, start(page, server))
    assert (again["status"], again["steps"][-1]["healing_level"]) == ("success", 0), again["reason"]
    assert form.server.truth["did"] == ["Vérifier"]
