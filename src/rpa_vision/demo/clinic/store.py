"""The clinic's database: the invoices as they really are, and a journal of everything that changed them.

The journal is what an evaluation believes, so it is written in the same transaction as the change.
"""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path

from rpa_vision.demo.clinic.data import Act, Invoice, Status

_SCHEMA = """
CREATE TABLE invoices (
    number TEXT PRIMARY KEY, patient TEXT NOT NULL, issued_on TEXT NOT NULL, due_on TEXT NOT NULL,
    practitioner TEXT NOT NULL, insurer TEXT NOT NULL, acts TEXT NOT NULL, status TEXT NOT NULL,
    amount_is_wrong INTEGER NOT NULL
) STRICT;
CREATE TABLE journal (
    id INTEGER PRIMARY KEY, at REAL NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, number TEXT, detail TEXT
) STRICT;
"""


class Outcome(StrEnum):
    """What came of an attempt to validate."""

    VALIDATED = "validated"
    WRONG_AMOUNT = "wrong_amount"
    ALREADY_VALIDATED = "already_validated"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One thing somebody did, or tried to do."""

    at: float
    actor: str
    action: str
    number: str | None
    detail: str | None


class Store:
    """One sqlite database behind one lock; any thread may call it."""

    def __init__(self, invoices: Iterable[Invoice], now: Callable[[], float], path: Path | None = None) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._origin = tuple(invoices)
        self._db = sqlite3.connect(path or ":memory:", check_same_thread=False)
        with self._lock, self._db:
            self._db.executescript("DROP TABLE IF EXISTS invoices; DROP TABLE IF EXISTS journal;" + _SCHEMA)
            self._fill()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """The database, for one caller alone; what is done inside is kept as a whole or not at all."""
        with self._lock, self._db:
            yield self._db

    def write(self, actor: str, action: str, number: str | None = None, detail: str | None = None) -> None:
        """Write into the journal from inside a transaction."""
        self._write(actor, action, number, detail)

    def close(self) -> None:
        """Let the database go."""
        with self._lock:
            self._db.close()

    def invoices(self) -> list[Invoice]:
        """Every invoice, in number order."""
        with self._lock:
            rows = self._db.execute(f"SELECT {_COLUMNS} FROM invoices ORDER BY number").fetchall()
        return [_invoice(row) for row in rows]

    def invoice(self, number: str) -> Invoice | None:
        """The invoice of that number, if there is one."""
        with self._lock:
            return self._find(number)

    def validate(self, number: str, actor: str, reason: str | None = None) -> Outcome:
        """Validate one invoice, or say why not; either way the journal knows."""
        with self._lock, self._db:
            invoice = self._find(number)
            if invoice is None:
                outcome = Outcome.UNKNOWN
            elif invoice.status is Status.VALIDATED:
                outcome = Outcome.ALREADY_VALIDATED
            elif invoice.amount_is_wrong:
                outcome = Outcome.WRONG_AMOUNT
            else:
                outcome = Outcome.VALIDATED
                self._set_validated(number)
            if outcome is Outcome.VALIDATED:
                self._write(actor, "validated", number, reason)
            else:
                self._write(actor, "refused", number, outcome.value)
        return outcome

    def validate_all(self, actor: str) -> list[str]:
        """Validate everything that waits, right amount or not: the look-alike button does real harm."""
        with self._lock, self._db:
            waiting = [
                number
                for (number,) in self._db.execute(
                    "SELECT number FROM invoices WHERE status = ? ORDER BY number", (Status.TO_VALIDATE.value,)
                ).fetchall()
            ]
            for number in waiting:
                self._set_validated(number)
                self._write(actor, "validated", number, "all")
        return waiting

    def note(self, actor: str, action: str, number: str | None = None, detail: str | None = None) -> None:
        """Write into the journal something that changes no invoice, such as a login."""
        with self._lock, self._db:
            self._write(actor, action, number, detail)

    def journal(self) -> list[JournalEntry]:
        """Everything that happened, oldest first."""
        with self._lock:
            rows = self._db.execute("SELECT at, actor, action, number, detail FROM journal ORDER BY id").fetchall()
        return [JournalEntry(*row) for row in rows]

    def reset(self) -> None:
        """Back to the first day, with an empty journal."""
        with self._lock, self._db:
            self._db.execute("DELETE FROM invoices")
            self._db.execute("DELETE FROM journal")
            self._fill()

    def _fill(self) -> None:
        self._db.executemany(
            f"INSERT INTO invoices ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", [_row(i) for i in self._origin]
        )

    def _find(self, number: str) -> Invoice | None:
        row = self._db.execute(f"SELECT {_COLUMNS} FROM invoices WHERE number = ?", (number,)).fetchone()
        return _invoice(row) if row else None

    def _set_validated(self, number: str) -> None:
        self._db.execute("UPDATE invoices SET status = ? WHERE number = ?", (Status.VALIDATED.value, number))

    def _write(self, actor: str, action: str, number: str | None, detail: str | None) -> None:
        self._db.execute(
            "INSERT INTO journal (at, actor, action, number, detail) VALUES (?, ?, ?, ?, ?)",
            (self._now(), actor, action, number, detail),
        )


_COLUMNS = "number, patient, issued_on, due_on, practitioner, insurer, acts, status, amount_is_wrong"
_Row = tuple[str, str, str, str, str, str, str, str, int]


def _row(invoice: Invoice) -> _Row:
    return (
        invoice.number,
        invoice.patient,
        invoice.issued_on.isoformat(),
        invoice.due_on.isoformat(),
        invoice.practitioner,
        invoice.insurer,
        json.dumps([[act.label, act.amount_cents] for act in invoice.acts], ensure_ascii=False),
        invoice.status.value,
        int(invoice.amount_is_wrong),
    )


def _invoice(row: _Row) -> Invoice:
    number, patient, issued_on, due_on, practitioner, insurer, acts, status, amount_is_wrong = row
    return Invoice(
        number=number,
        patient=patient,
        issued_on=date.fromisoformat(issued_on),
        due_on=date.fromisoformat(due_on),
        practitioner=practitioner,
        insurer=insurer,
        acts=tuple(Act(label, cents) for label, cents in json.loads(acts)),
        status=Status(status),
        amount_is_wrong=bool(amount_is_wrong),
    )
