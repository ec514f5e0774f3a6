"""Decisions as lines of JSON, each tied to the one before by its hash, across as many files as there are.

Whoever appends holds the trail's lock, so any number of processes write one chain. A file is never renamed and never
written to again once the next one exists: going on in a new file is nothing but making it. A line that was cut short
stays where it is; the next entry begins on a new line, after an `audit.recovered` entry that says what was unreadable
and ties the chain to the last whole line.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from rpa_vision.adapters.audit.entries import FIRST, RECOVERED, REMOVED, Draft, digest, parsed
from rpa_vision.adapters.audit.trail_files import Head, TrailFiles
from rpa_vision.adapters.audit.trail_reader import JsonlTrail
from rpa_vision.adapters.storage.atomic import AppendFile
from rpa_vision.errors import StorageError
from rpa_vision.ports.audit import AuditEntry, AuditPosition, VerifyResult
from rpa_vision.ports.runtime import Clock

__all__ = ["FIRST", "RECOVERED", "REMOVED", "AuditSettings", "JsonlAudit", "digest"]

_TAIL_BYTES = 1 << 12


@dataclass(frozen=True, slots=True)
class AuditSettings:
    """How careful, how long and how small."""

    fsync: Literal["every", "interval"] = "every"
    """`interval`: handed to the operating system at once, so `kill -9` loses nothing; forced to the disk by the first
    entry after each interval, so a power failure may cost what came later."""
    fsync_interval_s: float = 1.0
    max_bytes: int = 64 * 1024 * 1024
    daily: bool = True
    """A new file with the first entry of each day (UTC)."""
    compress: bool = False
    """Pack a file once the next one has begun, in the call that began it."""


class JsonlAudit:
    """Implements `ports.audit.AuditLog` and `AuditTrail`. Nothing is made before the first entry."""

    def __init__(self, path: Path, clock: Clock, settings: AuditSettings | None = None) -> None:
        self._files = TrailFiles(path)
        self._trail = JsonlTrail(path)
        self._clock = clock
        self._settings = settings or AuditSettings()
        self._thread_lock = threading.Lock()
        self._process_lock: AppendFile | None = None
        self._growing: _GrowingFile | None = None
        self._synced_s: float | None = None
        self._unsynced = False

    def append(self, kind: str, record: dict[str, JsonValue]) -> None:
        """Write one decision down; returns when it is on disk, or as near to it as the settings ask."""
        draft = Draft(kind, record)
        with self._thread_lock:
            with self._alone():
                now = self._clock.now().astimezone(UTC)
                growing = self._newest(now)
                ended = growing.number if self._is_full(growing, now) else None
                if ended is not None:
                    growing = self._next_file(growing)
                growing.write(draft, now)
                self._unsynced = True
                if self._sync_is_due():
                    self._sync(growing)
            if ended is not None and self._settings.compress:
                with suppress(StorageError):  # the entry is written; packing is tried again with the next file
                    self._pack_up_to(ended)

    def flush(self) -> None:
        """Force everything appended so far to the disk."""
        with self._thread_lock:
            if self._unsynced and self._growing is not None:
                with self._alone():
                    self._sync(self._growing)

    def close(self) -> None:
        """Flush, and let go of the files. Another entry would open them again."""
        self.flush()
        with self._thread_lock:
            if self._growing is not None:
                self._growing.file.close()
            if self._process_lock is not None:
                self._process_lock.close()
            self._growing = self._process_lock = None

    def pack(self) -> None:
        """Compress every file but the growing one."""
        numbers = self._files.numbers()
        if numbers:
            self._pack_up_to(numbers[-1] - 1)

    def is_writable(self) -> bool:
        """Whether an entry could be written now, as far as can be told without making or writing anything."""
        newest = self._files.plain(self._files.newest())
        return os.access(self._files.nearest_folder(), os.W_OK) and (not newest.exists() or os.access(newest, os.W_OK))

    def entries(self, after: AuditPosition | None = None) -> Iterator[AuditEntry]:
        """Whole entries in the order in which they were written, from a place on."""
        return self._trail.entries(after)

    def end(self) -> AuditPosition:
        """Where the next entry will be written."""
        return self._trail.end()

    def verify(self, since: datetime | None = None) -> VerifyResult:
        """Find the first line that was changed, removed, inserted or moved."""
        return self._trail.verify(since)

    def _alone(self) -> AbstractContextManager[None]:
        """Hold off every other process that writes this trail."""
        if self._process_lock is None:
            self._process_lock = AppendFile(self._files.lock)
        return self._process_lock.alone()

    def _newest(self, now: datetime) -> _GrowingFile:
        """The file that grows, with the end of the chain known, whatever others did to it meanwhile."""
        growing = self._growing
        if growing is None or not growing.is_the_newest():
            growing = self._open(self._files.newest())
        growing.catch_up(now)
        return growing

    def _open(self, number: int) -> _GrowingFile:
        last, self._growing = self._growing, None  # an opening that fails leaves nothing half open behind
        if last is not None:
            last.file.close()
        self._growing = _GrowingFile(self._files, number)
        return self._growing

    def _is_full(self, growing: _GrowingFile, now: datetime) -> bool:
        if growing.end == 0:
            return False
        if growing.end >= self._settings.max_bytes:
            return True
        return self._settings.daily and growing.day is not None and now.date().isoformat() > growing.day

    def _next_file(self, growing: _GrowingFile) -> _GrowingFile:
        """Go on in a new file. The old one is on disk before: the head may speak of the new one from now on."""
        growing.file.sync()
        following = self._open(growing.number + 1)
        following.begin_after(growing.prev)
        return following

    def _sync_is_due(self) -> bool:
        if self._settings.fsync == "every" or self._synced_s is None:
            return True
        return self._clock.monotonic() - self._synced_s >= self._settings.fsync_interval_s

    def _sync(self, growing: _GrowingFile) -> None:
        growing.file.sync()
        with suppress(StorageError):  # the entry is on disk; an older head is true as well
            self._files.note_head(Head(growing.number, growing.end, growing.prev))
        self._synced_s = self._clock.monotonic()
        self._unsynced = False

    def _pack_up_to(self, last: int) -> None:
        for number in self._files.numbers():
            if number <= last:
                self._files.pack(number)


class _GrowingFile:
    """The newest file: where it ends, which entry is the last, on which day it began."""

    def __init__(self, files: TrailFiles, number: int) -> None:
        self.number = number
        self._files = files
        self._path = files.plain(number)
        self.file = AppendFile(self._path)
        self._identity = self._path.stat().st_ino
        self._following = (files.plain(number + 1), files.packed(number + 1))
        self.end = -1  # not known
        self.prev = FIRST
        self.day: str | None = None
        self._head_is_checked = False

    def is_the_newest(self) -> bool:
        """Whether the name still means the file that is open, and nobody has gone on in the next one."""
        try:
            is_the_same = self._path.stat().st_ino == self._identity
        except FileNotFoundError:
            return False
        return is_the_same and not any(following.exists() for following in self._following)

    def begin_after(self, prev: str) -> None:
        """The file is new and goes on after this entry."""
        self.prev, self.end, self._head_is_checked = prev, 0, True

    def catch_up(self, now: datetime) -> None:
        """Find the end of the chain, which another process may have moved, or been killed while moving."""
        size = self.file.size()
        if size == self.end:
            return
        if size < self.end:
            self._head_is_checked = False
        link, unreadable = _last_link(self.file)
        self.prev = link or self._link_before()
        self.day = self.day or _first_day(self._path)
        head = None if self._head_is_checked else self._files.head()
        is_short = head is not None and not self._files.holds(head)
        if unreadable:
            found: dict[str, JsonValue] = {
                "unreadable_bytes": len(unreadable),
                "unreadable_sha256": hashlib.sha256(unreadable).hexdigest(),
            }
            self.write(Draft(RECOVERED, found), now)
        if head is not None and is_short:
            self.write(Draft(REMOVED, {"file": self._files.name(head.file), "hash": head.hash}), now)
        self._head_is_checked = True
        self.end = self.file.size()

    def write(self, draft: Draft, now: datetime) -> None:
        written = draft.tied_to(self.prev, now.isoformat())
        self.end = -1  # until it is through, nothing is known about the end of the file
        self.file.append(written.line)
        self.prev = written.hash
        self.end = self.file.size()
        self.day = self.day or now.date().isoformat()

    def _link_before(self) -> str:
        """The last entry of the files before; there is one unless this is the first file."""
        for number in reversed([number for number in self._files.numbers() if number < self.number]):
            if (link := self._files.last_entry_hash(number)) is not None:
                return link
        return FIRST


def _last_link(file: AppendFile) -> tuple[str | None, bytes]:
    """The hash of the last whole entry, and the unreadable bytes that follow it, without their ends of line."""
    length = _TAIL_BYTES
    while True:
        unreadable: list[bytes] = []
        for line in reversed(file.tail(length).split(b"\n")):
            entry = parsed(line)
            if entry is not None:
                return entry["hash"], b"".join(reversed(unreadable))
            unreadable.append(line)
        if length >= file.size():
            return None, b"".join(reversed(unreadable))
        length *= 8


def _first_day(path: Path) -> str | None:
    """The day of the first whole entry."""
    with path.open("rb") as file:
        for line in file:
            entry = parsed(line)
            if entry is not None and isinstance(entry.get("time"), str):
                return str(entry["time"])[:10]
    return None
