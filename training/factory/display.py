"""A display of one's own for toolkits that need one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def own_display(size: str = "2600x1500x24") -> Iterator[str]:
    """Start Xvfb on a free number, set DISPLAY, end it afterwards."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        number = told.readline().strip()
    os.environ["DISPLAY"] = f":{number}"
    try:
        yield f":{number}"
    finally:
        server.terminate()
        server.wait(timeout=10)
