"""A real server with a generated office, and Debian's chromium in front of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect, sync_playwright
from real_server import Server

from rpa_vision.testing.office_data import make_office

expect.set_options(timeout=20_000)  # a busy machine is no reason to fail
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    data = tmp_path_factory.mktemp("served") / "data"
    make_office(data, runs=40)
    started = Server(data)
    yield started
    started.kill()
    assert "Traceback" not in started.errors.read_text()


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
