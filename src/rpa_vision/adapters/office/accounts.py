"""Accounts and tokens in SQLite. Only salted hashes of secrets are here."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from rpa_vision.adapters.office.database import OfficeDatabase
from rpa_vision.models.account import Account, Token
from rpa_vision.ports.accounts import StoredToken

_MARK = 0x52564143  # "RVAC"


class SqliteAccounts:
    """Implements `ports.accounts.AccountStore`."""

    def __init__(self, path: Path) -> None:
        self._database = OfficeDatabase(path, mark=_MARK, folder="accounts")

    def accounts(self) -> Sequence[Account]:
        with self._database.reading() as database:
            return [_account(row) for row in database.execute("SELECT * FROM accounts ORDER BY created_at, user_id")]

    def account(self, user_id: str) -> Account | None:
        with self._database.reading() as database:
            row = database.execute("SELECT * FROM accounts WHERE user_id = ?", (user_id,)).fetchone()
        return _account(row) if row is not None else None

    def save(self, account: Account) -> bool:
        with self._database.changing(durable=True) as database:
            taken = database.execute(
                "SELECT 1 FROM accounts WHERE name = ? COLLATE NOCASE AND user_id <> ?", (account.name, account.user_id)
            ).fetchone()
            if taken is None:
                _put(database, account)
        return taken is None

    def amend(self, user_id: str, how: Callable[[Account, Sequence[Account]], Account]) -> Account | None:
        with self._database.changing(durable=True) as database:
            all_of_them = [_account(row) for row in database.execute("SELECT * FROM accounts")]
            before = next((one for one in all_of_them if one.user_id == user_id), None)
            if before is None:
                return None
            after = how(before, [one for one in all_of_them if one.user_id != user_id])
            _put(database, after)
        return after

    def save_if_first(self, account: Account) -> bool:
        with self._database.changing(durable=True) as database:
            is_first = database.execute("SELECT 1 FROM accounts LIMIT 1").fetchone() is None
            if is_first:
                _put(database, account)
        return is_first

    def add_token(self, token: StoredToken) -> None:
        one = token.token
        with self._database.changing(durable=True) as database:
            database.execute(
                "INSERT INTO tokens (token_id, user_id, kind, label, salt, hash, created_at, expires_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (one.token_id, one.user_id, one.kind, one.label, token.salt, token.hash, one.created_at.isoformat(),
                 one.expires_at.isoformat()),
            )  # fmt: skip

    def token(self, token_id: str) -> StoredToken | None:
        with self._database.reading() as database:
            row = database.execute("SELECT * FROM tokens WHERE token_id = ?", (token_id,)).fetchone()
        return StoredToken(_token(row), row["salt"], row["hash"]) if row is not None else None

    def tokens(self, user_id: str | None = None) -> Sequence[Token]:
        with self._database.reading() as database:
            found = database.execute(
                "SELECT * FROM tokens WHERE ? IS NULL OR user_id = ? ORDER BY created_at DESC, token_id",
                (user_id, user_id),
            )
            return [_token(row) for row in found]

    def revoke(self, token_id: str) -> bool:
        with self._database.changing(durable=True) as database:
            changed = database.execute("UPDATE tokens SET revoked = 1 WHERE token_id = ? AND NOT revoked", (token_id,))
            return changed.rowcount == 1

    def touch(self, token_id: str, at: datetime) -> None:
        with self._database.changing() as database:
            database.execute("UPDATE tokens SET last_used_at = ? WHERE token_id = ?", (at.isoformat(), token_id))

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()


def _put(database: sqlite3.Connection, account: Account) -> None:
    database.execute(
        "INSERT INTO accounts (user_id, name, role, created_at, disabled, language, theme) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (user_id) DO UPDATE SET name = excluded.name, role = excluded.role, disabled = excluded.disabled,"
        " language = excluded.language, theme = excluded.theme",
        (account.user_id, account.name, account.role, account.created_at.isoformat(), int(account.disabled),
         account.language, account.theme),
    )  # fmt: skip


def _account(row: sqlite3.Row) -> Account:
    return Account(
        row["user_id"], row["name"], row["role"], datetime.fromisoformat(row["created_at"]), bool(row["disabled"]),
        row["language"], row["theme"],
    )  # fmt: skip


def _token(row: sqlite3.Row) -> Token:
    used = row["last_used_at"]
    return Token(
        row["token_id"], row["user_id"], row["kind"], row["label"], datetime.fromisoformat(row["created_at"]),
        datetime.fromisoformat(row["expires_at"]), datetime.fromisoformat(used) if used else None,
        bool(row["revoked"]),
    )  # fmt: skip
