"""The queue of runs in SQLite: a claim is one transaction, and an index of the database keeps a display to one run.

Times are kept as UTC in ISO format, so that they sort as text.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rpa_vision.adapters.office.database import OfficeDatabase
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import (
    Batch,
    Happening,
    ItemState,
    NewItem,
    QueuedRun,
    RunAsked,
    Schedule,
    Wanted,
    WatchedFolder,
    Worker,
)

_MARK = 0x52565155  # "RVQU"
_KEPT_HAPPENINGS = 5000
_IN_TURN = "CASE state WHEN 'running' THEN 0 WHEN 'waiting' THEN 1 ELSE 2 END, " \
    "CASE WHEN state IN ('running', 'waiting') THEN -priority ELSE 0 END, " \
    "CASE WHEN state IN ('running', 'waiting') THEN number ELSE -number END"  # fmt: skip
_LOST = "its worker died or was cut off while it ran: look at the screen, nobody knows how far it came"


class SqliteRunQueue:
    """Implements `ports.queue.RunQueue`."""

    def __init__(self, path: Path) -> None:
        self._database = OfficeDatabase(path, mark=_MARK, folder="queue")

    def add(self, items: Sequence[NewItem], *, now: datetime, batch: Batch | None = None) -> list[NewItem]:
        added = []
        with self._database.changing(durable=True) as database:
            for item in items:
                done = database.execute(
                    "INSERT INTO items (run_id, workflow_id, display, priority, request, who, origin, origin_key,"
                    " batch_id, line, queued_at, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')"
                    " ON CONFLICT (origin_key) DO NOTHING",
                    (item.run_id, item.asked.workflow_id, item.display, item.priority, item.asked.model_dump_json(),
                     item.who, item.origin, item.origin_key, item.batch_id, item.line, _text(now)),
                )  # fmt: skip
                if done.rowcount == 1:
                    added.append(item)
                    _tell(database, now, "run_queued", {"display": item.display, "who": item.who}, item.run_id,
                          item.asked.workflow_id)  # fmt: skip
            if batch is not None and added:
                database.execute(
                    "INSERT INTO batches (batch_id, workflow_id, name, who, queued_at, rows, skipped)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (batch.batch_id, batch.workflow_id, batch.name, batch.who, _text(now), len(added),
                     batch.skipped + len(items) - len(added)),
                )  # fmt: skip
        return added

    def item(self, run_id: str) -> QueuedRun | None:
        with self._database.reading() as database:
            return _found(database, run_id)

    def item_by_key(self, origin_key: str) -> QueuedRun | None:
        with self._database.reading() as database:
            row = database.execute("SELECT * FROM items WHERE origin_key = ?", (origin_key,)).fetchone()
        return _item(row) if row is not None else None

    def items(
        self,
        *,
        states: Collection[ItemState] = (),
        display: str | None = None,
        batch_id: str | None = None,
        limit: int = 1000,
    ) -> list[QueuedRun]:
        wheres, values = ["1"], list[Any]()
        if states:
            wheres.append(f"state IN ({', '.join('?' * len(states))})")
            values += states
        for column, value in (("display", display), ("batch_id", batch_id)):
            if value is not None:
                wheres.append(f"{column} = ?")
                values.append(value)
        order = "line" if batch_id is not None else _IN_TURN
        with self._database.reading() as database:
            found = database.execute(
                f"SELECT * FROM items WHERE {' AND '.join(wheres)} ORDER BY {order} LIMIT ?", (*values, limit)
            )
            return [_item(row) for row in found]

    def counts(self) -> dict[str, int]:
        with self._database.reading() as database:
            return {row[0]: row[1] for row in database.execute("SELECT state, count(*) FROM items GROUP BY state")}

    def arrive(self, worker: Worker) -> bool:
        with self._database.changing() as database:
            row = database.execute("SELECT * FROM workers WHERE display = ?", (worker.display,)).fetchone()
            now = _text(worker.since)
            if row is not None and row["worker_id"] != worker.worker_id and row["lease_until"] > now:
                return False
            database.execute(
                "INSERT INTO workers (display, worker_id, since, lease_until) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (display) DO UPDATE SET worker_id = excluded.worker_id,"
                " since = CASE WHEN workers.worker_id = excluded.worker_id THEN workers.since ELSE excluded.since END,"
                " lease_until = excluded.lease_until",
                (worker.display, worker.worker_id, now, _text(worker.lease_until)),
            )
        return True

    def leave(self, worker: Worker) -> None:
        with self._database.changing() as database:
            database.execute(
                "DELETE FROM workers WHERE display = ? AND worker_id = ?", (worker.display, worker.worker_id)
            )

    def workers(self) -> list[Worker]:
        with self._database.reading() as database:
            return [
                Worker(row["display"], row["worker_id"], _time(row["since"]), _time(row["lease_until"]))
                for row in database.execute("SELECT * FROM workers ORDER BY display")
            ]

    def sweep(self, *, now: datetime) -> list[QueuedRun]:
        with self._database.changing(durable=True) as database:
            return _sweep(database, now)

    def claim(
        self, worker: Worker, *, now: datetime, held_workflows: Collection[str], held_batches: Collection[str]
    ) -> QueuedRun | None:
        with self._database.changing(durable=True) as database:
            _sweep(database, now)
            busy = database.execute(
                "SELECT 1 FROM items WHERE display = ? AND state = 'running'", (worker.display,)
            ).fetchone()
            if busy is not None:
                return None
            row = database.execute(
                "SELECT run_id FROM items WHERE display = ? AND state = 'waiting' AND wanted = 'go'"
                f" AND workflow_id NOT IN ({', '.join('?' * len(held_workflows))})"
                f" AND coalesce(batch_id, '') NOT IN ({', '.join('?' * len(held_batches))})"
                " ORDER BY priority DESC, number LIMIT 1",
                (worker.display, *held_workflows, *held_batches),
            ).fetchone()
            if row is None:
                return None
            database.execute(
                "UPDATE items SET state = 'running', worker_id = ?, lease_until = ?, started_at = ? WHERE run_id = ?",
                (worker.worker_id, _text(worker.lease_until), _text(now), row["run_id"]),
            )
            claimed = _found(database, row["run_id"])
            assert claimed is not None
            _tell(database, now, "run_started", {"display": worker.display}, claimed.run_id, claimed.workflow_id)
        return claimed

    def renew(self, run_id: str, worker_id: str, *, lease_until: datetime) -> Wanted | None:
        with self._database.changing() as database:
            database.execute(
                "UPDATE items SET lease_until = ? WHERE run_id = ? AND worker_id = ? AND state = 'running'",
                (_text(lease_until), run_id, worker_id),
            )
            row = database.execute(
                "SELECT wanted FROM items WHERE run_id = ? AND worker_id = ? AND state = 'running'", (run_id, worker_id)
            ).fetchone()
        return row["wanted"] if row is not None else None

    def progress(self, run_id: str, worker_id: str, *, doing: str, steps_done: int) -> None:
        with self._database.changing() as database:
            database.execute(
                "UPDATE items SET doing = ?, steps_done = ? WHERE run_id = ? AND worker_id = ? AND state = 'running'",
                (doing[:500], steps_done, run_id, worker_id),
            )

    def end(self, run_id: str, worker_id: str, *, now: datetime, status: str, reason: str) -> bool:
        with self._database.changing(durable=True) as database:
            changed = database.execute(
                "UPDATE items SET state = 'ended', ended_at = ?, status = ?, reason = ?, doing = '', lease_until = NULL"
                " WHERE run_id = ? AND worker_id = ? AND state = 'running'",
                (_text(now), status, reason[:2000], run_id, worker_id),
            )
            if changed.rowcount == 1:
                item = _found(database, run_id)
                assert item is not None
                _tell(database, now, "run_ended", {"status": status, "reason": reason[:500]}, run_id, item.workflow_id)
            return changed.rowcount == 1

    def want(self, run_id: str, wanted: Wanted, *, now: datetime, who: str) -> QueuedRun | None:
        with self._database.changing(durable=True) as database:
            item = _found(database, run_id)
            if item is None or item.state not in ("waiting", "running"):
                return item
            if item.state == "waiting" and wanted == "stop":
                database.execute(
                    "UPDATE items SET state = 'cancelled', ended_at = ?, reason = ? WHERE run_id = ?",
                    (_text(now), f"taken out of the queue by {who}", run_id),
                )
            elif item.wanted != "stop":  # a stop is not taken back
                database.execute("UPDATE items SET wanted = ? WHERE run_id = ?", (wanted, run_id))
            _tell(database, now, "run_wanted", {"wanted": wanted, "who": who}, run_id, item.workflow_id)
            return _found(database, run_id)

    def reprioritise(self, run_id: str, priority: int) -> QueuedRun | None:
        with self._database.changing() as database:
            database.execute("UPDATE items SET priority = ? WHERE run_id = ? AND state = 'waiting'", (priority, run_id))
            return _found(database, run_id)

    def batches(self, limit: int = 100) -> list[Batch]:
        with self._database.reading() as database:
            found = database.execute("SELECT * FROM batches ORDER BY queued_at DESC, batch_id LIMIT ?", (limit,))
            return [_batch(row) for row in found]

    def batch(self, batch_id: str) -> Batch | None:
        with self._database.reading() as database:
            row = database.execute("SELECT * FROM batches WHERE batch_id = ?", (batch_id,)).fetchone()
        return _batch(row) if row is not None else None

    def release(self, batch_id: str, upto: int) -> None:
        with self._database.changing() as database:
            database.execute("UPDATE batches SET released = ? WHERE batch_id = ?", (upto, batch_id))

    def schedules(self) -> list[tuple[Schedule, bool, datetime]]:
        with self._database.reading() as database:
            return [
                (Schedule.from_json(row["body"], where="schedule"), bool(row["enabled"]), _time(row["last_due"]))
                for row in database.execute("SELECT * FROM schedules ORDER BY schedule_id")
            ]

    def save_schedule(self, schedule: Schedule, *, enabled: bool, last_due: datetime) -> None:
        with self._database.changing(durable=True) as database:
            database.execute(
                "INSERT INTO schedules (schedule_id, body, enabled, last_due) VALUES (?, ?, ?, ?) ON CONFLICT"
                " (schedule_id) DO UPDATE SET body = excluded.body, enabled = excluded.enabled,"
                " last_due = excluded.last_due",
                (schedule.schedule_id, schedule.model_dump_json(), int(enabled), _text(last_due)),
            )

    def saw_to(self, schedule_id: str, due: datetime) -> None:
        with self._database.changing(durable=True) as database:
            database.execute("UPDATE schedules SET last_due = ? WHERE schedule_id = ?", (_text(due), schedule_id))

    def delete_schedule(self, schedule_id: str) -> bool:
        with self._database.changing(durable=True) as database:
            return database.execute("DELETE FROM schedules WHERE schedule_id = ?", (schedule_id,)).rowcount == 1

    def folders(self) -> list[tuple[WatchedFolder, bool]]:
        with self._database.reading() as database:
            return [
                (WatchedFolder.from_json(row["body"], where="watched folder"), bool(row["enabled"]))
                for row in database.execute("SELECT * FROM folders ORDER BY folder_id")
            ]

    def save_folder(self, folder: WatchedFolder, *, enabled: bool) -> None:
        with self._database.changing(durable=True) as database:
            database.execute(
                "INSERT INTO folders (folder_id, body, enabled) VALUES (?, ?, ?) ON CONFLICT (folder_id) DO UPDATE"
                " SET body = excluded.body, enabled = excluded.enabled",
                (folder.folder_id, folder.model_dump_json(), int(enabled)),
            )

    def delete_folder(self, folder_id: str) -> bool:
        with self._database.changing(durable=True) as database:
            return database.execute("DELETE FROM folders WHERE folder_id = ?", (folder_id,)).rowcount == 1

    def tell(
        self, kind: str, body: JsonObject, *, now: datetime, run_id: str | None = None, workflow_id: str | None = None
    ) -> None:
        with self._database.changing() as database:
            _tell(database, now, kind, body, run_id, workflow_id)

    def happenings(self, after: int, limit: int = 200) -> list[Happening]:
        with self._database.reading() as database:
            found = database.execute(
                "SELECT * FROM happenings WHERE number > ? ORDER BY number LIMIT ?", (after, limit)
            )
            return [
                Happening(row["number"], _time(row["at"]), row["kind"], row["run_id"], row["workflow_id"],
                          json.loads(row["body"]))
                for row in found
            ]  # fmt: skip

    def last_happening(self) -> int:
        with self._database.reading() as database:
            return int(database.execute("SELECT coalesce(max(number), 0) FROM happenings").fetchone()[0])

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _sweep(database: sqlite3.Connection, now: datetime) -> list[QueuedRun]:
    found = database.execute("SELECT * FROM items WHERE state = 'running' AND lease_until <= ?", (_text(now),))
    lost = [_item(row) for row in found.fetchall()]
    for item in lost:
        database.execute(
            "UPDATE items SET state = 'interrupted', ended_at = ?, status = 'interrupted', reason = ?,"
            " lease_until = NULL WHERE run_id = ?",
            (_text(now), _LOST, item.run_id),
        )
        _tell(database, now, "run_interrupted", {"reason": _LOST}, item.run_id, item.workflow_id)
    return lost


def _tell(
    database: sqlite3.Connection, now: datetime, kind: str, body: JsonObject, run_id: str | None,
    workflow_id: str | None,
) -> None:  # fmt: skip
    done = database.execute(
        "INSERT INTO happenings (at, kind, run_id, workflow_id, body) VALUES (?, ?, ?, ?, ?)",
        (_text(now), kind, run_id, workflow_id, json.dumps(body, ensure_ascii=False)),
    )
    if (done.lastrowid or 0) % 100 == 0:
        database.execute("DELETE FROM happenings WHERE number <= ?", ((done.lastrowid or 0) - _KEPT_HAPPENINGS,))


def _found(database: sqlite3.Connection, run_id: str) -> QueuedRun | None:
    row = database.execute("SELECT * FROM items WHERE run_id = ?", (run_id,)).fetchone()
    return _item(row) if row is not None else None


def _item(row: sqlite3.Row) -> QueuedRun:
    return QueuedRun(
        number=row["number"],
        run_id=row["run_id"],
        asked=RunAsked.from_json(row["request"], where="queued run"),
        display=row["display"],
        priority=row["priority"],
        who=row["who"],
        origin=row["origin"],
        batch_id=row["batch_id"],
        line=row["line"],
        queued_at=_time(row["queued_at"]),
        state=row["state"],
        wanted=row["wanted"],
        worker_id=row["worker_id"],
        lease_until=_maybe(row["lease_until"]),
        started_at=_maybe(row["started_at"]),
        ended_at=_maybe(row["ended_at"]),
        status=row["status"],
        reason=row["reason"],
        doing=row["doing"],
        steps_done=row["steps_done"],
    )


def _batch(row: sqlite3.Row) -> Batch:
    return Batch(
        row["batch_id"], row["workflow_id"], row["name"], row["who"], _time(row["queued_at"]), row["rows"],
        row["skipped"], row["released"],
    )  # fmt: skip


def _text(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _maybe(text: str | None) -> datetime | None:
    return _time(text) if text else None
