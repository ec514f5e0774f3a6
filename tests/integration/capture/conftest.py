"""A person, programs to work with, and a recorder, all on the virtual desktop."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from capture_stage import PROGRAMS, NoSecrets, Recording

from rpa_vision.adapters.desktop.virtual import VirtualDesktop
from rpa_vision.adapters.desktop.x11 import X11Desktop
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.record import record
from rpa_vision.models.raw_session import UserRef
from rpa_vision.ports.perception import SecretFieldClassifier

Perform = Callable[..., None]


@pytest.fixture
def person(virtual_desktop: VirtualDesktop) -> Perform:
    """Do steps, in another process, and come back when they are done."""

    def perform(*steps: object) -> None:
        program = virtual_desktop.run([sys.executable, PROGRAMS / "person_script.py", json.dumps(steps)])
        assert program.wait(30) == 0

    return perform


@pytest.fixture
def record_person(x11: X11Desktop, system_clock: SystemClock, person: Perform, tmp_path: Path):
    """Record a person doing the steps."""

    def recorded(*steps: object, secrets: SecretFieldClassifier | None = None) -> Recording:
        data = FileDataDirectory(tmp_path / "data", clock=system_clock)
        stop = threading.Event()
        failed: list[BaseException] = []

        def at_work() -> None:
            try:
                person(*steps)
            except BaseException as error:
                failed.append(error)
            finally:
                stop.set()

        thread = threading.Thread(target=at_work)
        result = record(
            x11, data, secrets or NoSecrets(), system_clock, name="Essai", user=UserRef(id="ana"), stop=stop,
            on_ready=thread.start,
        )  # fmt: skip
        thread.join()
        assert not failed, failed
        return Recording(data.sessions.load(result.session_id), data, tmp_path / "data")

    return recorded


@pytest.fixture
def start(virtual_desktop: VirtualDesktop, x11: X11Desktop, wait) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Start a program and wait for its window; it is gone after the test."""
    started: list[subprocess.Popen[bytes]] = []

    def start_one(*command: str | Path, app_name: str) -> subprocess.Popen[bytes]:
        started.append(virtual_desktop.run(command))
        wait.until(lambda: (top := x11.eyes.active_window()) and top.app_name == app_name, what=app_name, timeout_s=20)
        return started[-1]

    yield start_one
    for program in started:
        program.kill()
        program.wait()
    wait.until(lambda: not x11.windows.all(), what="all windows closed")
