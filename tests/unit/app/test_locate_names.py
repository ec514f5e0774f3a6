"""`locate` where the likes of a target changed places: what stands beside it says which one it is."""

from __future__ import annotations

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.name_beside import names_of
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

FOOT: list[AnyItem] = [
    ("label", "x", name, (40, 560 + 30 * i, 240, 582 + 30 * i))
    for i, name in enumerate(("Fin de la liste", "Aide", "Contact"))
]
ROW_PX = 60


def rows(names: tuple[str, ...], control: str, label: str) -> list[AnyItem]:
    """A list: a name at the left of each row, the like of all others far at its right."""
    items: list[AnyItem] = []
    for index, name in enumerate(names):
        y = 100 + ROW_PX * index
        items += [("label", "x", name, (40, y, 200, y + 22)), (control, "x", label, place(index))]
    return [*items, *FOOT]


def place(index: int) -> tuple[int, int, int, int]:
    y = 100 + ROW_PX * index
    return (600, y - 6, 700, y + 28)


def locate(then: ObservedScreen, index: int, now: ObservedScreen) -> Located:
    return find_again(TargetResolver(), then, Box(*place(index)), now)


def test_an_unchanged_place_is_not_the_target_once_another_row_stands_there() -> None:
    """EX-7: every « Supprimer » looks the same; the row decides which one is meant"""
    book = ScreenBook()
    then = book.draw("then", rows(("Dupont", "Martin", "Petit"), "button", "Supprimer"))
    for name, order in (("sorted", ("Petit", "Dupont", "Martin")), ("replaced", ("Leroy", "Martin", "Petit"))):
        again = locate(then, 0, book.draw(name, rows(order, "button", "Supprimer")))
        assert again.box is None or again.box.overlap(Box(*place(0))) == 0, (name, again)
    assert locate(then, 0, then).point == Box(*place(0)).center


def test_a_box_to_tick_is_not_that_of_the_name_that_moved_beside_it() -> None:
    """EX-7: it has no words; its row has"""
    book = ScreenBook()
    then = book.draw("then", rows(("Dupont", "Martin", "Petit"), "checkbox", ""))
    swapped = book.draw("now", rows(("Martin", "Dupont", "Petit"), "checkbox", ""))
    again = locate(then, 0, swapped)
    assert again.box is None or again.box.overlap(Box(*place(1))) > 0, again


def test_what_tells_a_thing_from_its_likes_is_told_by_row_and_by_column() -> None:
    """EX-4: « Lecture » of « Dupont » has a row and a column"""
    marks: list[AnyItem] = [
        ("checkbox", "x", "", (x, y, x + 20, y + 20)) for x in (300, 500) for y in (160, 220)
    ]  # fmt: skip
    texts: list[AnyItem] = [
        ("label", "x", "Lecture", (280, 100, 360, 122)), ("label", "x", "Écriture", (480, 100, 560, 122)),
        ("label", "x", "Dupont", (40, 160, 140, 182)), ("label", "x", "Martin", (40, 220, 140, 242)),
    ]  # fmt: skip
    screen = ScreenBook().draw("matrix", [*texts, *marks])
    assert {name.text for name in names_of(screen, Box(300, 160, 320, 180))} == {"Dupont", "Lecture"}
    assert names_of(screen, Box(40, 160, 140, 182)) == []
