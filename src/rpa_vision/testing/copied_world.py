"""Copies of a data directory that keep what is one file under two names one file."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_MEMORY_DISK = Path("/dev/shm")


@contextmanager
def quick_folder() -> Iterator[Path]:
    """A folder where forcing things to the disk takes no time, as far as the machine has one."""
    parent = _MEMORY_DISK if _MEMORY_DISK.is_dir() and os.access(_MEMORY_DISK, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="rpa-vision-", dir=parent) as name:
        yield Path(name)


def copy_world(source: Path, target: Path) -> None:
    """Copy a folder, links as links."""
    shutil.rmtree(target, ignore_errors=True)
    known: dict[int, Path] = {}
    for folder, _, names in os.walk(source):
        here = target / Path(folder).relative_to(source)
        here.mkdir(parents=True)
        for name in names:
            old, new = Path(folder, name), here / name
            inode = old.stat().st_ino
            if inode in known:
                os.link(known[inode], new)
            else:
                shutil.copy2(old, new)
                known[inode] = new


def tree(root: Path) -> dict[str, bytes]:
    """Every file below a folder and what it holds; what a killed writer leaves beside a file does not count."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in _files(root) if not _is_temporary(path)}


def fingerprint(root: Path) -> str:
    """The same for two directories in which nobody could tell when the writer was killed."""
    digest = hashlib.sha256()
    for path in _files(root):
        if _is_temporary(path):
            digest.update(f"{path.parent.relative_to(root)}: something unfinished\n".encode())
        elif not path.name.endswith("-shm"):  # the database's scratch memory
            digest.update(f"{path.relative_to(root)}: ".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(root: Path) -> list[Path]:
    return sorted(Path(folder, name) for folder, _, names in os.walk(root) for name in names)


def _is_temporary(path: Path) -> bool:
    return path.name.startswith(".") and path.name.endswith(".tmp")
