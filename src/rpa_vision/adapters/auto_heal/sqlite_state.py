"""The supervisor's memory in SQLite: one truth for every process on a data directory.

Each transaction takes the write lock before it reads, so that what it read still holds when it writes, and is forced to
the disk when it ends. A file that cannot be read is moved aside, never deleted, and the error says where it went.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.errors import StorageError, SupervisorStateDamagedError
from rpa_vision.models.document import JsonObject

_BUSY_TIMEOUT_S = 30.0
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_SIDE_FILES = ("", "-wal", "-shm")


class SqliteState:
    """Implements `ports.auto_heal.StateStore`. Usable from several threads and after a fork."""

    def __init__(self, path: Path, *, busy_timeout_s: float = _BUSY_TIMEOUT_S) -> None:
        self._path = path
        self._busy_timeout_s = busy_timeout_s
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._pid = 0
        self._owner: int | None = None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[SqliteRecords]:
        """Read and change records, alone; on disk, whole, when it ends."""
        if self._owner == threading.get_ident():
            raise StorageError(
                f"{self._path}: a transaction inside a transaction", remedy="This is a programming error."
            )
        with self._lock:
            self._owner = threading.get_ident()
            try:
                connection = self._ready()
                with self._explained():
                    connection.execute("BEGIN IMMEDIATE")
                try:
                    with self._explained():
                        yield SqliteRecords(connection)
                        connection.execute("COMMIT")
                except BaseException:
                    with contextlib.suppress(sqlite3.Error):
                        if connection.in_transaction:
                            connection.execute("ROLLBACK")
                    raise
            finally:
                self._owner = None

    def close(self) -> None:
        """Let go of the file. The next transaction opens it again."""
        with self._lock:
            if self._connection is not None and self._pid == os.getpid():
                self._connection.close()
            self._connection = None

    def _ready(self) -> sqlite3.Connection:
        if self._connection is None or self._pid != os.getpid():  # a connection does not survive a fork
            self._connection = self._open()
            self._pid = os.getpid()
        return self._connection

    def _open(self) -> sqlite3.Connection:
        AppendFile(self._path).close()  # makes the folder, and the file readable by its owner only
        with self._explained():
            connection = sqlite3.connect(
                self._path, timeout=self._busy_timeout_s, isolation_level=None, check_same_thread=False
            )
            try:
                if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
                    with self._door() as door, door.alone():  # SQLite does not wait for others who do this too
                        connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
                if problem != "ok":
                    raise _damaged(f"{self._path}: {problem}")
                _migrate(connection, self._path)
            except BaseException:
                connection.close()
                raise
            return connection

    @contextlib.contextmanager
    def _explained(self) -> Iterator[None]:
        """Errors of SQLite in the words of the house; a damaged file is moved out of the way."""
        try:
            yield
        except sqlite3.Error as error:
            code = (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF
            if code in _DAMAGED:
                raise self._move_aside(str(error)) from error
            if code in _BUSY:
                raise StorageError(
                    f"{self._path}: another process holds it for more than {self._busy_timeout_s:g} s",
                    remedy="Find the process that hangs, and end it.",
                ) from error
            raise StorageError(f"{self._path}: {error}") from error

    def _move_aside(self, problem: str) -> StorageError:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None
        with self._door() as door, door.alone():
            if not _is_damaged(self._path):  # another process moved it aside already, and a new one is in its place
                return StorageError(f"{self._path}: was damaged and replaced ({problem})", remedy="Try again.")
            number = next(n for n in range(1, 1 << 20) if not self._aside(n, "").exists())
            for suffix in reversed(_SIDE_FILES):
                with contextlib.suppress(FileNotFoundError):
                    self._path.with_name(self._path.name + suffix).rename(self._aside(number, suffix))
        return SupervisorStateDamagedError(
            f"{self._path}: the supervisor's memory is damaged ({problem}); moved to {self._aside(number, '').name}"
        )

    def _door(self) -> AppendFile:
        return AppendFile(self._path.with_name(self._path.name + ".lock"))

    def _aside(self, number: int, suffix: str) -> Path:
        return self._path.with_name(f"{self._path.name}.damaged-{number}{suffix}")


class SqliteRecords:
    """Implements `ports.auto_heal.StateRecords` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get(self, key: str) -> JsonObject | None:
        row = self._connection.execute("SELECT document FROM records WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        record: JsonObject = json.loads(row[0])
        return record

    def put(self, key: str, record: JsonObject) -> None:
        text = json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        self._connection.execute("INSERT OR REPLACE INTO records (key, document) VALUES (?, ?)", (key, text))

    def delete(self, key: str) -> None:
        self._connection.execute("DELETE FROM records WHERE key = ?", (key,))

    def keys(self) -> list[str]:
        return [row[0] for row in self._connection.execute("SELECT key FROM records ORDER BY key")]


def _migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring the file to the newest layout: every migration once, in order, all or nothing."""
    folder = resources.files("rpa_vision.adapters.auto_heal") / "migrations"
    scripts = sorted((item for item in folder.iterdir() if item.name.endswith(".sql")), key=lambda item: item.name)
    if connection.execute("PRAGMA user_version").fetchone()[0] == len(scripts):
        return
    connection.execute("BEGIN IMMEDIATE")
    done: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if done > len(scripts):
        connection.execute("ROLLBACK")
        raise StorageError(f"{path}: was written by a newer version of RPA Vision", remedy="Update RPA Vision.")
    for script in scripts[done:]:
        for statement in script.read_text(encoding="utf-8").split(";\n"):
            connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {len(scripts)}")
    connection.execute("COMMIT")


def _damaged(message: str) -> sqlite3.DatabaseError:
    error = sqlite3.DatabaseError(message)
    error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
    return error


def _is_damaged(path: Path) -> bool:
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=_BUSY_TIMEOUT_S)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok")
    except sqlite3.DatabaseError:
        return True
