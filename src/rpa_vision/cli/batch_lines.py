"""The lines of a `--batch`: of a file, or of standard input. A byte that is no text costs its own line at most."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO


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
