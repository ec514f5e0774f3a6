"""The main journeys of the dashboard, in a real browser against a real server."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

ROBOT = Path(__file__).parents[2] / "integration" / "server" / "queue_robot.py"
PAGES = ["/", "/runs", "/start", "/workflows", "/workflows/WF_factures", "/workflows/WF_factures?tab=procedure",
         "/sessions", "/auto-heal", "/auto-heal?workflow=WF_factures", "/failures", "/approvals", "/confidence",
         "/policy", "/datasets", "/settings", "/weekly", "/workflows/WF_factures?tab=edit"]  # fmt: skip
VIEWED = [("/workflows/WF_factures?tab=versions", "v001", ("rollback-v001", "keep-version")),
          ("/approvals", "How far each workflow has come", ("keep", "reject", "choose-1")),
          ("/", "Needs you", ("stop-everything",)),
          ("/auto-heal", "WF_factures", ("pause-all", "resume-all"))]  # fmt: skip
"""Pages, what a viewer sees on each, and what is not there for them."""


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


def test_browsers_that_leave_before_they_are_answered_leave_no_trace(page: Page, server: Any) -> None:
    """UX-2: nothing breaks in the server, whatever they asked for."""
    host = server.url.removeprefix("http://")
    cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    for path in ("/", "/runs", "/_nicegui_ws/socket.io/?EIO=4&transport=polling") * 8:
        with socket.create_connection(tuple(host.split(":"))) as left:
            left.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\n\r\n".encode())
    assert page.request.get(f"{server.url}/health/ready").status == 200
    assert server.errors.read_text() == ""


def test_the_whole_reason_of_a_halted_run_is_reached_from_the_list(browser: Any, page: Page, server: Any) -> None:
    """UX-2: on a laptop and on a phone, in English and French; a halted run is halted, whatever was healed before."""
    for size, words, folded in (((1366, 860), "0.72 is needed)", True), ((390, 844), "il faut 0,72)", False)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        own, language = {"X-RPA-Vision": "1"}, "en" if folded else "fr"
        page.request.patch(f"{server.url}/api/v1/me", data={"language": language}, headers=own)
        page.goto(f"{server.url}/runs?status=halted")
        reason = page.locator("details.why summary").first
        expect(reason).to_contain_text(words)
        reason.click()
        expect(page.locator("details.why[open]")).to_have_count(1)
        assert reason.evaluate("one => one.scrollHeight <= one.clientHeight + 1"), "cut off"
        assert page.locator("table.t tr", has=page.locator(".chip.warn")).locator(".chip.info").count() == 0
    page.request.patch(f"{server.url}/api/v1/me", data={"language": "en"}, headers={"X-RPA-Vision": "1"})


def test_a_run_is_started_shown_waiting_with_the_reason_and_stopped(open_page: Any) -> None:
    """UX-2"""
    page = open_page("/start?workflow=WF_factures")
    page.get_by_label("facture").fill("FAC-2026-0042")
    page.locator("[data-testid=start-now]").click()
    page.wait_for_url("**/runs/run_*")
    expect(page.get_by_text("nobody works on display :90")).to_be_visible()
    page.locator("[data-testid=stop]").click()
    expect(page.get_by_text("taken out of the queue by admin")).to_be_visible()


def test_a_file_of_twenty_rows_is_followed_to_its_end(open_page: Any, server: Any, tmp_path: Path) -> None:
    """UX-2: what a worker in another process does to the rows is seen without a reload."""
    rows = tmp_path / "rows.csv"
    rows.write_text("facture\n" + "\n".join(f"FAC-2026-{number:04d}" for number in range(20)), encoding="utf-8")
    page = open_page("/start?workflow=WF_factures")
    page.locator("input[type=file]").set_input_files(rows)
    page.wait_for_url("**/batches/batch_*")
    expect(page.get_by_text("0 of 20 rows")).to_be_visible()
    worker = subprocess.Popen([sys.executable, str(ROBOT), str(server.data), ":90", "5", str(tmp_path / "diary")])
    try:
        expect(page.get_by_text("20 of 20 rows")).to_be_visible(timeout=60_000)
    finally:
        worker.terminate()
        worker.wait()
    assert (tmp_path / "diary").read_text(encoding="utf-8").count("ended ") == 20
    expect(page.locator("table.t .chip.ok")).to_have_count(20)


def test_the_rest_of_a_file_is_stopped_and_what_sent_nothing_is_run_again(open_page: Any, tmp_path: Path) -> None:
    """UX-2: and the same rows under another name are told, not queued."""
    rows, copy = tmp_path / "march.csv", tmp_path / "march (1).csv"
    for file in (rows, copy):
        file.write_text("facture\nFAC-2026-6001\nFAC-2026-6002\nFAC-2026-6003\n", encoding="utf-8")
    page = open_page("/start?workflow=WF_factures")
    page.locator("input[type=file]").set_input_files(rows)
    page.wait_for_url("**/batches/batch_*")
    first = page.url
    page.get_by_text("Stop the rest").click()
    expect(page.get_by_text("3 of 3 rows")).to_be_visible()
    page.locator("[data-testid=rows-again]").click()
    page.wait_for_url(lambda url: "/batches/batch_" in url and url != first)
    expect(page.get_by_text("0 of 3 rows")).to_be_visible()
    page.get_by_text("Stop the rest").click()
    expect(page.get_by_text("3 of 3 rows")).to_be_visible()
    page = open_page("/start?workflow=WF_factures")
    page.locator("input[type=file]").set_input_files(copy)
    expect(page.get_by_text("All 3 rows were asked for before, as march.csv.")).to_be_visible()


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


def test_a_click_without_effect_is_shown_with_what_was_seen_after_it(open_page: Any) -> None:
    """UX-2, AH-7.1"""
    page = open_page("/failures/case_office_without_effect")
    expect(page.locator("[data-testid=after] img")).to_be_visible()
    page.get_by_role("tab", name="before the input").click()
    expect(page.locator("[data-testid=after] img")).to_be_hidden()


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
    item = page.locator(".item", has_text="WF_factures").filter(has=page.locator("[data-testid=keep]"))
    item.locator("[data-testid=keep]").click()
    page.get_by_label("Why? The audit trail keeps it.").fill("it says so now")
    page.locator("[data-testid=confirm]").click()
    expect(item).to_be_hidden()
    expect(open_page("/workflows/WF_factures?tab=versions").locator(".item", has_text="v003")).to_be_visible()


def test_a_heal_that_is_rejected_is_never_proposed_again(open_page: Any, server: Any) -> None:
    """UX-2, EX-8"""
    page = open_page("/approvals")
    item = page.locator(".item", has_text="WF_remboursements").filter(has=page.locator("[data-testid=reject]"))
    item.locator("[data-testid=reject]").click()
    page.get_by_label("Why? The audit trail keeps it.").fill("that is another button")
    page.locator("[data-testid=confirm]").click()
    expect(item).to_be_hidden()
    told = page.request.get(f"{server.url}/api/v1/proposals?decided=true").json()["proposals"]
    decided = next(one for one in told if one["proposal_id"] == "proposal_office_accorder")
    assert (decided["status"], decided["decided_by"]) == ("rejected", "admin")


def test_a_workflow_is_approved_with_its_evidence_in_sight(open_page: Any, server: Any) -> None:
    """UX-2, L4-11"""
    page = open_page("/approvals")
    page.locator("[data-testid=evidence-WF_remboursements]").click()
    expect(page.get_by_text("The runs prove a success rate of at least")).to_be_visible()
    expect(page.locator("[data-testid=confirm]")).to_be_disabled()
    page.get_by_label("Why? The audit trail keeps it.").fill("twenty runs, all right")
    page.locator("[data-testid=confirm]").click()
    expect(page.locator(".item", has_text="Remboursements").get_by_text("auto confirmed")).to_be_visible()
    told = page.request.get(f"{server.url}/api/v1/maturity/WF_remboursements").json()
    assert (told["state"], told["awaits_approval"]) == ("AUTO_CONFIRMÉ", False)


def test_a_viewer_sees_everything_and_changes_nothing(browser: Any, page: Page, server: Any) -> None:
    """UX-2, UX-3: what changes something is not there to be clicked on, and refused to whoever asks all the same; the
    open page of somebody who is locked out is led out."""
    own = {"X-RPA-Vision": "1"}
    api = f"{server.url}/api/v1"
    viewer = page.request.post(f"{api}/users", headers=own, data={"name": "vera", "role": "viewer"}).json()
    wanted = {"kind": "link", "user_id": viewer["user_id"]}
    link = page.request.post(f"{api}/tokens", headers=own, data=wanted).json()["secret"]
    context = browser.browser.new_context(locale="en-GB")
    try:
        theirs = context.new_page()
        theirs.goto(f"{server.url}/enter?code={link}")
        theirs.wait_for_url(f"{server.url}/")
        for path, shown, absent in VIEWED:
            theirs.goto(server.url + path)
            expect(theirs.locator("main.page").get_by_text(shown).first).to_be_visible()
            assert theirs.locator(", ".join(f"[data-testid={name}]" for name in absent)).count() == 0, path
        theirs.goto(f"{server.url}/policy")
        theirs.get_by_label("min_confidence_normal", exact=True).fill("0.79")
        expect(theirs.locator("[data-testid=verdict]")).to_contain_text("0.79")
        expect(theirs.locator("[data-testid=save]")).to_be_disabled()
        refused = context.request.post(f"{api}/auto-heal/pause", headers=own, data={"reason": "x"})
        assert (refused.status, refused.json()["error"]["code"]) == (403, "server.forbidden")
        page.request.patch(f"{api}/users/{viewer['user_id']}", headers=own, data={"disabled": True})
        theirs.wait_for_url(f"{server.url}/enter")
    finally:
        context.close()


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


def test_a_workflow_is_edited_and_a_mistake_cannot_be_kept(open_page: Any, server: Any) -> None:
    """UX-2: checked while one types, kept as a new version, compared with the last."""
    page = open_page("/workflows/WF_rendez_vous?tab=edit")
    rule = page.locator("[data-testid=regex-patient]")
    rule.fill("PAT-(")
    expect(page.locator("[data-testid=verdict]")).to_contain_text("not a regular expression")
    expect(page.locator("[data-testid=keep-version]")).to_be_disabled()
    rule.fill("PAT-[0-9]{4}")
    page.locator("[data-testid=label-N1]").fill("Agenda du jour")
    expect(page.locator("[data-testid=verdict]")).to_contain_text("Agenda du jour")
    page.locator("[data-testid=keep-version]").click()
    page.get_by_label("Why? The audit trail keeps it.").fill("as people call it")
    page.locator("[data-testid=confirm]").click()
    page.wait_for_url("**tab=versions")
    expect(page.locator("[data-testid=compared]")).to_contain_text("Agenda du jour")
    kept = page.request.get(f"{server.url}/api/v1/workflows/WF_rendez_vous").json()
    assert kept["variables"]["patient"]["validation"]["regex"] == "PAT-[0-9]{4}"


@pytest.mark.soak
def test_windows_that_are_not_looked_at_are_kept_in_the_settings(open_page: Any, server: Any) -> None:
    """L0-7, UX-2"""
    page = open_page("/settings")
    page.locator("[data-testid=deny-list]").fill("Dossier RH\nbanque")
    page.locator("[data-testid=keep-deny-list]").click()
    expect(page.get_by_text("Kept.")).to_be_visible()
    assert page.request.get(f"{server.url}/api/v1/deny-list").json()["words"] == ["Dossier RH", "banque"]


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
