"""A sheet is run as a person sees it: what is hidden is not, and cells say what they show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from openpyxl import Workbook

from rpa_vision.adapters.row_files import LocalRowFiles
from rpa_vision.adapters.row_files.cell_texts import cell_text
from rpa_vision.errors import UsageError
from rpa_vision.models.batch import RowFile


def read(tmp_path: Path, fill: Callable[[Workbook, Any], None]) -> RowFile:
    book = Workbook()
    fill(book, book.active)
    path = tmp_path / "rows.xlsx"
    book.save(path)
    return LocalRowFiles().read(path)


def column(file: RowFile) -> list[str]:
    return [row.cells["facture"] for row in file.rows]


def test_a_formula_without_a_value_is_refused_with_its_cell(tmp_path: Path) -> None:
    """Issue 5: no row vanishes in silence"""

    def fill(book: Workbook, sheet: Any) -> None:
        for cell in ("facture", "FAC-1", '="FAC-"&2', "FAC-3"):
            sheet.append([cell])

    with pytest.raises(UsageError, match="the formula in cell A3 has no value"):
        read(tmp_path, fill)


def test_a_formula_that_was_calculated_says_its_result(tmp_path: Path) -> None:
    """Issue 5: also where its result is an empty text"""
    path = tmp_path / "rows.xlsx"
    book = Workbook()
    for cells in (("facture", "note"), ("=1+1", "=A1"), ("x", "")):
        book.active.append(cells)
    book.save(tmp_path / "made.xlsx")
    with ZipFile(tmp_path / "made.xlsx") as made, ZipFile(path, "w") as saved:
        for name in made.namelist():
            body = made.read(name).decode()
            body = body.replace("<f>1+1</f><v></v>", "<f>1+1</f><v>2</v>").replace(
                "<f>1+1</f><v />", "<f>1+1</f><v>2</v>"
            )
            body = body.replace('<c r="B2">', '<c r="B2" t="str">')
            saved.writestr(name, body)
    rows = LocalRowFiles().read(path).rows
    assert [row.cells for row in rows] == [{"facture": "2", "note": ""}, {"facture": "x", "note": ""}]


def test_hidden_rows_are_left_out_and_told(tmp_path: Path) -> None:
    """Issue 5: what a filter took out of view is not run, whatever it holds"""

    def fill(book: Workbook, sheet: Any) -> None:
        for cell in ("facture", "FAC-1", "=A2", "FAC-3", None, "FAC-5"):
            sheet.append([cell])
        for number in (3, 4, 5):
            sheet.row_dimensions[number].hidden = True

    file = read(tmp_path, fill)
    assert column(file) == ["FAC-1", "FAC-5"]
    assert [row.line for row in file.rows] == [2, 6]
    assert file.notes == ("1 hidden row left out: 4",)


def test_all_rows_hidden_is_told_too(tmp_path: Path) -> None:
    """Issue 5"""

    def fill(book: Workbook, sheet: Any) -> None:
        sheet.append(["facture"])
        sheet.append(["FAC-1"])
        sheet.row_dimensions[2].hidden = True

    with pytest.raises(UsageError, match=r"has no row .*1 hidden row left out: 2"):
        read(tmp_path, fill)


def test_the_first_sheet_in_view_is_read(tmp_path: Path) -> None:
    """Issue 5"""

    def fill(book: Workbook, sheet: Any) -> None:
        sheet.title = "old"
        sheet.append(["facture"])
        sheet.append(["OLD-1"])
        new = book.create_sheet("new")
        new.append(["facture"])
        new.append(["NEW-1"])
        book.active = 1
        sheet.sheet_state = "hidden"

    file = read(tmp_path, fill)
    assert column(file) == ["NEW-1"]
    assert file.notes == ("the hidden sheet « old » left out; the rows are those of « new »",)


def test_a_number_longer_than_a_sheet_keeps_is_refused(tmp_path: Path) -> None:
    """Issue 5: its last digits would be made up"""

    def fill(book: Workbook, sheet: Any) -> None:
        sheet.append(["facture"])
        sheet.append([123456789012345678901])

    with pytest.raises(UsageError, match="cell A2 has more than 15 digits"):
        read(tmp_path, fill)


DAY = datetime(2026, 3, 2)  # noqa: DTZ001 - a day in a sheet has no time zone


@pytest.mark.parametrize(
    ("value", "shown", "said"),
    [
        (1000, "00000", "01000"),
        (1000, "General", "1000"),
        (123456, "00000", "123456"),
        (612345678, "00 00 00 00 00", "06 12 34 56 78"),
        (612345678, '0#" "##" "##" "##" "##', "06 12 34 56 78"),
        (12, '"FAC-"0000', "FAC-0012"),
        (0.2, "0%", "20%"),
        (0.2, "0 %", "20 %"),
        (0.07, "0.00%", "7.00%"),
        (0.125, "0%", "12.5%"),
        (-5, "00000", "-5"),
        (1234.5, "#,##0.00", "1234.5"),
        (12, "0", "12"),
        (12, "0.00", "12"),
        (0.1 + 0.2, "General", "0.3"),
        (1e-7, "General", "0.0000001"),
        (DAY, "dd/mm/yyyy", "02/03/2026"),
        (DAY, "[$-40C]dd/mm/yyyy;@", "02/03/2026"),
        (DAY, "d.m.yyyy", "2.3.2026"),
        (DAY, "mm/dd/yyyy", "2026-03-02"),
        (DAY, "mm-dd-yy", "2026-03-02"),
        (DAY, "d mmmm yyyy", "2026-03-02"),
        (DAY, "yyyy-mm-dd h:mm:ss", "2026-03-02"),
        (DAY.replace(hour=8, minute=30), "dd/mm/yyyy", "02/03/2026"),
        (DAY.replace(hour=8, minute=30), "dd/mm/yyyy hh:mm", "2026-03-02 08:30"),
        (date(2026, 3, 2), "yyyy-mm-dd", "2026-03-02"),
        (time(8, 30), "hh:mm", "08:30"),
        (time(8, 30), "h:mm:ss", "8:30:00"),
        (time(8, 30), "General", "08:30"),
        (True, "General", "true"),
        (None, "00000", ""),
        ("01000", "00000", "01000"),
    ],
)
def test_a_cell_says_what_it_shows(value: object, shown: str, said: str) -> None:
    """Issue 5: a day in a form that would be read as another day is written so that it cannot be"""
    assert cell_text(value, shown) == said
