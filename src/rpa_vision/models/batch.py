"""Many runs of one workflow: a file of rows, one run for each, and what became of every row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from pydantic import AwareDatetime

from rpa_vision.models.document import Document
from rpa_vision.models.ids import Id

MAX_ROWS: Final = 20_000
"""So many rows a file may have."""
RowStatus = Literal["success", "halted", "failed", "blocked", "done_before", "uncertain", "not_begun"]
"""How a row ended. `done_before`: by an earlier command. `uncertain`: begun once and nobody knows how far it came."""


@dataclass(frozen=True, slots=True)
class FileRow:
    """One row of a file: the number of its line (of a sheet, its row), and its cells by column."""

    line: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class RowFile:
    """A file of rows."""

    columns: tuple[str, ...]
    rows: tuple[FileRow, ...]
    notes: tuple[str, ...] = ()
    """What of the file was left out, for a person."""


class RowEntry(Document):
    """A line of the journal of such runs: a row begins, or has ended."""

    row_key: str
    event: Literal["begins", "ended"]
    at: AwareDatetime
    file: str = ""
    """Which file the row came from."""
    run_id: Id | None = None
    status: str = ""
    reason: str = ""
    input_sent: bool = True
