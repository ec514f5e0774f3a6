"""What happened, in the queue's database: written together with what it is about; the oldest is forgotten."""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime

from rpa_vision.adapters.office.database import text_of, time_of
from rpa_vision.models.document import JsonObject
from rpa_vision.models.queue import Happening

_KEPT_HAPPENINGS = 5000


def tell(
    database: sqlite3.Connection, now: datetime, kind: str, body: JsonObject, run_id: str | None,
    workflow_id: str | None,
) -> None:  # fmt: skip
    """Write down something for whoever watches."""
    done = database.execute(
        "INSERT INTO happenings (at, kind, run_id, workflow_id, body) VALUES (?, ?, ?, ?, ?)",
        (text_of(now), kind, run_id, workflow_id, json.dumps(body, ensure_ascii=False)),
    )
    if (done.lastrowid or 0) % 100 == 0:
        database.execute("DELETE FROM happenings WHERE number <= ?", ((done.lastrowid or 0) - _KEPT_HAPPENINGS,))


def happening(row: sqlite3.Row) -> Happening:
    """One of them again."""
    return Happening(
        row["number"], time_of(row["at"]), row["kind"], row["run_id"], row["workflow_id"], json.loads(row["body"])
    )
