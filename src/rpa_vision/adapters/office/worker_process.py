"""Workers in processes of their own, so that no dashboard slows a robot down; one that dies is started again."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

from rpa_vision.ports.runtime import Clock

_SLOWEST_S = 60.0
_END_S = 20.0


class WorkerProcesses:
    """One `rpa-vision work` per display. They end by themselves when their standard input closes, as it does when the
    server is killed."""

    def __init__(self, data: Path, displays: tuple[str, ...], clock: Clock) -> None:
        self._data = data
        self._displays = displays
        self._clock = clock
        self._stopping = threading.Event()
        self._threads = [
            threading.Thread(target=self._mind, args=(display,), name=f"worker {display}", daemon=True)
            for display in displays
        ]

    def start(self) -> None:
        """Begin, each in a thread that minds it."""
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Let runs end at the next step, and wait for it."""
        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout=_END_S)

    def _mind(self, display: str) -> None:
        wait_s = 1.0
        while not self._stopping.is_set():
            began = self._clock.monotonic()
            command = [sys.executable, "-m", "rpa_vision", "work", "--display", display, "--data", str(self._data)]
            process = subprocess.Popen(
                [*command, "--attached"],
                stdin=subprocess.PIPE,
                env=os.environ | ({"DISPLAY": display} if display.startswith(":") else {}),
            )
            while process.poll() is None and not self._stopping.wait(0.2):
                pass
            if process.poll() is None:
                assert process.stdin is not None
                process.stdin.close()
                try:
                    process.wait(timeout=_END_S)
                except subprocess.TimeoutExpired:
                    process.terminate()
                return
            lasted = self._clock.monotonic() - began
            wait_s = 1.0 if lasted > _SLOWEST_S else min(_SLOWEST_S, wait_s * 2)
            self._stopping.wait(wait_s)
