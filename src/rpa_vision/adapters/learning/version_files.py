"""The files of versions: what did not change is linked, what is new is written whole.

Nothing of ours changes a file in place (`adapters.storage.atomic` replaces it), so a second name for a file costs
nothing and stays true. Where a disk knows no links, a copy does the same at its price.
"""

from __future__ import annotations

import errno
import hashlib
import itertools
import os
import stat
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from rpa_vision.adapters.storage.atomic import TEMP_SUFFIX, AppendFile, make_folder, refused, sync_folder
from rpa_vision.adapters.storage.data_files import MAX_DOCUMENT_BYTES, DataFiles
from rpa_vision.errors import StorageError, UnknownIdError
from rpa_vision.ports.learning import FileDigest

# Another disk, too many links, or a file system that has none of them.
_NO_LINKS = frozenset({errno.EXDEV, errno.EMLINK, errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EOPNOTSUPP,
                       errno.ENOTSUP, errno.EINVAL})  # fmt: skip
_HASHING_THREADS = 2  # hashing lets go of the interpreter; more than two gain nothing on the machines we run on
_WORTH_THREADS_BYTES = 4 << 20


class FileVersionFiles:
    """Implements `ports.learning.VersionFiles` below a data directory. `links=False` copies everything."""

    def __init__(self, files: DataFiles, *, links: bool = True) -> None:
        self._files = files
        self._links = links
        self._folders: dict[str, Path] = {}
        self._numbers = itertools.count()

    @contextmanager
    def alone(self, workflow_id: str) -> Iterator[None]:
        self._files.claim()
        with AppendFile(self._files.paths.version_lock(workflow_id)) as lock, lock.alone():
            self._folders.clear()
            yield

    def has(self, path: str) -> bool:
        return self._files.has(self._path(path))

    def names(self, folder: str) -> list[str]:
        return self._files.paths.names(*folder.split("/"))

    def below(self, folder: str) -> list[str]:
        found: list[str] = []
        waiting = [folder]
        while waiting:
            here = waiting.pop()
            place = self._files.paths.learned(here)
            if place.is_symlink():
                continue
            try:
                with os.scandir(place) as entries:
                    for entry in entries:
                        if entry.name.startswith("."):
                            continue
                        (waiting if entry.is_dir(follow_symlinks=False) else found).append(f"{here}/{entry.name}")
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError as error:
                raise StorageError(f"{here}: cannot be read ({error.strerror})") from error
        return sorted(found)

    def read(self, path: str) -> bytes | None:
        place = self._path(path)
        if place.is_symlink():
            raise StorageError(f"{path}: is a link, not a file", remedy="Replace the link by a real file.")
        try:
            return self._files.read(place, limit=MAX_DOCUMENT_BYTES)
        except UnknownIdError:
            return None

    def write(self, path: str, data: bytes) -> None:
        self._files.write(self._path(path), data)

    def link(self, source: str, target: str) -> None:
        if self.same(source, target):  # renaming one name of a file over another would do nothing and leave both
            return
        old, new = self._path(source), self._path(target)
        if not _is_plain(old):
            raise UnknownIdError(f"{source}: does not exist, or is no plain file", remedy="Learn the workflow again.")
        if not self._links:
            self._copy(old, new)
            return
        step = self._files.step
        beside = new.parent / f".{new.name[:40]}.{os.getpid()}.{next(self._numbers)}{TEMP_SUFFIX}"
        try:
            make_folder(new.parent, step=step)
            if not os.path.lexists(new):
                step("link", new)
                os.link(old, new, follow_symlinks=False)
                return
            beside.unlink(missing_ok=True)
            step("link", beside)
            os.link(old, beside, follow_symlinks=False)
            step("rename", new)
            beside.replace(new)
        except OSError as error:
            beside.unlink(missing_ok=True)
            if error.errno not in _NO_LINKS:
                raise refused(new, error) from error
            self._copy(old, new)

    def same(self, one: str, other: str) -> bool:
        try:
            return os.path.samestat(os.lstat(self._path(one)), os.lstat(self._path(other)))
        except (FileNotFoundError, NotADirectoryError):
            return False

    def digests(self, paths: Iterable[str]) -> Mapping[str, FileDigest]:
        named = {path: self._path(path) for path in paths}
        if sum(map(_size_bytes, named.values())) < _WORTH_THREADS_BYTES:
            found = list(map(_digest, named.values()))
        else:
            with ThreadPoolExecutor(_HASHING_THREADS) as pool:
                found = list(pool.map(_digest, named.values()))
        return {path: digest for path, digest in zip(named, found, strict=True) if digest is not None}

    def remove(self, path: str) -> None:
        self._unlink(self._path(path), durable=True)

    def remove_folder(self, folder: str) -> None:
        root = self._files.paths.learned(folder)
        if root.is_symlink() or not root.is_dir():
            return
        for here, _, names in os.walk(root, topdown=False):
            for name in names:
                self._unlink(Path(here, name), durable=False)
            self._files.step("rmdir", Path(here))
            try:
                Path(here).rmdir()
            except OSError as error:
                raise refused(Path(here), error) from error

    def sync(self, paths: Iterable[str]) -> None:
        for folder in dict.fromkeys(self._path(path).parent for path in paths):
            self._files.step("fsync", folder)
            sync_folder(folder)

    def _copy(self, old: Path, new: Path) -> None:
        self._files.write(new, self._files.read(old, limit=MAX_DOCUMENT_BYTES))

    def _unlink(self, path: Path, *, durable: bool) -> None:
        try:
            if os.path.lexists(path):
                self._files.step("unlink", path)
                path.unlink(missing_ok=True)
                if durable:
                    self._files.step("fsync", path.parent)
                    sync_folder(path.parent)
        except OSError as error:
            raise refused(path, error) from error

    def _path(self, path: str) -> Path:
        """Where a file lies. That its folder stays inside the data directory is found out once per change."""
        folder, _, name = path.rpartition("/")
        key = f"{folder}/*{PurePosixPath(name).suffix}"
        if name.startswith(".") or key not in self._folders:
            self._folders[key] = self._files.paths.learned(path).parent
        return self._folders[key] / name


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _size_bytes(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _digest(path: Path) -> FileDigest | None:
    if not _is_plain(path):
        return None
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
            return FileDigest(digest, file.tell())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise StorageError(f"{path}: cannot be read ({error.strerror})") from error
