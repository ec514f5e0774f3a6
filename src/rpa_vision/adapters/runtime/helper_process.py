"""A second process of ours that works on another core and tells what it found, one thing after the other.

It is told once what to do, as a line of JSON, and answers with values of its own until it is done or ended. It ends by
itself when nobody listens any more. What it would have said is never waited for: whoever asks can do the work alone.
"""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, Final, Self

_BEGIN: Final = (
    "import json, runpy, sys; sys.path[:] = json.loads(sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)
"""Finds modules where we find ours, and nowhere else: `-m` would look in the folder one happens to be in first, and
what is found there need not be what works here."""

_STAND_BACK: Final = """
import os
try:
    os.nice(19)
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
except (OSError, AttributeError):  # where there is no such thing (Windows is told otherwise), or it is not allowed
    pass
"""


class HelperProcess:
    """A module of ours, run by this Python. Begins to get ready at once; one that stands back works when nobody else
    wants the processor."""

    def __init__(self, module: str, *arguments: str, stands_back: bool = False) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        begin = _STAND_BACK + _BEGIN if stands_back else _BEGIN
        with suppress(OSError):  # no second process, no help
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-c", begin, json.dumps(sys.path), module, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                creationflags=getattr(subprocess, "IDLE_PRIORITY_CLASS", 0) if stands_back else 0,
            )

    def begin(self, task: Sequence[str]) -> None:
        """Say what to do."""
        if self._process is not None and self._process.stdin is not None:
            with suppress(OSError), self._process.stdin as told:  # gone already: there will be no answers
                told.write(json.dumps([*task]).encode() + b"\n")

    def answers(self) -> Iterator[Any]:
        """What it says, as it says it, until it is done, ended or dead. Only our own code speaks here."""
        if self._process is None or self._process.stdout is None:
            return
        with suppress(EOFError, OSError, ValueError, pickle.UnpicklingError):
            while True:
                yield pickle.load(self._process.stdout)

    def end(self) -> None:
        """No more answers are wanted."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()
        if self._process is not None:
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
