"""Tables are rows whose edges line up."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.detection.loose_texts import find_texts, place_in_tables
from rpa_vision.detection.scene import Scene
from rpa_vision.detection.tables import TextBox, find_tables
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine

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


def with_a_line_run_together(rows: int, at: int) -> list[TextBox]:
    texts = grid(rows)
    left, right = texts[3 * at + 1], texts[3 * at + 2]
    return [*texts[: 3 * at + 1], TextBox(left.box.union(right.box), f"{left.text} {right.text}"), *texts[3 * at + 3 :]]


def test_one_line_run_together_leaves_the_table_its_columns_and_is_a_cell_of_none():
    """L2-1"""
    texts = [TextBox(text.box, text.text) for text in with_a_line_run_together(12, 5)]
    (table,) = find_tables(texts)
    assert (len(table.rows), len(table.columns), table.has_header) == (12, 3, True)
    (bridge,) = table.bridges
    assert texts[bridge].text == "Élodie 5,00 €"
    assert table.bridges[bridge].columns == (1, 2)
    assert bridge not in table.cells


def test_a_long_cell_beside_empty_ones_is_a_cell():
    """L2-1"""
    texts = grid(6)
    wide = texts[4]
    texts[4] = TextBox(Box(wide.box.x1, wide.box.y1, wide.box.x2 + 90, wide.box.y2), "Élodie d’Aubigné", 0)
    (table,) = find_tables(texts)
    assert not table.bridges
    assert table.cells[4].column_title == "Patient"


ROWS = [("Nom", "Ville", "Montant"), ("Roche", "Lyon", "12"), ("Dupont", "Nice", "99"), ("Martin", "Dijon", "7")]


class Said:
    """Reads what was written at each place."""

    def __init__(self, words):
        self.words = words

    def __call__(self, boxes):
        return [
            TextLine(text=text, bbox=box.bbox, confidence=0.9)
            for box in boxes
            if (text := " ".join(word for x, y, word in self.words if box.contains((x + 4, y - 4))))
        ]


def page(far: int, near: int):
    """A table whose last row stands so close together (`near`, in pixels) that it is one line; `far` is the gap between
    the words of the name in it."""
    image, words, lines = np.full((240, 640, 3), 255, np.uint8), [], []

    def written(text, x, y):
        cv2.putText(image, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
        words.append((x, y, text))
        return x + cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)[0][0]

    for number, row in enumerate(ROWS):
        y = 40 + 30 * number
        for column, text in enumerate(row):
            x = 40 + 150 * column
            lines.append(TextLine(text=text, bbox=(x - 3, y - 14, written(text, x, y) + 3, y + 6), confidence=0.9))
    y = 40 + 30 * len(ROWS)
    lines.append(TextLine(text="Petit", bbox=(37, y - 14, written("Petit", 40, y) + 3, y + 6), confidence=0.9))
    end = written("Saint", 190, y)
    end = written("Malo", end + far, y)
    end = written("3456789012", end + near, y)
    lines.append(TextLine(text="Saint Malo 3456789012", bbox=(187, y - 14, end + 3, y + 6), confidence=0.9))
    return Scene(image, [], lines), Said(words)


def placed(scene, read):
    drafts = find_texts(scene)
    place_in_tables(scene, drafts, read)
    return {draft.text: draft for draft in drafts if draft.metadata.get("row") == 4}


def test_a_line_run_together_is_cut_between_its_columns_and_each_part_read():
    """L2-1"""
    cells = placed(*page(far=6, near=16))
    assert set(cells) == {"Petit", "Saint Malo", "3456789012"}
    assert cells["Saint Malo"].metadata["column_title"] == "Ville"
    assert cells["3456789012"].metadata["column_title"] == "Montant"
    assert min(draft.label_confidence for draft in cells.values()) == pytest.approx(0.9)


def test_parts_that_do_not_say_what_the_whole_said_are_doubtful():
    """L2-1"""
    scene, read = page(far=6, near=16)
    read.words = [(x, y, word.replace("345", "S4S")) for x, y, word in read.words]
    cells = placed(scene, read)
    assert cells["S4S6789012"].label_confidence <= 0.5
    assert cells["Saint Malo"].label_confidence <= 0.5


def test_a_line_whose_gaps_do_not_tell_where_a_column_begins_stays_whole_and_is_no_cell():
    """L2-1"""
    cells = placed(*page(far=12, near=13))
    whole = cells["Saint Malo 3456789012"]
    assert (whole.metadata["first_column"], whole.metadata["last_column"]) == (1, 2)
    assert hash(tuple(whole.metadata.items())), "what is kept from picture to picture is told apart by it"
    assert "column" not in whole.metadata
    assert "column_title" not in whole.metadata
