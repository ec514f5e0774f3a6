"""`locate` where the page says otherwise: another question, another page, a row that moved, a name that changed places,
a control that became faint."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.app.locate import Located, find_again
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.other_question import asked_again
from rpa_vision.execution.own_words import with_own_words
from rpa_vision.execution.paled import is_paled
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

BBox = tuple[int, int, int, int]
YES: BBox = (700, 300, 790, 330)
ASKED = "Archiver le dossier de ce client ?"
BAR: list[AnyItem] = [
    ("label", "x", name, (40 + 160 * i, 20, 160 + 160 * i, 42))
    for i, name in enumerate(("Accueil", "Agenda", "Bilans"))
]
FOOT: list[AnyItem] = [
    ("label", "x", name, (40, 460 + 34 * i, 240, 482 + 34 * i))
    for i, name in enumerate(("Mentions", "Contact", "Aide"))
]


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


def locate(then: ObservedScreen, box: BBox, now: ObservedScreen) -> Located:
    return find_again(TargetResolver(), then, Box(*box), now)


def asking(question: str) -> list[AnyItem]:
    """Buttons below a question, and no dialog that anybody recognised."""
    return [
        *BAR,
        ("label", "x", question, (300, 180, 640, 202)),
        ("button", "cancel", "Annuler", (580, 300, 680, 330)),
        ("button", "validate", "Valider", YES),
        *FOOT,
    ]


@pytest.mark.parametrize("question", ["Supprimer le dossier de ce client ?", "Payer toutes les factures ?"])
def test_a_button_that_answers_another_question_is_another_button(book: ScreenBook, question: str) -> None:
    """EX-7: it looks the same and stands where it stood; what it answers is said elsewhere"""
    then = book.draw("then", asking(ASKED))
    again = locate(then, YES, book.draw("now", asking(question)))
    assert again.point is None
    assert question in again.why


def test_the_same_question_may_be_asked_again_in_two_lines(book: ScreenBook) -> None:
    """EX-4: a question is broken otherwise in larger letters"""
    then = book.draw("then", asking(ASKED))
    broken: list[AnyItem] = [
        *BAR,
        ("label", "x", "Archiver le dossier", (300, 170, 480, 192)),
        ("label", "x", "de ce client ?", (300, 196, 440, 218)),
        *asking(ASKED)[4:],
    ]
    assert locate(then, YES, then).point == Box(*YES).center
    assert locate(then, YES, book.draw("now", broken)).point == Box(*YES).center


def test_a_question_that_is_asked_again_is_answered_by_the_button_that_stands_to_it_as_it_stood(
    book: ScreenBook,
) -> None:
    """EX-4: a dialog comes up elsewhere over other content, and asks the same"""
    then = book.draw("then", asking(ASKED))
    moved = [(kind, role, label, tuple(at + 60 for at in box)) for kind, role, label, box in asking(ASKED)[3:6]]
    now = book.draw("now", [*BAR, *moved, *FOOT])
    wanted = Box(*(at + 60 for at in YES))
    assert asked_again(then, Box(*YES), now, "Valider") == wanted
    assert asked_again(then, Box(*YES), book.draw("other", asking("Supprimer le dossier ?")), "Valider") is None
    nearer = [(kind, role, label, tuple(at + 60 for at in box)) for kind, role, label, box in asking(ASKED)[3:4]]
    assert asked_again(then, Box(*YES), book.draw("apart", [*nearer, *asking("Fin")[4:]]), "Valider") is None


def test_a_page_that_says_nothing_of_what_was_said_is_another(book: ScreenBook) -> None:
    """EX-7: « Valider » stands on many pages"""
    words = ("Factures", "Patient", "Montant", "Cabinet", "Praticien", "Numéro", "Archives")
    page: list[AnyItem] = [("label", "x", one, (40, 40 + 34 * i, 200, 62 + 34 * i)) for i, one in enumerate(words)]
    then = book.draw("then", [*page, ("button", "validate", "Valider", YES)])
    other: list[AnyItem] = [
        ("heading", "x", "Virement", (40, 40, 200, 70)),
        ("label", "x", "Vers la banque", (40, 90, 240, 112)),
        ("button", "validate", "Valider", (60, 300, 150, 330)),
        ("button", "x", "Retour", (170, 300, 260, 330)),
    ]
    assert locate(then, YES, then).point == Box(*YES).center
    again = locate(then, YES, book.draw("now", other))
    assert again.point is None, again


def listed(names: tuple[str, ...]) -> list[AnyItem]:
    items: list[AnyItem] = []
    for index, name in enumerate(names):
        y = 100 + 60 * index
        items += [("label", "x", name, (120, y, 280, y + 22)), ("checkbox", "x", "", tick(index))]
    return [*BAR, *items, *FOOT]


def tick(index: int) -> BBox:
    y = 100 + 60 * index
    return (60, y, 82, y + 22)


def test_a_box_to_tick_goes_where_its_row_goes(book: ScreenBook) -> None:
    """EX-4: the list was sorted the other way round"""
    names = ("Dupont Anne", "Martin Luc", "Petit Rose")
    then, now = book.draw("then", listed(names)), book.draw("now", listed(names[::-1]))
    for index in (0, 2):
        assert locate(then, tick(index), now).point == Box(*tick(2 - index)).center
    gone = book.draw("gone", listed(("Petit Rose", "Roux Paul", "Martin Luc")))
    assert locate(then, tick(0), gone).point is None


def buttons(*names: str) -> list[AnyItem]:
    made: list[AnyItem] = [
        ("button", "x", name, (300 + 140 * i, 300, 420 + 140 * i, 332)) for i, name in enumerate(names)
    ]
    return [*BAR, ("label", "x", "Dossier du jour", (300, 240, 460, 262)), *made, *FOOT]


def test_two_neighbours_that_changed_places_are_told_by_their_names(book: ScreenBook) -> None:
    """EX-4: all else is where it was; each bears its name"""
    then = book.draw("then", buttons("Imprimer", "Classer"))
    again = locate(then, (300, 300, 420, 332), book.draw("now", buttons("Classer", "Imprimer")))
    assert again.point == (500, 316), again.why
    taken = locate(then, (300, 300, 420, 332), book.draw("other", buttons("Classer", "Envoyer")))
    assert taken.point is None


def painted(ink: int, ground: int) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A field with something in it, between two words that stay."""
    screen = np.full((200, 400, 3), 255, np.uint8)
    screen[40:50, 40:200] = screen[150:160, 40:200] = 20
    screen[80:120, 40:240] = ground
    screen[95:105, 60:180:2] = ink
    return screen


def test_what_is_painted_fainter_among_things_that_are_not_is_disabled() -> None:
    """EX-7: a field keeps its words and its outlines when it is switched off"""
    box = Box(40, 80, 240, 120)
    then = painted(20, 250)
    assert is_paled(then, box, painted(110, 230), 0, 0)
    assert is_paled(then, box, painted(20, 238), 0, 0, is_field=True)
    assert not is_paled(then, box, painted(20, 238), 0, 0)
    assert not is_paled(then, box, then, 0, 0, is_field=True)
    dark = painted(20, 250)
    dark[:80], dark[120:] = 255 - dark[:80], 255 - dark[120:]
    dark[80:120, 40:240] = 60
    assert not is_paled(then, box, dark, 0, 0), "another theme"


def test_entries_of_a_bar_are_told_apart_by_wide_gaps(book: ScreenBook) -> None:
    """EX-4: « Accueil   Agenda » is one line to a reader, and two entries"""
    screen = book.draw(
        "bar", [("label", "x", "Accueil", (40, 20, 110, 42)), ("label", "x", "Agenda", (180, 20, 250, 42))]
    )
    state, (one, two) = screen.state, screen.state.perception.text_lines
    line = one.model_copy(update={"text": "Accueil Agenda", "bbox": Box.of(one.bbox).union(Box.of(two.bbox)).bbox})
    whole = state.ui_elements[0].model_copy(
        update={"label": line.text, "bbox": line.bbox, "center": Box.of(line.bbox).center}
    )
    perception = state.perception.model_copy(update={"text_lines": (line,)})
    read = ObservedScreen(
        screen.pixels, state.model_copy(update={"perception": perception, "ui_elements": (whole,)}), screen.vector
    )
    told = with_own_words(read).state
    assert [one.text for one in told.perception.text_lines] == ["Accueil", "Agenda"]
    assert [one.label for one in told.ui_elements] == ["Accueil", "Agenda"]
    assert len({one.element_id for one in told.ui_elements}) == 2
