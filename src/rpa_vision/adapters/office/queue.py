"""The queue of runs in SQLite: a claim is one transaction, and an index of the database keeps a display to one run.

Times are kept as UTC in ISO format, so that they sort as text.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from rpa_vision.adapters.office import batches as files
from rpa_vision.adapters.office.database import OfficeDatabase, text_of, time_of
from rpa_vision.adapters.office.happenings import happening, tell
from rpa_vision.adapters.office.queue_rows import batch_of, found_in, item_of
from rpa_vision.adapters.office.standing_orders import StandingOrders
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import (
    Batch,
    Happening,
    HeldDisplay,
    ItemState,
    NewItem,
    QueuedRun,
    Wanted,
    Worker,
)

_MARK = 0x52565155  # "RVQU"
_IN_TURN = "CASE state WHEN 'running' THEN 0 WHEN 'waiting' THEN 1 ELSE 2 END, " \
    "CASE WHEN state IN ('running', 'waiting') THEN -priority ELSE 0 END, " \
    "CASE WHEN state IN ('running', 'waiting') THEN number ELSE -number END"  # fmt: skip
_NOT_OVER = "state IN ('waiting', 'running')"
_LOST = "its worker died or was cut off while it ran: look at the screen, nobody knows how far it came"


class SqliteRunQueue(StandingOrders):
    """Implements `ports.queue.RunQueue`."""

    def __init__(self, path: Path) -> None:
        super().__init__(OfficeDatabase(path, mark=_MARK, folder="queue"))
        self._leases: dict[str, tuple[str, float]] = {}

    def add(self, items: Sequence[NewItem], *, now: datetime, batch: Batch | None = None) -> list[NewItem]:
        added = []
        with self._database.changing(durable=True) as database:
            for item in items:
                if _also_asked(database, item.origin_key):
                    continue
                done = database.execute(
                    "INSERT INTO items (run_id, workflow_id, display, priority, request, who, origin, origin_key,"
                    " batch_id, line, list_key, queued_at, state)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting')"
                    f" ON CONFLICT (origin_key) DO NOTHING ON CONFLICT (list_key) WHERE {_NOT_OVER} DO NOTHING",
                    (item.run_id, item.asked.workflow_id, item.display, item.priority, item.asked.model_dump_json(),
                     item.who, item.origin, item.origin_key, item.batch_id, item.line, item.list_key,
                     text_of(now)),
                )  # fmt: skip
                if done.rowcount == 0 and batch is None:  # asked once more when that run is over, it is still this one
                    database.execute(
                        "INSERT INTO also_asked (origin_key, run_id)"
                        f" SELECT ?1, run_id FROM items WHERE list_key = ?2 AND {_NOT_OVER} AND ?1 IS NOT NULL"
                        " AND NOT EXISTS (SELECT 1 FROM items WHERE origin_key = ?1)",
                        (item.origin_key, item.list_key),
                    )
                if done.rowcount == 1:
                    added.append(item)
                    tell(database, now, "run_queued", {"display": item.display, "who": item.who}, item.run_id,
                          item.asked.workflow_id)  # fmt: skip
            if batch is not None and added:
                database.execute(
                    "INSERT INTO batches (batch_id, workflow_id, name, who, queued_at, rows, skipped, digest)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (batch.batch_id, batch.workflow_id, batch.name, batch.who, text_of(now), len(added),
                     batch.skipped + len(items) - len(added), batch.digest),
                )  # fmt: skip
        return added

    def item(self, run_id: str) -> QueuedRun | None:
        with self._database.reading() as database:
            return found_in(database, run_id)

    def item_by_key(self, origin_key: str) -> QueuedRun | None:
        with self._database.reading() as database:
            row = database.execute("SELECT * FROM items WHERE origin_key = ?", (origin_key,)).fetchone()
            other = _also_asked(database, origin_key) if row is None else None
            if other is not None:
                return found_in(database, other)
        return item_of(row) if row is not None else None

    def item_by_list(self, list_key: str) -> QueuedRun | None:
        with self._database.reading() as database:
            row = database.execute(f"SELECT * FROM items WHERE list_key = ? AND {_NOT_OVER}", (list_key,)).fetchone()
        return item_of(row) if row is not None else None

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
            return [item_of(row) for row in found]

    def counts(self) -> dict[str, int]:
        with self._database.reading() as database:
            return {row[0]: row[1] for row in database.execute("SELECT state, count(*) FROM items GROUP BY state")}

    def arrive(self, worker: Worker) -> bool:
        with self._database.changing() as database:
            row = database.execute("SELECT * FROM workers WHERE display = ?", (worker.display,)).fetchone()
            now = text_of(worker.since)
            # A lease of nobody knows when: it was written down when the clock was wrong.
            longest = text_of(worker.since + 2 * (worker.lease_until - worker.since))
            if row is not None and row["worker_id"] != worker.worker_id and now < row["lease_until"] <= longest:
                return False
            database.execute(
                "INSERT INTO workers (display, worker_id, since, lease_until) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (display) DO UPDATE SET worker_id = excluded.worker_id,"
                " since = CASE WHEN workers.worker_id = excluded.worker_id THEN workers.since ELSE excluded.since END,"
                " lease_until = excluded.lease_until",
                (worker.display, worker.worker_id, now, text_of(worker.lease_until)),
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
                Worker(row["display"], row["worker_id"], time_of(row["since"]), time_of(row["lease_until"]))
                for row in database.execute("SELECT * FROM workers ORDER BY display")
            ]

    def sweep(self, *, now: datetime, monotonic_s: float, lease_s: float) -> list[QueuedRun]:
        with self._database.reading() as database:
            running = database.execute("SELECT run_id, lease_until FROM items WHERE state = 'running'").fetchall()
            known, self._leases = self._leases, {}
            for row in running:
                before = known.get(row["run_id"])
                is_same = before is not None and before[0] == row["lease_until"]
                self._leases[row["run_id"]] = before if before and is_same else (row["lease_until"], monotonic_s)
            ended = {run_id: lease for run_id, (lease, since) in self._leases.items() if monotonic_s - since >= lease_s}
        if not ended:
            return []
        with self._database.changing(durable=True) as database:
            return [lost for run_id, lease in ended.items() if (lost := _interrupt(database, run_id, lease, now))]

    def line(self) -> list[tuple[str, str, ItemState]]:
        with self._database.reading() as database:
            found = database.execute(
                "SELECT run_id, display, state FROM items WHERE state IN ('running', 'waiting')"
                " ORDER BY state, priority DESC, number"
            )
            return [(row[0], row[1], row[2]) for row in found]

    def waiting_workflows(self, display: str) -> list[str]:
        with self._database.reading() as database:
            found = database.execute(
                "SELECT DISTINCT workflow_id FROM items WHERE state = 'waiting' AND display = ? ORDER BY workflow_id",
                (display,),
            )
            return [row[0] for row in found]

    def claim(
        self, worker: Worker, *, now: datetime, held_workflows: Collection[str], held_batches: Collection[str]
    ) -> QueuedRun | None:
        with self._database.changing(durable=True) as database:
            busy = database.execute(
                "SELECT 1 FROM items WHERE display = ? AND state = 'running'"
                " UNION ALL SELECT 1 FROM held_displays WHERE display = ?",
                (worker.display, worker.display),
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
                (worker.worker_id, text_of(worker.lease_until), text_of(now), row["run_id"]),
            )
            claimed = found_in(database, row["run_id"])
            assert claimed is not None
            tell(database, now, "run_started", {"display": worker.display}, claimed.run_id, claimed.workflow_id)
        return claimed

    def hold_display(self, display: str, *, now: datetime, why: str) -> None:
        with self._database.changing(durable=True) as database:
            done = database.execute(
                "INSERT INTO held_displays (display, at, why) VALUES (?, ?, ?) ON CONFLICT (display) DO NOTHING",
                (display, text_of(now), why[:500]),
            )
            if done.rowcount == 1:
                tell(database, now, "display_held", {"display": display, "why": why[:500]}, None, None)

    def release_display(self, display: str, *, now: datetime, who: str) -> bool:
        with self._database.changing(durable=True) as database:
            done = database.execute("DELETE FROM held_displays WHERE display = ?", (display,))
            if done.rowcount == 1:
                tell(database, now, "display_released", {"display": display, "who": who}, None, None)
            return done.rowcount == 1

    def held_displays(self) -> list[HeldDisplay]:
        with self._database.reading() as database:
            found = database.execute("SELECT * FROM held_displays ORDER BY display")
            return [HeldDisplay(row["display"], time_of(row["at"]), row["why"]) for row in found]

    def renew(self, run_id: str, worker_id: str, *, lease_until: datetime) -> Wanted | None:
        with self._database.changing() as database:
            database.execute(
                "UPDATE items SET lease_until = ? WHERE run_id = ? AND worker_id = ? AND state = 'running'",
                (text_of(lease_until), run_id, worker_id),
            )
            row = database.execute(
                "SELECT wanted FROM items WHERE run_id = ? AND worker_id = ? AND state = 'running'", (run_id, worker_id)
            ).fetchone()
        return row["wanted"] if row is not None else None

    def wanted(self, run_id: str, worker_id: str) -> Wanted | None:
        with self._database.reading() as database:
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

    def end(
        self, run_id: str, worker_id: str, *, now: datetime, status: str, reason: str, input_sent: bool | None = None
    ) -> bool:
        with self._database.changing(durable=True) as database:
            changed = database.execute(
                "UPDATE items SET state = 'ended', ended_at = ?, status = ?, reason = ?, doing = '', lease_until ="
                " NULL, input_sent = ? WHERE run_id = ? AND worker_id = ? AND state = 'running'",
                (text_of(now), status, reason[:2000], input_sent, run_id, worker_id),
            )
            if changed.rowcount == 1:
                item = found_in(database, run_id)
                assert item is not None
                tell(database, now, "run_ended", {"status": status, "reason": reason[:500]}, run_id, item.workflow_id)
            return changed.rowcount == 1

    def want(self, run_id: str, wanted: Wanted, *, now: datetime, who: str) -> QueuedRun | None:
        with self._database.changing(durable=True) as database:
            item = found_in(database, run_id)
            if item is None or item.state not in ("waiting", "running"):
                return item
            if item.state == "waiting" and wanted == "stop":
                database.execute(
                    "UPDATE items SET state = 'cancelled', ended_at = ?, reason = ? WHERE run_id = ?",
                    (text_of(now), f"taken out of the queue by {who}", run_id),
                )
            elif item.wanted != "stop":  # a stop is not taken back
                database.execute("UPDATE items SET wanted = ? WHERE run_id = ?", (wanted, run_id))
            tell(database, now, "run_wanted", {"wanted": wanted, "who": who}, run_id, item.workflow_id)
            return found_in(database, run_id)

    def reprioritise(self, run_id: str, priority: int) -> QueuedRun | None:
        with self._database.changing() as database:
            database.execute("UPDATE items SET priority = ? WHERE run_id = ? AND state = 'waiting'", (priority, run_id))
            return found_in(database, run_id)

    def batches(self, limit: int = 100) -> list[Batch]:
        with self._database.reading() as database:
            found = database.execute("SELECT * FROM batches ORDER BY queued_at DESC, batch_id LIMIT ?", (limit,))
            return [batch_of(row) for row in found]

    def batch(self, batch_id: str) -> Batch | None:
        with self._database.reading() as database:
            row = database.execute("SELECT * FROM batches WHERE batch_id = ?", (batch_id,)).fetchone()
        return batch_of(row) if row is not None else None

    def files_asked_before(self, digest: str, workflow_id: str, name: str) -> list[Batch]:
        with self._database.reading() as database:
            return [batch_of(row) for row in files.asked_before(database, digest, workflow_id, name)]

    def batch_counts(self, batch_id: str) -> dict[str, int]:
        with self._database.reading() as database:
            return files.counts(database, batch_id)

    def last_rows(self, limit: int) -> dict[str, list[tuple[str, str]]]:
        with self._database.reading() as database:
            return files.last_rows(database, limit)

    def stop_batch(self, batch_id: str, *, now: datetime, who: str) -> tuple[int, int]:
        with self._database.changing(durable=True) as database:
            cancelled, stopped = files.stop(database, batch_id, text_of(now), who)
            tell(database, now, "batch_stopped", {"batch_id": batch_id, "cancelled": cancelled, "stopped": stopped,
                                                   "who": who}, None, None)  # fmt: skip
        return cancelled, stopped

    def release(self, batch_id: str, upto: int) -> None:
        with self._database.changing() as database:
            database.execute("UPDATE batches SET released = ? WHERE batch_id = ?", (upto, batch_id))

    def tell(
        self, kind: str, body: JsonObject, *, now: datetime, run_id: str | None = None, workflow_id: str | None = None
    ) -> None:
        with self._database.changing() as database:
            tell(database, now, kind, body, run_id, workflow_id)

    def happenings(self, after: int, limit: int = 200) -> list[Happening]:
        with self._database.reading() as database:
            found = database.execute(
                "SELECT * FROM happenings WHERE number > ? ORDER BY number LIMIT ?", (after, limit)
            )
            return [happening(row) for row in found]

    def told_of(self, run_id: str, limit: int = 1000) -> list[Happening]:
        with self._database.reading() as database:
            found = database.execute(
                "SELECT * FROM happenings WHERE run_id = ? ORDER BY number DESC LIMIT ?", (run_id, limit)
            )
            return [happening(row) for row in found][::-1]

    def told_lately(self, kinds: Collection[str], since: datetime, limit: int = 20) -> list[Happening]:
        with self._database.reading() as database:
            found = database.execute(
                f"SELECT * FROM happenings WHERE kind IN ({', '.join('?' * len(kinds))}) AND at >= ?"
                " ORDER BY number DESC LIMIT ?",
                (*kinds, text_of(since), limit),
            )
            return [happening(row) for row in found]

    def last_happening(self) -> int:
        with self._database.reading() as database:
            return int(database.execute("SELECT coalesce(max(number), 0) FROM happenings").fetchone()[0])

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _interrupt(database: sqlite3.Connection, run_id: str, lease: str, now: datetime) -> QueuedRun | None:
    """Mark a run as interrupted, unless its lease was renewed meanwhile."""
    row = database.execute(
        "SELECT * FROM items WHERE run_id = ? AND state = 'running' AND lease_until = ?", (run_id, lease)
    ).fetchone()
    if row is None:
        return None
    item = item_of(row)
    database.execute(
        "UPDATE items SET state = 'interrupted', ended_at = ?, status = 'interrupted', reason = ?,"
        " lease_until = NULL WHERE run_id = ?",
        (text_of(now), _LOST, item.run_id),
    )
    tell(database, now, "run_interrupted", {"reason": _LOST}, item.run_id, item.workflow_id)
    return item


def _also_asked(database: sqlite3.Connection, origin_key: str | None) -> str | None:
    """The run of somebody else that was the answer to whoever asked with that key."""
    row = database.execute("SELECT run_id FROM also_asked WHERE origin_key = ?", (origin_key,)).fetchone()
    return str(row[0]) if row is not None else None
