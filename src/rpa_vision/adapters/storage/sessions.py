"""Recorded sessions: a journal while they are recorded, a whole document afterwards, pictures beside both."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from pathlib import Path

from rpa_vision.adapters.storage import journal
from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.adapters.storage.data_files import MAX_DOCUMENT_BYTES, MAX_PICTURE_BYTES, DataFiles, unknown
from rpa_vision.adapters.storage.paths import day_of
from rpa_vision.adapters.storage.session_writer import FileSessionWriter
from rpa_vision.errors import BeingRecordedError, DocumentError, RpaVisionError, StorageError, UnknownIdError
from rpa_vision.models.ids import checked_id
from rpa_vision.models.raw_session import RawSession, RecordedSession, Screenshot
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import Listing, SessionSummary, Unreadable

_PNG_END = b"IEND\xaeB`\x82"


class FileSessionStore:
    """Implements `ports.storage.SessionStore`."""

    def __init__(self, files: DataFiles, clock: Clock) -> None:
        self._files = files
        self._clock = clock

    def begin(self, session: RawSession) -> FileSessionWriter:
        if self._day(session.session_id) is not None:
            raise StorageError(f"the session {session.session_id!r} is there already", remedy="Use another id.")
        return FileSessionWriter(self._files, self._clock, session)

    def save(self, session: RecordedSession) -> None:
        day = self._day(session.session_id) or day_of(session.started_at)
        path = self._files.paths.session_document(day, session.session_id)
        document = self._files.encoded(path, session)
        # The journal goes first: when this is interrupted, the document still is what it was, and where something was
        # taken out of a session on purpose, nothing of it stays behind in the journal once the document says so.
        lines = b"\n".join(journal.lines_of(session)) + b"\n"
        self._files.write(self._files.paths.session_journal(day, session.session_id), lines)
        self._files.write(path, document)

    def load(self, session_id: str) -> RecordedSession:
        day = self._day(session_id)
        if day is None:
            known = [summary.session_id for summary in self.list().items]
            raise unknown("session", session_id, known, command="rpa-vision sessions")
        return self._read(day, session_id)

    def list(self) -> Listing[SessionSummary]:
        found: list[SessionSummary] = []
        unreadable: list[Unreadable] = []
        for day in self._files.paths.days("sessions"):
            try:
                names = self._ids(day)
            except StorageError as error:
                unreadable.append(Unreadable(name=f"sessions/{day}", problem=str(error)))
                continue
            for name in names:
                try:
                    found.append(self._summary(day, name))
                except RpaVisionError as error:
                    unreadable.append(Unreadable(name=f"sessions/{day}/{name}", problem=str(error)))
        found.sort(key=lambda summary: (summary.started_at, summary.session_id), reverse=True)
        return Listing(tuple(found), tuple(unreadable))

    def has(self, session_id: str) -> bool:
        return self._day(session_id) is not None

    def is_being_recorded(self, session_id: str) -> bool:
        day = self._day(session_id)
        lines = self._files.paths.session_journal(day, session_id) if day is not None else None
        return lines is not None and self._files.has(lines) and _is_held(lines)

    def delete(self, session_id: str) -> None:
        day = self._day(session_id)
        if day is None:
            known = [summary.session_id for summary in self.list().items]
            raise unknown("session", session_id, known, command="rpa-vision sessions")
        lines = self._files.paths.session_journal(day, session_id)
        if self.is_being_recorded(session_id):
            raise BeingRecordedError(f"{session_id} is being recorded")
        try:
            # What says that the session is there goes last: one that was cut off half way is still listed. Then once
            # more what a reader put there meanwhile.
            for path in (lines.parent / "shots", lines.parent / "read", lines.parent):
                _remove(path)
            self._files.paths.session_document(day, session_id).unlink(missing_ok=True)
            _remove(lines.parent)
        except OSError as error:
            raise StorageError(f"sessions/{day}/{session_id}: cannot be removed ({error.strerror})") from error

    def screenshot(self, session: RecordedSession, screenshot_id: str) -> bytes:
        return self._files.read(self._picture(session, screenshot_id), limit=MAX_PICTURE_BYTES)

    def screenshot_path(self, session: RecordedSession, screenshot_id: str) -> str:
        return self._files.paths.relative(self._picture(session, screenshot_id))

    def reading(self, session: RecordedSession, screenshot_id: str) -> Path:
        """Where it is kept what was read of a picture."""
        return self._files.paths.session_reading(self._filed(session), session.session_id, screenshot_id)

    def _picture(self, session: RecordedSession, screenshot_id: str) -> Path:
        shot = session.screenshot(screenshot_id)
        if shot is None:
            raise UnknownIdError(f"the session {session.session_id!r} has no screenshot {screenshot_id!r}")
        return self._files.paths.session_picture(self._filed(session), session.session_id, shot.relative_path)

    def _filed(self, session: RecordedSession) -> str:
        usual = day_of(session.started_at)
        return self._day(session.session_id, usual) or usual

    def _day(self, session_id: str, *likely: str) -> str | None:
        """The day a session is filed under, if there is one with that id."""
        checked_id(session_id, what="session")
        paths = self._files.paths
        for day in dict.fromkeys((*likely, *paths.days("sessions"))):
            with suppress(StorageError):  # one bad folder does not hide the others
                found = (paths.session_document(day, session_id), paths.session_journal(day, session_id))
                if any(self._files.has(path) for path in found):
                    return day
        return None

    def _ids(self, day: str) -> tuple[str, ...]:
        """What a day holds: documents by the name of their file, recordings by the name of their folder."""
        folder = self._files.paths.root / "sessions" / day
        names = self._files.paths.names("sessions", day)
        documents = {name.removesuffix(".json") for name in names if name.endswith(".json")}
        return tuple(sorted(documents | {name for name in names if self._files.has(folder / name / "journal.jsonl")}))

    def _read(self, day: str, session_id: str) -> RecordedSession:
        document = self._files.paths.session_document(day, session_id)
        if not self._files.has(document):
            return self._rebuilt(day, session_id)
        try:
            return self._files.read_document(document, RecordedSession, key="session_id", expected=session_id)
        except DocumentError:
            # A torn file is mended from the journal. One that is whole but wrong was changed by somebody, who
            # would rather be told.
            whole = _is_json(self._files.read(document, limit=MAX_DOCUMENT_BYTES))
            if whole or not self._files.has(self._files.paths.session_journal(day, session_id)):
                raise
            return self._rebuilt(day, session_id)

    def _rebuilt(self, day: str, session_id: str) -> RecordedSession:
        paths = self._files.paths
        path = paths.session_journal(day, session_id)
        where = paths.relative(path)

        def has_picture(shot: Screenshot) -> bool:
            try:
                return _is_whole_png(paths.session_picture(day, session_id, shot.relative_path))
            except RpaVisionError:  # a path that is none
                return False

        lines = self._files.read(path, limit=MAX_DOCUMENT_BYTES)
        session = journal.rebuilt(lines, where=where, has_picture=has_picture)
        if session.session_id != session_id:
            raise DocumentError(f"{where}: session_id: is {session.session_id!r}, but the folder is {session_id!r}")
        return session

    def _summary(self, day: str, session_id: str) -> SessionSummary:
        session = self._read(day, session_id)
        document = self._files.paths.session_document(day, session_id)
        return SessionSummary(
            session_id=session_id,
            name=session.context.get("name") or session.context.get("training_label") or session_id,
            started_at=session.started_at,
            events=len(session.events),
            screenshots=len(session.screenshots),
            complete=session.ended_at is not None,
            path=str(document if self._files.has(document) else self._files.paths.session_journal(day, session_id)),
        )


def _remove(folder: Path) -> None:
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)


def _is_held(lines: Path) -> bool:
    """Whoever records a session holds its journal until the recording ends, or the recorder dies."""
    with AppendFile(lines) as held:
        try:
            with held.alone(wait=False):
                return False
        except BlockingIOError:
            return True


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def _is_whole_png(path: Path) -> bool:
    """Whether a picture made it to the disk to its last byte."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - len(_PNG_END)))
            return file.read() == _PNG_END
    except OSError:
        return False
