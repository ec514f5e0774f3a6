"""Pictures that documents refer to by a data-relative path."""

from __future__ import annotations

from rpa_vision.adapters.storage.data_files import MAX_PICTURE_BYTES, DataFiles


class FilePictureStore:
    """Implements `ports.storage.PictureStore`."""

    def __init__(self, files: DataFiles) -> None:
        self._files = files

    def save(self, path: str, png: bytes) -> None:
        self._files.write(self._files.paths.picture(path), png)

    def load(self, path: str) -> bytes:
        return self._files.read(self._files.paths.picture(path), limit=MAX_PICTURE_BYTES)

    def exists(self, path: str) -> bool:
        """Whether the picture is there."""
        return self._files.has(self._files.paths.picture(path))
