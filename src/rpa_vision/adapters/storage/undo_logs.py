"""Undo logs beside the reports of runs: runs/<run_id>/undo.json and pictures/undo_*.png."""

from __future__ import annotations

from contextlib import suppress

from rpa_vision.adapters.storage.data_files import MAX_PICTURE_BYTES, DataFiles, unknown
from rpa_vision.errors import RpaVisionError, UsageError
from rpa_vision.models.execution import RunReport
from rpa_vision.models.undo import UndoLog

_NAME = "undo.json"


class FileUndoLogs:
    """Implements `ports.undo.UndoStore`."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files

    def keep_picture(self, run_id: str, name: str, png: bytes) -> str:
        path = self._files.paths.run_picture(run_id, f"{name}.png")
        self._files.write(path, png, durable=False)
        return self._files.paths.relative(path)

    def picture(self, path: str) -> bytes:
        return self._files.read(self._files.paths.picture(path), limit=MAX_PICTURE_BYTES)

    def save(self, log: UndoLog) -> None:
        path = self._files.paths.run_file(log.run_id, _NAME)
        self._files.write(path, self._files.encoded(path, log), durable=False)

    def find(self, run_id: str) -> UndoLog | None:
        return self.load(run_id) if self._has(run_id) else None

    def load(self, run_id: str) -> UndoLog:
        path = self._files.paths.run_file(run_id, _NAME)
        if not self._files.has(path):
            known = [name for name in self._files.paths.names("runs") if self._has(name)]
            tells = "tells the last run of each workflow (`run_id`); without RUN, the one that acted last is meant"
            raise unknown("run that can be undone", run_id, known, command="rpa-vision status --json", shows=tells)
        return self._files.read_document(path, UndoLog, key="run_id", expected=run_id)

    def latest(self) -> UndoLog | None:
        logs: list[UndoLog] = []
        without: list[str] = []
        for name in self._files.paths.names("runs"):
            try:
                log = self.find(name)
            except RpaVisionError:  # torn, so nobody knows what it did
                log = None
            if log is None:
                without.append(name)
            elif log.has_acted or not log.is_over:
                logs.append(log)
        last = max(logs, key=lambda log: (log.at, log.run_id), default=None)
        for name in without:
            if self._has_acted_since(name, last):
                raise UsageError(
                    f"the run {name} acted last and left no log of what it did, so nothing is undone",
                    remedy="Look at the screen. `rpa-vision undo RUN` takes back the actions of an earlier run.",
                )
        return last

    def _has_acted_since(self, run_id: str, last: UndoLog | None) -> bool:
        """Whether a run without a log may have done something after the last one with a log."""
        paths = self._files.paths
        report = paths.run_file(run_id, "report.json")
        with suppress(RpaVisionError):
            if self._files.has(report):
                told = self._files.read_document(report, RunReport, key="run_id", expected=run_id)
                return told.input_sent and (last is None or told.ended_at > last.at)
        # Cut off before it could report: it is as old as its folder, which any file it wrote has touched.
        with suppress(OSError):
            here = paths.run_file(run_id, _NAME).parent.stat().st_mtime
            return last is None or here > paths.run_file(last.run_id, _NAME).stat().st_mtime
        return False

    def _has(self, run_id: str) -> bool:
        return self._files.has(self._files.paths.run_file(run_id, _NAME))
