"""What was read stays known after the program ends: answers by key, in one SQLite file of bounded size.

A cache may forget, but it must never be in the way. Reading a run's screens asks it without waiting for anybody;
writing is done by a thread of its own, in batches, and what it has not written when the process dies is read again
tomorrow. A file that is torn, locked, on a full disk or of another program is left alone: there is a warning, once, and
from then on the answers are kept in memory only.
"""

from __future__ import annotations

import queue
import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rpa_vision.ports.perception import ReadText

MAX_ANSWERS = 200_000
"""About 25 MB: some weeks of work."""
_IN_MEMORY = 50_000
_BATCH = 256
_WAITING = 20_000
_BUSY_S = 0.2
_MARK = 0x52565443  # RVTC: says whose file it is
_VERSION = 1
_TABLE = """CREATE TABLE answers (
    key BLOB PRIMARY KEY, text TEXT NOT NULL, confidence REAL NOT NULL, number INTEGER NOT NULL) WITHOUT ROWID"""
_INDEX = "CREATE INDEX answers_by_number ON answers (number)"


class DiskTextCache:
    """Answers of readers, in memory and on the disk. For several threads and several processes."""

    def __init__(
        self, path: Path, *, capacity: int = MAX_ANSWERS, warn: Callable[[str], None] = lambda problem: None
    ) -> None:
        self._path, self._capacity, self._warn = path, max(1, capacity), warn
        self._recent: OrderedDict[bytes, ReadText] = OrderedDict()
        self._lock = threading.Lock()
        self._waiting: queue.Queue[tuple[bytes, ReadText] | threading.Event | None] = queue.Queue(_WAITING)
        self.problem: str | None = None
        """Why nothing is kept on the disk any more, if so."""
        self._reading: sqlite3.Connection | None = None
        self._thread: threading.Thread | None = None
        try:
            self._reading = _opened(path)
        except (OSError, sqlite3.Error, ValueError) as error:
            self._give_up(error)
            return
        self._thread = threading.Thread(target=self._write, name="text-cache", daemon=True)
        self._thread.start()

    def __len__(self) -> int:
        """How many answers are on the disk, or in memory where there is none."""
        with self._lock:
            if self._reading is None:
                return len(self._recent)
            return int(self._reading.execute("SELECT count(*) FROM answers").fetchone()[0])

    def get(self, key: bytes) -> ReadText | None:
        with self._lock:
            known = self._recent.get(key)
            if known is not None:
                self._recent.move_to_end(key)
                return known
            if self._reading is None:
                return None
            try:
                row = self._reading.execute("SELECT text, confidence FROM answers WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error as error:
                self._give_up(error)
                return None
            if row is None or not isinstance(row[0], str) or not isinstance(row[1], float):
                return None
            answer = ReadText(row[0], row[1])
            self._remember(key, answer)
            return answer

    def put(self, key: bytes, answer: ReadText) -> None:
        with self._lock:
            self._remember(key, answer)
            if self._reading is None:
                return
        with suppress(queue.Full):  # the disk is slower than we read: then this one is read again some day
            self._waiting.put_nowait((key, answer))

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until all that was put is on the disk; False when it is not by then."""
        if self._thread is None or not self._thread.is_alive():
            return False
        done = threading.Event()
        self._waiting.put(done)
        return done.wait(timeout_s) and self.problem is None

    def close(self) -> None:
        """Write what is left and let go of the file."""
        if self._thread is not None and self._thread.is_alive():
            self._waiting.put(None)
            self._thread.join(5.0)
        with self._lock:
            if self._reading is not None:
                self._reading.close()
                self._reading = None

    def _remember(self, key: bytes, answer: ReadText) -> None:
        self._recent[key] = answer
        self._recent.move_to_end(key)
        while len(self._recent) > min(_IN_MEMORY, self._capacity):
            self._recent.popitem(last=False)

    def _give_up(self, error: Exception) -> None:
        """Go on without the disk."""
        if self._reading is not None:
            with suppress(sqlite3.Error):
                self._reading.close()
            self._reading = None
        if self.problem is None:
            self.problem = f"{self._path}: what was read is not kept on the disk ({error})"
            self._warn(self.problem)

    def _write(self) -> None:
        """The writer's thread: takes what waits and commits it together."""
        try:
            connection = _opened(self._path)
        except (OSError, sqlite3.Error, ValueError) as error:
            with self._lock:
                self._give_up(error)
            return
        try:
            number = int(connection.execute("SELECT coalesce(max(number), 0) FROM answers").fetchone()[0])
            open_end = True
            while open_end:
                rows, asked, open_end = self._batch()
                if rows:
                    numbered = [
                        (key, answer.text, float(answer.confidence), number + i)
                        for i, (key, answer) in enumerate(rows, 1)
                    ]
                    number += len(rows)
                    with connection:
                        connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", numbered)
                        connection.execute("DELETE FROM answers WHERE number <= ?", (number - self._capacity,))
                for event in asked:
                    event.set()
        except sqlite3.Error as error:
            with self._lock:
                self._give_up(error)
        finally:
            connection.close()

    def _batch(self) -> tuple[list[tuple[bytes, ReadText]], list[threading.Event], bool]:
        rows: list[tuple[bytes, ReadText]] = []
        asked: list[threading.Event] = []
        item = self._waiting.get()
        while True:
            if item is None:
                return rows, asked, False
            if isinstance(item, threading.Event):
                asked.append(item)
            else:
                rows.append(item)
            if len(rows) >= _BATCH:
                return rows, asked, True
            try:
                item = self._waiting.get_nowait()
            except queue.Empty:
                return rows, asked, True


def _opened(path: Path) -> sqlite3.Connection:
    """A connection to a file that is ours, made if there is none; ValueError when it is somebody else's."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_BUSY_S, check_same_thread=False)
    try:
        mark = int(connection.execute("PRAGMA application_id").fetchone()[0])
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        tables = int(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        if tables and (mark, version) != (_MARK, _VERSION):
            raise ValueError("a file of another program or version")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        if not tables:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                if not connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
                    connection.execute(_TABLE)
                    connection.execute(_INDEX)
                    connection.execute(f"PRAGMA application_id = {_MARK}")
                    connection.execute(f"PRAGMA user_version = {_VERSION}")
        with suppress(OSError):
            path.chmod(0o600)
    except BaseException:
        connection.close()
        raise
    return connection
