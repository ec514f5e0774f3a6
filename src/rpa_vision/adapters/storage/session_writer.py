"""A session while it is recorded: every line is handed to the system at once, and forced to disk twice a second."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path

from rpa_vision.adapters.storage import journal
from rpa_vision.adapters.storage.atomic import make_durable
from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.adapters.storage.paths import day_of
from rpa_vision.errors import DocumentError, StorageError
from rpa_vision.models.raw_session import CaptureMetrics, Event, RawSession, RecordedSession, Screenshot
from rpa_vision.ports.runtime import Clock

SYNC_EVERY_S = 0.5


class FileSessionWriter:
    """Implements `ports.storage.SessionWriter`. Keeps its own copy of the session: add here, not to the builder."""

    def __init__(self, files: DataFiles, clock: Clock, session: RawSession) -> None:
        self._files = files
        self._clock = clock
        self._session = RawSession.from_json(session.to_json())
        self._day = day_of(session.started_at)
        self._document = files.paths.session_document(self._day, session.session_id)
        self._journal = files.open_new(files.paths.session_journal(self._day, session.session_id))
        self._journal.hold()
        self._shots = {shot.screenshot_id for shot in session.screenshots}
        self._aftermaths: dict[int, str] = {}
        self._not_durable: list[Path] = []
        self._lock = threading.Lock()
        self._ended = False
        for line in journal.lines_of(session.snapshot()):
            self._journal.append(line)
        self._sync()

    @property
    def path(self) -> str:
        return str(self._document)

    def add_screenshot(self, screenshot: Screenshot, png: bytes) -> None:
        with self._lock:
            self._check_open()
            if screenshot.screenshot_id in self._shots:
                raise DocumentError(f"screenshot_id: {screenshot.screenshot_id!r} is there already")
            session_id = self._session.session_id
            path = self._files.paths.session_picture(self._day, session_id, screenshot.relative_path)
            self._files.write(path, png, durable=False)
            self._not_durable.append(path)
            self._journal.append(journal.screenshot_line(screenshot))
            self._shots.add(screenshot.screenshot_id)
            self._session.add_screenshot(screenshot)
            self._sync_when_due()

    def add_event(self, event: Event) -> None:
        with self._lock:
            self._check_open()
            for name in ("screenshot_id", "screenshot_after_id"):
                wanted = getattr(event, name)
                if wanted is not None and wanted not in self._shots:
                    raise DocumentError(f"{name}: no screenshot has the id {wanted!r}")
            self._journal.append(journal.event_line(event))
            self._session.add_event(event)
            self._sync_when_due()

    def add_aftermath(self, event_number: int, screenshot_id: str) -> None:
        with self._lock:
            self._check_open()
            if not 0 <= event_number < len(self._session.events):
                raise DocumentError(f"event_number: the session has no event {event_number}")
            if screenshot_id not in self._shots:
                raise DocumentError(f"screenshot_id: no screenshot has the id {screenshot_id!r}")
            self._journal.append(journal.aftermath_line(event_number, screenshot_id))
            self._aftermaths[event_number] = screenshot_id
            self._sync_when_due()

    def end(self, ended_at: datetime, capture: CaptureMetrics) -> RecordedSession:
        with self._lock:
            self._check_open()
            self._session.end(ended_at, capture)
            session = self._completed(self._session.snapshot())
            self._journal.append(journal.end_line(session))
            self._sync()
            self._files.write_document(self._document, session)
            self._journal.close()
            self._ended = True
            return session

    def _completed(self, session: RecordedSession) -> RecordedSession:
        """The session with the pictures that came later than their events."""
        if not self._aftermaths:
            return session
        events = list(session.events)
        for number, screenshot_id in self._aftermaths.items():
            events[number] = events[number].model_copy(update={"screenshot_after_id": screenshot_id})
        return session.model_copy(update={"events": tuple(events)})

    def _check_open(self) -> None:
        if self._ended:
            raise StorageError("the session has ended; nothing can be added to it", remedy="Begin a new session.")

    def _sync_when_due(self) -> None:
        if self._clock.monotonic() - self._synced_at >= SYNC_EVERY_S:
            self._sync()

    def _sync(self) -> None:
        make_durable(self._not_durable)
        self._not_durable.clear()
        self._journal.sync()
        self._synced_at = self._clock.monotonic()
