"""Which field was written into, when somebody typed where the focus was."""

from __future__ import annotations

import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.written_into import field_written_into
from rpa_vision.models.ui_element import UIElement
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

BAR, ZOOM, CELL = (300, 100, 700, 130), (40, 100, 120, 130), (40, 200, 320, 222)
TEXT = "Compte rendu : Claire MOREAU"


def screen(book: ScreenBook, name: str, *, bar: str = "", zoom: str = "", cell: str = "") -> ObservedScreen:
    items: list[AnyItem] = [
        ("heading", "title", "Classeur", (40, 40, 140, 58)),
        Item("text_input", "form_input", "", BAR, value=bar),
        Item("dropdown", "form_input", "", ZOOM, value=zoom),
    ]
    if cell:
        items.append(("label", "data_display", cell, CELL))
    return book.draw(name, items)


def place(field: UIElement | None) -> tuple[int, int, int, int] | None:
    return field.bbox if field is not None else None


def test_text_went_into_the_field_in_which_it_can_be_read(book: ScreenBook) -> None:
    """L4-2: another field changed meanwhile"""
    before, after = screen(book, "before", zoom="100 %"), screen(book, "after", bar=TEXT, zoom="125 %")
    assert place(field_written_into(before, after, TEXT)) == BAR


def test_a_field_that_says_what_it_said_was_not_written_into(book: ScreenBook) -> None:
    """L4-2: it turned pale while something else was edited"""
    before, after = screen(book, "before", zoom="100 %"), screen(book, "after", zoom="100 %", cell=TEXT)
    after.pixels[100:130, 40:120] //= 2
    assert field_written_into(before, after, TEXT) is None


def test_text_that_appears_twice_went_where_the_focus_was(book: ScreenBook) -> None:
    """L4-2: into the cell of a sheet, and the bar above it shows it"""
    before, after = screen(book, "before"), screen(book, "after", bar=TEXT, cell=TEXT)
    assert field_written_into(before, after, TEXT) is None


def test_what_a_search_finds_does_not_hide_the_field_it_was_typed_into(book: ScreenBook) -> None:
    """L4-2: rows have the text in them, and more"""
    before, after = screen(book, "before"), screen(book, "after", bar="Moreau", cell="Claire MOREAU, 12 rue Haute")
    assert place(field_written_into(before, after, "Moreau")) == BAR


def test_a_secret_went_into_the_one_field_that_changed(book: ScreenBook) -> None:
    """L0-7: nobody knows what to read"""
    before, after = screen(book, "before"), screen(book, "after", bar="•••••")
    assert place(field_written_into(before, after, None)) == BAR


def test_a_field_that_said_the_text_before_was_not_written_into(book: ScreenBook) -> None:
    """L4-2: it turned pale while the same was typed elsewhere; and it hides no field that got it"""
    before, after = screen(book, "before", bar=TEXT), screen(book, "after", bar=TEXT, zoom="12")
    after.pixels[100:130, 300:700] //= 2
    assert field_written_into(before, after, TEXT) is None
    before, after = screen(book, "early", bar="Moreau"), screen(book, "late", bar="Moreau", zoom="Moreau")
    after.pixels[100:130, 300:700] //= 2
    assert place(field_written_into(before, after, "Moreau")) == ZOOM


def test_a_few_letters_of_a_long_text_are_no_proof(book: ScreenBook) -> None:
    """L4-2: they stand in anything, and another field changed too"""
    before = screen(book, "before", zoom="100 %")
    assert field_written_into(before, screen(book, "after", bar="ren", zoom="125 %"), TEXT) is None
    part = screen(book, "part", bar="rendu : Claire MOREAU", zoom="125 %")  # a narrow field shows the end
    assert place(field_written_into(before, part, TEXT)) == BAR


def test_the_only_field_that_changed_is_none_if_it_says_something_else(book: ScreenBook) -> None:
    """L4-2: the place of a cell is told while the cell is written into"""
    assert field_written_into(screen(book, "before", zoom="A1"), screen(book, "after", zoom="A2"), TEXT) is None


def test_a_short_text_that_appears_twice_went_where_the_focus_was(book: ScreenBook) -> None:
    """L4-2: a number in a cell, and the bar above shows it"""
    before = screen(book, "before")
    assert field_written_into(before, screen(book, "after", bar="5", cell="5"), "5") is None
    other = screen(book, "other", bar="5", cell="6")
    assert place(field_written_into(before, other, "5")) == BAR


def test_a_text_that_two_fields_may_have_got_went_where_the_focus_was(book: ScreenBook) -> None:
    """L4-2: one shows the whole of it, the other a few letters of it or the same badly read"""
    before = screen(book, "before")
    for number, other in enumerate(("Comp", "rehdu C1")):
        after = screen(book, f"after_{number}", bar=TEXT, zoom=other)
        assert field_written_into(before, after, TEXT) is None


def test_a_field_that_was_emptied_or_turned_pale_was_not_written_into(book: ScreenBook) -> None:
    """L4-2: the text went elsewhere, where it could not be read"""
    emptied = field_written_into(screen(book, "e1", bar="ancien client"), screen(book, "e2"), TEXT)
    before, after = screen(book, "p1"), screen(book, "p2")
    x1, y1, x2, y2 = BAR
    after.pixels[y1:y2, x1:x2] //= 2
    assert (emptied, field_written_into(before, after, TEXT)) == (None, None)


@pytest.mark.parametrize(("said", "says", "typed"), [("A1", "A2", "2"), ("x", "Mode", TEXT), ("x", "Com", TEXT)])
def test_the_only_field_that_changed_must_show_enough_of_the_text(
    book: ScreenBook, said: str, says: str, typed: str
) -> None:
    """L4-2"""
    assert field_written_into(screen(book, "m1", zoom=said), screen(book, "m2", zoom=says), typed) is None
