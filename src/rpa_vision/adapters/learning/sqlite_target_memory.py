"""The target memory in SQLite: one small table, one writer at a time, many readers, any number of processes.

Reading never makes the file. A file that SQLite calls broken is moved aside, never deleted, and said so once; the
memory then begins anew, and the rows that versions hold can still be restored.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib import resources
from typing import Any, cast

from pydantic import ValidationError

from rpa_vision.adapters.storage.data_files import DataFiles
from rpa_vision.errors import DocumentError, RpaVisionError, StorageError
from rpa_vision.models.screen_state import LayoutSignature
from rpa_vision.models.ui_element import ELEMENT_TYPES, ElementType
from rpa_vision.ports.learning import FoundTarget, RememberedTarget, TargetPlace
from rpa_vision.ports.runtime import Clock

_BUSY_S = 10.0
_COLUMNS = (
    "workflow_id, edge_id, target_key, context, stable_id, label, type, role, x1, y1, x2, y2, strategy, score, "
    "successes, first_at, last_at, layout"
)
_INSERT = f"INSERT INTO remembered_targets ({_COLUMNS}) VALUES ({', '.join('?' * len(_COLUMNS.split(',')))})"
_PLACE = "workflow_id = ? AND edge_id = ? AND target_key = ? AND context = ?"
_SQLITE = b"SQLite format 3\0"
_BROKEN = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


class SqliteTargetMemory:
    """Implements `ports.learning.TargetMemoryTable`. Usable from several threads."""

    def __init__(self, files: DataFiles, clock: Clock) -> None:
        self._files = files
        self._path = files.paths.target_memory
        self._clock = clock
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None

    def add(self, place: TargetPlace, found: FoundTarget, at: datetime) -> None:
        moment = _written(at)
        row = (*_key(place), found.stable_id, found.label, found.type, found.role, *found.bbox_relative,
               found.strategy, found.score, 1, moment, moment, _layout_written(place))  # fmt: skip
        with self._transaction() as connection:
            connection.execute(
                f"{_INSERT} ON CONFLICT DO UPDATE SET successes = successes + 1, label = excluded.label, "
                "type = excluded.type, role = excluded.role, x1 = excluded.x1, y1 = excluded.y1, x2 = excluded.x2, "
                "y2 = excluded.y2, strategy = excluded.strategy, score = excluded.score, last_at = excluded.last_at, "
                "layout = coalesce(layout, excluded.layout)",
                row,
            )

    def find(self, place: TargetPlace) -> Sequence[RememberedTarget]:
        sql = f"SELECT {_COLUMNS} FROM remembered_targets WHERE {_PLACE} ORDER BY successes DESC, last_at DESC"
        return [_remembered(row) for row in self._rows(sql, _key(place))]

    def layouts(self, place: TargetPlace) -> Mapping[str, LayoutSignature]:
        sql = (
            "SELECT DISTINCT context, layout FROM remembered_targets WHERE workflow_id = ? AND edge_id = ? "
            "AND target_key = ? AND layout IS NOT NULL ORDER BY context"
        )
        found: dict[str, LayoutSignature] = {}
        for context, layout in self._rows(sql, _key(place)[:3]):
            with suppress(DocumentError):  # one that cannot be read is known by its hash alone, as all were once
                found[context] = _layout_read(layout)
        return found

    def drop(self, place: TargetPlace, stable_id: str | None) -> int:
        if not self._files.has(self._path):
            return 0
        one = () if stable_id is None else (stable_id,)
        condition = f"{_PLACE} AND stable_id = ?" if one else _PLACE
        with self._transaction() as connection:
            return connection.execute(
                f"DELETE FROM remembered_targets WHERE {condition}", (*_key(place), *one)
            ).rowcount

    def trim(self, workflow_id: str, edge_id: str, *, per_edge: int, per_workflow: int) -> int:
        oldest = (
            "DELETE FROM remembered_targets WHERE (workflow_id, edge_id, target_key, context, stable_id) IN "
            "(SELECT workflow_id, edge_id, target_key, context, stable_id FROM remembered_targets WHERE {} "
            "ORDER BY last_at DESC, successes DESC LIMIT -1 OFFSET ?)"
        )
        with self._transaction() as connection:
            mine = connection.execute(
                oldest.format("workflow_id = ? AND edge_id = ?"), (workflow_id, edge_id, per_edge)
            ).rowcount
            return mine + connection.execute(oldest.format("workflow_id = ?"), (workflow_id, per_workflow)).rowcount

    def count(self, workflow_id: str) -> int:
        sql = "SELECT count(*) FROM remembered_targets WHERE workflow_id = ?"
        return sum(int(row[0]) for row in self._rows(sql, (workflow_id,)))

    def export_rows(self, workflow_id: str) -> bytes:
        rows = self._rows(
            f"SELECT {_COLUMNS} FROM remembered_targets WHERE workflow_id = ? "
            "ORDER BY edge_id, target_key, context, stable_id",
            (workflow_id,),
        )
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
            _migrate(copy)
            copy.execute("BEGIN")
            copy.executemany(_INSERT, rows)
            copy.execute("COMMIT")
            return copy.serialize()

    def import_rows(self, workflow_id: str, snapshot: bytes) -> None:
        rows = _read_snapshot(workflow_id, snapshot)
        if not rows and not self._files.has(self._path):
            return
        with self._transaction(durable=True) as connection:
            connection.execute("DELETE FROM remembered_targets WHERE workflow_id = ?", (workflow_id,))
            self._files.step("insert", self._path)
            connection.executemany(_INSERT, rows)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _rows(self, sql: str, values: tuple[str, ...]) -> list[tuple[Any, ...]]:
        with self._lock:
            if self._connection is None and not self._files.has(self._path):
                return []
            try:
                return self._opened().execute(sql, values).fetchall()
            except sqlite3.Error as error:
                raise self._failed(error) from error

    @contextmanager
    def _transaction(self, *, durable: bool = False) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                connection = self._opened()
                # A success lost with the power is seen again tomorrow; half a restored version must not be.
                connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                self._files.step("begin", self._path)
                connection.execute("BEGIN IMMEDIATE")
                try:
                    yield connection
                    self._files.step("commit", self._path)
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
            except sqlite3.Error as error:
                raise self._failed(error) from error

    def _opened(self) -> sqlite3.Connection:
        if self._connection is None:
            self._files.claim()
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._files.step("open", self._path)
            connection = sqlite3.connect(self._path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                connection.execute("PRAGMA journal_mode = WAL")
                _migrate(connection)
                self._path.chmod(0o600)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _failed(self, error: sqlite3.Error) -> RpaVisionError:
        where = self._files.paths.relative(self._path)
        self.close()
        if getattr(error, "sqlite_errorcode", 0) & 0xFF not in _BROKEN:
            return StorageError(f"{where}: {error}")
        if not self._is_broken():  # somebody else has just moved it aside and begun anew
            return StorageError(f"{where}: {error}", remedy="Try again.")
        aside = self._set_aside()
        return DocumentError(
            f"{where}: is damaged ({error}) and was moved to {aside}",
            remedy="Go on: targets are remembered anew. To have the memory of a version back, roll back to it.",
        )

    def _is_broken(self) -> bool:
        try:
            with closing(sqlite3.connect(self._path, timeout=_BUSY_S)) as connection:
                return [row[0] for row in connection.execute("PRAGMA quick_check(1)")] != ["ok"]
        except sqlite3.Error:
            return True

    def _set_aside(self) -> str:
        stamp = self._clock.now().astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        names = (f"target_memory.damaged-{stamp}{mark}.db" for mark in ("", *(f"-{n}" for n in range(2, 1000))))
        aside = next(path for name in names if not (path := self._path.with_name(name)).exists())
        for end in ("-wal", "-shm", ""):
            part = self._path.with_name(self._path.name + end)
            if part.exists():
                self._files.step("rename", part)
                part.replace(aside.with_name(aside.name + end))
        return self._files.paths.relative(aside)


def _migrate(connection: sqlite3.Connection) -> None:
    """Bring a file up to date, one numbered step after the other, each whole."""
    scripts = sorted(
        (entry for entry in (resources.files(__package__) / "migrations").iterdir() if entry.name.endswith(".sql")),
        key=lambda entry: entry.name,
    )
    known = int(connection.execute("PRAGMA user_version").fetchone()[0])
    if known > len(scripts):
        raise StorageError("the target memory was written by a newer rpa-vision", remedy="Update rpa-vision.")
    if known == len(scripts):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        known = int(connection.execute("PRAGMA user_version").fetchone()[0])  # another process may have been faster
        for number, script in enumerate(scripts[known:], start=known + 1):
            for statement in script.read_text(encoding="utf-8").split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _read_snapshot(workflow_id: str, snapshot: bytes) -> list[tuple[Any, ...]]:
    """The rows of a snapshot: those of this workflow and of no other, each as it must be."""
    what = f"snapshot of the target memory of {workflow_id}"
    if not snapshot.startswith(_SQLITE):  # of nothing at all SQLite would make an empty memory
        raise DocumentError(f"{what}: is not a SQLite file")
    try:
        with closing(sqlite3.connect(":memory:", isolation_level=None)) as copy:
            copy.deserialize(snapshot)
            checked = [row[0] for row in copy.execute("PRAGMA quick_check(1)")]
            _migrate(copy)
            rows = copy.execute(f"SELECT {_COLUMNS} FROM remembered_targets").fetchall()
    except sqlite3.Error as error:
        raise DocumentError(f"{what}: cannot be read ({error})") from error
    if checked != ["ok"]:
        raise DocumentError(f"{what}: is damaged ({checked[0] if checked else 'empty'})")
    for row in rows:
        if row[0] != workflow_id:
            raise DocumentError(f"{what}: holds rows of {row[0]}")
        _remembered(row)
        if row[17] is not None:
            _layout_read(row[17])
    return rows


def _key(place: TargetPlace) -> tuple[str, str, str, str]:
    return (place.workflow_id, place.edge_id, place.target_key, place.context)


def _written(moment: datetime) -> str:
    """Text that sorts as time passes."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _layout_written(place: TargetPlace) -> str | None:
    return place.layout.model_dump_json() if place.layout is not None else None


def _layout_read(layout: str) -> LayoutSignature:
    try:
        return LayoutSignature.model_validate_json(layout)
    except ValidationError as error:
        raise DocumentError(f"target memory: a layout cannot be read ({error.error_count()} mistakes)") from error


def _remembered(row: tuple[Any, ...]) -> RememberedTarget:
    stable_id, label, kind, role, x1, y1, x2, y2, strategy, score, successes, first_at, last_at = row[4:17]
    if kind not in ELEMENT_TYPES:
        raise DocumentError(f"target memory: there is no type of element {kind!r}")
    found = FoundTarget(
        stable_id=stable_id,
        label=label,
        type=cast(ElementType, kind),
        role=role,
        bbox_relative=(x1, y1, x2, y2),
        strategy=strategy,
        score=score,
    )
    try:
        return RememberedTarget(found, successes, datetime.fromisoformat(first_at), datetime.fromisoformat(last_at))
    except ValueError as error:
        raise DocumentError(f"target memory: {error}") from error
