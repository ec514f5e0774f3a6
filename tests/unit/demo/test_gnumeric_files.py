"""What a saved workbook holds is what the drift benchmark judges by."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from rpa_vision.demo.gnumeric import cells_of
from rpa_vision.demo.person.tasks.gnumeric_sheets import workbook_name

BOOK = """<?xml version="1.0" encoding="UTF-8"?>
<gnm:Workbook xmlns:gnm="http://www.gnumeric.org/v10.dtd"><gnm:Sheets><gnm:Sheet><gnm:Name>Sheet1</gnm:Name><gnm:Cells>
<gnm:Cell Row="0" Col="0" ValueType="60">Compte rendu : Zoé</gnm:Cell>
<gnm:Cell Row="1" Col="0" ValueType="40">12</gnm:Cell>
</gnm:Cells></gnm:Sheet></gnm:Sheets></gnm:Workbook>"""


@pytest.mark.parametrize("packed", [True, False])
def test_the_cells_of_a_workbook_are_read_packed_or_not(tmp_path: Path, packed: bool) -> None:
    """EX-7: the application's own data decides"""
    file = tmp_path / "a.gnumeric"
    file.write_bytes(gzip.compress(BOOK.encode()) if packed else BOOK.encode())
    assert cells_of(file) == "Compte rendu : Zoé\n12"


def test_a_workbook_is_named_after_the_patient() -> None:
    """Plain letters, so that any file system keeps it."""
    assert workbook_name("Inès d ARNAUD") == "ines-d-arnaud.gnumeric"
