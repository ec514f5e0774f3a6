"""Open an SQLite database of ours: WAL, numbered migrations, and a mark that says whose it is.

What cannot be used (torn, of another program, of a newer version) is a DocumentError before anything is changed. The
mark is SQLite's application id, the version its user version: the number of the last migration that was applied.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from rpa_vision.errors import DocumentError, StorageError

BUSY_S = 10.0


def migrations(package: str, folder: str) -> list[str]:
    """The texts of the migrations below a package, in their order: 0001_….sql, 0002_….sql."""
    root: Traversable = files(package).joinpath("migrations", folder)
    found = sorted(entry.name for entry in root.iterdir() if entry.name.endswith(".sql"))
    return [root.joinpath(name).read_text(encoding="utf-8") for name in found]


def open_database(path: Path, *, mark: int, scripts: list[str], upto: int | None = None) -> sqlite3.Connection:
    """Open or make a database and bring it up to date. Statements commit by themselves outside `transaction`."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    except (OSError, sqlite3.Error) as error:
        raise StorageError(f"{path}: cannot be opened ({error})") from error
    try:
        _check_whose(connection, path, mark, len(scripts))
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        migrate(connection, mark=mark, scripts=scripts, upto=upto)
        with suppress(OSError):
            path.chmod(0o600)
    except sqlite3.OperationalError as error:  # locked, full, read-only: not the fault of what is in it
        connection.close()
        raise StorageError(f"{path}: cannot be used ({error})") from error
    except sqlite3.DatabaseError as error:
        connection.close()
        raise DocumentError(f"{path}: not a whole database ({error})") from error
    except DocumentError:
        connection.close()
        raise
    return connection


def migrate(connection: sqlite3.Connection, *, mark: int, scripts: list[str], upto: int | None = None) -> None:
    """Apply the migrations that are missing, each whole or not at all, whoever else does the same just now."""
    wanted = len(scripts) if upto is None else upto
    if version(connection) >= wanted:
        return
    with transaction(connection):
        for number in range(version(connection) + 1, wanted + 1):
            for statement in scripts[number - 1].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {mark}")
            connection.execute(f"PRAGMA user_version = {number}")


def version(connection: sqlite3.Connection) -> int:
    """The number of the last migration that was applied."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Change several things as one, alone."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def remove_database(path: Path) -> None:
    """Remove a database with everything SQLite keeps beside it."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)


def _check_whose(connection: sqlite3.Connection, path: Path, mark: int, newest: int) -> None:
    tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    whose = connection.execute("PRAGMA application_id").fetchone()[0]
    if (tables or whose) and whose != mark:
        raise DocumentError(f"{path}: a database of something else")
    if version(connection) > newest:
        raise DocumentError(f"{path}: written by a newer version", remedy="Update rpa-vision, or move the file away.")
