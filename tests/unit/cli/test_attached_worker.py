"""A worker that belongs to a server leaves with it, and quietly when a signal comes first."""

from __future__ import annotations

import subprocess
import sys

import pytest

WAITING = """
import threading
from rpa_vision.cli.serve import _until_closed
stopping = threading.Event()
threading.Thread(target=_until_closed, args=(stopping,), daemon=True).start()
print("ready", flush=True)
{then}
"""


@pytest.mark.parametrize(
    ("then", "closes"), [("", False), ("assert stopping.wait(20)", True)], ids=["a signal first", "the server ends"]
)
def test_a_worker_ends_without_a_fault_whether_or_not_its_server_is_still_there(then: str, closes: bool) -> None:
    """UX-1: Ctrl-C reaches the worker before the server has closed its input"""
    command = [sys.executable, "-c", WAITING.format(then=then)]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as worker:
        assert worker.stdin is not None
        assert worker.stdout is not None
        assert worker.stderr is not None
        assert worker.stdout.readline() == "ready\n"
        if closes:
            worker.stdin.close()
        assert worker.wait(timeout=30) == 0
        assert worker.stderr.read() == ""
