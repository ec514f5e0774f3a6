"""Moves a workflow to another space and kills itself, by SIGKILL, before a given change of the disk."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from rpa_vision.testing.learned import WORKFLOW_ID
from rpa_vision.testing.moving import open_moving


def main(root: Path, at: int) -> None:
    left = at

    def step(what: str, path: Path) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    open_moving(root, step=step).migrator().migrate(WORKFLOW_ID)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
