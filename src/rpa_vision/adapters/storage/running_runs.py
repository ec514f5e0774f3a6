"""Running runs and requests to stop, as small files: system/runs/<run_id>.json, <run_id>.stop.json, system/stop.json.

A request that means all runs is about those that had begun by then: whoever starts one afterwards means it. A run that
begins looks whether one is there whose time is still to come: a clock was wrong, and it was not about this run.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.adapters.storage.signs_of_life import SILENT_S, Heartbeat, process_mark, silent_s
from rpa_vision.errors import RpaVisionError, StorageError
from rpa_vision.models.running_run import RunningRun, StopRequest

_MAX_BYTES = 64 * 1024
_STOP = ".stop"
_FORGOTTEN_S = 24 * 3600.0
_AHEAD = timedelta(seconds=1)
"""By so much clocks may differ; a request that is further ahead was written with a wrong one."""


class FileRunningRuns:
    """Implements `ports.stopping.RunningRuns`."""

    def __init__(self, files: DataFiles, hostname: str, display: str = "") -> None:
        """`display` is where runs of this process act."""
        self._files = files
        self._hostname = hostname
        self._display = display
        self._before: dict[str, datetime] = {}
        """By run of this process, the time of the request to stop all runs that was there before, and is to come."""
        self._beats: dict[str, Heartbeat] = {}

    def begin(self, run_id: str, workflow_id: str, at: datetime) -> None:
        run = RunningRun(
            run_id=run_id,
            workflow_id=workflow_id,
            pid=os.getpid(),
            process=process_mark(os.getpid()),
            hostname=self._hostname,
            beats=True,
            display=self._display,
            started_at=at,
        )
        path = self._files.paths.running(run.run_id)
        self._files.write(path, run.model_dump_json().encode(), durable=False)
        self._beats[run_id] = Heartbeat(path)
        with contextlib.suppress(RpaVisionError):  # one that cannot be read stops
            request = self._read(None)
            if request is not None and request.at > at + _AHEAD:
                self._before[run_id] = request.at

    def end(self, run_id: str) -> None:
        self._before.pop(run_id, None)
        beat = self._beats.pop(run_id, None)
        if beat is not None:
            beat.stop()
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
                elif run.hostname == self._hostname or self._silent_s(run) > _FORGOTTEN_S:
                    self.end(run.run_id)
        return sorted(found, key=lambda run: (run.started_at, run.run_id))

    def request_stop(self, request: StopRequest) -> None:
        self._files.write_document(self._request(request.run_id), request)

    def stop_for(self, run_id: str, began_at: datetime) -> StopRequest | None:
        request = self._read(run_id)
        if request is not None and request.run_id == run_id:
            return request
        request = self._read(None)
        is_meant = request is not None and request.at >= began_at and request.at != self._before.get(run_id)
        return request if is_meant else None

    def _read(self, run_id: str | None) -> StopRequest | None:
        path = self._request(run_id)
        if not self._files.has(path):
            return None
        return StopRequest.from_json(self._files.read(path, limit=_MAX_BYTES), where=path.name)

    def _request(self, run_id: str | None) -> Path:
        paths = self._files.paths
        return paths.running(run_id + _STOP) if run_id is not None else paths.stop_request

    def _is_alive(self, run: RunningRun) -> bool:
        """Of another machine its file is all that tells; in doubt a run is believed to go on."""
        if run.hostname != self._hostname:
            return not run.beats or self._silent_s(run) <= SILENT_S
        try:
            os.kill(run.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:  # somebody else's process
            pass
        now = process_mark(run.pid)
        return not run.process or not now or run.process == now

    def _silent_s(self, run: RunningRun) -> float:
        try:
            return silent_s(self._files.paths.running(run.run_id))
        except StorageError:
            return 0.0
