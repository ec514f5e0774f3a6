"""The journal of runs over a file of rows: one line when a row begins, one when it has ended."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.errors import DocumentError, UsageError
from rpa_vision.models.batch import RowEntry

_MAX_BYTES = 64 * 1024 * 1024


class FileBatchJournal:
    """Implements `ports.batches.BatchJournal`."""

    def __init__(self, files: DataFiles, batch_id: str) -> None:
        self._files = files
        self._path = files.paths.batch(batch_id)

    def entries(self) -> list[RowEntry]:
        if not self._files.has(self._path):
            return []
        found: list[RowEntry] = []
        for line in self._files.read(self._path, limit=_MAX_BYTES).splitlines():
            try:
                if line.strip():
                    found.append(RowEntry.from_json(line))
            except DocumentError:  # torn by the end of the process that wrote it: what it was about stays open
                continue
        return found

    def append(self, entry: RowEntry) -> None:
        self._files.claim()
        with AppendFile(self._path) as file, file.alone():
            file.append(entry.model_dump_json(exclude_defaults=True).encode())
            file.sync()

    @contextmanager
    def alone(self) -> Iterator[None]:
        self._files.claim()
        with AppendFile(self._path.with_suffix(".lock")) as lock, ExitStack() as held:
            try:
                held.enter_context(lock.alone(wait=False))
            except BlockingIOError as error:
                raise UsageError(
                    "another command is running these rows", remedy="Wait until it has ended, or stop it."
                ) from error
            yield
