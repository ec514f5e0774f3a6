"""Render every page of the dashboard in both languages and themes, from a generated office with many runs.

Usage: make_screenshots.py FOLDER [RUNS]. Says how long each page took until it was there; also takes the
pages as a phone shows them. The server is a real one, in a process of its own.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from rpa_vision.testing.office_data import make_office

PAGES = {
    "home": "/", "runs": "/runs", "run": "/runs/{run}", "start": "/start", "workflows": "/workflows",
    "workflow-graph": "/workflows/WF_factures", "workflow-procedure": "/workflows/WF_factures?tab=procedure",
    "workflow-versions": "/workflows/WF_factures?tab=versions", "sessions": "/sessions", "auto-heal": "/auto-heal",
    "failures": "/failures", "failure": "/failures/{case}", "approvals": "/approvals", "confidence": "/confidence",
    "policy": "/policy", "datasets": "/datasets", "settings": "/settings",
}  # fmt: skip
SIZES = {"laptop": (1366, 860), "phone": (390, 844)}


def main(folder: Path, runs: int) -> None:
    """Make the office, serve it, and take the pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="rpa-vision-office-") as room:
        data = Path(room) / "data"
        make_office(data, runs=runs)
        command = [
            sys.executable,
            "-m",
            "rpa_vision",
            "serve",
            "--port",
            "0",
            "--no-workers",
            "--display",
            ":90",
            "--json",
        ]
        server = subprocess.Popen([*command, "--data", str(data)], stdout=subprocess.PIPE)
        assert server.stdout is not None
        try:
            told = json.loads(server.stdout.readline())
            with sync_playwright() as play:
                chromium = shutil.which("chromium") or shutil.which("chromium-browser")
                browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
                take_all(browser, told["url"], told["link"], folder)
        finally:
            server.terminate()
            server.wait()


def take_all(browser: Browser, url: str, link: str, folder: Path) -> None:
    """Sign in once, then every page in every language, theme and size."""
    context = browser.new_context(viewport={"width": 1366, "height": 860})
    page = context.new_page()
    page.goto(link)
    page.wait_for_url(f"{url}/")
    state = context.storage_state()
    own = {"X-RPA-Vision": "1"}
    wait = time.monotonic() + 120
    while not (found := page.request.get(f"{url}/api/v1/runs?limit=1").json()["runs"]) and time.monotonic() < wait:
        page.wait_for_timeout(500)
    ids = {"run": found[0]["run_id"],
           "case": page.request.get(f"{url}/api/v1/failures").json()["cases"][-1]["case_id"]}  # fmt: skip
    slowest = 0.0
    for language in ("en", "fr"):
        for theme in ("light", "dark"):
            page.request.patch(f"{url}/api/v1/me", data={"language": language, "theme": theme}, headers=own)
            for size, (width, height) in SIZES.items():
                if size == "phone" and theme == "dark":
                    continue
                shown = browser.new_context(viewport={"width": width, "height": height}, storage_state=state).new_page()
                for name, path in PAGES.items():
                    began = time.monotonic()
                    shown.goto(url + path.format(**ids))
                    shown.wait_for_selector("main.page")
                    took = time.monotonic() - began
                    slowest = max(slowest, took)
                    shown.wait_for_timeout(500)
                    shown.screenshot(path=folder / f"{name}-{language}-{theme}-{size}.png", full_page=True)
                    sys.stdout.write(f"{name} {language} {theme} {size}: {took:.2f} s\n")
                shown.context.close()
    sys.stdout.write(f"slowest page: {slowest:.2f} s\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
