"""Undo logs beside the reports of runs: runs/<run_id>/undo.json and pictures/undo_*.png."""

from __future__ import annotations

from contextlib import suppress

from rpa_vision.adapters.storage.data_files import MAX_PICTURE_BYTES, DataFiles, unknown
from rpa_vision.errors import RpaVisionError
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

    def load(self, run_id: str) -> UndoLog:
        path = self._files.paths.run_file(run_id, _NAME)
        if not self._files.has(path):
            known = [name for name in self._files.paths.names("runs") if self._has(name)]
            raise unknown("run that can be undone", run_id, known, command="rpa-vision status")
        return self._files.read_document(path, UndoLog, key="run_id", expected=run_id)

    def latest(self) -> UndoLog | None:
        logs: list[UndoLog] = []
        for name in self._files.paths.names("runs"):
            with suppress(RpaVisionError):
                if self._has(name):
                    logs.append(self.load(name))
        return max(logs, key=lambda log: (log.at, log.run_id), default=None)

    def _has(self, run_id: str) -> bool:
        return self._files.has(self._files.paths.run_file(run_id, _NAME))
