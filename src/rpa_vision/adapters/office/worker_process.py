"""Workers in processes of their own, so that no dashboard slows a robot down; one that dies is started again."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import structlog

from rpa_vision.ports.runtime import Clock

_SLOWEST_S = 60.0
_END_S = 20.0
_KILLED_S = 5.0
_log = structlog.get_logger("rpa_vision.workers")
_NICE = 8


def stand_back() -> None:
    """Let robots go before: this thread, and those it starts, get less of a busy processor; others are as they were."""
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
    except (OSError, AttributeError):  # not everywhere a thread has a priority of its own; then all are equal
        return


class WorkerProcesses:
    """One `rpa-vision work` per display. They end by themselves when their standard input closes, as it does when the
    server is killed. One that does not end in time is killed: by then it has closed the gate of its hands."""

    def __init__(
        self,
        data: Path,
        displays: tuple[str, ...],
        clock: Clock,
        *,
        command: Callable[[str], Sequence[str]] | None = None,
        end_s: float = _END_S,
    ) -> None:
        self._data = data
        self._clock = clock
        self._command = command if command is not None else self._work
        self._end_s = end_s
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
        """Let runs end at the next step, wait for it, and kill what does not end."""
        self._stopping.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(timeout=self._end_s + 2 * _KILLED_S)

    def _mind(self, display: str) -> None:
        wait_s = 1.0
        while not self._stopping.is_set():
            began = self._clock.monotonic()
            try:
                process = subprocess.Popen(
                    self._command(display),
                    stdin=subprocess.PIPE,
                    env=os.environ | ({"DISPLAY": display} if display.startswith(":") else {}),
                )
            except OSError as error:  # no memory, no more processes: later perhaps
                _log.warning("worker_not_started", display=display, error=str(error))
            else:
                while process.poll() is None and not self._stopping.wait(0.2):
                    pass
                if process.poll() is None:
                    self._end(process, display)
                    return
            lasted = self._clock.monotonic() - began
            wait_s = 1.0 if lasted > _SLOWEST_S else min(_SLOWEST_S, wait_s * 2)
            self._stopping.wait(wait_s)

    def _end(self, process: subprocess.Popen[bytes], display: str) -> None:
        assert process.stdin is not None
        process.stdin.close()
        try:
            process.wait(timeout=self._end_s)
        except subprocess.TimeoutExpired:
            _log.warning("worker_killed", display=display, waited_s=self._end_s)
            process.kill()
            process.wait(timeout=_KILLED_S)

    def _work(self, display: str) -> Sequence[str]:
        command = [sys.executable, "-m", "rpa_vision", "work", "--display", display, "--data", str(self._data)]
        return [*command, "--attached"]
