"""Understood screens, filed by day."""

from __future__ import annotations

from contextlib import suppress

from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.adapters.storage.paths import day_of
from rpa_vision.errors import StorageError, UnknownIdError
from rpa_vision.models.ids import checked_id
from rpa_vision.models.screen_state import ScreenState


class FileScreenStateStore:
    """Implements `ports.storage.ScreenStateStore`."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files

    def save(self, state: ScreenState) -> None:
        day = self._day(state.screen_state_id) or day_of(state.timestamp)
        path = self._files.paths.screen_state(day, state.screen_state_id)
        self._files.write_document(path, state, durable=False)  # what the disk loses is read again from the picture

    def load(self, screen_state_id: str) -> ScreenState:
        day = self._day(screen_state_id)
        if day is None:
            raise UnknownIdError(f"there is no screen state {screen_state_id!r}", remedy="Learn the session again.")
        path = self._files.paths.screen_state(day, screen_state_id)
        return self._files.read_document(path, ScreenState, key="screen_state_id", expected=screen_state_id)

    def ids(self) -> list[str]:
        """All screens, the oldest day first."""
        days = reversed(self._files.paths.days("screen_states"))
        names = (name for day in days for name in self._files.paths.names("screen_states", day))
        return [name.removesuffix(".json") for name in names if name.endswith(".json")]

    def delete(self, screen_state_id: str) -> None:
        day = self._day(screen_state_id)
        if day is None:
            return
        path = self._files.paths.screen_state(day, screen_state_id)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError(f"{self._files.paths.relative(path)}: cannot be removed ({error.strerror})") from error

    def _day(self, screen_state_id: str) -> str | None:
        """The day it was filed under before, if it was."""
        checked_id(screen_state_id, what="screen state")
        for day in self._files.paths.days("screen_states"):
            with suppress(StorageError):  # one bad folder does not hide the others
                if self._files.has(self._files.paths.screen_state(day, screen_state_id)):
                    return day
        return None
