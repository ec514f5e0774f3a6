"""Workers of a server end with it, by themselves or not; and one that cannot be started stops no other."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rpa_vision.adapters.office.worker_process import WorkerProcesses
from rpa_vision.adapters.runtime import SystemClock

_DEAF = """
import pathlib, sys, time
pathlib.Path(sys.argv[1]).touch()
while True:
    time.sleep(0.05)
    pathlib.Path(sys.argv[2]).write_text(str(time.monotonic()))
"""


def test_a_worker_that_does_not_end_is_killed_before_the_server_is_gone(tmp_path: Path, wait: Any) -> None:
    """UX-2: it hears neither that its standard input closes nor anything else."""
    began, alive = tmp_path / "began", tmp_path / "alive"
    workers = WorkerProcesses(
        tmp_path, (":1",), SystemClock(), end_s=0.2,
        command=lambda display: [sys.executable, "-c", _DEAF, str(began), str(alive)],
    )  # fmt: skip
    workers.start()
    wait.until(alive.exists, timeout_s=30, what="it works")
    workers.close()
    last = alive.read_text(encoding="utf-8")
    SystemClock().sleep(0.3)
    assert alive.read_text(encoding="utf-8") == last, "it still works"


def test_a_worker_that_cannot_be_started_is_tried_again(tmp_path: Path, wait: Any) -> None:
    """UX-3: no memory, no process left: the thread that minds it lives on."""
    began, asked = tmp_path / "began", list[str]()

    def command(display: str) -> list[str]:
        asked.append(display)
        if len(asked) == 1:
            return [str(tmp_path / "there is no such program")]
        return [sys.executable, "-c", f"open({str(began)!r}, 'w').close()"]

    workers = WorkerProcesses(tmp_path, (":1",), SystemClock(), command=command, end_s=1.0)
    workers.start()
    wait.until(began.exists, timeout_s=30, what="the second try")
    workers.close()
