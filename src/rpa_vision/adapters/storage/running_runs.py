"""Running runs and requests to stop, as small files: system/runs/<run_id>.json, <run_id>.stop.json, system/stop.json.

A request that means all runs is about those that had begun by then: whoever starts one afterwards means it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.running_run import RunningRun, StopRequest

_MAX_BYTES = 64 * 1024
_STOP = ".stop"


class FileRunningRuns:
    """Implements `ports.stopping.RunningRuns`."""

    def __init__(self, files: DataFiles, hostname: str, display: str = "") -> None:
        """`display` is where runs of this process act."""
        self._files = files
        self._hostname = hostname
        self._display = display

    def begin(self, run_id: str, workflow_id: str, at: datetime) -> None:
        run = RunningRun(
            run_id=run_id,
            workflow_id=workflow_id,
            pid=os.getpid(),
            hostname=self._hostname,
            display=self._display,
            started_at=at,
        )
        self._files.write(self._files.paths.running(run.run_id), run.model_dump_json().encode(), durable=False)

    def end(self, run_id: str) -> None:
        for path in (self._files.paths.running(run_id), self._files.paths.running(run_id + _STOP)):
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def all(self) -> Sequence[RunningRun]:
        found: list[RunningRun] = []
        for name in self._files.paths.names("system", "runs"):
            run_id = name.removesuffix(".json")
            if run_id.endswith(_STOP):
                continue
            with contextlib.suppress(RpaVisionError):  # torn by the end of its process
                run = RunningRun.from_json(self._files.read(self._files.paths.running(run_id), limit=_MAX_BYTES))
                if self._is_alive(run):
                    found.append(run)
                else:
                    self.end(run.run_id)
        return sorted(found, key=lambda run: (run.started_at, run.run_id))

    def request_stop(self, request: StopRequest) -> None:
        self._files.write_document(self._request(request.run_id), request)

    def stop_for(self, run_id: str, began_at: datetime) -> StopRequest | None:
        for path in (self._request(run_id), self._request(None)):
            if not self._files.has(path):
                continue
            request = StopRequest.from_json(self._files.read(path, limit=_MAX_BYTES), where=path.name)
            if request.run_id == run_id or (request.run_id is None and request.at >= began_at):
                return request
        return None

    def _request(self, run_id: str | None) -> Path:
        paths = self._files.paths
        return paths.running(run_id + _STOP) if run_id is not None else paths.stop_request

    def _is_alive(self, run: RunningRun) -> bool:
        """Of another machine nobody can tell, so it is believed."""
        if run.hostname != self._hostname:
            return True
        try:
            os.kill(run.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:  # somebody else's process
            return True
        return True
