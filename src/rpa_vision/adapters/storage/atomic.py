"""The only place that writes files: whole or not at all, or one line after another.

A file is replaced by writing its new content beside it, making that durable, and renaming it over the old one: whoever
reads, and whenever the machine stops, sees the old content or the new. A file that grows is only ever appended to; a
line that was cut short is followed by a fresh one, so it costs nothing but itself.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Self

from rpa_vision.errors import StorageError

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

TEMP_SUFFIX = ".tmp"
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

Step = Callable[[str, Path], None]
"""Told before each single change of the disk (mkdir, create, write, fsync, rename, link, unlink, …) what and where.

Whoever wants to know what is left when a process dies just there lets it raise; otherwise nothing happens in it.
"""


def no_step(what: str, path: Path) -> None:
    """Nobody dies here."""


def write_atomically(path: Path, data: bytes, *, durable: bool = True, step: Step = no_step) -> None:
    """Replace a file as a whole. On any failure the old one is unchanged and nothing is left behind.

    With `durable=False` the content survives the death of this process but is not forced to the disk yet;
    `make_durable` does that later for many files at once.
    """
    try:
        make_folder(path.parent, step=step)
        step("create", path)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", suffix=TEMP_SUFFIX, dir=path.parent)
    except OSError as error:
        raise refused(path, error) from error
    temporary = Path(name)
    try:
        try:
            step("write", temporary)
            _write_all(handle, data)
            if durable:
                step("fsync", temporary)
                os.fsync(handle)
        finally:
            os.close(handle)
        step("rename", path)
        temporary.replace(path)
        if durable:
            step("fsync", path.parent)
            sync_folder(path.parent)
    except BaseException as error:
        step("unlink", temporary)
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise refused(path, error) from error
        raise


def make_durable(paths: Iterable[Path]) -> None:
    """Force files that were written with `durable=False` to the disk, and their folders after them."""
    folders: dict[Path, None] = {}
    for path in paths:
        try:
            handle = os.open(path, os.O_RDWR)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise refused(path, error) from error
        folders[path.parent] = None
    for folder in folders:
        sync_folder(folder)


def is_temporary(name: str) -> bool:
    """Whether a file is what `write_atomically` leaves when the process is killed in the middle of it."""
    return name.startswith(".") and name.endswith(TEMP_SUFFIX)


class AppendFile:
    """A file of lines that only grows. Each line is handed to the operating system before `append` returns."""

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self._path = path
        self._lock = threading.Lock()
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0) | (os.O_EXCL if new else 0)
        try:
            make_folder(path.parent)
            self._handle = os.open(path, flags, 0o600)
            sync_folder(path.parent)
        except OSError as error:
            raise refused(path, error) from error
        self._end = 0

    def append(self, line: bytes) -> None:
        """Add a line, on a line of its own even when the last one was cut short."""
        with self._lock:
            try:
                torn = self.size() != self._end and not self.tail(1).endswith(b"\n")
                self._end = -1  # until the write is through, the end of the file is not known to be one of a line
                _write_all(self._handle, (b"\n" if torn else b"") + line + b"\n")
                self._end = self.size()
            except OSError as error:
                raise refused(self._path, error) from error

    def size(self) -> int:
        """How many bytes the file has, whoever wrote them."""
        return os.fstat(self._handle).st_size

    def tail(self, length: int) -> bytes:
        """The last bytes of the file, as far as there are any."""
        start = max(0, self.size() - length)
        os.lseek(self._handle, start, os.SEEK_SET)
        parts: list[bytes] = []
        while part := os.read(self._handle, 1 << 20):
            parts.append(part)
        return b"".join(parts)

    def sync(self) -> None:
        """Force everything appended so far to the disk."""
        try:
            os.fsync(self._handle)
        except OSError as error:
            raise refused(self._path, error) from error

    @contextlib.contextmanager
    def alone(self, *, wait: bool = True) -> Iterator[None]:
        """Hold off everybody else who asks the same of this file; BlockingIOError where one shall not wait for it."""
        try:
            _lock_file(self._handle, wait=wait)
        except BlockingIOError:
            raise
        except OSError as error:
            raise refused(self._path, error) from error
        try:
            yield
        finally:
            _unlock_file(self._handle)

    def hold(self) -> None:
        """Hold everybody else off who wants to be `alone` with this file, until it is closed or the process ends."""
        try:
            _lock_file(self._handle, wait=False)
        except OSError as error:
            raise refused(self._path, error) from error

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._handle)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _write_all(handle: int, data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[os.write(handle, left) :]


def make_folder(folder: Path, *, step: Step = no_step) -> None:
    """Make a folder and those above it; each new name is durable in the folder that holds it."""
    if folder.is_dir():
        return
    make_folder(folder.parent, step=step)
    step("mkdir", folder)
    folder.mkdir(exist_ok=True)
    step("fsync", folder.parent)
    sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Force the names in a folder to the disk."""
    if sys.platform == "win32":  # folders cannot be opened there, and renames are journalled
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def refused(path: Path, error: OSError) -> StorageError:
    """What the caller is told when the disk says no."""
    if error.errno in _FULL:
        return StorageError(f"{path}: cannot be written, the disk is full ({error.strerror})")
    return StorageError(f"{path}: cannot be written ({error.strerror or error})")


if sys.platform == "win32":
    _LOCKED_BYTE = 0x7FFF0000  # far behind the end of the file: a lock there stops nobody from reading

    def _lock_file(handle: int, *, wait: bool) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if wait:
                raise
            raise BlockingIOError from error

    def _unlock_file(handle: int) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:

    def _lock_file(handle: int, *, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock_file(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)
