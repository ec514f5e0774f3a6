"""Reading and writing below the data directory, for all stores: bounded, checked, and ours before the first write."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from rpa_vision.adapters.storage import marker
from rpa_vision.adapters.storage.atomic import AppendFile, Step, no_step, write_atomically
from rpa_vision.adapters.storage.paths import DataPaths
from rpa_vision.errors import DocumentError, StorageError, UnknownIdError
from rpa_vision.models.document import Document

MAX_DOCUMENT_BYTES = 256 * 1024 * 1024
MAX_PICTURE_BYTES = 128 * 1024 * 1024
_COMPARED = 1000
"""Among more names than that nobody's slip of the pen is looked for: with ten thousand runs it would take a second."""

D = TypeVar("D", bound=Document)


class DataFiles:
    """The files of one data directory. Reading never makes anything; the first write makes the directory ours."""

    def __init__(self, paths: DataPaths, *, step: Step = no_step) -> None:
        marker.check(paths)
        self.paths = paths
        self.step = step
        self._claimed = False
        self._claiming = threading.Lock()

    def write(self, path: Path, data: bytes, *, durable: bool = True) -> None:
        """Replace a file as a whole."""
        self.claim()
        write_atomically(path, data, durable=durable, step=self.step)

    def write_document(self, path: Path, document: Document, *, durable: bool = True) -> None:
        """Replace a document as a whole."""
        self.write(path, self.encoded(path, document), durable=durable)

    def encoded(self, path: Path, document: Document) -> bytes:
        """The file of a document, checked to be readable again."""
        return document.written(where=self.paths.relative(path))

    def open_new(self, path: Path) -> AppendFile:
        """A file of lines that was not there before."""
        self.claim()
        return AppendFile(path, new=True)

    def has(self, path: Path) -> bool:
        """Whether something is there; reading it says whether it is any good."""
        try:
            return path.exists()
        except PermissionError:
            return True
        except OSError:  # a name no file system would take
            return False

    def read(self, path: Path, *, limit: int) -> bytes:
        """A whole file; UnknownIdError where there is none."""
        where = self.paths.relative(path)
        try:
            with path.open("rb") as file:
                data = file.read(limit + 1)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise UnknownIdError(f"{where} does not exist", remedy="It was never made, or has been removed.") from error
        except OSError as error:
            raise StorageError(f"{where}: cannot be read ({error.strerror})") from error
        if len(data) > limit:
            raise DocumentError(f"{where}: has more than {limit:,} bytes, too many for what it should be")
        return data

    def read_document(self, path: Path, kind: type[D], *, key: str, expected: str) -> D:
        """A document that is what its file name says: its field `key` holds `expected`."""
        where = self.paths.relative(path)
        document = kind.from_json(self.read(path, limit=MAX_DOCUMENT_BYTES), where=where)
        found = getattr(document, key)
        if found != expected:
            raise DocumentError(f"{where}: {key}: is {found!r}, but the file is that of {expected!r}")
        return document

    def claim(self) -> None:
        """Make the directory ours, once."""
        with self._claiming:
            if not self._claimed:
                marker.claim(self.paths)
                self._claimed = True


def unknown(
    what: str, wanted: str, known: Iterable[str], *, command: str, shows: str = "lists what there is"
) -> UnknownIdError:
    """The error for a document nobody has, with those that the caller may have meant."""
    names = list(dict.fromkeys(known))
    close = get_close_matches(wanted, names, n=3, cutoff=0.5) if len(names) <= _COMPARED else []
    hint = f"Did you mean {' or '.join(repr(name) for name in close)}? " if close else ""
    return UnknownIdError(f"there is no {what} {wanted!r}", remedy=f"{hint}`{command}` {shows}.")
