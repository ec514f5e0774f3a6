"""Files of rows, and the journal that remembers which of them were done."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from rpa_vision.models.batch import RowEntry, RowFile


class RowFiles(Protocol):
    """Tables anywhere on the disk, as a person names them."""

    def read(self, path: Path) -> RowFile:
        """All rows of a CSV file or of the first sheet of an XLSX file. UsageError says what is wrong with the file."""


class BatchJournal(Protocol):
    """What is known of the rows of one file for one workflow; survives whatever ends the process."""

    def entries(self) -> list[RowEntry]:
        """Everything written so far, in order. A line that was torn when a process died is left out."""

    def append(self, entry: RowEntry) -> None:
        """Write down; on the disk when this returns."""

    def alone(self) -> AbstractContextManager[None]:
        """Nobody else runs these rows meanwhile. UsageError where somebody does."""
