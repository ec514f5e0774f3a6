"""A password typed into a real page is in no file (L0-7)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from capture_stage import Recording

from rpa_vision.app import wiring
from rpa_vision.demo.browser import launch_browser
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Point
from rpa_vision.ports.perception import SecretFieldClassifier

PAGE = Path(__file__).parent / "login.html"
USER, PASSWORD = "ana.martin", "Zw!7çélibre"
USER_AT, PASSWORD_AT = (380, 170), (380, 240)
SECRET_ROWS = slice(220, 262)


class KnowsThePage:
    """Answers from where the page has its password field, so that only the recorder is under test."""

    def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
        if clicked is not None:
            return SECRET_ROWS.start <= clicked[1] < SECRET_ROWS.stop
        if after is None:
            return True
        return bool(np.any(before.pixels[SECRET_ROWS, 200:560, :3] != after.pixels[SECRET_ROWS, 200:560, :3]))


@pytest.fixture(params=["knows the page", "as shipped"])
def secrets(request: pytest.FixtureRequest) -> SecretFieldClassifier:
    if request.param == "knows the page":
        return KnowsThePage()
    pytest.importorskip("rpa_vision.detection.secret_fields")
    return wiring.secret_fields()


@pytest.fixture
def login_page(virtual_desktop, x11, wait, tmp_path):
    browser = launch_browser(PAGE.as_uri(), profile_dir=tmp_path / "profile", env=virtual_desktop.env)
    wait.until(lambda: (top := x11.eyes.active_window()) and "Connexion" in top.title, what="the page", timeout_s=30)
    wait.until(lambda: x11.eyes.grab().pixels[600, 900, 0] == 255, what="the page is painted", timeout_s=30)
    yield
    browser.stop()
    wait.until(lambda: not x11.windows.all(), what="all windows closed")


def check(recording: Recording) -> None:
    keys = [event for event in recording.session.events if event.type == "key_press"]
    assert "".join(event.char or "" for event in keys) == USER
    secret = [event for event in keys if event.secret_ref is not None]
    assert len(secret) == len(PASSWORD)
    assert len({event.secret_ref for event in secret}) == 1
    assert keys[-1].key == "ENTER"
    for path in recording.root.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert PASSWORD.encode() not in content, path
        if path.suffix in (".json", ".jsonl"):
            # Nor letter by letter: these are in no other text of the session.
            assert not any(f'"{char}"'.encode() in content for char in "zZwWçÇéÉ!7"), path


def test_a_password_field_that_was_clicked_leaves_no_trace(login_page, record_person, secrets):
    """L0-7"""
    recording = record_person(
        ["click", *USER_AT], ["pause", 0.3], ["type", USER], ["pause", 0.2], ["click", *PASSWORD_AT],
        ["pause", 0.3], ["type", PASSWORD], ["press", "ENTER"], ["pause", 0.3], secrets=secrets,
    )  # fmt: skip
    check(recording)


def test_a_password_field_reached_by_tab_leaves_no_trace(login_page, record_person, secrets):
    """L0-7"""
    recording = record_person(
        ["click", *USER_AT], ["pause", 0.3], ["type", USER], ["press", "TAB"], ["type", PASSWORD],
        ["press", "ENTER"], ["pause", 0.3], secrets=secrets,
    )  # fmt: skip
    check(recording)
