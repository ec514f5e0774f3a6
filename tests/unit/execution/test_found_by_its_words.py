"""A target by words that were read or put together otherwise: another order, two lines, beside a box to tick."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.locating.own_words import with_own_words
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

NAMES = ("Patients", "Factures", "Agenda", "Stocks", "Praticien", "Motif", "Montant", "Devis")
PAGE: list[AnyItem] = [("label", "x", name, (40, 60 + 40 * i, 140, 82 + 40 * i)) for i, name in enumerate(NAMES)]
PLACE: BBox = (180, 140, 380, 162)


def resolve(then: ObservedScreen, box: BBox, now: ObservedScreen) -> Resolved | Unresolved:
    return TargetResolver().resolve(target_on(then, Box(*box)), now, {}, HealingProfile.at_level(2))


def read_as(screen: ObservedScreen, *lines: tuple[str, BBox]) -> ObservedScreen:
    """The screen with these lines read on it and no others."""
    read = tuple(TextLine(text=text, bbox=bbox, confidence=0.99) for text, bbox in lines)
    perception = screen.state.perception.model_copy(update={"text_lines": read})
    return replace(screen, state=screen.state.model_copy(update={"perception": perception}))


def entry(label: str, bbox: BBox = PLACE) -> AnyItem:
    return ("menu_item", "navigation", label, bbox)


@pytest.mark.parametrize(
    ("said", "is_it"),
    [("Ctrl+N Suivant", True), ("Ctrl+P Suivant", False), ("Suivant Suivant", False), ("Suivant", False)],
)
def test_the_same_words_in_another_order_are_the_same_words(book: ScreenBook, said: str, is_it: bool) -> None:
    """EX-5: what stands in one line is put together from left to right or by its height; every word counts"""
    then, now = book.draw("then", [*PAGE, entry("Suivant Ctrl+N")]), book.draw("now", [*PAGE, entry(said)])
    assert isinstance(resolve(then, PLACE, now), Resolved) is is_it


@pytest.mark.parametrize(
    ("was", "says"),
    [("Tome 2 page 3", "Tome 3 page 2"), ("Copier A vers B", "Copier B vers A"), ("Jean Martin", "Martin Jean")],
)
def test_other_words_in_another_order_say_something_else(book: ScreenBook, was: str, says: str) -> None:
    """EX-7"""
    then, now = book.draw("then", [*PAGE, entry(was)]), book.draw("now", [*PAGE, entry(says)])
    assert isinstance(resolve(then, PLACE, now), Unresolved)


def test_words_broken_into_two_lines_are_found_and_three_lines_may_say_more(book: ScreenBook) -> None:
    """EX-5, EX-7: a control became too narrow for « Tableau de bord »; « Tableau de bord / complet » is another"""
    then = book.draw("then", [*PAGE, entry("Tableau de bord")])
    page = book.draw("now", [*PAGE, entry("Tableau de", (180, 140, 280, 162)), entry("bord", (180, 166, 280, 188))])
    found = resolve(then, PLACE, page)
    assert isinstance(found, Resolved), found
    assert Box.of(found.best.element.bbox).contains((230, 164))
    more = book.draw("more", [*PAGE, *(entry(word, (180, top, 280, top + 22)) for word, top in BROKEN)])
    assert isinstance(resolve(then, PLACE, more), Unresolved)
    denied = zip(("Sans", "Tableau de", "bord"), (114, 140, 166), strict=True)
    less = book.draw("less", [*PAGE, *(entry(word, (180, top, 280, top + 22)) for word, top in denied)])
    assert isinstance(resolve(then, PLACE, less), Unresolved)


BROKEN = (("Tableau de", 140), ("bord", 166), ("complet", 192))


def test_a_line_of_a_list_and_the_box_to_tick_in_it_are_no_rivals(book: ScreenBook) -> None:
    """EX-5: both bear the name of the line, and the line has moved with all that stands around it"""
    rows = [
        ("list_item", "x", word, (400, 60 + 40 * i, 700, 90 + 40 * i)) for i, word in enumerate(("Un", "Deux", "Six"))
    ]
    ticks = [Item("checkbox", "form_input", row[2], (404, row[3][1] + 8, 418, row[3][1] + 22)) for row in rows]
    moved = [
        (kind, role, word, (x1 - 250, y1 + 300, x2 - 250, y2 + 300)) for kind, role, word, (x1, y1, x2, y2) in rows
    ]
    moved_ticks = [
        replace(one, bbox=(one.bbox[0] - 250, one.bbox[1] + 300, one.bbox[2] - 250, one.bbox[3] + 300)) for one in ticks
    ]
    then = book.draw("then", [*PAGE, *rows, *ticks])  # type: ignore[list-item]
    now = book.draw("now", [*PAGE, *moved, *moved_ticks])  # type: ignore[list-item]
    found = resolve(then, (400, 100, 700, 130), now)
    assert isinstance(found, Resolved), found
    assert found.best.element.type == "list_item"
    assert found.best.element.bbox[1] == 400


def test_a_box_to_tick_that_lost_its_name_stands_beside_it_as_it_did(book: ScreenBook) -> None:
    """EX-5: nothing else of that kind without a name is there, and the name is said once"""
    caption: AnyItem = ("label", "x", "Rappel par courrier", (430, 300, 600, 322))
    named = Item("checkbox", "form_input", "Rappel par courrier", (400, 304, 414, 318))
    then = book.draw("then", [*PAGE, named, caption])
    lower: AnyItem = ("label", "x", "Rappel par courrier", (430, 400, 600, 422))
    bare = Item("checkbox", "form_input", "", (400, 404, 414, 418))
    found = resolve(then, named.bbox, book.draw("now", [*PAGE, bare, lower]))
    assert isinstance(found, Resolved), found
    assert found.best.element.bbox == bare.bbox
    elsewhere = replace(bare, bbox=(400, 440, 414, 454))
    assert isinstance(resolve(then, named.bbox, book.draw("other", [*PAGE, elsewhere, lower])), Unresolved)


def words_on(screen: ObservedScreen) -> dict[BBox, str]:
    return {one.bbox: one.label for one in with_own_words(screen).state.ui_elements}


def test_each_entry_of_a_bar_that_was_read_as_one_line_says_its_own_words(book: ScreenBook) -> None:
    """L1-3: the widest gaps of a line are those between its words"""
    bar = [("Accueil", (40, 20, 160, 50)), ("Outils", (200, 20, 320, 50)), ("Aide", (360, 20, 480, 50))]
    bare = book.draw("bare", [entry("", bbox) for _, bbox in bar])
    pixels = np.full_like(bare.pixels, 250)
    for word, (x1, _, _, y2) in bar:  # a bar has no frames between its entries
        cv2.putText(pixels, word, (x1 + 8, y2 - 10), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    read = read_as(replace(bare, pixels=pixels), ("Accueil Outils Aide", (42, 22, 478, 48)))
    assert words_on(read) == {bbox: word for word, bbox in bar}
    garbled = read_as(replace(bare, pixels=pixels), ("Accueil a Outils de l Aide", (42, 22, 478, 48)))
    assert set(words_on(garbled).values()) == {""}


def test_a_word_of_a_sentence_is_not_what_a_control_says(book: ScreenBook) -> None:
    """EX-7: « Ne pas valider » with a box around its last word alone"""
    at: BBox = (108, 20, 190, 50)
    bare = book.draw("bare", [entry("", at)])
    pixels = np.full_like(bare.pixels, 250)
    cv2.putText(pixels, "Ne pas valider", (42, 40), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    assert words_on(read_as(replace(bare, pixels=pixels), ("Ne pas valider", (40, 22, 190, 48))))[at] == ""


def test_a_control_says_the_line_in_it_that_no_other_control_says(book: ScreenBook) -> None:
    """L1-3: a label that took the words of two entries is no control"""
    both: AnyItem = ("label", "x", "Favoris Fenêtre", (10, 60, 300, 140))
    first, second = (10, 60, 300, 98), (10, 100, 300, 138)
    screen = read_as(
        book.draw("menu", [both, entry("", first), entry("", second)]),
        ("Favoris", (26, 66, 95, 92)),
        ("Fenêtre", (26, 106, 95, 132)),
    )
    assert words_on(screen)[first] == "Favoris"
    assert words_on(screen)[second] == "Fenêtre"
    taken = read_as(
        book.draw("taken", [entry("Favoris", first), entry("", (8, 58, 302, 100))]), ("Favoris", (26, 66, 95, 92))
    )
    assert words_on(taken)[(8, 58, 302, 100)] == ""


def test_a_box_to_tick_is_called_by_the_line_that_begins_beside_it_or_in_it(book: ScreenBook) -> None:
    """L1-3: where two lines begin beside it, neither is its name"""
    box: BBox = (40, 304, 54, 318)
    page = book.draw("tick", [Item("radio", "form_input", "", box)])
    for start in (38, 60):
        assert words_on(read_as(page, ("Avant midi", (start, 300, 160, 322))))[box] == "Avant midi"
    assert words_on(read_as(page, ("Avant midi", (120, 300, 260, 322))))[box] == ""
    left = read_as(page, ("Oui", (10, 300, 34, 322)), ("Non", (60, 300, 100, 322)))
    assert words_on(left)[box] == ""  # captions may stand at the left here
    twice = read_as(page, ("Avant", (60, 296, 160, 312)), ("Après", (60, 310, 160, 326)))
    assert words_on(twice)[box] == ""


@pytest.mark.parametrize(("words_at", "is_it"), [((190, 304, 260, 322), True), ((190, 404, 260, 422), False)])
def test_words_without_their_control_lie_in_its_place(book: ScreenBook, words_at: BBox, is_it: bool) -> None:
    """EX-4, EX-7: the line of the list was detected then, only its words now; twins tell that elsewhere is another"""
    place: BBox = (150, 300, 560, 326)
    rest: list[AnyItem] = [("list_item", "x", "Banque", (150, 400, 560, 426))]
    then = book.draw("then", [*PAGE, ("list_item", "x", "Banque", place), *rest])
    now = book.draw("now", [*PAGE, ("label", "x", "Banque", words_at)])
    assert isinstance(resolve(then, place, now), Resolved) is is_it


def test_what_said_more_already_then_is_not_what_said_less(book: ScreenBook) -> None:
    """EX-7: « Brouillons » is gone; « Brouillons 3 » stood beside it, whatever line was read in it"""
    more, place = entry("Brouillons 3", (180, 100, 380, 122)), PLACE
    then = book.draw("then", [*PAGE, more, entry("Brouillons")])
    page = book.draw("now", [*PAGE, more])
    lines = [(one.text, one.bbox) for one in page.state.perception.text_lines if one.text != "Brouillons 3"]
    now = read_as(page, *lines, ("Brouillons", (184, 102, 280, 120)), ("3", (350, 102, 362, 120)))
    assert isinstance(resolve(then, place, now), Unresolved)


@pytest.mark.parametrize(
    ("behind", "said"),
    [
        ("(12)", "Factures"),
        ("12", "Factures"),
        ("Ctrl+F", "Factures"),
        ("12/03/2026", "Factures 12/03/2026"),
        ("2026", "Factures 2026"),
        ("00417", "Factures 00417"),
    ],
)
def test_how_many_an_entry_holds_is_no_part_of_its_name_but_a_date_is(book: ScreenBook, behind: str, said: str) -> None:
    """EX-7: counts change from day to day; a date or a long number tells an entry from its likes"""
    bare = book.draw("bare", [entry(f"Factures {behind}")])
    read = read_as(bare, ("Factures", (184, 142, 260, 160)), (behind, (300, 142, 376, 160)))
    assert words_on(read)[PLACE] == said
