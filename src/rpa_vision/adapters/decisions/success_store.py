"""Validated successes in SQLite, and nothing else: what learning may read.

Who decides is the supervisor: it does not offer what happened in DEGRADED. The store itself refuses whatever is not a
success. It can be made again from the audit trail, where each step's result says whether it was offered; where that is
not said (older trails), the step must have begun in RUNNING.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from rpa_vision.adapters.decisions.database import migrations, open_database, remove_database, transaction
from rpa_vision.adapters.decisions.rows import microseconds, moment
from rpa_vision.errors import DocumentError, InvalidIdError, StorageError, UsageError
from rpa_vision.models.auto_heal import ExecutionState
from rpa_vision.models.execution import ExecutionResult
from rpa_vision.models.ids import checked_id
from rpa_vision.ports.audit import AuditEntry, AuditTrail
from rpa_vision.ports.decisions import SuccessRecord
from rpa_vision.ports.runtime import Clock

_MARK: Final = 0x52565355  # "RVSU"
_INSERT: Final = "INSERT INTO success VALUES (NULL, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class RebuildReport:
    """How many successes were taken from the trail, and how many results were left out."""

    kept: int
    left_out: int


class SqliteSuccessStore:
    """Implements `ports.auto_heal.SuccessStore` and `ports.decisions.SuccessRecords`.

    With `source`, a file that is missing, torn or not ours is made again from that trail; without, torn and foreign
    files are refused.
    """

    def __init__(self, path: Path, clock: Clock, *, source: AuditTrail | None = None) -> None:
        self._path = path
        self._clock = clock
        self._source = source
        self._scripts = migrations("rpa_vision.adapters.decisions", "successes")
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def record_success(
        self, workflow_id: str, step_id: str, result: ExecutionResult, *, run_id: str | None = None
    ) -> None:
        """Keep a success whose post-conditions held, outside DEGRADED."""
        if not result.success:
            raise UsageError(
                f"step {step_id!r} of {workflow_id!r} ended as {result.status}: only successes are kept",
                remedy="Write results that are not successes to the audit trail only.",
            )
        row = _row(self._clock.now(), workflow_id, step_id, run_id, result)
        with self._lock:
            self._execute(_INSERT, row)

    def prepare(self) -> None:
        """Open the file, making it from the trail if need be, while the trail does not yet tell of the next success."""
        with self._lock:
            self._execute("SELECT 1", [])

    def successes(
        self, workflow_id: str, step_id: str | None = None, *, since: datetime | None = None, limit: int = 1000
    ) -> list[SuccessRecord]:
        """The newest successes of a workflow, or of one of its steps."""
        text, values = _which(workflow_id, step_id)
        if since is not None:
            text, values = f"{text} AND at_us >= ?", [*values, microseconds(since)]
        query = (
            f"SELECT at_us, workflow_id, step_id, run_id, result FROM success WHERE {text} "
            "ORDER BY at_us DESC, number DESC LIMIT ?"
        )
        with self._lock:
            rows = self._execute(query, [*values, limit])
        return [
            SuccessRecord(moment(at), workflow, step, run, ExecutionResult.from_json(text, where="success"))
            for at, workflow, step, run, text in rows
        ]

    def count(self, workflow_id: str, step_id: str | None = None) -> int:
        """How many there are."""
        text, values = _which(workflow_id, step_id)
        with self._lock:
            return int(self._execute(f"SELECT count(*) FROM success WHERE {text}", values)[0][0])

    def rebuild_from(self, trail: AuditTrail) -> RebuildReport:
        """Replace everything by what the trail tells, in one go: until it is through, the old content is there."""
        with self._lock:
            try:
                return _fill(self._open(), trail)
            except (sqlite3.DatabaseError, DocumentError):
                self._throw_away()
                return _fill(self._open(filling=False), trail)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._let_go()

    def _execute(self, query: str, values: list[Any]) -> list[Any]:
        try:
            return self._open().execute(query, values).fetchall()
        except sqlite3.OperationalError as error:
            raise StorageError(f"{self._path}: cannot be used ({error})") from error
        except (sqlite3.DatabaseError, DocumentError) as error:
            if self._source is None:
                raise DocumentError(
                    f"{self._path}: cannot be read ({error})",
                    remedy="Remove it; it is made from the audit trail.",
                ) from error
            self._throw_away()
            return self._open().execute(query, values).fetchall()

    def _open(self, *, filling: bool = True) -> sqlite3.Connection:
        if self._connection is None:
            is_new = not self._path.exists()
            self._connection = open_database(self._path, mark=_MARK, scripts=self._scripts)
            if is_new and filling and self._source is not None:
                _fill(self._connection, self._source)
        return self._connection

    def _let_go(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def _throw_away(self) -> None:
        self._let_go()
        remove_database(self._path)


def _fill(connection: sqlite3.Connection, trail: AuditTrail) -> RebuildReport:
    results = [0]

    def rows() -> Iterator[list[Any]]:
        for entry in trail.entries():
            if entry.kind == "step_result":
                results[0] += 1
                row = _validated(entry)
                if row is not None:
                    yield row

    with transaction(connection):
        connection.execute("DELETE FROM success")
        connection.executemany(_INSERT, rows())
        kept = int(connection.execute("SELECT count(*) FROM success").fetchone()[0])
    return RebuildReport(kept, results[0] - kept)


def _validated(entry: AuditEntry) -> list[Any] | None:
    """The row of a success that was offered, or of an older one that began in RUNNING."""
    record = entry.record
    try:
        state = ExecutionState(str(record["state"]))
        result = ExecutionResult.from_json(record.get("result") or {}, where="audit")
        workflow_id, step_id = checked_id(record["workflow_id"]), checked_id(record["step_id"])
        run_id = checked_id(record["run_id"]) if record.get("run_id") is not None else None
        at = datetime.fromisoformat(entry.time)
    except (ValueError, KeyError, TypeError, DocumentError, InvalidIdError):
        return None
    if not result.success or not record.get("stored", state is ExecutionState.RUNNING):
        return None
    return _row(at, workflow_id, step_id, run_id, result)


def _row(at: datetime, workflow_id: str, step_id: str, run_id: str | None, result: ExecutionResult) -> list[Any]:
    return [microseconds(at), workflow_id, step_id, run_id, result.model_dump_json()]


def _which(workflow_id: str, step_id: str | None) -> tuple[str, list[Any]]:
    if step_id is None:
        return "workflow_id = ?", [workflow_id]
    return "workflow_id = ? AND step_id = ?", [workflow_id, step_id]
