"""Tables are rows whose edges line up."""

from __future__ import annotations

from rpa_vision.detection.tables import TextBox, find_tables
from rpa_vision.models.geometry import Box

HEADS = ["Numéro", "Patient", "Montant"]


def grid(rows: int, *, header: bool = True, left: int = 40, panel: int = 0) -> list[TextBox]:
    texts = []
    for row in range(rows):
        names = HEADS if header and row == 0 else [f"F-{row}", "Élodie", f"{row},00 €"]
        for column, text in enumerate(names):
            x, y = left + 200 * column, 100 + 30 * row
            width = 8 * len(text)
            box = Box(x, y, x + width, y + 16) if column < 2 else Box(x + 100 - width, y, x + 100, y + 16)
            texts.append(TextBox(box, text, panel))
    return texts


def test_rows_and_columns_are_numbered_and_named():
    """L2-1"""
    texts = grid(6)
    (table,) = find_tables(texts)
    assert len(table.rows) == 6
    assert table.has_header
    place = table.cells[texts.index(next(t for t in texts if t.text == "3,00 €"))]
    assert (place.row, place.column, place.column_title, place.is_header) == (3, 2, "Montant", False)


def test_a_table_without_titles_has_no_header():
    (table,) = find_tables(grid(5, header=False))
    assert not table.has_header
    assert table.cells[0].row == 0


def test_a_side_bar_at_the_same_height_is_not_part_of_the_table():
    bar = [TextBox(Box(5, 130 + 30 * i, 35, 146 + 30 * i), "Menu", 1) for i in range(4)]
    (table,) = find_tables(grid(6) + bar)
    assert len(table.cells) == 18


def test_prose_and_short_lists_are_no_tables():
    prose = [TextBox(Box(40, 100 + 20 * i, 600 - 7 * i, 116 + 20 * i), "Un long paragraphe") for i in range(8)]
    assert find_tables(prose) == []
    assert find_tables(grid(2)) == []
    assert find_tables([]) == []
