"""A whole server whose workers are the robots of these tests, so that it can be killed.

Usage: office_server.py DATA DISPLAY LEASE_S DIARY"""

from __future__ import annotations

import sys
from pathlib import Path

from rpa_vision.adapters.office.worker_process import WorkerProcesses
from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.wiring_office import open_office
from rpa_vision.server.running import Address, listening_socket, run_server

_ROBOT = Path(__file__).with_name("queue_robot.py")


def main(root: str, display: str, lease_s: str, diary: str) -> None:
    clock, address = SystemClock(), Address("127.0.0.1", 0)
    data = FileDataDirectory(Path(root), clock=clock)
    data.claim()
    with open_office(data, (display,)) as office:
        socket = listening_socket(address)
        workers = WorkerProcesses(
            Path(root), (display,), clock,
            command=lambda name: [sys.executable, str(_ROBOT), root, name, lease_s, diary, "attached"],
        )  # fmt: skip
        workers.start()
        try:
            run_server(office, address.bound(socket), socket)
        finally:
            workers.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
