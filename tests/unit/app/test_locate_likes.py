"""`locate` among likes: what has no words, or a name said twice, on a page that is laid out anew."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating import likes
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

BBox = tuple[int, int, int, int]
GROUPS = (("Patient", "Praticien", "Motif"), ("Facture", "Montant", "Remise"), ("Stock", "Rayon", "Devis"))
WIDE = ((40, 60), (360, 60), (680, 60))
NARROW = ((40, 60), (520, 40), (40, 330))


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


def groups(at: Sequence[tuple[int, int]]) -> list[AnyItem]:
    """Three groups of words, each moved as a whole."""
    return [
        ("label", "x", word, (x, y + 56 * row, x + 110, y + 22 + 56 * row))
        for (x, y), words in zip(at, GROUPS, strict=True)
        for row, word in enumerate(words)
    ]


def beside(at: tuple[int, int], row: int, width: int = 90) -> BBox:
    x, y = at
    return (x + 130, y - 1 + 56 * row, x + 130 + width, y + 23 + 56 * row)


def locate(then: ObservedScreen, box: BBox, now: ObservedScreen) -> Located:
    return find_again(TargetResolver(), then, Box(*box), now)


def fields(at: Sequence[tuple[int, int]], without: tuple[int, int] | None = None) -> list[AnyItem]:
    return [
        ("text_input", "form_input", "", beside(place, row))
        for group, place in enumerate(at)
        for row in range(3)
        if (group, row) != without
    ]


@pytest.mark.parametrize(("group", "row"), [(1, 0), (2, 1), (2, 2)])
def test_a_field_without_a_name_is_the_one_beside_the_same_words(book: ScreenBook, group: int, row: int) -> None:
    """EX-4: each group of the page went elsewhere; no one shift takes the page to what it was"""
    then = book.draw("then", [*groups(WIDE), *fields(WIDE)])
    now = book.draw("now", [*groups(NARROW), *fields(NARROW)])
    again = locate(then, beside(WIDE[group], row), now)
    assert again.point == Box(*beside(NARROW[group], row)).center, again.why


def test_the_next_field_is_not_taken_for_one_that_is_gone(book: ScreenBook) -> None:
    """EX-7: of nine that are alike one is missing"""
    then = book.draw("then", [*groups(WIDE), *fields(WIDE)])
    gone = book.draw("gone", [*groups(NARROW), *fields(NARROW, without=(2, 1))])
    assert locate(then, beside(WIDE[2], 1), gone).point is None


def signs(at: Sequence[tuple[int, int]], drawn: str = "%#=") -> list[AnyItem]:
    return [
        ("icon", "icon", sign, beside(place, row, 24))
        for place, sign in zip(at, drawn, strict=True)
        for row in range(3)
        if sign != " "
    ]


def test_a_sign_is_the_one_of_its_look_beside_the_same_words(book: ScreenBook) -> None:
    """EX-4: three of each look; another look in its place is not it"""
    then = book.draw("then", [*groups(WIDE), *signs(WIDE)])
    now = book.draw("now", [*groups(NARROW), *signs(NARROW)])
    again = locate(then, beside(WIDE[1], 1, 24), now)
    assert again.point == Box(*beside(NARROW[1], 1, 24)).center, again.why
    other = book.draw("other", [*groups(NARROW), *signs(NARROW, "%@=")])
    assert locate(then, beside(WIDE[1], 1, 24), other).point is None
    gone = book.draw("gone", [*groups(NARROW), *signs(NARROW, "% =")])
    assert locate(then, beside(WIDE[1], 1, 24), gone).point is None


BAR = ("Fichier", "Achats", "Stocks", "Contacts", "Contacts", "Affichage")


def bar(words: Sequence[str]) -> list[AnyItem]:
    return [("menu_item", "navigation", word, (40 + 120 * i, 20, 140 + 120 * i, 50)) for i, word in enumerate(words)]


def test_a_name_said_twice_that_is_said_once_may_be_the_other(book: ScreenBook) -> None:
    """EX-7: the first of two « Contacts » is gone, and the second stands in its place"""
    then = book.draw("then", [*groups(WIDE), *bar(BAR)])
    first = (400, 20, 500, 50)
    assert locate(then, first, then).point == Box(*first).center
    gone = book.draw("gone", [*groups(WIDE), *bar([*BAR[:3], *BAR[4:]])])
    assert locate(then, first, gone).point is None


def test_of_a_name_said_twice_the_one_that_goes_on_is_another(book: ScreenBook) -> None:
    """EX-7: « Clients » stands twice, and below the second came « sélection »"""
    side: list[AnyItem] = [
        ("menu_item", "navigation", word, (20, 260 + 58 * row, 200, 282 + 58 * row))
        for row, word in enumerate(("Agenda", "Clients", "Clients", "Bilan"))
    ]
    second = (20, 376, 200, 398)
    then = book.draw("then", [*groups(WIDE), *side])
    assert locate(then, second, then).point == Box(*second).center
    more = book.draw("more", [*groups(WIDE), *side, ("label", "x", "sélection", (20, 400, 120, 422))])
    assert locate(then, second, more).point is None


def entries(names: Sequence[str], y: int, step: int) -> list[AnyItem]:
    notes = {"Dubois": "Un rappel est prévu", "Martin": "Le dossier est complet", "Petit": "La facture est réglée"}
    states = {"Dubois": "Brouillon", "Martin": "Clos", "Petit": "Refusé"}
    found: list[AnyItem] = []
    for row, name in enumerate(names):
        top = y + step * row
        found += [
            ("label", "x", name, (300, top, 400, top + 20)),
            ("label", "x", notes[name], (300, top + 24, 520, top + 44)),
            ("label", "x", states[name], (860, top + 12, 960, top + 32)),
        ]
    return found


def test_a_line_of_a_list_is_where_its_lines_stand_again(book: ScreenBook) -> None:
    """EX-4: nothing was detected as the line; what it holds says which it is, and where it is gone nothing is"""
    then = book.draw("then", [*groups(WIDE)[:3], *entries(("Dubois", "Martin", "Petit"), 100, 70)])
    box = (290, 165, 970, 220)
    now = book.draw("now", [*groups(WIDE)[:3], *entries(("Petit", "Dubois", "Martin"), 190, 84)])
    again = locate(then, box, now)
    assert again.point is not None
    assert 190 + 168 <= again.point[1] <= 190 + 168 + 46, again
    gone = book.draw("gone", [*groups(WIDE)[:3], *entries(("Petit", "Dubois"), 190, 84)])
    assert locate(then, box, gone).point is None


@pytest.mark.parametrize(
    ("fit", "rival", "likeness", "is_complete", "is_it"),
    [
        (0.7, 0.3, 0.7, True, True),
        (0.7, 0.6, 0.9, True, False),
        (0.5, 0.0, 0.9, True, False),
        (0.7, 0.3, 0.7, False, False),
    ],
)
def test_what_stands_right_must_stand_alone(
    fit: float, rival: float, likeness: float, is_complete: bool, is_it: bool
) -> None:
    """EX-7: near ties, weak fits and places where one is missing are refused"""
    one = likes.Like(Box(0, 0, 9, 9), "sign", fit, rival, 1.0, likeness, is_complete)
    assert one.is_it is is_it
