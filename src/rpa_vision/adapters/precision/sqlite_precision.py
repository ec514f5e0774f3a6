"""Tallies in SQLite: one row for each strategy, element, day and tenth of the scale."""

from __future__ import annotations

import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

from rpa_vision.adapters.decisions.database import migrations, open_database, transaction
from rpa_vision.errors import DocumentError, StorageError
from rpa_vision.models.precision import BINS, BinTally, Claim, Tally

_MARK: Final = 0x52565052  # "RVPR"
_ADD: Final = """
INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (strategy, element, day, bin) DO UPDATE SET
    claims = claims + excluded.claims,
    hits = hits + excluded.hits,
    claimed_units = claimed_units + excluded.claimed_units,
    square_units = square_units + excluded.square_units
"""
_SUM: Final = """
SELECT strategy, element, bin, sum(claims), sum(hits), sum(claimed_units), sum(square_units)
FROM tally WHERE day >= ? GROUP BY strategy, element, bin
"""


class SqlitePrecisionStore:
    """Implements `ports.precision.PrecisionStore`. The file is made with the first claim."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._scripts = migrations("rpa_vision.adapters.precision", "")
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None

    def add(self, claims: Sequence[Claim], day: date) -> None:
        sums: defaultdict[tuple[str, str], Tally] = defaultdict(Tally)
        for claim in claims:
            sums[claim.strategy, claim.element] += Tally.of(claim)
        rows = [
            (*key, day.isoformat(), index, one.claims, one.hits, one.claimed_units, one.square_units)
            for key, tally in sums.items()
            for index, one in enumerate(tally.bins)
            if one.claims
        ]
        with self._opened() as connection, transaction(connection):
            connection.executemany(_ADD, rows)

    def tallies(self, since: date) -> Mapping[tuple[str, str], Tally]:
        if not self._path.exists():
            return {}
        with self._opened() as connection:
            rows = connection.execute(_SUM, (since.isoformat(),)).fetchall()
        bins: defaultdict[tuple[str, str], list[BinTally]] = defaultdict(lambda: [BinTally()] * BINS)
        for strategy, element, index, *counts in rows:
            bins[strategy, element][index] = BinTally(*counts)
        return {key: Tally(tuple(found)) for key, found in bins.items()}

    def forget(self, before: date) -> None:
        if not self._path.exists():
            return
        with self._opened() as connection, transaction(connection):
            connection.execute("DELETE FROM tally WHERE day < ?", (before.isoformat(),))

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._connection is None:
                self._connection = open_database(self._path, mark=_MARK, scripts=self._scripts)
            try:
                yield self._connection
            except sqlite3.OperationalError as error:
                raise StorageError(f"{self._path}: cannot be used ({error})") from error
            except sqlite3.DatabaseError as error:
                raise DocumentError(f"{self._path}: not a whole database ({error})") from error
