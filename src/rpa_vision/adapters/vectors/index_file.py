"""A vector index in a file of its own, with what is known about its vectors beside it."""

from __future__ import annotations

from pathlib import Path

from rpa_vision.adapters.storage.atomic import write_atomically
from rpa_vision.errors import StorageError


class IndexFile:
    """Reads and writes both files. Whether they belong together whoever reads them can tell by their checksum."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def metadata_path(self) -> Path:
        """Beside the index."""
        return self.path.with_name(f"{self.path.name}.metadata.json")

    def read(self) -> tuple[bytes, bytes] | None:
        """The index and its metadata, or None if nothing was written."""
        if not self.path.exists():
            return None
        try:
            return self.path.read_bytes(), self.metadata_path.read_bytes()
        except OSError as error:
            what = error.strerror or error
            raise StorageError(f"{self.path}: cannot be read with its metadata ({what})") from error

    def write(self, index: bytes, metadata: bytes) -> None:
        """Write both. A crash in between asks for a rebuild on reading."""
        write_atomically(self.metadata_path, metadata)
        write_atomically(self.path, index)
