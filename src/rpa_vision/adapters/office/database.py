"""One SQLite file of the office: opened when it is first used, by one thread at a time, errors told as ours."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from rpa_vision.adapters.decisions.database import migrations, open_database, transaction
from rpa_vision.errors import StorageError


class OfficeDatabase:
    """A database with the migrations of its folder below this package."""

    def __init__(self, path: Path, *, mark: int, folder: str) -> None:
        self._path = path
        self._mark = mark
        self._scripts = migrations("rpa_vision.adapters.office", folder)
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The database, for statements that commit by themselves."""
        with self._lock:
            if self._connection is None:
                self._connection = open_database(self._path, mark=self._mark, scripts=self._scripts)
                self._connection.row_factory = sqlite3.Row
                self._connection.execute("PRAGMA foreign_keys = ON")
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise StorageError(f"{self._path.name}: cannot be used ({error})") from error

    @contextmanager
    def changing(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        """The database, to change several things as one. What is durable survives a power cut too."""
        with self.reading() as database:
            database.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
            with transaction(database):
                yield database

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None


def text_of(moment: datetime) -> str:
    """A moment as it is kept: UTC in ISO format, so that moments sort as text."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def time_of(text: str) -> datetime:
    """The moment again."""
    return datetime.fromisoformat(text)
