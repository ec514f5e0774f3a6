"""The lines of a `--batch`: of a file, or of standard input. A byte that is no text costs its own line at most."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rpa_vision.cli.output import note

if TYPE_CHECKING:
    from rpa_vision.models.document import JsonObject


@contextmanager
def batch_lines(batch: str) -> Iterator[TextIO]:
    """Line by line, as they come; `-` is standard input."""
    from rpa_vision.errors import UsageError

    if batch == "-":
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
        yield sys.stdin
        return
    path = Path(batch)
    if not path.is_file():
        raise UsageError(f"--batch {batch}: there is no such file", remedy="Name a file of lines, or - for stdin.")
    with path.open(encoding="utf-8", errors="replace") as file:
        yield file


def note_error(answer: JsonObject) -> None:
    """Tell on stderr which line could not be answered, and what to do."""
    where, error = f"line {answer['line']}: ", answer["error"]
    note(f"error: {where}{error['message'].removeprefix(where)}\n  do: {error['remedy']}")
