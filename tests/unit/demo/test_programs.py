"""Programs of a demonstration are started with care, and end with everything they started."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from rpa_vision.demo.browser import browser_command, launch_browser
from rpa_vision.demo.mousepad import launch_mousepad
from rpa_vision.demo.program import Program
from rpa_vision.errors import EnvironmentMissingError


def command(**changes: object) -> list[str]:
    usual: dict[str, object] = {
        "profile_dir": Path("/p"), "app_window": True, "position": (0, 0), "size": (1920, 1080),
        "device_scale": 1.0, "lang": "fr", "is_root": False,
    }  # fmt: skip
    return browser_command("chromium", "http://127.0.0.1:1", **{**usual, **changes})  # type: ignore[arg-type]


def test_sandbox_is_only_given_up_as_root() -> None:
    """Chromium refuses to run as root with it; nobody else loses it."""
    assert "--no-sandbox" not in command()
    assert "--no-sandbox" in command(is_root=True)


def test_window_keeps_its_size_on_the_screen_at_any_device_scale() -> None:
    """Chromium multiplies sizes by the scale; sizes here are screen pixels."""
    assert "--window-size=960,540" in command(device_scale=2.0)
    assert "--force-device-scale-factor=1.5" in command(device_scale=1.5)


def test_address_opens_as_an_application_or_as_a_normal_window() -> None:
    """With or without the browser's own bars."""
    assert command()[-1] == "--app=http://127.0.0.1:1"
    assert command(app_window=False)[-1] == "http://127.0.0.1:1"


def test_missing_browser_is_said_with_its_package(tmp_path: Path) -> None:
    """The remedy can be copied into a terminal."""
    env = {"DISPLAY": ":1", "PATH": str(tmp_path)}
    with pytest.raises(EnvironmentMissingError, match="chromium is not installed") as missing:
        launch_browser("http://127.0.0.1:1", profile_dir=tmp_path / "p", env=env)
    assert "apt install chromium" in missing.value.remedy


def test_missing_editor_is_said_with_its_package(tmp_path: Path) -> None:
    """The remedy can be copied into a terminal."""
    env = {"DISPLAY": ":1", "PATH": str(tmp_path)}
    with pytest.raises(EnvironmentMissingError, match="mousepad is not installed") as missing:
        launch_mousepad(folder=tmp_path, home=tmp_path / "h", env=env)
    assert "apt install mousepad" in missing.value.remedy


def test_no_display_is_said(tmp_path: Path) -> None:
    """Before the program is started."""
    with pytest.raises(EnvironmentMissingError, match="no display"):
        launch_browser("http://127.0.0.1:1", profile_dir=tmp_path, env={})


def test_stop_ends_the_program_and_what_it_started(tmp_path: Path) -> None:
    """No orphan stays behind."""
    child_pid = tmp_path / "pid"
    program = Program(
        ["sh", "-c", f"sleep 100 & echo $! > {child_pid}.new; mv {child_pid}.new {child_pid}; wait"], env=os.environ
    )
    while not child_pid.exists():
        assert program.is_running
    program.stop()
    program.stop()  # a second time does no harm
    assert not program.is_running
    assert ended_within(Path(f"/proc/{child_pid.read_text().strip()}/stat"), seconds=10)


def ended_within(stat: Path, *, seconds: float) -> bool:
    """Whether the process is gone, or only waits to be reaped: a killed one needs a turn on the processor to die."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if stat.read_text().split()[2] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.01)
    return False
