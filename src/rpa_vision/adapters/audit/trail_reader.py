"""Read the trail, and say where it is not what was written.

Reading takes no lock: whoever appends is not held up, and a line that is being written just now looks like one that
was cut short, which is no fault at the very end. The head is read first, so the entry it names must be found
afterwards.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rpa_vision.adapters.audit.entries import FIRST, RECOVERED, REMOVED, parsed, problem_of
from rpa_vision.adapters.audit.trail_files import TrailFiles
from rpa_vision.ports.audit import AuditEntry, AuditPosition, AuditProblem, VerifyResult

_UNREADABLE = (OSError, EOFError, zlib.error)


class JsonlTrail:
    """Implements `ports.audit.AuditTrail` over the files beginning at a path, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._files = TrailFiles(path)

    def entries(self, after: AuditPosition | None = None) -> Iterator[AuditEntry]:
        """Whole entries in the order in which they were written, from a place on. Unreadable lines are passed over."""
        begin = after or AuditPosition()
        for number in self._files.numbers():
            if number >= begin.file:
                yield from self._entries_of(number, begin.offset if number == begin.file else 0)

    def end(self) -> AuditPosition:
        """Where the next entry will be written."""
        numbers = self._files.numbers()
        if not numbers:
            return AuditPosition()
        with self._files.reading(numbers[-1]) as file:
            return AuditPosition(numbers[-1], file.seek(0, 2))

    def verify(self, since: datetime | None = None) -> VerifyResult:
        """Find the first line that was changed, removed, inserted or moved.

        With `since`, checking begins with the file that was growing at that time; its first entry is taken on trust.
        """
        head = self._files.head()
        numbers = self._files.numbers()
        skipped = 0 if since is None else self._files_before(numbers, since.astimezone(UTC))
        check = _Check(trusting=skipped > 0, awaited=head.hash if head is not None else None)
        expected = 1 if skipped == 0 else numbers[skipped]
        for number in numbers[skipped:]:
            if number != expected:
                return check.result(AuditProblem(self._files.name(expected), 0, "the file is missing"))
            problem = self._check_file(check, number)
            if problem is not None:
                return check.result(problem)
            expected = number + 1
        if check.awaited is not None and (skipped == 0 or (head is not None and head.file >= numbers[skipped])):
            name = self._files.name(head.file if head is not None else 1)
            return check.result(AuditProblem(name, 0, "entries were removed at the end: the last known one is missing"))
        return check.result(None)

    def _entries_of(self, number: int, offset: int) -> Iterator[AuditEntry]:
        with self._files.reading(number) as file:
            file.seek(offset)
            for line in file:
                begin, offset = offset, offset + len(line)
                entry = parsed(line)
                if entry is not None and isinstance(entry.get("record"), dict):
                    yield AuditEntry(
                        time=str(entry.get("time")),
                        kind=str(entry.get("kind")),
                        record=entry["record"],
                        prev=str(entry.get("prev")),
                        hash=entry["hash"],
                        start=AuditPosition(number, begin),
                        end=AuditPosition(number, offset),
                    )

    def _check_file(self, check: _Check, number: int) -> AuditProblem | None:
        line_number = 0
        newest = not self._files.exists(number + 1)
        try:
            with self._files.reading(number) as file:
                for line_number, line in enumerate(file, start=1):
                    what = check.line(line)
                    if what is not None:
                        return AuditProblem(self._files.name(number), check.blamed or line_number, what)
                    check.blamed = check.blamed or (line_number if check.has_torn else 0)
        except _UNREADABLE as error:
            return AuditProblem(self._files.name(number), line_number + 1, f"cannot be read further ({error})")
        if check.has_torn and not (newest and check.is_cut_short):
            return AuditProblem(self._files.name(number), check.blamed, "unreadable")
        return None

    def _files_before(self, numbers: list[int], since: datetime) -> int:
        """How many files end before a time: those whose successor begins at or before it."""
        count = 0
        for index, number in enumerate(numbers[1:], start=1):
            first = next(self._entries_of(number, 0), None)
            began = _time(first.time) if first is not None else None
            if began is not None and began <= since:
                count = index
        return count


class _Check:
    """Goes along the chain, line by line."""

    def __init__(self, *, trusting: bool, awaited: str | None) -> None:
        self._prev: str | None = None if trusting else FIRST
        self.awaited = awaited
        self._entries = 0
        self._torn = hashlib.sha256()
        self._torn_bytes = 0
        self.has_torn = False
        self.is_cut_short = False
        self.blamed = 0
        """The first line of an unreadable piece that nothing explains yet."""

    def line(self, line: bytes) -> str | None:
        """What is wrong with the next line, if anything."""
        content = line.removesuffix(b"\n")
        entry = parsed(content)
        if entry is None:
            self.has_torn, self.is_cut_short = True, content == line
            self._torn.update(content)
            self._torn_bytes += len(content)
            return None
        what = self._explain(entry) or problem_of(entry, content) or self._tie(entry)
        if what is None:
            self._entries += 1
            if entry["hash"] == self.awaited:
                self.awaited = None
        return what

    def result(self, problem: AuditProblem | None) -> VerifyResult:
        last = self._prev if self._entries else None
        return VerifyResult(problem is None, self._entries, problem, self._torn_bytes, last)

    def _explain(self, entry: dict[str, Any]) -> str | None:
        """An unreadable piece must be followed by an entry that says so, with its length and hash."""
        if not self.has_torn:
            return None if entry.get("kind") != RECOVERED else "tells of an unreadable piece that is not there"
        record = entry.get("record")
        if entry.get("kind") != RECOVERED or not isinstance(record, dict):
            return "unreadable"
        if record.get("unreadable_bytes") != self._torn_bytes:
            return "unreadable, and not what a crash had left there"
        if record.get("unreadable_sha256", self._torn.hexdigest()) != self._torn.hexdigest():
            return "unreadable, and not what a crash had left there"
        self.has_torn, self.is_cut_short, self.blamed, self._torn_bytes = False, False, 0, 0
        self._torn = hashlib.sha256()
        return None

    def _tie(self, entry: dict[str, Any]) -> str | None:
        if self._prev is not None and entry["prev"] != self._prev:
            return "not tied to the entry before: something was removed, inserted or moved here"
        if entry["kind"] == REMOVED:
            return "entries that had been on disk were removed before this one"
        self._prev = entry["hash"]
        return None


def _time(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo is not None else None
