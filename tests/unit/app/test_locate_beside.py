"""`locate` by what stands right beside a thing: neighbours, captions nobody else has, the field of a bar, old boxes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating import (
    bars,
    caption_verdicts,
    captions,
    exchanged,
    only_captioned,
    same_neighbours,
    words_there,
)
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.old_dialogs import without_old_dialogs
from rpa_vision.execution.locating.other_question import other_question
from rpa_vision.execution.strategies.landmark_fit import Fit
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

BBox = tuple[int, int, int, int]
WORDS = ("Agenda", "Patient", "Ordonnance", "Courrier", "Facture")
AS_IT_WAS = Fit(1.0, 0.0, 0.0, 10, 1.0)


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


def column(words: Sequence[str], x: int, y: int, step: int = 40, kind: str = "label") -> list[AnyItem]:
    return [(kind, "x", word, (x, y + step * at, x + 120, y + 22 + step * at)) for at, word in enumerate(words)]


def row(words: Sequence[str], x: int, y: int) -> list[AnyItem]:
    return [("link", "x", word, (x + 130 * at, y, x + 110 + 130 * at, y + 22)) for at, word in enumerate(words)]


def locate(then: ObservedScreen, box: BBox, now: ObservedScreen) -> Located:
    return find_again(TargetResolver(), then, Box(*box), now)


def test_two_neighbours_that_changed_places_are_told_by_their_words(book: ScreenBook) -> None:
    """EX-4"""
    then = book.draw("then", [*column(WORDS, 40, 200), *row(("Journal", "Achats", "Stocks"), 300, 60)])
    now = book.draw("now", [*column(WORDS, 40, 200), *row(("Achats", "Journal", "Stocks"), 300, 60)])
    box = Box(300, 60, 410, 82)
    found = exchanged.find(then, box, target_on(then, box), now, AS_IT_WAS)
    assert found == Box(430, 60, 540, 82)
    assert locate(then, box.bbox, now).point == Box(430, 60, 540, 82).center


@pytest.mark.parametrize(
    "words", [("Ventes", "Journal", "Stocks"), ("Achats", "Stocks", "Journal"), ("Achats", "", "")]
)
def test_where_the_neighbour_is_another_nothing_was_exchanged(book: ScreenBook, words: Sequence[str]) -> None:
    """EX-7: another stands in its place, it stands farther away, or it is gone"""
    then = book.draw("then", [*column(WORDS, 40, 200), *row(("Journal", "Achats", "Stocks"), 300, 60)])
    now = book.draw("now", [*column(WORDS, 40, 200), *row([one for one in words if one], 300, 60)])
    box = Box(300, 60, 410, 82)
    assert exchanged.find(then, box, target_on(then, box), now, AS_IT_WAS) is None


MENU = ("Notes", "Corbeille", "Courrier", "Corbeille", "Salles")


def test_one_of_two_of_a_name_is_the_one_between_the_same_texts(book: ScreenBook) -> None:
    """EX-4: the menu stands elsewhere and closer"""
    then = book.draw("then", [*column(WORDS, 500, 200), *column(MENU, 40, 60)])
    now = book.draw("now", [*column(WORDS, 500, 260), *column(MENU, 90, 90, 30)])
    box = Box(40, 180, 160, 202)
    assert same_neighbours.find(then, box, target_on(then, box), now) == Box(90, 180, 210, 202)


@pytest.mark.parametrize(
    "menu",
    [
        ("Notes", "Corbeille", "Courrier", "Salles"),
        ("Courrier", "Corbeille", "Salles", "Courrier", "Corbeille", "Salles"),
        ("Notes", "Corbeille", "Lits", "Corbeille", "Salles"),
    ],
)
def test_between_other_texts_or_between_the_same_twice_it_is_not_told(book: ScreenBook, menu: Sequence[str]) -> None:
    """EX-7: fewer say it, two stand between these, none does"""
    then = book.draw("then", [*column(WORDS, 500, 200), *column(MENU, 40, 60)])
    now = book.draw("now", [*column(WORDS, 500, 200), *column(menu, 40, 60)])
    box = Box(40, 180, 160, 202)
    assert same_neighbours.find(then, box, target_on(then, box), now) is None


def form(names: Sequence[str], *, above: bool) -> list[AnyItem]:
    """Fields, each below its caption or right of it."""
    return [
        item
        for at, name in enumerate(names)
        for item in (
            ("label", "x", name, (300, 300 + 90 * at, 400, 322 + 90 * at)),
            ("text_input", "form_input", "", (300, 326 + 90 * at, 520, 352 + 90 * at))
            if above
            else ("text_input", "form_input", "", (420, 298 + 90 * at, 640, 324 + 90 * at)),
        )
    ]


def test_a_field_keeps_the_caption_that_no_other_has(book: ScreenBook) -> None:
    """EX-4: left of it then, above it now; EX-7: not where another has it, or it is said once more"""
    names = ("Motif", "Adresse", "Remise")
    then = book.draw("then", [*column(WORDS, 40, 60), *form(names, above=False)])
    now = book.draw("now", [*column(WORDS, 40, 60), *form(names, above=True)])
    box = Box(420, 388, 640, 414)
    assert only_captioned.find(then, box, now, "field") == Box(300, 416, 520, 442)
    twice = book.draw("twice", [*column(WORDS, 40, 60), *form(("Motif", "Adresse", "Adresse"), above=True)])
    assert only_captioned.find(then, box, twice, "field") is None
    gone = book.draw("gone", [*column(WORDS, 40, 60), *form(("Motif", "Ville", "Remise"), above=True)])
    assert only_captioned.find(then, box, gone, "field") is None


def marks(names: Sequence[str]) -> list[AnyItem]:
    return [
        item
        for at, name in enumerate(names)
        for item in (
            ("checkbox", "form_input", "", (40, 303 + 40 * at, 56, 319 + 40 * at)),
            ("label", "x", name, (80, 300 + 40 * at, 220, 322 + 40 * at)),
        )
    ]


@pytest.mark.parametrize("names", [("Dupont", "Martin", "Leroy"), ("D-1061", "D-1071", "D-1081")])
def test_the_first_box_of_a_list_of_others_is_not_ticked(book: ScreenBook, names: Sequence[str]) -> None:
    """EX-7: it stands where it stood, and ticks somebody else"""
    was = ("Urgence", "Relance", "Archive") if names[0].isalpha() else ("D-1060", "D-1070", "D-1080")
    then = book.draw("then", [*column(WORDS, 600, 60), *marks(was)])
    now = book.draw("now", [*column(WORDS, 600, 60), *marks(names)])
    assert locate(then, (40, 303, 56, 319), now).point is None
    assert caption_verdicts.is_named_anew(then, Box(40, 303, 56, 319), now, Box(40, 303, 56, 319))
    misread = book.draw("misread", [*column(WORDS, 600, 60), *marks(("Urqenee", "Relance", "Archive"))])
    assert was[0] != "Urgence" or locate(then, (40, 303, 56, 319), misread).point is not None


def switches(names: Sequence[str], x: int) -> list[AnyItem]:
    return [
        item
        for at, name in enumerate(names)
        for item in (
            ("label", "x", name, (40, 300 + 40 * at, 160, 322 + 40 * at)),
            ("toggle", "form_input", "", (x, 302 + 40 * at, x + 40, 320 + 40 * at)),
        )
    ]


def test_a_far_switch_is_one_of_its_own_list(book: ScreenBook) -> None:
    """EX-7: its name stands in a list of others by now, whose switches are others"""
    then = book.draw("then", [*column(WORDS, 40, 60), *switches(("Urgence", "Relance", "Archive"), 860)])
    box = Box(860, 302, 900, 320)
    moved = book.draw("moved", [*column(WORDS, 40, 60), *switches(("Relance", "Urgence", "Archive"), 700)])
    assert captions.find(then, box, moved, "mark") == Box(700, 342, 740, 360)
    other = book.draw("other", [*column(WORDS, 40, 60), *switches(("Dupont", "Urgence", "Martin"), 700)])
    assert captions.find(then, box, other, "mark") is None


def bar(drawn: str, x: int, y: int, field: int = 0) -> list[AnyItem]:
    signs: list[AnyItem] = [
        ("icon", "icon", sign, (x + 210 + 34 * at, y, x + 236 + 34 * at, y + 26)) for at, sign in enumerate(drawn)
    ]
    return [*(("text_input", "x", "", (x, y, x + 200, y + 26)) for _ in range(field)), *signs]


def test_the_field_of_a_bar_stands_beside_the_same_signs(book: ScreenBook) -> None:
    """EX-4: at the top of a window; EX-7: not beside others, nor in a row of the page"""
    then = book.draw("then", [*column(WORDS, 40, 200), *bar("%#=", 60, 20, field=1)])
    now = book.draw("now", [*column(WORDS, 40, 300), *bar("%#=", 300, 30, field=1)])
    box = Box(60, 20, 260, 46)
    assert bars.find(then, box, target_on(then, box), now) == Box(300, 30, 500, 56)
    others = book.draw("others", [*column(WORDS, 40, 300), *bar("@&?", 300, 30, field=1)])
    assert bars.find(then, box, target_on(then, box), others) is None
    below = book.draw("below", [*column(WORDS, 40, 300), *bar("%#=", 300, 250, field=1)])
    assert bars.find(then, box, target_on(then, box), below) is None


def has_dialog(screen: ObservedScreen) -> bool:
    return any(one.type == "dialog" for one in screen.state.ui_elements)


def test_a_dialog_beside_which_the_target_stood_is_not_in_its_way(book: ScreenBook) -> None:
    """EX-4: it says what it said; EX-7: in its own dialog, or where the dialog says something new, it is"""
    box: AnyItem = ("dialog", "dialog", "", (390, 90, 800, 200))

    def page(name: str, asked: str) -> ObservedScreen:
        lines: list[AnyItem] = [
            ("label", "x", asked, (400, 100, 780, 122)),
            ("label", "x", "Merci de vérifier les pièces", (400, 140, 780, 162)),
        ]
        return book.draw(name, [*column(WORDS, 40, 60), box, *lines])

    then, same = page("then", "Toute modification doit être"), page("same", "Toute modification doit être")
    other = page("other", "Supprimer tous les dossiers ?")
    assert not has_dialog(without_old_dialogs(then, same, Box(40, 60, 160, 82)))
    assert has_dialog(without_old_dialogs(then, other, Box(40, 60, 160, 82)))
    assert has_dialog(without_old_dialogs(then, same, Box(400, 140, 780, 162)))


def test_a_question_of_which_only_the_ends_are_seen_is_the_same(book: ScreenBook) -> None:
    """EX-7: a menu came to lie over its lines; what begins otherwise is another"""
    place = (40, 300, 160, 330)
    rest: list[AnyItem] = [*column(WORDS, 600, 60), ("button", "action", "Envoyer", place)]

    def page(name: str, lines: Sequence[str]) -> ObservedScreen:
        asked: list[AnyItem] = [
            ("label", "x", said, (40, 200 + 26 * at, 420, 222 + 26 * at)) for at, said in enumerate(lines)
        ]
        return book.draw(name, [*rest, *asked])

    then = page("then", ("La facture du mois dernier", "et le duplicata demandé ?"))
    cut = page("cut", ("acture du mois dernier", "duplicata demandé ?"))
    assert other_question(then, Box(*place), cut, Box(*place), "button") is None
    other = page("other", ("Supprimer du mois dernier", "le duplicata demandé ?"))
    assert other_question(then, Box(*place), other, Box(*place), "button") is not None


def test_the_last_of_a_name_elsewhere_is_another(book: ScreenBook) -> None:
    """EX-7: of three that said it one is left, and neither its place nor its row says that it is this one"""
    links = row(("Factures", "Salles", "Factures"), 300, 500)
    menu: AnyItem = ("menu_item", "navigation", "Factures", (800, 20, 900, 42))
    then = book.draw("then", [*column(WORDS, 40, 60), menu, *links])
    now = book.draw("now", [*column(WORDS, 40, 60), menu])
    assert words_there.is_one_of_fewer(then, Box(*links[2][3]), "Factures", now)
    assert locate(then, links[2][3], now).point is None
