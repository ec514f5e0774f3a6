"""Files that a person names, anywhere on the disk: read within bounds, written whole, and never by surprise."""

from __future__ import annotations

from pathlib import Path

from rpa_vision.adapters.storage.atomic import write_atomically
from rpa_vision.errors import StorageError, UsageError
from rpa_vision.models.vector_ref import inside_data


class LocalFiles:
    """Implements `app.exchange.PersonsFiles` on the local disk."""

    def read(self, path: Path, *, limit: int) -> bytes:
        """A whole file of at most that many bytes."""
        try:
            if not path.is_file():
                what = "is a folder" if path.is_dir() else "is not a file" if path.exists() else "there is no such file"
                raise UsageError(f"{path}: {what}", remedy="Check the name; paths are relative to this folder.")
            with path.open("rb") as file:
                data = file.read(limit + 1)
        except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"{path}: cannot be read ({reason})", remedy="Check that you may read it.") from error
        if len(data) > limit:
            raise UsageError(f"{path}: has more than {limit:,} bytes, too many for what it should be")
        return data

    def read_below(self, folder: Path, path: str, *, limit: int) -> bytes | None:
        """A file below a folder, by the path a document gives; None where there is none. No link leads out of it."""
        try:
            place = folder.joinpath(*inside_data(path).parts)
            if not place.is_file():
                return None
            if not place.resolve().is_relative_to(folder.resolve()):
                raise UsageError(f"{place}: leads out of {folder}", remedy="Replace the link by a real file.")
        except (OSError, ValueError, RuntimeError) as error:
            raise UsageError(f"{folder}: {path!r} cannot be looked for ({error})") from error
        return self.read(place, limit=limit)

    def exists(self, path: Path) -> bool:
        """Whether something is there."""
        try:
            return path.exists()
        except (OSError, ValueError):
            return False

    def write(self, path: Path, data: bytes) -> None:
        """Write a file whole, making its folder."""
        if path.is_dir():
            raise UsageError(f"{path}: is a folder", remedy="Give the name of a file.")
        try:
            write_atomically(path, data)
        except (StorageError, ValueError) as error:
            raise StorageError(str(error), remedy="Free disk space, or choose a place where you may write.") from error
