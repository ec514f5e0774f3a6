"""The latest alerts and those that still wait for somebody, in SQLite.

An alert and the note of who must hear of it are kept in one transaction. A delivery is claimed for a while before it is
tried, so two processes do not send the same alert twice; one that dies while sending leaves a claim that runs out.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from rpa_vision.adapters.decisions.database import migrations, open_database, transaction
from rpa_vision.adapters.decisions.rows import microseconds, moment
from rpa_vision.errors import StorageError
from rpa_vision.models.auto_heal import Alert, AlertKind
from rpa_vision.ports.alerts import Delivery

_MARK: Final = 0x5256414C  # "RVAL"
_WAITING: Final = "alert_id = ? AND listener = ?"
_KEPT_GIVEN_UP: Final = 1000


class SqliteAlertStore:
    """Implements `ports.alerts.AlertStore`. Nothing is made before the first alert."""

    def __init__(self, path: Path, *, keep: int = 1000) -> None:
        self._path = path
        self._keep = keep
        self._scripts = migrations("rpa_vision.adapters.alerts", "alerts")
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def accept(self, alert: Alert, listeners: Sequence[str], *, now: datetime) -> bool:
        """Keep an alert and note who still has to hear of it; False when it is known already."""
        document, now_us = alert.model_dump_json(), microseconds(now)
        with self._using() as database, transaction(database):
            added = database.execute(
                "INSERT OR IGNORE INTO alert VALUES (NULL, ?, ?, ?, ?, ?)",
                (alert.alert_id, microseconds(alert.at), alert.kind.value, alert.workflow_id, document),
            ).rowcount
            if not added:
                return False
            database.executemany(
                "INSERT OR IGNORE INTO outbox (alert_id, listener, document, accepted_us, due_us) "
                "VALUES (?, ?, ?, ?, ?)",
                [(alert.alert_id, listener, document, now_us, now_us) for listener in listeners],
            )
            database.execute("DELETE FROM alert WHERE number <= (SELECT max(number) FROM alert) - ?", (self._keep,))
        return True

    def recent(self, limit: int = 50, *, kind: AlertKind | None = None, workflow_id: str | None = None) -> list[Alert]:
        """The newest first."""
        if not self._path.exists():
            return []
        text, values = "1", list[Any]()
        for column, value in (("kind", kind), ("workflow_id", workflow_id)):
            if value is not None:
                text, values = f"{text} AND {column} = ?", [*values, str(value)]
        query = f"SELECT document FROM alert WHERE {text} ORDER BY number DESC LIMIT ?"
        with self._using() as database:
            rows = database.execute(query, [*values, limit]).fetchall()
        return [Alert.from_json(row[0], where="alert feed") for row in rows]

    def undelivered(self) -> list[Delivery]:
        """What some listener has not taken yet, the oldest first; given up included."""
        if not self._path.exists():
            return []
        with self._using() as database:
            rows = database.execute("SELECT * FROM outbox ORDER BY accepted_us, rowid").fetchall()
        return [_delivery(row) for row in rows]

    def claim(self, listeners: Sequence[str], *, now: datetime, lease_s: float) -> Delivery | None:
        """Take the most pressing due delivery; nobody else gets it until the lease is over."""
        if not listeners or not self._path.exists():
            return None
        now_us, until_us = microseconds(now), microseconds(now + timedelta(seconds=lease_s))
        query = (
            f"SELECT * FROM outbox WHERE listener IN ({', '.join('?' * len(listeners))}) AND due_us <= ? "
            "ORDER BY due_us, rowid LIMIT 1"
        )
        with self._using() as database, transaction(database):
            row = database.execute(query, [*listeners, now_us]).fetchone()
            if row is None:
                return None
            database.execute(f"UPDATE outbox SET due_us = ? WHERE {_WAITING}", (until_us, row[0], row[1]))
        return _delivery(row)

    def delivered(self, delivery: Delivery) -> None:
        """It was taken."""
        with self._using() as database:
            database.execute(f"DELETE FROM outbox WHERE {_WAITING}", (delivery.alert.alert_id, delivery.listener))

    def retry(self, delivery: Delivery, *, at: datetime, error: str) -> None:
        """It was not; try again then."""
        self._note(delivery, microseconds(at), error)

    def give_up(self, delivery: Delivery, *, error: str) -> None:
        """It was not and will not be tried again; people still see it."""
        self._note(delivery, None, error)
        with self._using() as database:
            database.execute(
                "DELETE FROM outbox WHERE due_us IS NULL AND rowid NOT IN "
                "(SELECT rowid FROM outbox WHERE due_us IS NULL ORDER BY rowid DESC LIMIT ?)",
                (_KEPT_GIVEN_UP,),
            )

    def next_due(self, listeners: Sequence[str]) -> datetime | None:
        """When the next delivery is due."""
        if not listeners or not self._path.exists():
            return None
        query = f"SELECT min(due_us) FROM outbox WHERE listener IN ({', '.join('?' * len(listeners))})"
        with self._using() as database:
            due_us = database.execute(query, list(listeners)).fetchone()[0]
        return moment(due_us) if due_us is not None else None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
            self._connection = None

    def _note(self, delivery: Delivery, due_us: int | None, error: str) -> None:
        with self._using() as database:
            database.execute(
                f"UPDATE outbox SET due_us = ?, attempts = ?, last_error = ? WHERE {_WAITING}",
                (due_us, delivery.attempts + 1, error[:500], delivery.alert.alert_id, delivery.listener),
            )

    @contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._connection is None:
                self._connection = open_database(self._path, mark=_MARK, scripts=self._scripts)
            try:
                yield self._connection
            except sqlite3.Error as error:
                raise StorageError(f"{self._path}: cannot be used ({error})") from error


def _delivery(row: tuple[Any, ...]) -> Delivery:
    _, listener, document, accepted_us, due_us, attempts, last_error = row
    return Delivery(
        alert=Alert.from_json(document, where="alert outbox"),
        listener=listener,
        attempts=attempts,
        accepted_at=moment(accepted_us),
        last_error=last_error,
        given_up=due_us is None,
    )
