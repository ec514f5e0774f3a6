"""Render every page of the dashboard in both languages and themes, from a generated office with many runs.

Usage: make_screenshots.py FOLDER [RUNS] [OFFICE] [LANGUAGE-THEME-SIZE...]. First every page is opened a few times and
the time until it is there is printed as a table (the server is a real one, in a process of its own); then the pictures
are taken, on a laptop and on a phone, or only those named: `fr-dark-laptop`, or `none`. An OFFICE is kept and used
again. Exit code 1 when a page takes a second or longer.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from rpa_vision.testing.office_data import make_office

PAGES = {
    "home": "/", "runs": "/runs", "runs-filtered": "/runs?status=halted&workflow=WF_factures", "run": "/runs/{run}",
    "run-halted": "/runs/{halted}", "waiting": "/runs/{waiting}", "batch": "/batches/{batch}", "weekly": "/weekly",
    "start": "/start", "workflows": "/workflows", "workflow-graph": "/workflows/WF_factures",
    "workflow-procedure": "/workflows/WF_factures?tab=procedure",
    "workflow-variables": "/workflows/WF_factures?tab=variables",
    "workflow-versions": "/workflows/WF_factures?tab=versions", "workflow-edit": "/workflows/WF_factures?tab=edit",
    "sessions": "/sessions", "session": "/sessions/{session}", "auto-heal": "/auto-heal",
    "auto-heal-one": "/auto-heal?workflow=WF_factures", "failures": "/failures", "failure": "/failures/{case}",
    "approvals": "/approvals", "confidence": "/confidence", "confidence-one": "/confidence?workflow=WF_factures",
    "policy": "/policy", "datasets": "/datasets", "settings": "/settings",
}  # fmt: skip
SIZES = {"laptop": (1366, 860), "phone": (390, 844)}
READY_S = 1.0
ROUNDS = 3
_THERE = "() => document.querySelector('main.page > *') && window.socket && window.socket.connected"


def main(folder: Path, runs: int, office: Path | None, only: list[str]) -> int:
    """Make the office, serve it, measure, and take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rpa-vision-office-") as room:
        data = office or Path(room) / "data"
        if not data.exists():
            make_office(data, runs=runs)
        command = [sys.executable, "-m", "rpa_vision", "serve", "--port", "0", "--no-workers", "--display", ":90"]
        server = subprocess.Popen([*command, "--json", "--data", str(data)], stdout=subprocess.PIPE)
        assert server.stdout is not None
        try:
            told = json.loads(server.stdout.readline())
            with sync_playwright() as play:
                chromium = shutil.which("chromium") or shutil.which("chromium-browser")
                browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                link = told["link"] or subprocess.check_output(
                    [sys.executable, "-m", "rpa_vision", "serve", "--link", "admin", "--data", str(data)], text=True
                ).strip().replace("http://127.0.0.1:5001", told["url"])
                return take_all(browser, told["url"], link, folder, only)
        finally:
            server.terminate()
            server.wait()


def take_all(browser: Browser, url: str, link: str, folder: Path, only: list[str]) -> int:
    """Sign in once, then every page in every language, theme and size."""
    context = browser.new_context(viewport={"width": 1366, "height": 860})
    page = context.new_page()
    page.goto(link)
    page.wait_for_url(f"{url}/")
    state = context.storage_state()
    ids = prepare(page, url)
    slowest = measure(page, url, ids) if not only or only == ["none"] else 0.0
    for language in ("en", "fr"):
        for theme in ("light", "dark"):
            own = {"X-RPA-Vision": "1"}
            page.request.patch(f"{url}/api/v1/me", data={"language": language, "theme": theme}, headers=own)
            for size, (width, height) in SIZES.items():
                kind = f"{language}-{theme}-{size}"
                if (only and kind not in only) or (not only and size == "phone" and theme == "dark"):
                    continue
                shown = browser.new_context(viewport={"width": width, "height": height}, storage_state=state).new_page()
                for name, path in PAGES.items():
                    shown.goto(url + path.format(**ids))
                    shown.wait_for_function(_THERE)
                    shown.wait_for_timeout(400)
                    shown.screenshot(path=folder / f"{name}-{kind}.png", full_page=True)
                shown.context.close()
    sys.stdout.write(f"{len(list(folder.glob('*.png')))} pictures in {folder}\n")
    return int(slowest >= READY_S)


def prepare(page: Page, url: str) -> dict[str, str]:
    """Wait until every run is known, put something into the queue, and give the ids that addresses need."""
    api, own, until = f"{url}/api/v1", {"X-RPA-Vision": "1"}, time.monotonic() + 300

    def ask(path: str) -> Any:
        return page.request.get(api + path).json()

    known = -1
    while (count := ask("/runs?limit=1")["count"]["total"]) != known and time.monotonic() < until:
        known = count
        page.wait_for_timeout(2500)
    rows = "facture\n" + "\n".join(f"FAC-2026-{number:04d}" for number in range(20))
    form = {"file": {"name": "mardi.csv", "mimeType": "text/csv", "buffer": rows.encode()}, "again": "true"}
    batch = page.request.post(f"{api}/workflows/WF_factures/rows", multipart=form, headers=own).json()
    body = {"workflow_id": "WF_rendez_vous", "parameters": {"patient": "PAT-0107"}, "priority": 7}
    waiting = page.request.post(f"{api}/runs", data=body, headers=own).json()
    schedule = {"name": "Chaque matin", "cron": "30 8 * * 1-5", **body}
    page.request.post(f"{api}/schedules", data=schedule, headers=own)
    return {
        "run": ask("/runs?limit=1&status=success")["runs"][0]["run_id"],
        "halted": ask("/runs?limit=1&status=halted")["runs"][0]["run_id"],
        "waiting": waiting["run_id"],
        "batch": batch["batch_id"],
        "case": ask("/failures")["cases"][-1]["case_id"],
        "session": ask("/sessions")["sessions"][0]["session_id"],
    }


def measure(page: Page, url: str, ids: dict[str, str]) -> float:
    """How long each page takes until it is drawn and connected: the slowest median."""
    times: dict[str, list[float]] = {name: [] for name in PAGES}
    for _ in range(ROUNDS + 1):  # the first time the browser fetches what it keeps
        for name, path in PAGES.items():
            began = time.monotonic()
            page.goto(url + path.format(**ids), wait_until="commit")
            page.wait_for_function(_THERE)
            times[name].append(time.monotonic() - began)
    sys.stdout.write(f"{'page':<22}{'median s':>10}{'slowest s':>11}\n")
    for name, taken in times.items():
        sys.stdout.write(f"{name:<22}{median(taken[1:]):>10.2f}{max(taken[1:]):>11.2f}\n")
    slowest = max(median(taken[1:]) for taken in times.values())
    sys.stdout.write(f"slowest page: {slowest:.2f} s (less than {READY_S:.0f} s is wanted)\n")
    sys.stdout.flush()
    return slowest


if __name__ == "__main__":
    given = sys.argv[1:]
    kept = Path(given[2]) if len(given) > 2 else None
    sys.exit(main(Path(given[0]), int(given[1]) if len(given) > 1 else 10_000, kept, given[3:]))
