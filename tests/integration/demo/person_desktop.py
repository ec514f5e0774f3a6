"""A virtual desktop on which the scripted person can be put to work."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rpa_vision.demo.browser import launch_browser
from rpa_vision.demo.clinic.drift import Drift
from rpa_vision.demo.clinic.serve import ClinicServer
from rpa_vision.demo.program import Program


@dataclass(frozen=True)
class Desktop:
    """An X server with a window manager, and a folder for everything its programs write."""

    env: dict[str, str]
    folder: Path

    def person(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Let the scripted person do a task, in a process of its own."""
        return subprocess.run(
            [sys.executable, "-m", "rpa_vision.demo.person", *arguments],
            env=self.env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    @contextmanager
    def clinic(self, drift: Drift | None = None) -> Iterator[ClinicServer]:
        """The clinic with some drift, shown in Chromium."""
        drift = drift or Drift()
        with (
            ClinicServer(seed=7, drift=drift) as server,
            launch_browser(
                server.url, profile_dir=self.folder / "profile", env=self.env, device_scale=drift.device_scale
            ),
        ):
            yield server


@contextmanager
def fresh_desktop(folder: Path) -> Iterator[Desktop]:
    """Xvfb on a free display number, with openbox, its own HOME and runtime directory, and no session bus."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1920x1080x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        assert number, "Xvfb did not start"
        runtime = folder / "runtime"
        runtime.mkdir(mode=0o700, parents=True)
        env = {
            **os.environ,
            "DISPLAY": f":{number}",
            "HOME": str(folder),
            "XDG_RUNTIME_DIR": str(runtime),
            "DBUS_SESSION_BUS_ADDRESS": "disabled:",
        }
        with Program(["openbox"], env=env):
            yield Desktop(env, folder)
    finally:
        server.terminate()
        server.wait(10)
