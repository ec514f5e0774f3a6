"""The rows that a workbook shows: of its first sheet in view, without those that are hidden or filtered out.

What a person does not see is not meant to be run, and it is told what was left out. A formula that was never calculated
has no value: the file is refused, with the name of the cell.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from xml.etree.ElementTree import iterparse
from zipfile import BadZipFile, ZipFile

from rpa_vision.adapters.row_files.cell_texts import MAX_DIGITS, cell_text, is_too_long
from rpa_vision.errors import UsageError

REMEDY = "Mend the file; its first row names the columns, as docs/cli.md describes."
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_NAMED = 8
_TORN = (SyntaxError, BadZipFile, KeyError, ValueError, EOFError, zlib.error)
"""What a torn file is to its readers; a torn sheet is a SyntaxError to the parser of its XML."""


def sheet_rows(path: Path, notes: list[str]) -> Iterator[tuple[int, list[str]]]:
    """The rows with their numbers; `notes` comes to say what was left out."""
    from openpyxl import load_workbook
    from openpyxl.utils.exceptions import InvalidFileException

    try:
        book = load_workbook(path, read_only=True, data_only=True)
    except (InvalidFileException, BadZipFile, KeyError, ValueError) as error:
        raise UsageError(f"{path}: is not a workbook that can be read", remedy="Save it as XLSX again.") from error
    try:
        sheet = _in_view(book.worksheets, path, notes)
        hidden = _hidden_rows(path, sheet)
        sheet.reset_dimensions()  # what a file says of its own size is often wrong
        left_out: list[int] = []
        for number, row in enumerate(sheet.iter_rows(), start=1):
            if number in hidden and number > 1:
                if any(cell.value is not None for cell in row):
                    left_out.append(number)
                continue
            _check(row, path, number)
            yield number, [cell_text(cell.value, getattr(cell, "number_format", "General")) for cell in row]
        if left_out:
            more = ", …" if len(left_out) > _NAMED else ""
            told = ", ".join(map(str, left_out[:_NAMED]))
            notes.append(f"{len(left_out)} hidden row{'s' * (len(left_out) > 1)} left out: {told}{more}")
    except _TORN as error:
        raise UsageError(f"{path}: cannot be read to its end ({error})", remedy="Save it as XLSX again.") from error
    finally:
        book.close()


def _in_view(sheets: list[Any], path: Path, notes: list[str]) -> Any:
    shown = next((sheet for sheet in sheets if sheet.sheet_state == "visible"), None)
    if shown is None:
        raise UsageError(f"{path}: has no sheet", remedy=REMEDY)
    before = [sheet.title for sheet in sheets[: sheets.index(shown)]]
    if before:
        notes.append(f"the hidden sheet « {before[0]} » left out; the rows are those of « {shown.title} »")
    return shown


def _check(row: tuple[Any, ...], path: Path, number: int) -> None:
    for cell in row:
        if cell.data_type == "e":
            raise UsageError(f"{path}: row {number} has a cell that says {cell.value}", remedy="Mend the sheet.")
        if is_too_long(cell.value):
            raise UsageError(
                f"{path}: the number in cell {cell.coordinate} has more than {MAX_DIGITS} digits, and a sheet keeps no "
                "more of a number",
                remedy="Format the column as text, and write the number again.",
            )


def _hidden_rows(path: Path, sheet: Any) -> set[int]:
    """The rows out of view. A formula in view that was never calculated is refused."""
    with ZipFile(path) as archive, archive.open(sheet._worksheet_path) as file:
        return _scanned(file, path)


def _scanned(file: IO[bytes], path: Path) -> set[int]:
    hidden: set[int] = set()
    number = 0
    for _, element in iterparse(file):
        if element.tag != f"{_MAIN}row":
            continue
        number = int(element.get("r", number + 1))
        if element.get("hidden") in ("1", "true"):
            hidden.add(number)
        if number not in hidden or number == 1:
            for cell in element.iterfind(f"{_MAIN}c"):
                result = cell.find(f"{_MAIN}v")
                is_text = cell.get("t") == "str" and result is not None
                if cell.find(f"{_MAIN}f") is not None and not is_text and (result is None or not result.text):
                    raise UsageError(
                        f"{path}: the formula in cell {cell.get('r', f'of row {number}')} has no value",
                        remedy="Open the file where sheets are calculated, save it there, and give it again.",
                    )
        element.clear()
    return hidden
