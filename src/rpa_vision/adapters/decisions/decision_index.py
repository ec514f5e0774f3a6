"""An index over the audit trail in SQLite: taken in piece by piece, thrown away and built again when it is not right.

The trail is the truth. The index remembers the place up to which it has taken it in and the hash of the entry there;
when the next entry is not tied to that one, or the database is torn or not ours, everything is taken in anew.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from rpa_vision.adapters.decisions.database import (
    migrate,
    migrations,
    open_database,
    remove_database,
    transaction,
    version,
)
from rpa_vision.adapters.decisions.rows import Row, decision_of, moment, row_of, where
from rpa_vision.errors import DocumentError, StorageError
from rpa_vision.ports.audit import AuditEntry, AuditPosition, AuditTrail
from rpa_vision.ports.decisions import ConfidencePoint, Decision, DecisionFilter, FailureCount, StepFailures

_MARK: Final = 0x52564449  # "RVDI"
_BATCH: Final = 20_000
_TABLES_ONLY: Final = 1  # without indexes, until the trail was taken in for the first time
_INSERT: Final = f"INSERT INTO decision VALUES (NULL{', ?' * 13})"

T = TypeVar("T")


class SqliteDecisionIndex:
    """Implements `ports.decisions.DecisionIndex`. Several threads and processes may use one file."""

    def __init__(self, path: Path, trail: AuditTrail) -> None:
        self._path = path
        self._trail = trail
        self._scripts = migrations("rpa_vision.adapters.decisions", "index")
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    def refresh(self) -> int:
        """Take in what was appended since; says how many entries."""
        return self._ask(self._take_in)

    def rebuild(self) -> int:
        """Throw the index away and take everything in; says how many entries."""
        with self._lock:
            self._throw_away()
            return self.refresh()

    def find(
        self, which: DecisionFilter, *, limit: int = 100, newest_first: bool = True, before: int | None = None
    ) -> list[Decision]:
        """Decisions in order; `before` (a number) goes on where a page ended."""
        text, values = where(which)
        if before is not None:
            comparison = "<" if newest_first else ">"
            text += f" AND (at_us, number) {comparison} (SELECT at_us, number FROM decision WHERE number = ?)"
            values.append(before)
        order = "DESC" if newest_first else "ASC"
        query = f"SELECT * FROM decision WHERE {text} ORDER BY at_us {order}, number {order} LIMIT ?"
        return [decision_of(row) for row in self._rows(query, [*values, limit])]

    def count(self, which: DecisionFilter) -> int:
        """How many there are."""
        text, values = where(which)
        return int(self._rows(f"SELECT count(*) FROM decision WHERE {text}", values)[0][0])

    def failing_steps(self, which: DecisionFilter, *, limit: int = 10) -> list[StepFailures]:
        """The steps that failed most, the worst first."""
        text, values = where(which)
        query = (
            "SELECT workflow_id, step_id, count(*), sum(status = 'failed') AS failures FROM decision "
            f"WHERE {text} AND kind = 'step_result' AND workflow_id IS NOT NULL AND step_id IS NOT NULL "
            "GROUP BY workflow_id, step_id HAVING failures > 0 "
            "ORDER BY failures DESC, failures * 1.0 / count(*) DESC, workflow_id, step_id LIMIT ?"
        )
        return [StepFailures(*row) for row in self._rows(query, [*values, limit])]

    def failure_kinds(self, which: DecisionFilter) -> list[FailureCount]:
        """How workflows fail, the most frequent first."""
        text, values = where(which)
        query = (
            f"SELECT workflow_id, failure_kind, count(*) FROM decision WHERE {text} AND kind = 'step_result' "
            "AND workflow_id IS NOT NULL AND failure_kind IS NOT NULL "
            "GROUP BY workflow_id, failure_kind ORDER BY count(*) DESC, workflow_id, failure_kind"
        )
        return [FailureCount(*row) for row in self._rows(query, values)]

    def confidence_over_time(self, which: DecisionFilter, *, bucket_s: int) -> list[ConfidencePoint]:
        """Mean confidence of step results, per stretch of time that has any."""
        text, values = where(which)
        width_us = bucket_s * 1_000_000
        query = (
            "SELECT at_us / ? AS bucket, count(*), avg(confidence), min(confidence) FROM decision "
            f"WHERE {text} AND kind = 'step_result' AND confidence IS NOT NULL GROUP BY bucket ORDER BY bucket"
        )
        return [
            ConfidencePoint(moment(bucket * width_us), results, mean, lowest)
            for bucket, results, mean, lowest in self._rows(query, [width_us, *values])
        ]

    def plan(self, which: DecisionFilter) -> str:
        """How SQLite would look a question up, for whoever wonders why it is slow."""
        text, values = where(which)
        query = f"EXPLAIN QUERY PLAN SELECT * FROM decision WHERE {text} ORDER BY at_us, number"
        return "; ".join(row[3] for row in self._rows(query, values))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _rows(self, query: str, values: list[Any]) -> list[Any]:
        return self._ask(lambda connection: self._built(connection).execute(query, values).fetchall())

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        """Ask; when the database turns out not to be right, once more over a new one."""
        with self._lock:
            try:
                return question(self._open())
            except sqlite3.OperationalError as error:
                raise StorageError(f"{self._path}: cannot be used ({error})") from error
            except (sqlite3.DatabaseError, DocumentError):
                self._throw_away()
                connection = self._open()
                self._take_in(connection)
                return question(connection)

    def _open(self) -> sqlite3.Connection:
        if self._connection is None or not self._path.exists():
            self.close()
            self._connection = open_database(self._path, mark=_MARK, scripts=self._scripts, upto=_TABLES_ONLY)
        return self._connection

    def _built(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        """Without its indexes the database was never filled, or somebody was killed while filling it."""
        if version(connection) < len(self._scripts):
            self._take_in(connection)
        return connection

    def _throw_away(self) -> None:
        self.close()
        remove_database(self._path)

    def _take_in(self, connection: sqlite3.Connection) -> int:
        count = 0
        while taken := self._take_batch(connection):
            count += taken
        migrate(connection, mark=_MARK, scripts=self._scripts)
        return count

    def _take_batch(self, connection: sqlite3.Connection) -> int:
        """One piece, whole or not at all: whoever is killed, the next one goes on after the last whole piece."""
        if not self._has_more(connection):
            return 0
        with transaction(connection):
            after, known = _progress(connection)
            entries = list(islice(self._trail.entries(after), _BATCH))
            if known is not None and (entries[0].prev != known if entries else self._trail.end() < after):
                _forget(connection)  # the trail is another one than it was
                entries = list(islice(self._trail.entries(), _BATCH))
            if entries:
                connection.executemany(_INSERT, _rows_of(connection, entries))
                last = entries[-1]
                connection.execute(
                    "INSERT OR REPLACE INTO progress VALUES (1, ?, ?, ?)", (last.end.file, last.end.offset, last.hash)
                )
        return len(entries)

    def _has_more(self, connection: sqlite3.Connection) -> bool:
        """Look first: an index that is up to date needs no lock."""
        after, known = _progress(connection)
        end = self._trail.end()
        return end != after if known is not None else end != AuditPosition()


def _progress(connection: sqlite3.Connection) -> tuple[AuditPosition, str | None]:
    row = connection.execute("SELECT file, place, hash FROM progress").fetchone()
    return (AuditPosition(row[0], row[1]), row[2]) if row is not None else (AuditPosition(), None)


def _forget(connection: sqlite3.Connection) -> None:
    for table in ("decision", "run", "progress"):
        connection.execute(f"DELETE FROM {table}")


def _rows_of(connection: sqlite3.Connection, entries: list[AuditEntry]) -> Iterator[Row]:
    """Rows of a batch; where an entry names only its run, the run's workflow is looked up."""
    workflows: dict[str, str | None] = {}
    for entry in entries:
        run_id, workflow_id = entry.record.get("run_id"), entry.record.get("workflow_id")
        if isinstance(run_id, str):
            if isinstance(workflow_id, str):
                if workflows.get(run_id) != workflow_id:
                    workflows[run_id] = workflow_id
                    connection.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (run_id, workflow_id))
            else:
                if run_id not in workflows:
                    row = connection.execute("SELECT workflow_id FROM run WHERE run_id = ?", (run_id,)).fetchone()
                    workflows[run_id] = row[0] if row is not None else None
                workflow_id = workflows[run_id]
        yield row_of(entry, workflow_id if isinstance(workflow_id, str) else None)
