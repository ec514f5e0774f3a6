"""Folders of this machine that are watched, and files that were sent to it."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

_MAX_FILES = 2000


class LocalFolders:
    """Implements `app.folder_watch.Folders`."""

    def is_folder(self, path: Path) -> bool:
        return path.is_dir()

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
