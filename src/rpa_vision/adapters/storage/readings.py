"""What was read of the pictures of sessions, one file each, beside the pictures and gone with them.

A cache may forget, but it must never be in the way: what cannot be written is not kept, and what is torn, foreign or of
another version was never there.
"""

from __future__ import annotations

from contextlib import suppress

from pydantic import ValidationError

from rpa_vision.adapters.storage.data_files import MAX_DOCUMENT_BYTES, DataFiles
from rpa_vision.adapters.storage.sessions import FileSessionStore
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.kept_reading import KeptReading
from rpa_vision.models.raw_session import RecordedSession


class FileReadingStore:
    """Implements `ports.storage.ReadingStore`."""

    def __init__(self, files: DataFiles, sessions: FileSessionStore) -> None:
        self._files = files
        self._sessions = sessions

    def load(self, session: RecordedSession, screenshot_id: str) -> KeptReading | None:
        with suppress(RpaVisionError, ValidationError):
            content = self._files.read(self._sessions.reading(session, screenshot_id), limit=MAX_DOCUMENT_BYTES)
            return KeptReading.model_validate_json(content)
        return None

    def save(self, session: RecordedSession, screenshot_id: str, reading: KeptReading) -> None:
        content = reading.model_dump_json(by_alias=True).encode()  # for nobody's eyes, and checked when it is used
        with suppress(RpaVisionError):
            path = self._sessions.reading(session, screenshot_id)
            self._files.write(path, content, durable=False)
            if not self._sessions.has(session.session_id):  # it was deleted meanwhile, and this is what comes after
                with suppress(OSError):
                    path.unlink()
                    path.parent.rmdir()
                    path.parent.parent.rmdir()
