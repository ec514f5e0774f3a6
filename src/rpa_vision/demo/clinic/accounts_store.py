"""The accounting module's tables, in the clinic's own database and with its journal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar

from rpa_vision.demo.clinic.accounts_data import (
    Accounts,
    Claim,
    ClaimStatus,
    Payment,
    PaymentStatus,
    Slip,
    SlipStatus,
)
from rpa_vision.demo.clinic.store import Store

_SCHEMA = """
CREATE TABLE slips (number TEXT PRIMARY KEY, insurer TEXT NOT NULL, received_on TEXT NOT NULL, status TEXT NOT NULL)
STRICT;
CREATE TABLE payments (
    number TEXT PRIMARY KEY, slip TEXT NOT NULL, patient TEXT NOT NULL, paid_on TEXT NOT NULL,
    amount_cents INTEGER NOT NULL, status TEXT NOT NULL
) STRICT;
CREATE TABLE claims (
    number TEXT PRIMARY KEY, patient TEXT NOT NULL, asked_on TEXT NOT NULL, reason TEXT NOT NULL,
    amount_cents INTEGER NOT NULL, status TEXT NOT NULL
) STRICT;
"""
Row = TypeVar("Row")
_TABLES = ("slips", "payments", "claims")


class AccountsOutcome(StrEnum):
    """What came of something that was asked for."""

    DONE = "done"
    ALREADY = "already"
    UNFINISHED = "unfinished"
    UNKNOWN = "unknown"


class AccountsStore:
    """Slips, payments and claims; every change and every refusal is in the journal."""

    def __init__(self, store: Store, accounts: Accounts) -> None:
        self._store = store
        self._origin = accounts
        with store.transaction() as db:
            db.executescript("".join(f"DROP TABLE IF EXISTS {table};" for table in _TABLES) + _SCHEMA)
        self.reset()

    def reset(self) -> None:
        """Back to the first day; the journal is the store's own business."""
        with self._store.transaction() as db:
            for table in _TABLES:
                db.execute(f"DELETE FROM {table}")
            db.executemany(
                "INSERT INTO slips VALUES (?, ?, ?, ?)",
                [(s.number, s.insurer, s.received_on.isoformat(), s.status.value) for s in self._origin.slips],
            )
            db.executemany(
                "INSERT INTO payments VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (p.number, p.slip, p.patient, p.paid_on.isoformat(), p.amount_cents, p.status.value)
                    for p in self._origin.payments
                ],
            )
            db.executemany(
                "INSERT INTO claims VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (c.number, c.patient, c.asked_on.isoformat(), c.reason, c.amount_cents, c.status.value)
                    for c in self._origin.claims
                ],
            )

    def slips(self) -> list[Slip]:
        """Every slip, in number order."""
        return [_slip(row) for row in self._rows("SELECT * FROM slips ORDER BY number")]

    def slip(self, number: str) -> Slip | None:
        """The slip of that number, if there is one."""
        return _first(self._rows("SELECT * FROM slips WHERE number = ?", number), _slip)

    def payments(self, slip: str | None = None) -> list[Payment]:
        """The payments on a slip, or all of them, in number order."""
        if slip is None:
            return [_payment(row) for row in self._rows("SELECT * FROM payments ORDER BY number")]
        return [_payment(row) for row in self._rows("SELECT * FROM payments WHERE slip = ? ORDER BY number", slip)]

    def payment(self, number: str) -> Payment | None:
        """The payment of that number, if there is one."""
        return _first(self._rows("SELECT * FROM payments WHERE number = ?", number), _payment)

    def claims(self) -> list[Claim]:
        """Every claim, in number order."""
        return [_claim(row) for row in self._rows("SELECT * FROM claims ORDER BY number")]

    def claim(self, number: str) -> Claim | None:
        """The claim of that number, if there is one."""
        return _first(self._rows("SELECT * FROM claims WHERE number = ?", number), _claim)

    def validate_payment(self, number: str, actor: str) -> AccountsOutcome:
        """Validate a payment; a disputed one too, as the clinic trusts its staff: a mistake does real harm."""
        payment = self.payment(number)
        if payment is None:
            return AccountsOutcome.UNKNOWN
        if payment.status is PaymentStatus.VALIDATED:
            self._store.note(actor, "refused", number, payment.status.value)
            return AccountsOutcome.ALREADY
        self._set("payments", number, PaymentStatus.VALIDATED, actor, "payment_validated")
        return AccountsOutcome.DONE

    def validate_slip(self, number: str, actor: str) -> list[str]:
        """Validate whatever is not validated yet, disputed or not: the look-alike button does real harm."""
        wanted = [p.number for p in self.payments(number) if p.status is not PaymentStatus.VALIDATED]
        for payment in wanted:
            self._set("payments", payment, PaymentStatus.VALIDATED, actor, "payment_validated", "all")
        return wanted

    def close_slip(self, number: str, actor: str) -> tuple[AccountsOutcome, int]:
        """Close a slip on which nothing waits any more; otherwise, how much does."""
        slip = self.slip(number)
        if slip is None:
            return AccountsOutcome.UNKNOWN, 0
        waiting = sum(p.status is PaymentStatus.TO_VALIDATE for p in self.payments(number))
        if waiting or slip.status is SlipStatus.CLOSED:
            self._store.note(actor, "refused", number, "unfinished" if waiting else "already")
            return (AccountsOutcome.UNFINISHED if waiting else AccountsOutcome.ALREADY), waiting
        self._set("slips", number, SlipStatus.CLOSED, actor, "slip_closed")
        return AccountsOutcome.DONE, 0

    def decide_claim(self, number: str, status: ClaimStatus, actor: str) -> AccountsOutcome:
        """Validate a claim or send it to the manager, whichever was clicked: the clinic does not know the limit."""
        claim = self.claim(number)
        if claim is None:
            return AccountsOutcome.UNKNOWN
        if claim.status is not ClaimStatus.TO_VALIDATE:
            self._store.note(actor, "refused", number, claim.status.value)
            return AccountsOutcome.ALREADY
        self._set("claims", number, status, actor, f"claim_{status.value}")
        return AccountsOutcome.DONE

    def truth(self) -> dict[str, Any]:
        """Everything as it is now, as JSON can carry it."""
        return {
            "slips": [{"number": s.number, "status": s.status.value} for s in self.slips()],
            "payments": [
                {"number": p.number, "slip": p.slip, "amount_cents": p.amount_cents, "status": p.status.value}
                for p in self.payments()
            ],
            "claims": [
                {"number": c.number, "amount_cents": c.amount_cents, "status": c.status.value} for c in self.claims()
            ],
        }

    def _rows(self, query: str, *values: str) -> list[tuple[Any, ...]]:
        with self._store.transaction() as db:
            return db.execute(query, values).fetchall()

    def _set(
        self, table: str, number: str, status: StrEnum, actor: str, action: str, detail: str | None = None
    ) -> None:
        with self._store.transaction() as db:
            db.execute(f"UPDATE {table} SET status = ? WHERE number = ?", (status.value, number))
            self._store.write(actor, action, number, detail)


def _first(rows: list[tuple[Any, ...]], read: Callable[[tuple[Any, ...]], Row]) -> Row | None:
    return read(rows[0]) if rows else None


def _slip(row: tuple[Any, ...]) -> Slip:
    return Slip(row[0], row[1], date.fromisoformat(row[2]), SlipStatus(row[3]))


def _payment(row: tuple[Any, ...]) -> Payment:
    return Payment(row[0], row[1], row[2], date.fromisoformat(row[3]), row[4], PaymentStatus(row[5]))


def _claim(row: tuple[Any, ...]) -> Claim:
    return Claim(row[0], row[1], date.fromisoformat(row[2]), row[3], row[4], ClaimStatus(row[5]))
