"""Files of rows in the queue's database: what was asked for before, what became of their rows, and the end of the rest.

A file may have 20,000 rows and pages ask for it every second: nothing here reads rows one by one.
"""

from __future__ import annotations

import sqlite3


def asked_before(database: sqlite3.Connection, digest: str, workflow_id: str, name: str) -> list[sqlite3.Row]:
    """Files with these rows, and files of that name, the newest first."""
    return database.execute(
        "SELECT * FROM batches WHERE digest <> '' AND (digest = ? OR (workflow_id = ? AND name = ?))"
        " ORDER BY queued_at DESC, batch_id",
        (digest, workflow_id, name),
    ).fetchall()


def counts(database: sqlite3.Connection, batch_id: str) -> dict[str, int]:
    """How many rows of a file there are of each outcome; of those that are not over, of each state."""
    found = database.execute(
        "SELECT CASE status WHEN '' THEN state ELSE status END, count(*) FROM items WHERE batch_id = ? GROUP BY 1",
        (batch_id,),
    )
    return {row[0]: row[1] for row in found}


def last_rows(database: sqlite3.Connection, limit: int) -> dict[str, list[tuple[str, str]]]:
    """Of each file with rows that wait the last rows that ended since it was released, in order."""
    files = database.execute(
        "SELECT batch_id, released FROM batches AS file WHERE EXISTS"
        " (SELECT 1 FROM items WHERE items.batch_id = file.batch_id AND state = 'waiting')"
    ).fetchall()
    found: dict[str, list[tuple[str, str]]] = {}
    for file in files:
        ended = list[sqlite3.Row]()
        for state in ("ended", "interrupted"):
            ended += database.execute(
                "SELECT number, status, reason FROM items WHERE batch_id = ? AND state = ? AND number > ?"
                " ORDER BY number DESC LIMIT ?",
                (file["batch_id"], state, file["released"], limit),
            ).fetchall()
        last = sorted(ended, key=lambda row: int(row["number"]))[-limit:]
        found[file["batch_id"]] = [(row["status"], row["reason"]) for row in last]
    return found


def stop(database: sqlite3.Connection, batch_id: str, now: str, who: str) -> tuple[int, int]:
    """Take the rows that wait out of the queue, and end those that run; says how many of each."""
    cancelled = database.execute(
        "UPDATE items SET state = 'cancelled', ended_at = ?, reason = ? WHERE batch_id = ? AND state = 'waiting'",
        (now, f"taken out of the queue by {who}", batch_id),
    ).rowcount
    stopped = database.execute(
        "UPDATE items SET wanted = 'stop' WHERE batch_id = ? AND state = 'running' AND wanted <> 'stop'", (batch_id,)
    ).rowcount
    return cancelled, stopped
