"""Folders of this machine that are watched, and files that were sent to it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from rpa_vision.errors import StorageError

_MAX_FILES = 2000


class LocalFolders:
    """Implements `app.folder_watch.Folders`."""

    def is_folder(self, path: Path) -> bool:
        return path.is_dir()

    def real(self, path: Path) -> Path:
        try:
            return path.resolve()
        except (OSError, RuntimeError):  # a ring of links
            return path

    def ends_line(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                file.seek(0, os.SEEK_END)
                file.seek(max(0, file.tell() - 1))
                return file.read(1) in (b"\n", b"\r")
        except OSError as error:
            raise StorageError(f"{path.name}: cannot be read ({error.strerror})") from error

    def files(self, path: Path, suffixes: tuple[str, ...]) -> dict[Path, str]:
        found: dict[Path, str] = {}
        try:
            for entry in sorted(path.iterdir())[:_MAX_FILES]:
                if entry.suffix.lower() in suffixes and not entry.name.startswith((".", "~")) and entry.is_file():
                    about = entry.stat()
                    found[entry] = f"{about.st_size}:{about.st_mtime_ns}"
        except OSError:  # gone for the moment, a share for instance
            return {}
        return found


def keep_upload(content: bytes, suffix: str) -> tuple[Path, Callable[[], None]]:
    """A file with that content until the second value is called."""
    folder = Path(tempfile.mkdtemp(prefix="rpa-vision-upload-"))
    path = folder / f"upload{suffix}"
    path.write_bytes(content)
    return path, lambda: shutil.rmtree(folder, ignore_errors=True)


def free_bytes(path: Path) -> int | None:
    """How much room is left where a folder lies."""
    try:
        return shutil.disk_usage(path).free
    except OSError:
        return None
