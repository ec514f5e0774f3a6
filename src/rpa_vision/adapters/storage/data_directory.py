"""Everything that is kept, below one root, in the seeds' `data/` layout."""

from __future__ import annotations

from pathlib import Path

from rpa_vision.adapters.storage.atomic import Step, no_step
from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.adapters.storage.paths import DataPaths
from rpa_vision.adapters.storage.pictures import FilePictureStore
from rpa_vision.adapters.storage.readings import FileReadingStore
from rpa_vision.adapters.storage.runs import FileRunStore
from rpa_vision.adapters.storage.screen_states import FileScreenStateStore
from rpa_vision.adapters.storage.sessions import FileSessionStore
from rpa_vision.adapters.storage.vectors import FileVectorStore
from rpa_vision.adapters.storage.workflows import FileWorkflowStore
from rpa_vision.ports.runtime import Clock


class FileDataDirectory:
    """Implements `ports.storage.DataDirectory`. A foreign directory is refused; reading makes nothing."""

    def __init__(self, root: Path, *, clock: Clock, step: Step = no_step) -> None:
        self._files = DataFiles(DataPaths(root), step=step)
        self._vectors = FileVectorStore(self._files)
        self._pictures = FilePictureStore(self._files)
        self._sessions = FileSessionStore(self._files, clock)
        self._readings = FileReadingStore(self._files, self._sessions)
        self._screen_states = FileScreenStateStore(self._files)
        self._workflows = FileWorkflowStore(self._files, self._vectors, self._pictures)
        self._runs = FileRunStore(self._files)

    @property
    def files(self) -> DataFiles:
        """How things are read and written, for those that keep files of their own here (versions, target memory)."""
        return self._files

    @property
    def paths(self) -> DataPaths:
        """Where things lie, for those that keep files of their own here (audit, configuration, indexes)."""
        return self._files.paths

    def claim(self) -> None:
        """Make the directory, and make it ours, before something else writes into it."""
        self._files.claim()

    @property
    def sessions(self) -> FileSessionStore:
        return self._sessions

    @property
    def readings(self) -> FileReadingStore:
        return self._readings

    @property
    def screen_states(self) -> FileScreenStateStore:
        return self._screen_states

    @property
    def workflows(self) -> FileWorkflowStore:
        return self._workflows

    @property
    def vectors(self) -> FileVectorStore:
        return self._vectors

    @property
    def pictures(self) -> FilePictureStore:
        return self._pictures

    @property
    def runs(self) -> FileRunStore:
        return self._runs
