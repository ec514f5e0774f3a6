"""Pictures that a person names, anywhere on the disk: read within bounds, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from rpa_vision.adapters.storage.atomic import write_atomically
from rpa_vision.errors import ImageError, StorageError

MAX_BYTES = 64 * 1024 * 1024


class LocalImageFiles:
    """Implements `app.detect.ImageFiles` on the local disk."""

    def __init__(self, *, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes

    def read(self, path: Path) -> bytes:
        """The bytes of a file, or an ImageError that says why there are none."""
        try:
            if not path.is_file():
                if path.is_dir():
                    raise ImageError("is a folder", remedy="Name the pictures in it, for instance FOLDER/*.png.")
                if path.exists():  # a pipe or a device would be read for ever
                    raise ImageError("is not a file")
                raise ImageError("there is no such file", remedy="Check the name; paths are relative to this folder.")
            with path.open("rb") as file:
                data = file.read(self._max_bytes + 1)
        except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
            reason = getattr(error, "strerror", None) or str(error)
            remedy = "Check that you may read it."
            raise ImageError(f"cannot be read ({reason})", remedy=remedy) from error
        if len(data) > self._max_bytes:
            limit = self._max_bytes // (1024 * 1024)
            raise ImageError(f"is larger than {limit} MB, too large for a picture of a screen")
        return data

    def write(self, path: Path, data: bytes) -> None:
        """Write a file whole, making its folder; on failure what was there before is unchanged."""
        if path.is_dir():
            raise StorageError(f"{path}: is a folder", remedy="Give the name of a file, such as OUT.png.")
        try:
            write_atomically(path, data)
        except StorageError as error:
            remedy = "Free disk space, or choose a place where you may write."
            raise StorageError(str(error), remedy=remedy) from error

    def has_folder(self, path: Path) -> bool:
        """Whether a folder is there."""
        try:
            return path.is_dir()
        except (OSError, ValueError):  # ValueError: a name with a zero byte
            return False
