"""Rows of the queue's database as what they are."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from rpa_vision.adapters.office.database import time_of
from rpa_vision.models.queue import Batch, QueuedRun, RunAsked


def found_in(database: sqlite3.Connection, run_id: str) -> QueuedRun | None:
    """A run by its id."""
    row = database.execute("SELECT * FROM items WHERE run_id = ?", (run_id,)).fetchone()
    return item_of(row) if row is not None else None


def item_of(row: sqlite3.Row) -> QueuedRun:
    """A run in the queue."""
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
        queued_at=time_of(row["queued_at"]),
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
        input_sent=bool(row["input_sent"]) if row["input_sent"] is not None else None,
    )


def batch_of(row: sqlite3.Row) -> Batch:
    """A file of rows."""
    return Batch(
        row["batch_id"], row["workflow_id"], row["name"], row["who"], time_of(row["queued_at"]), row["rows"],
        row["skipped"], row["released"], row["digest"],
    )  # fmt: skip


def _maybe(text: str | None) -> datetime | None:
    return time_of(text) if text else None
