"""A worker in a process of its own that can be killed: what it does is a line in a file when a run begins and ends.

With `attached` it ends as a worker of a server does, when its standard input closes.

Usage: queue_robot.py DATA DISPLAY LEASE_S DIARY [attached]"""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.queue_worker import Ending, QueueWorker, RunKeeper
from rpa_vision.app.wiring_auto_heal import auto_heal
from rpa_vision.app.wiring_office import run_queue
from rpa_vision.models.queue import QueuedRun

_STEPS, _STEP_S = 6, 0.03


def main(root: str, display: str, lease_s: str, diary: str, attached: str = "") -> None:
    clock, stopping = SystemClock(), threading.Event()
    if attached:
        threading.Thread(target=_until_closed, args=(stopping,), daemon=True).start()
    data = FileDataDirectory(Path(root), clock=clock)
    queue = run_queue(data)
    with auto_heal(data, quiet=True) as heal, Path(diary).open("ab", buffering=0) as book:

        def do(item: QueuedRun, keeper: RunKeeper) -> Ending:
            book.write(f"began {item.run_id}\n".encode())
            for step in range(_STEPS):
                if not keeper.may_go_on():
                    return Ending("halted", "stopped by a person")
                keeper.begins(f"step {step}")
                clock.sleep(_STEP_S)
                keeper.ended({"status": "success"})
            book.write(f"ended {item.run_id}\n".encode())
            return Ending("success", "all steps verified")

        worker = QueueWorker(
            queue, heal, display, f"worker_{os.getpid()}", clock, do, lease_s=float(lease_s), stopping=stopping
        )
        worker.work()


def _until_closed(stopping: threading.Event) -> None:
    sys.stdin.buffer.read()
    stopping.set()


if __name__ == "__main__":
    main(*sys.argv[1:])
