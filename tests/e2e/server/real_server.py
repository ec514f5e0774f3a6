"""A real server in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path


class Server:
    """`rpa-vision serve`, as somebody would start it."""

    def __init__(self, data: Path, desktop: Mapping[str, str] | None = None) -> None:
        """On a `desktop` its worker does runs; without one nobody does."""
        self.data = data
        self._desktop = desktop
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "rpa_vision", "serve", "--port", "0"]
        command += ["--display", ":90", "--no-workers"] if self._desktop is None else []
        self.errors = self.data.parent / "serve.err"
        environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"} | (self._desktop or {})
        with self.errors.open("a") as errors:
            self.process = subprocess.Popen(
                [*command, "--json", "--data", str(self.data)], stdout=subprocess.PIPE, stderr=errors, env=environment
            )
        assert self.process.stdout is not None
        told = json.loads(self.process.stdout.readline())
        self.url, self.link = told["url"], told["link"]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def children(self) -> list[int]:
        """The processes it has started, by their ids."""
        parents: dict[int, int] = {}
        for told in Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):  # ended meanwhile
                parents[int(told.parent.name)] = int(told.read_text().rpartition(")")[2].split()[1])
        return [pid for pid, parent in parents.items() if parent == self.process.pid]

    @staticmethod
    def alive(pids: list[int]) -> list[int]:
        """Those of them that have not ended."""
        return [pid for pid in pids if Path(f"/proc/{pid}").exists()]

    def stop(self) -> None:
        """As a person ends it: the worker lets go of the desktop."""
        self.process.terminate()
        self.process.wait()
