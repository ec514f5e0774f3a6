"""The command line as a script uses it, and the scripted person beside it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

TIMEOUT_S = 240


class CommandLine:
    """`rpa-vision` in one environment and one data directory."""

    def __init__(self, env: Mapping[str, str], data: Path) -> None:
        self.env = dict(env)
        self.data = data

    def run(self, *arguments: str) -> tuple[int, dict[str, Any], str]:
        """Exit code, the last JSON line of stdout, and stderr."""
        ended = subprocess.run(
            [sys.executable, "-m", "rpa_vision", *arguments, "--data", str(self.data), "--json"],
            env=self.env, capture_output=True, text=True, timeout=TIMEOUT_S, check=False,
        )  # fmt: skip
        lines = ended.stdout.strip().splitlines()
        return ended.returncode, json.loads(lines[-1]) if lines else {}, ended.stderr

    @contextmanager
    def recording(self, name: str) -> Iterator[dict[str, Any]]:
        """Record while inside; the dictionary holds what `record --json` said once outside."""
        recorder = subprocess.Popen(
            [sys.executable, "-m", "rpa_vision", "record", "--name", name, "--data", str(self.data), "--json"],
            env=self.env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        said: dict[str, Any] = {}
        try:
            assert recorder.stderr is not None
            first = recorder.stderr.readline().strip()
            assert first == "recording", first + recorder.stderr.read()
            yield said
            recorder.send_signal(signal.SIGINT)
            output, problems = recorder.communicate(timeout=60)
            assert recorder.returncode == 0, problems
            said.update(json.loads(output.strip().splitlines()[-1]))
        finally:
            if recorder.poll() is None:
                recorder.kill()
                recorder.wait()


def person(env: Mapping[str, str], *arguments: str) -> None:
    """Let the scripted person do a task; fail with its reason when it cannot."""
    command = [sys.executable, "-m", "rpa_vision.demo.person", *map(str, arguments)]
    ended = subprocess.run(command, env=dict(env), capture_output=True, text=True, timeout=TIMEOUT_S, check=False)
    assert ended.returncode == 0, ended.stderr
