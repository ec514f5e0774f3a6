"""Decisions as lines of JSON, each tied to the one before by its hash, on disk before `append` returns.

    {"time": …, "kind": …, "record": {…}, "prev": <hash of the line before>, "hash": <sha256 of the rest>}

A line that was cut short stays where it is: the next entry begins on a new line, after an `audit.recovered` entry that
says how many bytes were unreadable and ties the chain to the last whole line.
"""

from __future__ import annotations

import hashlib
import json
import threading
from datetime import UTC
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.errors import DocumentError
from rpa_vision.ports.runtime import Clock

FIRST = "0" * 64
RECOVERED = "audit.recovered"
_TAIL_BYTES = 1 << 20


class JsonlAudit:
    """Implements `ports.audit.AuditLog`. Several processes may share a file; it is made with the first entry."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._file: AppendFile | None = None
        self._lock = threading.Lock()
        self._end = -1
        self._prev = FIRST

    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        """Write one decision down; returns when it is on disk."""
        try:
            json.dumps(record, allow_nan=False, ensure_ascii=False).encode()
        except (TypeError, ValueError, RecursionError) as error:
            raise DocumentError(f"audit record {kind!r}: cannot be written as JSON ({error})") from error
        with self._lock:
            if self._file is None:
                self._file = AppendFile(self._path)
            with self._file.alone():
                self._catch_up(self._file)
                self._write(self._file, kind, record)
                self._file.sync()
                self._end = self._file.size()

    def _catch_up(self, file: AppendFile) -> None:
        """Find the end of the chain, which another process may have moved, or been killed while moving."""
        if file.size() == self._end:
            return
        self._prev, unreadable = _last_link(file)
        if unreadable:
            self._write(file, RECOVERED, {"unreadable_bytes": unreadable})

    def _write(self, file: AppendFile, kind: str, record: dict[str, JsonValue]) -> None:
        time = self._clock.now().astimezone(UTC).isoformat()
        entry: dict[str, Any] = {"time": time, "kind": kind, "record": record, "prev": self._prev}
        entry["hash"] = digest(entry)
        self._end = -1  # until it is through, nothing is known about the end of the file
        file.append(json.dumps(entry, ensure_ascii=False, separators=(",", ":")).encode())
        self._prev = entry["hash"]


def digest(entry: dict[str, Any]) -> str:
    """The hash of an entry: of everything in it but the hash itself, in one fixed spelling."""
    rest = {key: value for key, value in entry.items() if key != "hash"}
    text = json.dumps(rest, sort_keys=True, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _last_link(file: AppendFile) -> tuple[str, int]:
    """The hash of the last whole entry, and how many unreadable bytes follow it."""
    length = _TAIL_BYTES
    while True:
        tail = file.tail(length)
        unreadable = 0
        for line in reversed(tail.split(b"\n")):
            link = _hash_of(line)
            if link is not None:
                return link, unreadable
            unreadable += len(line)
        if length >= file.size():
            return FIRST, unreadable
        length *= 8


def _hash_of(line: bytes) -> str | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    link = entry.get("hash") if isinstance(entry, dict) else None
    return link if isinstance(link, str) else None
