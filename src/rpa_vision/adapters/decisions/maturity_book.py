"""How mature workflows are, in SQLite: nothing but the last word of the audit trail about each, kept at hand.

Whoever opens the book takes in what the trail says since, so a process that was killed between writing the trail and
writing here has lost nothing. To write is to append to the trail, and to take that in; the write lock of the database
is held all the while, so that what was read still holds. A file that is missing, torn or not ours is made again. A
line of the trail that somebody wrote or changed by hand gives no trust: it takes away what its workflow had.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from pydantic import JsonValue

from rpa_vision.adapters.audit.entries import is_as_written
from rpa_vision.adapters.decisions.database import migrations, open_database, remove_database
from rpa_vision.errors import DocumentError, StorageError
from rpa_vision.models.maturity import Maturity
from rpa_vision.ports.audit import AuditEntry, AuditLog, AuditPosition, AuditTrail

_MARK: Final = 0x52564D41  # "RVMA"
KINDS: Final = frozenset({"run_counted", "maturity_changed", "maturity_noted"})


class Trail(AuditLog, AuditTrail, Protocol):
    """The audit trail, written and read."""


class SqliteMaturityBook:
    """Implements `ports.maturity.MaturityBook`. Several threads and processes may use one file."""

    def __init__(self, path: Path, trail: Trail) -> None:
        self._path = path
        self._trail = trail
        self._scripts = migrations("rpa_vision.adapters.decisions", "maturity")
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    @contextmanager
    def open(self) -> Iterator[SqliteMaturityPages]:
        """Read and change, as one, with all that the trail says so far."""
        with self._lock:
            connection = self._begin()
            try:
                yield SqliteMaturityPages(connection, self._trail)
                connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._give_up(connection)
                raise StorageError(f"{self._path}: cannot be used ({error})") from error
            except BaseException:
                self._give_up(connection)
                raise

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._let_go()

    def _begin(self) -> sqlite3.Connection:
        """A transaction that knows the whole trail; over a new file, once, where the old one is not right."""
        try:
            return self._taken_in()
        except sqlite3.OperationalError as error:
            self._let_go()
            raise StorageError(f"{self._path}: cannot be used ({error})") from error
        except (sqlite3.DatabaseError, DocumentError):
            self._let_go()
            remove_database(self._path)
            return self._taken_in()

    def _taken_in(self) -> sqlite3.Connection:
        if self._connection is None or not self._path.exists():
            self._let_go()
            self._connection = open_database(self._path, mark=_MARK, scripts=self._scripts)
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            take_in(connection, self._trail)
        except BaseException:
            self._give_up(connection)
            raise
        return connection

    def _give_up(self, connection: sqlite3.Connection) -> None:
        with suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None


class SqliteMaturityPages:
    """Implements `ports.maturity.MaturityPages` inside one transaction."""

    def __init__(self, connection: sqlite3.Connection, trail: Trail) -> None:
        self._connection = connection
        self._trail = trail

    def get(self, workflow_id: str) -> Maturity | None:
        query = "SELECT document FROM maturity WHERE workflow_id = ?"
        row = self._connection.execute(query, (workflow_id,)).fetchone()
        return Maturity.from_json(row[0], where="maturity") if row is not None else None

    def all(self) -> list[Maturity]:
        rows = self._connection.execute("SELECT document FROM maturity ORDER BY workflow_id")
        return [Maturity.from_json(row[0], where="maturity") for row in rows]

    def is_counted(self, workflow_id: str, source: str) -> bool:
        query = "SELECT 1 FROM counted WHERE workflow_id = ? AND source = ?"
        return self._connection.execute(query, (workflow_id, source)).fetchone() is not None

    def audit(self, kind: str, record: dict[str, JsonValue]) -> None:
        self._trail.append(kind, record)
        take_in(self._connection, self._trail)


def take_in(connection: sqlite3.Connection, trail: AuditTrail) -> None:
    """Bring the database up to the end of the trail; from its beginning, where it is another one than it was."""
    row = connection.execute("SELECT file, place, hash FROM progress").fetchone()
    after, known = (AuditPosition(row[0], row[1]), row[2]) if row is not None else (AuditPosition(), None)
    end = trail.end()
    if end == after:
        return
    entries = trail.entries(after)
    first = next(entries, None)
    if known is not None and (first.prev != known if first is not None else end < after):
        for table in ("maturity", "counted", "progress"):
            connection.execute(f"DELETE FROM {table}")
        entries, known = trail.entries(), None
        first = next(entries, None)
    last: AuditEntry | None = None
    while first is not None:
        is_tied = known is None or first.prev == known
        _take(connection, first, is_true=is_tied and first.kind in KINDS and is_as_written(first))
        last, known, first = first, first.hash, next(entries, None)
    if last is not None:
        place = (last.end.file, last.end.offset, last.hash)
        connection.execute("INSERT OR REPLACE INTO progress VALUES (1, ?, ?, ?)", place)


def _take(connection: sqlite3.Connection, entry: AuditEntry, *, is_true: bool) -> None:
    """The last word about a workflow holds, and what is not true is the last word too: of what had been earned until
    then nobody knows any more. What cannot be read says nothing, and trust is not made of nothing."""
    if entry.kind not in KINDS:
        return
    try:
        known = Maturity.from_json(entry.record.get("maturity") or {}, where="audit")
    except DocumentError:
        return
    if not is_true:
        connection.execute("DELETE FROM maturity WHERE workflow_id = ?", (known.workflow_id,))
        return
    connection.execute("INSERT OR REPLACE INTO maturity VALUES (?, ?)", (known.workflow_id, known.model_dump_json()))
    source = entry.record.get("source")
    if isinstance(source, str):
        connection.execute("INSERT OR IGNORE INTO counted VALUES (?, ?)", (known.workflow_id, source))
