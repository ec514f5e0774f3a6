"""Does one operation on a data directory and kills itself, by SIGKILL, before a given change of the disk."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from rpa_vision.testing.learned import WORKFLOW_ID, open_world
from rpa_vision.testing.manual_clock import ManualClock


def main(root: Path, operation: str, at: int) -> None:
    left = at

    def step(what: str, path: Path) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    world = open_world(root, clock=ManualClock(), step=step)
    if operation == "learn":
        world.learn(seed=7)
    elif operation == "snapshot":
        world.versions.snapshot_version(WORKFLOW_ID)
    else:
        world.versions.rollback_to_previous(WORKFLOW_ID)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
