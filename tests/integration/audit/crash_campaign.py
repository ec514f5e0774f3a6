"""Kill a writer before every single line of code it executes, and look at what is left. Runs by itself, prints JSON.

A child process per point: it writes a few entries over a rotation and is killed (SIGKILL) just before the n-th line
of the audit and file modules it would have executed. It says on a pipe which entries it was told are written. No
point is left out: the campaign ends when a child gets through.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

import rpa_vision
from rpa_vision.adapters.audit import AuditSettings, JsonlAudit
from rpa_vision.testing.manual_clock import ManualClock

SOURCE = Path(rpa_vision.__file__).parent / "adapters"
WATCHED = (str(SOURCE / "audit"), str(SOURCE / "storage" / "atomic.py"))
ENTRIES = 3
TORN = b'{"time":"2026-03-30T23:59:59+00:00","kind":"cut sho'


def write(path: Path, told: int, settings: AuditSettings) -> None:
    """Entries before and after a rotation, each told on the pipe once `append` has returned."""
    log = JsonlAudit(path, ManualClock(datetime(2026, 3, 31, tzinfo=UTC)), settings)
    for number in range(ENTRIES):
        log.append("step_result", {"n": number})
        os.write(told, b"%d\n" % number)


def kill_before(point: int) -> Any:
    """A trace function that ends the process at a line, as an operator or the kernel would."""
    left = point

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if not frame.f_code.co_filename.startswith(WATCHED):
            return None
        if event == "line":
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            left -= 1
        return trace

    return trace


def run_child(path: Path, point: int, settings: AuditSettings) -> tuple[list[int], bool]:
    """What it was told is written, and whether it got through."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        sys.settrace(kill_before(point))
        write(path, writing, settings)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = [int(line) for line in pipe]
    return told, os.waitpid(child, 0)[1] == 0


def judge(path: Path, told: list[int], settings: AuditSettings) -> str | None:
    """What is wrong with what is left, before and after the next writer has been there."""
    log = JsonlAudit(path, ManualClock(datetime(2026, 3, 31, 1, tzinfo=UTC)), settings)
    before = log.verify()
    if not before.ok:
        return f"not whole after the kill: {before.first_problem}"
    log.append("after", {})
    after = log.verify()
    if not after.ok:
        return f"not whole after the next entry: {after.first_problem}"
    kept = [entry.record["n"] for entry in log.entries() if entry.kind == "step_result"]
    log.close()
    if kept != list(range(len(kept))) or len(kept) not in (len(told), len(told) + 1):
        return f"told {told}, kept {kept}"
    return None


def main(folder: Path, start: str) -> None:
    settings = AuditSettings(max_bytes=400, compress=True)
    wrong: list[str] = []
    point = 0
    while True:
        path = folder / "audit" / "audit.jsonl"
        if start == "torn":  # an earlier crash: the first thing to be written is that it happened
            path.parent.mkdir(parents=True)
            path.write_bytes(TORN)
        told, through = run_child(path, point, settings)
        problem = judge(path, told, settings)
        if problem is not None:
            wrong.append(f"killed before line {point}: {problem}")
        files = sorted(file.name for file in path.parent.iterdir() if file.name.startswith("audit"))
        shutil.rmtree(path.parent)
        if through:
            break
        point += 1
    sys.stdout.write(json.dumps({"points": point, "wrong": wrong, "files": files}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
