"""The main journeys of the dashboard, in a real browser against a real server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

PAGES = ["/", "/runs", "/start", "/workflows", "/workflows/WF_factures", "/workflows/WF_factures?tab=procedure",
         "/sessions", "/auto-heal", "/auto-heal?workflow=WF_factures", "/failures", "/approvals", "/confidence",
         "/policy", "/datasets", "/settings"]  # fmt: skip


def test_the_first_link_lets_in_and_shows_what_needs_me(page: Page, server: Any) -> None:
    """UX-2, UX-3"""
    page.goto(server.url + "/")
    expect(page.get_by_role("heading", name="Home")).to_be_visible()
    expect(page.get_by_text("Needs you")).to_be_visible()
    page.goto(server.link)  # once only
    expect(page.get_by_text("This link was used already")).to_be_visible()


@pytest.mark.parametrize("path", PAGES)
def test_every_page_draws(open_page: Any, path: str) -> None:
    """UX-2"""
    page = open_page(path)
    assert page.locator("main.page > *").count() >= 1
    assert page.get_by_text("Internal Server Error").count() == 0


def test_a_run_is_started_shown_waiting_with_the_reason_and_stopped(open_page: Any) -> None:
    """UX-2"""
    page = open_page("/start?workflow=WF_factures")
    page.get_by_label("facture").fill("FAC-2026-0042")
    page.locator("[data-testid=start-now]").click()
    page.wait_for_url("**/runs/run_*")
    expect(page.get_by_text("nobody works on display :90")).to_be_visible()
    page.locator("[data-testid=stop]").click()
    expect(page.get_by_text("taken out of the queue by admin")).to_be_visible()


@pytest.mark.soak
def test_a_file_of_twenty_rows_is_followed(open_page: Any, tmp_path: Path) -> None:
    """UX-2"""
    rows = tmp_path / "rows.csv"
    rows.write_text("facture\n" + "\n".join(f"FAC-2026-{number:04d}" for number in range(20)), encoding="utf-8")
    page = open_page("/start?workflow=WF_factures")
    page.locator("input[type=file]").set_input_files(rows)
    page.wait_for_url("**/batches/batch_*")
    expect(page.get_by_text("0 of 20 rows")).to_be_visible()
    page.get_by_role("button", name="Stop the rest").click()
    expect(page.get_by_text("20 of 20 rows")).to_be_visible()


def test_a_policy_with_a_mistake_cannot_be_saved_and_a_good_one_can(open_page: Any, server: Any) -> None:
    """UX-2, AH-8"""
    page = open_page("/policy")
    field = page.get_by_label("min_confidence_normal", exact=True)
    field.fill("0.95")
    expect(page.locator("[data-testid=verdict]")).to_contain_text("min_confidence_normal")
    expect(page.locator("[data-testid=save]")).to_be_disabled()
    field.fill("0.8")
    expect(page.locator("[data-testid=verdict]")).to_contain_text("stricter")
    page.locator("[data-testid=simulate]").click()
    expect(page.locator("[data-testid=trial]")).to_contain_text("decisions")
    page.locator("[data-testid=save]").click()
    expect(page.get_by_text("Nothing: this is the policy in force.")).to_be_visible()
    assert "0.8" in (server.data / "config" / "auto_heal_policy.json").read_text(encoding="utf-8")


@pytest.mark.soak
def test_everything_is_paused_and_goes_on_without_a_reload(open_page: Any) -> None:
    """UX-2, AH-8"""
    page = open_page("/auto-heal")
    page.locator("[data-testid=pause-all]").click()
    page.get_by_label("Why? The audit trail keeps it.").fill("fire drill")
    page.locator("[data-testid=confirm]").click()
    expect(page.get_by_text("Everything is paused by admin: fire drill")).to_be_visible()
    page.locator("[data-testid=resume-all]").click()
    page.get_by_label("Why? The audit trail keeps it.").fill("over")
    page.locator("[data-testid=confirm]").click()
    expect(page.locator("[data-testid=pause-all]")).to_be_visible()


@pytest.mark.soak
def test_a_failure_is_understood_and_tried_again(open_page: Any) -> None:
    """UX-2"""
    page = open_page("/failures")
    page.locator("a.pick", has_text="Valider tout").first.click()
    page.wait_for_url("**/failures/case_*")
    expect(page.get_by_text("Candidates")).to_be_visible()
    page.locator("[data-testid=replay]").click()
    expect(page.locator("[data-testid=replayed]")).to_be_visible()


def test_a_lost_run_is_shown_its_target_by_a_click(open_page: Any, server: Any) -> None:
    """EX-8"""
    page = open_page("/approvals")
    expect(page.get_by_text("Which one is it?")).to_be_visible()
    page.locator("[data-testid=point-here] img").click(position={"x": 200, "y": 100})
    expect(page.get_by_text("Which one is it?")).to_be_hidden()
    (answer,) = server.data.rglob("question_office/answer.json")
    assert '"kind": "point"' in answer.read_text(encoding="utf-8")


def test_a_heal_is_kept_as_a_new_version(open_page: Any) -> None:
    """UX-2, EX-8"""
    page = open_page("/approvals")
    expect(page.get_by_text("Found another way")).to_be_visible()
    page.locator("[data-testid=keep]").click()
    page.get_by_label("Why? The audit trail keeps it.").fill("it says so now")
    page.locator("[data-testid=confirm]").click()
    expect(page.get_by_text("Found another way")).to_be_hidden()


@pytest.mark.soak
def test_language_and_theme_are_remembered(open_page: Any) -> None:
    """UX-2"""
    page = open_page("/runs")
    page.locator("[data-testid=language]").click()
    expect(page.get_by_role("heading", name="Exécutions")).to_be_visible()
    page.locator("[data-testid=theme]").click()
    expect(page.locator("body.body--dark")).to_be_visible()
    open_page("/")
    expect(page.get_by_role("heading", name="Accueil")).to_be_visible()
    expect(page.locator("body.body--dark")).to_be_visible()
    page.locator("[data-testid=language]").click()
    expect(page.get_by_role("heading", name="Home")).to_be_visible()


def test_a_rollback_shows_its_consequences_then_happens(open_page: Any) -> None:
    """UX-2, AH-4"""
    page = open_page("/workflows/WF_factures?tab=versions")
    page.locator("[data-testid=rollback-v001]").click()
    expect(page.get_by_text("All of what was learned is replaced")).to_be_visible()
    page.get_by_label("Why? The audit trail keeps it.").fill("worse than before")
    page.locator("[data-testid=confirm]").click()
    item = page.locator(".item", has_text="v001")
    expect(item.get_by_text("in use")).to_be_visible()


@pytest.mark.soak
def test_a_killed_server_comes_back_with_its_queue(open_page: Any, server: Any, browser: Any) -> None:
    """UX-3: nothing is lost, nobody has to sign in again."""
    page = open_page("/start?workflow=WF_factures")
    page.get_by_label("facture").fill("FAC-2026-0077")
    page.locator("[data-testid=start-now]").click()
    page.wait_for_url("**/runs/run_*")
    path = page.url.removeprefix(server.url)
    server.kill()
    server.start()
    assert server.link is None
    page.goto(server.url + path)
    expect(page.get_by_text("nobody works on display :90")).to_be_visible()
