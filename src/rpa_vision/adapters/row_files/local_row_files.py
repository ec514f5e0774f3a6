"""Rows of a CSV file or of the first sheet of an XLSX file. The first row names the columns; all cells become text.

Nothing is half read: a file with a row that does not fit its header is refused as a whole, with the lines.
"""

from __future__ import annotations

import csv
import zlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time
from pathlib import Path
from zipfile import BadZipFile

from rpa_vision.errors import UsageError
from rpa_vision.models.batch import MAX_ROWS, FileRow, RowFile

_MAX_BYTES = 64 * 1024 * 1024
_MAX_FIELD = 100_000
_SHOWN = 5
_REMEDY = "Mend the file; its first row names the columns, as docs/cli.md describes."


class LocalRowFiles:
    """Implements `ports.batches.RowFiles` on the local disk."""

    def read(self, path: Path) -> RowFile:
        try:
            if path.stat().st_size > _MAX_BYTES:
                raise UsageError(
                    f"{path}: has more than {_MAX_BYTES // 2**20} MB", remedy="Split it into several files."
                )
            if path.suffix.lower() in (".xlsx", ".xlsm"):
                return _table(_sheet(path), str(path))
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
            raise UsageError(f"{where}: line {line}: {error}", remedy=_REMEDY) from error
        if fields is None:
            return
        yield line, fields


def _again(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


def _sheet(path: Path) -> Iterator[tuple[int, list[str]]]:
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (InvalidFileException, BadZipFile, KeyError, ValueError) as error:
        raise UsageError(f"{path}: is not a workbook that can be read", remedy="Save it as XLSX again.") from error
    try:
        sheet = book.worksheets[0] if book.worksheets else None
        if sheet is None:
            raise UsageError(f"{path}: has no sheet", remedy=_REMEDY)
        for number, row in enumerate(sheet.iter_rows(), start=1):
            wrong = next((cell for cell in row if cell.data_type == "e"), None)
            if wrong is not None:
                raise UsageError(f"{path}: row {number} has a cell that says {wrong.value}", remedy="Mend the sheet.")
            yield number, [_text(cell.value) for cell in row]
    except (SyntaxError, BadZipFile, KeyError, ValueError, EOFError, zlib.error) as error:
        # A torn sheet is a SyntaxError to the parser of its XML.
        raise UsageError(f"{path}: cannot be read to its end ({error})", remedy="Save it as XLSX again.") from error
    finally:
        book.close()


def _text(value: object) -> str:
    """A cell as a person reads it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(sep=" ", timespec="minutes")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return str(value)


def _table(lines: Iterator[tuple[int, list[str]]], where: str) -> RowFile:
    header = next(lines, None)
    names = _trimmed([name.strip() for name in header[1]]) if header is not None else []
    if not any(names):
        raise UsageError(f"{where}: is empty; the first row names the columns", remedy=_REMEDY)
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise UsageError(f"{where}: the column {twice[0]!r} is there twice", remedy=_REMEDY)
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
        raise UsageError(f"{where}: {'; '.join(problems)}", remedy=_REMEDY)
    if not rows:
        raise UsageError(f"{where}: has no row below the names of its columns", remedy=_REMEDY)
    return RowFile(tuple(name for name in names if name), tuple(rows))


def _trimmed(cells: Sequence[str]) -> list[str]:
    """Without the empty cells at the end."""
    kept = list(cells)
    while kept and not kept[-1]:
        kept.pop()
    return kept
