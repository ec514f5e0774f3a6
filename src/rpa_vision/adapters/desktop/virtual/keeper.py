"""Clears up after a virtual desktop when its owner could not, killed as it may have been.

Runs as a program of its own, without the package and without site-packages, so that it is up in milliseconds:
`python -I -S keeper.py OWNER_PID MARK FOLDER`. It sleeps until the owner lets go of its standard input or dies, then
ends every process that carries the mark in its environment and removes the folder.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
from collections.abc import Callable

MARK_VARIABLE = "RPA_VISION_VIRTUAL_DESKTOP"

_POLITE_S = 0.3
_KILL_S = 5.0
_POLL_S = 0.01
_CLEAN_LOOKS = 2


def marked_processes(mark: str) -> list[int]:
    """Processes started in the desktop, or by something started in it, that have not ended."""
    wanted = f"{MARK_VARIABLE}={mark}".encode()
    found = []
    for name in os.listdir("/proc"):  # noqa: PTH208 (names are all we need, and pathlib costs start-up time)
        if name.isdigit() and int(name) != os.getpid():
            # A process may end while we look, or belong to somebody else.
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:  # noqa: PTH123
                if wanted in file.read().split(b"\0"):
                    found.append(int(name))
    return found


def end_marked(mark: str, pause: Callable[[float], None]) -> list[int]:
    """Ask them to end, then make them; give those that remain."""
    asked: set[int] = set()
    waited_s, clean_looks = 0.0, 0
    while waited_s < _KILL_S:
        remaining = marked_processes(mark)
        # A process that is just being started shows no environment for an instant: one look is not enough.
        clean_looks = 0 if remaining else clean_looks + 1
        if clean_looks == _CLEAN_LOOKS:
            return []
        for pid in remaining:
            if waited_s >= _POLITE_S or pid not in asked:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL if waited_s >= _POLITE_S else signal.SIGTERM)
                asked.add(pid)
        pause(_POLL_S)
        waited_s += _POLL_S
    return marked_processes(mark)


def main() -> None:
    """Wait for the owner's end, then clear up."""
    owner_pid, mark, folder = int(sys.argv[1]), sys.argv[2], sys.argv[3]
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signs: list[int] = [sys.stdin.fileno()]
    if os.getppid() == owner_pid:
        # A fork of the owner may keep our standard input open after the owner's death; the pidfd cannot be fooled.
        with contextlib.suppress(OSError):
            signs.append(os.pidfd_open(owner_pid))
        if os.getppid() == owner_pid:
            select.select(signs, [], [])
    end_marked(mark, _rest)
    shutil.rmtree(folder, ignore_errors=True)


def _rest(seconds: float) -> None:
    select.select([], [], [], seconds)


if __name__ == "__main__":
    main()
