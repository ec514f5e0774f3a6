"""A real server in a process of its own, with a generated office, and Debian's chromium in front of it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, sync_playwright

from rpa_vision.testing.office_data import make_office

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Server:
    """`rpa-vision serve`, as somebody would start it."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "rpa_vision", "serve", "--port", "0", "--display", ":90", "--no-workers"]
        environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        self.process = subprocess.Popen(
            [*command, "--json", "--data", str(self.data)], stdout=subprocess.PIPE, env=environment
        )
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.url, self.link = told["url"], told["link"]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("served") / "data"
    make_office(data, runs=40)
    started = Server(data)
    yield started
    started.kill()


@pytest.fixture(scope="module")
def browser(server: Server) -> Iterator[BrowserContext]:
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage"])
        context = opened.new_context(viewport={"width": 1366, "height": 860}, locale="en-GB")
        context.set_default_timeout(20_000)
        yield context
        opened.close()


@pytest.fixture
def page(browser: BrowserContext, server: Server) -> Iterator[Page]:
    """A page of the administrator; what the browser complains about fails the test."""
    opened = browser.new_page()
    complaints: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    if not browser.cookies():
        opened.goto(server.link)
        opened.wait_for_url(f"{server.url}/")
    yield opened
    opened.close()
    assert complaints == []


@pytest.fixture
def open_page(page: Page, server: Server) -> Any:
    def go(path: str) -> Page:
        page.goto(server.url + path)
        page.wait_for_selector("main.page")
        page.wait_for_function("() => window.socket === undefined || window.socket.connected")
        return page

    return go
