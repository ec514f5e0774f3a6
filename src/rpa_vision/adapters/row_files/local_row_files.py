"""Rows of a CSV file or of a sheet of an XLSX file. The first row names the columns; all cells become text.

Nothing is half read: a file with a row that does not fit its header is refused as a whole, with the lines.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rpa_vision.adapters.row_files.sheet import REMEDY, sheet_rows
from rpa_vision.errors import UsageError
from rpa_vision.models.batch import MAX_ROWS, FileRow, RowFile

_MAX_BYTES = 64 * 1024 * 1024
_MAX_FIELD = 100_000
_SHOWN = 5


class LocalRowFiles:
    """Implements `ports.batches.RowFiles` on the local disk."""

    def read(self, path: Path) -> RowFile:
        try:
            if path.stat().st_size > _MAX_BYTES:
                raise UsageError(
                    f"{path}: has more than {_MAX_BYTES // 2**20} MB", remedy="Split it into several files."
                )
            if path.suffix.lower() in (".xlsx", ".xlsm"):
                notes: list[str] = []
                return _table(sheet_rows(path, notes), str(path), notes)
            with path.open(encoding="utf-8-sig", newline="") as file:
                return _table(_csv(file, str(path)), str(path))
        except FileNotFoundError as error:
            raise UsageError(f"{path}: there is no such file", remedy="Give the path of a CSV or XLSX file.") from error
        except IsADirectoryError as error:
            raise UsageError(f"{path}: is a folder", remedy="Give the path of a CSV or XLSX file.") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: is not UTF-8 text", remedy="Save it as CSV in UTF-8, or as XLSX.") from error
        except OSError as error:
            raise UsageError(f"{path}: cannot be read ({error.strerror})", remedy="Check the file.") from error


def _csv(file: Iterable[str], where: str) -> Iterator[tuple[int, list[str]]]:
    lines = iter(file)
    first = next(lines, "")
    delimiter = max(",;\t|", key=first.count)
    csv.field_size_limit(_MAX_FIELD)
    reader = csv.reader(_again(first, lines), delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader, None)
        except csv.Error as error:
            raise UsageError(f"{where}: line {line}: {error}", remedy=REMEDY) from error
        if fields is None:
            return
        yield line, fields


def _again(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _table(lines: Iterator[tuple[int, list[str]]], where: str, notes: Sequence[str] = ()) -> RowFile:
    header = next(lines, None)
    names = _trimmed([name.strip() for name in header[1]]) if header is not None else []
    if not any(names):
        raise UsageError(f"{where}: is empty; the first row names the columns", remedy=REMEDY)
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise UsageError(f"{where}: the column {twice[0]!r} is there twice", remedy=REMEDY)
    rows: list[FileRow] = []
    problems: list[str] = []
    for line, fields in lines:
        cells = _trimmed([field.strip() for field in fields])
        if not any(cells):
            continue
        if len(cells) > len(names):
            problems.append(f"line {line} has {len(cells)} cells, the first row has {len(names)}")
            if len(problems) >= _SHOWN:
                break
            continue
        filled = [*cells, *[""] * (len(names) - len(cells))]
        rows.append(FileRow(line, {name: text for name, text in zip(names, filled, strict=True) if name}))
        if len(rows) > MAX_ROWS:
            raise UsageError(f"{where}: has more than {MAX_ROWS:,} rows", remedy="Split it into several files.")
    if problems:
        raise UsageError(f"{where}: {'; '.join(problems)}", remedy=REMEDY)
    if not rows:
        told = f" ({'; '.join(notes)})" if notes else ""
        raise UsageError(f"{where}: has no row below the names of its columns{told}", remedy=REMEDY)
    return RowFile(tuple(name for name in names if name), tuple(rows), tuple(notes))


def _trimmed(cells: Sequence[str]) -> list[str]:
    """Without the empty cells at the end."""
    kept = list(cells)
    while kept and not kept[-1]:
        kept.pop()
    return kept
