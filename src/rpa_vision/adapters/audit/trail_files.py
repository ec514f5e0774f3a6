"""The files of one trail: audit.jsonl, audit.000002.jsonl, … each going on where the one before ends.

The newest is the one that grows; a file keeps its name for ever, so a place in the trail stays a place. Older files
may be packed (.gz beside the name). Two small hidden files help: a lock that writers take turns with, and a head that
says which entry is known to be on disk, so that lines removed at the end are missed.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from rpa_vision.adapters.audit.entries import parsed
from rpa_vision.adapters.storage.atomic import write_atomically
from rpa_vision.errors import StorageError

_PACKED = ".gz"
_HASH_AND_END = 64 + len(b'"}\n')


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry that is known to be on disk: its file, where it ends there, and its hash."""

    file: int
    offset: int
    hash: str


class TrailFiles:
    """Names, reading and packing. `first` is the path of the first file."""

    def __init__(self, first: Path) -> None:
        self._first = first
        self._folder = first.parent
        numbered = rf"{re.escape(first.stem)}\.(\d{{6,}}){re.escape(first.suffix)}(?:{re.escape(_PACKED)})?"
        self._numbered = re.compile(numbered)

    @property
    def lock(self) -> Path:
        return self._folder / f".{self._first.stem}.lock"

    @property
    def _head(self) -> Path:
        return self._folder / f".{self._first.stem}.head"

    def plain(self, number: int) -> Path:
        if number == 1:
            return self._first
        return self._first.with_name(f"{self._first.stem}.{number:06}{self._first.suffix}")

    def packed(self, number: int) -> Path:
        plain = self.plain(number)
        return plain.with_name(plain.name + _PACKED)

    def name(self, number: int) -> str:
        """The file as it lies there now."""
        plain = self.plain(number)
        return plain.name if plain.exists() or not self.packed(number).exists() else self.packed(number).name

    def exists(self, number: int) -> bool:
        return self.plain(number).exists() or self.packed(number).exists()

    def numbers(self) -> list[int]:
        """The files there are, in order."""
        try:
            names = [entry.name for entry in self._folder.iterdir()]
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise StorageError(f"{self._folder}: cannot be read ({error.strerror})") from error
        found = {int(match[1]) for name in names if (match := self._numbered.fullmatch(name))}
        if self._first.name in names or self._first.name + _PACKED in names:
            found.add(1)
        return sorted(found)

    def newest(self) -> int:
        """The file that grows, or will: a packed one never does."""
        numbers = self.numbers()
        if not numbers:
            return 1
        return numbers[-1] if self.plain(numbers[-1]).exists() else numbers[-1] + 1

    def nearest_folder(self) -> Path:
        """The trail's folder, or the nearest above it that exists."""
        return next(folder for folder in (self._folder, *self._folder.absolute().parents) if folder.exists())

    @contextmanager
    def reading(self, number: int) -> Iterator[IO[bytes]]:
        """Open a file for reading, whether it is packed or is being packed just now."""
        try:
            file: IO[bytes] = self.plain(number).open("rb")
        except FileNotFoundError:
            file = cast("IO[bytes]", gzip.GzipFile(self.packed(number)))
        with file:
            yield file

    def last_entry_hash(self, number: int) -> str | None:
        """The hash of the last whole entry of a file that no longer grows."""
        last: str | None = None
        with self.reading(number) as file:
            for line in file:
                entry = parsed(line)
                last = entry["hash"] if entry is not None else last
        return last

    def pack(self, number: int) -> None:
        """Replace a file that no longer grows by its packed form: first the new one whole, then the old one gone."""
        plain = self.plain(number)
        try:
            data = plain.read_bytes()
        except FileNotFoundError:  # somebody else was faster
            return
        write_atomically(self.packed(number), gzip.compress(data, compresslevel=6, mtime=0))
        with suppress(OSError):  # somebody reads it, on Windows; the packed one is ignored until the next time
            plain.unlink(missing_ok=True)

    def head(self) -> Head | None:
        """What is known to be on disk, if anything is."""
        try:
            value = json.loads(self._head.read_bytes())
            return Head(int(value["file"]), int(value["offset"]), str(value["hash"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def note_head(self, head: Head) -> None:
        """Remember an entry that is on disk. Not forced to the disk itself: an older head is true as well."""
        text = json.dumps({"file": head.file, "offset": head.offset, "hash": head.hash})
        write_atomically(self._head, text.encode(), durable=False)

    def holds(self, head: Head) -> bool:
        """Whether the entry still stands where it stood. What has been packed is left to `verify`."""
        try:
            with self.plain(head.file).open("rb") as file:
                file.seek(max(0, head.offset - _HASH_AND_END))
                return file.read(64) == head.hash.encode()
        except FileNotFoundError:
            return self.packed(head.file).exists()
