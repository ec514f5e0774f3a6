"""`locate` by order: whole bars, pages by their number, what is read before and after a thing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating import bars, caption_verdicts, captions, in_order, numbered
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.old_dialogs import without_old_dialogs
from rpa_vision.execution.locating.other_question import other_question
from rpa_vision.execution.locating.own_words import with_own_words
from rpa_vision.execution.locating.sight_verdicts import stood_there_already
from rpa_vision.execution.locating.words_there import words_go_on
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

BBox = tuple[int, int, int, int]
WORDS = ("Agenda", "Patient", "Ordonnance", "Courrier", "Facture")


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


def column(words: Sequence[str], x: int, y: int, step: int = 40) -> list[AnyItem]:
    return [("label", "x", word, (x, y + step * at, x + 120, y + 22 + step * at)) for at, word in enumerate(words)]


def locate(then: ObservedScreen, box: BBox, now: ObservedScreen) -> Located:
    return find_again(TargetResolver(), then, Box(*box), now)


def signs(drawn: str, x: int, y: int, step: int = 34) -> list[AnyItem]:
    return [
        ("icon", "icon", sign, (x + step * at, y, x + 26 + step * at, y + 26))
        for at, sign in enumerate(drawn)
        if sign != " "
    ]


def test_a_sign_is_the_one_of_its_bar(book: ScreenBook) -> None:
    """EX-4: the bar stands elsewhere, with as many signs in the same order"""
    then = book.draw("then", [*column(WORDS, 40, 200), *signs("%#=@&", 60, 60)])
    now = book.draw("now", [*column(WORDS, 400, 300), *signs("%#=@&", 600, 90)])
    box = Box(60 + 34, 60, 60 + 34 + 26, 86)
    assert bars.find(then, box, target_on(then, box), now) == Box(634, 90, 660, 116)


@pytest.mark.parametrize("drawn", ["%=@&", "%=#@&", "%#=@&?", "%&=@&"])
def test_a_bar_that_is_another_tells_nothing(book: ScreenBook, drawn: str) -> None:
    """EX-7: one is gone, two changed places, one came in, one was replaced: the next may have moved up"""
    then = book.draw("then", [*column(WORDS, 40, 200), *signs("%#=@&", 60, 60)])
    now = book.draw("now", [*column(WORDS, 400, 300), *signs(drawn, 600, 90)])
    box = Box(60 + 34, 60, 60 + 34 + 26, 86)
    assert bars.find(then, box, target_on(then, box), now) is None


def test_two_bars_that_look_the_same_tell_nothing(book: ScreenBook) -> None:
    """EX-7"""
    then = book.draw("then", [*column(WORDS, 40, 200), *signs("%#=@&", 60, 60)])
    now = book.draw("now", [*column(WORDS, 400, 300), *signs("%#=@&", 600, 90), *signs("%#=@&", 600, 200)])
    box = Box(60 + 34, 60, 60 + 34 + 26, 86)
    assert bars.find(then, box, target_on(then, box), now) is None


def test_where_every_record_had_such_a_bar_the_bar_of_another_is_not_taken(book: ScreenBook) -> None:
    """EX-7: the bin of Martin for that of Durand, whose record is gone"""
    then = book.draw("then", [*column(WORDS, 40, 200), *signs("%#=@&", 60, 60), *signs("%#=@&", 60, 120)])
    now = book.draw("now", [*column(WORDS, 400, 300), *signs("%#=@&", 600, 90)])
    box = Box(60 + 34, 60, 60 + 34 + 26, 86)
    assert bars.find(then, box, target_on(then, box), now) is None


@pytest.mark.parametrize("said", ["472", "860", "183"])
def test_numbers_that_do_not_follow_each_other_are_no_pages(book: ScreenBook, said: str) -> None:
    """EX-7: how many of something, not which page"""
    then = book.draw("then", [*column(WORDS, 40, 200), *pages(said, 300, 60)])
    assert not numbered.is_page(then, Box(334, 60, 356, 84))


def pages(said: Sequence[str], x: int, y: int) -> list[AnyItem]:
    return [
        ("button", "action", word, (x + 34 * at, y, x + 22 + 34 * at, y + 24)) for at, word in enumerate(said) if word
    ]


def test_a_page_is_what_says_its_number(book: ScreenBook) -> None:
    """EX-4: the pages moved, and two of them changed places"""
    then = book.draw("then", [*column(WORDS, 40, 200), *pages("1234", 300, 60)])
    now = book.draw("now", [*column(WORDS, 400, 300), *pages("1324", 600, 90)])
    assert numbered.is_page(then, Box(334, 60, 356, 84))
    assert locate(then, (334, 60, 356, 84), now).point == Box(668, 90, 690, 114).center


@pytest.mark.parametrize("said", [("1", "", "3", "4"), ("1", "3", "3", "4"), ("5", "6", "2", "8"), ("2",)])
def test_a_number_that_is_gone_or_stands_among_others_is_not_the_page(book: ScreenBook, said: Sequence[str]) -> None:
    """EX-7: not there, twice another, in another line of pages, or alone"""
    then = book.draw("then", [*column(WORDS, 40, 200), *pages("1234", 300, 60)])
    now = book.draw("now", [*column(WORDS, 400, 300), *pages(said, 600, 90)])
    assert numbered.find(then, Box(334, 60, 356, 84), now) is None


def test_a_number_that_words_stand_beside_is_no_page(book: ScreenBook) -> None:
    """EX-7: « Ne pas 2 »"""
    then = book.draw("then", [*column(WORDS, 40, 200), *pages("1234", 300, 60)])
    more: AnyItem = ("label", "x", "Ne pas", (612, 90, 666, 114))
    now = book.draw("now", [*column(WORDS, 400, 300), more, *pages("1", 560, 90), *pages(("", "2", "3", "4"), 634, 90)])
    assert locate(then, (334, 60, 356, 84), now).point is None


def test_where_another_number_stands_another_page_is(book: ScreenBook) -> None:
    """EX-7: however alike they look"""
    then = book.draw("then", [*column(WORDS, 40, 200), *pages("1234", 300, 60)])
    two, three = Box(334, 60, 356, 84), Box(368, 60, 390, 84)
    assert numbered.is_another(then, two, then, three)
    assert not numbered.is_another(then, two, then, two)
    assert not numbered.is_another(then, Box(40, 200, 160, 222), then, three), "no page"


def test_a_number_that_goes_on_below_is_no_page(book: ScreenBook) -> None:
    """EX-7: « 2 sélection » in two lines"""
    then = book.draw("then", [*column(WORDS, 40, 200), *pages("1234", 300, 60)])
    more: AnyItem = ("label", "x", "sélection", (650, 116, 730, 138))
    now = book.draw("now", [*column(WORDS, 400, 300), *pages("1234", 600, 90), more])
    assert numbered.find(then, Box(334, 60, 356, 84), now) is None


def form(names: Sequence[str], *, below: bool, without: int | None = None) -> list[AnyItem]:
    """Boxes to tick, each with its name beside it or below it."""
    found: list[AnyItem] = []
    for row, name in enumerate(names):
        top = 100 + 60 * row
        if row != without:
            found.append(("checkbox", "form_input", "", (300, top, 316, top + 16)))
        at = (300, top + 24, 420, top + 46) if below else (330, top - 3, 450, top + 19)
        found.append(("label", "x", name, at))
    return found


NAMES = ("Urgence", "Relance", "Archive")


def test_a_box_to_tick_stands_between_the_same_texts(book: ScreenBook) -> None:
    """EX-4: its name stands below it now"""
    then = book.draw("then", [*column(WORDS, 40, 60), *form(NAMES, below=False)])
    now = book.draw("now", [*column(WORDS, 40, 60), *form(NAMES, below=True)])
    box = Box(300, 160, 316, 176)
    assert in_order.find(then, box, target_on(then, box), now) == box


@pytest.mark.parametrize(
    ("names", "without", "more"),
    [
        (NAMES, 1, ()),
        (("Relance", "Urgence", "Archive"), None, ()),
        (NAMES, None, (("label", "x", "Supprimer tout", (340, 158, 470, 178)),)),
        (NAMES, None, (("checkbox", "form_input", "", (340, 160, 356, 176)),)),
    ],
)
def test_between_other_texts_or_among_more_it_is_another(
    book: ScreenBook, names: Sequence[str], without: int | None, more: Sequence[AnyItem]
) -> None:
    """EX-7: it is gone, two names changed places, something new is said there, another came in"""
    then = book.draw("then", [*column(WORDS, 40, 60), *form(NAMES, below=False)])
    now = book.draw("now", [*column(WORDS, 40, 60), *form(names, below=True, without=without), *more])
    box = Box(300, 160, 316, 176)
    assert in_order.find(then, box, target_on(then, box), now) is None


def settings(names: Sequence[str]) -> list[AnyItem]:
    """Switches at the far end of their lines."""
    return [
        item
        for row, name in enumerate(names)
        for item in (
            ("label", "x", name, (40, 300 + 40 * row, 160, 322 + 40 * row)),
            ("toggle", "form_input", "", (860, 302 + 40 * row, 900, 320 + 40 * row)),
        )
    ]


def test_a_switch_at_the_end_of_its_line_goes_by_the_text_at_the_beginning(book: ScreenBook) -> None:
    """EX-4: in a list of settings, where nothing else stands in its line; one alone may belong to anything"""
    then = book.draw("then", [*column(WORDS, 40, 60), *settings(NAMES)])
    swapped = book.draw("swapped", [*column(WORDS, 40, 60), *settings(("Relance", "Urgence", "Archive"))])
    first = (860, 302, 900, 320)
    told = captions.caption_of(then, Box(*first), "mark")
    assert told is not None
    assert (told.text, told.is_far) == ("Urgence", True)
    assert locate(then, first, swapped).point == Box(860, 342, 900, 360).center
    alone = book.draw("alone", [*column(WORDS, 40, 60), *settings(NAMES[:1])])
    assert captions.caption_of(alone, Box(*first), "mark") is None
    busy = book.draw("busy", [*settings(NAMES), *column(WORDS, 400, 300)])
    assert captions.caption_of(busy, Box(*first), "mark") is None


def test_what_a_field_holds_names_no_other_field(book: ScreenBook) -> None:
    """EX-7: nor does a button"""
    upper: list[AnyItem] = [
        ("text_input", "form_input", "", (300, 100, 500, 130)),
        ("label", "x", "4925", (300, 104, 360, 126)),
    ]
    lower: AnyItem = ("text_input", "form_input", "", (300, 134, 500, 164))
    screen = book.draw("fields", [*column(WORDS, 700, 60), *upper, lower])
    assert captions.caption_of(screen, Box(300, 134, 500, 164), "field") is None
    pressed: list[AnyItem] = [("button", "action", "Suivant", (200, 134, 290, 164)), lower]
    beside = book.draw("button", [*column(WORDS, 700, 60), *pressed])
    assert captions.caption_of(beside, Box(300, 134, 500, 164), "field") is None


def written(book: ScreenBook, name: str, lines: Sequence[str]) -> ObservedScreen:
    """Lines as a page writes them, without frames."""
    picture, items = np.full((600, 960, 4), 250, np.uint8), list[AnyItem]()
    for row, line in enumerate(lines):
        (width, height), _ = cv2.getTextSize(line, cv2.FONT_HERSHEY_SIMPLEX, 0.5, 1)
        cv2.putText(picture, line, (40, 80 + 60 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20, 255), 1)
        items.append(("label", "x", line, (38, 76 + 60 * row - height, 42 + width, 86 + 60 * row)))
    return replace(book.draw(name, items), pixels=picture)


def test_a_mark_whose_name_may_stand_above_or_below_goes_by_neither(book: ScreenBook) -> None:
    """EX-7: but where one of the two changed places with another, it may be another; a text nobody knows is misread"""
    then = book.draw("then", [*column(WORDS, 700, 60), *form(NAMES, below=True)])
    box = Box(300, 160, 316, 176)
    swapped = book.draw("swapped", [*column(WORDS, 700, 60), *form(("Urgence", "Archive", "Relance"), below=True)])
    assert caption_verdicts.neighbour_has_changed(then, box, swapped, box)
    assert not caption_verdicts.neighbour_has_changed(then, box, then, box)
    unknown = book.draw("unknown", [*column(WORDS, 700, 60), *form(("Urgence", "Re1ance", "Archive"), below=True)])
    assert not caption_verdicts.neighbour_has_changed(then, box, unknown, box)


def test_a_field_that_was_not_detected_still_goes_by_its_caption(book: ScreenBook) -> None:
    """EX-7: what it holds is no name; the caption above it changed places with another"""

    def fields(first: str, second: str) -> list[AnyItem]:
        return [
            ("label", "x", first, (300, 100, 420, 122)),
            ("label", "x", "1950-03-17", (306, 128, 396, 148)),
            ("label", "x", second, (300, 300, 420, 322)),
            ("label", "x", "08 91 70 66 06", (306, 328, 420, 348)),
        ]

    then = book.draw("then", [*column(WORDS, 700, 60), *fields("Naissance", "Commentaire")])
    box = (300, 124, 700, 152)
    assert locate(then, box, then).point is not None
    swapped = book.draw("swapped", [*column(WORDS, 700, 60), *fields("Commentaire", "Naissance")])
    assert locate(then, box, swapped).point is None


def test_a_path_is_as_many_entries_as_its_signs_part(book: ScreenBook) -> None:
    """L2-1: « Prix / unit » is one thing"""
    screen = written(book, "path", ("Accueil / Clients / Durand", "Prix / unit"))
    said = [line.text for line in with_own_words(screen).state.perception.text_lines]
    assert said == ["Accueil", "Clients", "Durand", "Prix / unit"]


@pytest.mark.parametrize("line", ["12 / 03 / 2026", "12 | 13 | 14", "Accueil / 2026 / 03"])
def test_numbers_between_signs_are_no_entries(book: ScreenBook, line: str) -> None:
    """L2-1: a date written with spaces"""
    screen = written(book, "numbers", (line,))
    assert [one.text for one in with_own_words(screen).state.perception.text_lines] == [line]


def test_a_box_of_which_half_is_new_stays_a_dialog(book: ScreenBook) -> None:
    """EX-7: a panel with other data looks like a question with the same captions"""
    names = ("Rapports", "Praticien", "Motif", "Remise", "Rayon")
    data = ("Martin", "Petit", "Durand", "Leroy")

    def panel(values: Sequence[str], x: int) -> list[AnyItem]:
        return [*column(names, x, 100), *column(values, x + 150, 140)]

    then = book.draw("then", [*column(WORDS, 40, 60), *panel(data, 400)])
    taken: AnyItem = ("dialog", "dialog", "", (390, 90, 700, 320))
    values = ("Moreau", "Simon", "Roux", "Blanc")
    now = book.draw("now", [*column(WORDS, 40, 60), taken, *panel(values, 400)])
    assert [one for one in without_old_dialogs(then, now).state.ui_elements if one.type == "dialog"]
    asks: AnyItem = ("label", "x", "Supprimer ce rapport ?", (400, 292, 640, 314))
    asking = book.draw("asking", [*column(WORDS, 40, 60), taken, *panel(values, 400), asks])
    assert [one for one in without_old_dialogs(then, asking).state.ui_elements if one.type == "dialog"]
    copied = book.draw("copied", [*column(names, 40, 330), taken, *panel(values, 400)])
    assert [one for one in without_old_dialogs(then, copied).state.ui_elements if one.type == "dialog"]


def test_what_a_help_text_tells_was_not_asked(book: ScreenBook) -> None:
    """EX-7"""
    place = (40, 300, 160, 330)
    rest: list[AnyItem] = [*column(WORDS, 600, 60), ("button", "action", "Valider", place)]
    told: list[AnyItem] = [
        ("label", "x", "Un administrateur peut supprimer", (40, 60, 420, 82)),
        ("label", "x", "définitivement ce dossier et son historique.", (40, 86, 500, 108)),
    ]
    asks: AnyItem = ("label", "x", "Supprimer définitivement ce dossier ?", (40, 260, 420, 282))
    then, now = book.draw("then", [*rest, *told]), book.draw("now", [*rest, asks])
    assert other_question(then, Box(*place), now, Box(*place), "button") is not None


def test_what_stood_there_all_along_is_not_what_is_gone(book: ScreenBook) -> None:
    """EX-7: of two of one name one is gone; the other has not moved, nor has anything around it"""
    menu: AnyItem = ("menu_item", "navigation", "Mon compte", (700, 20, 820, 46))
    side: list[AnyItem] = [*column(("Mon compte", "Fichier", "Stocks"), 40, 200)]
    then = book.draw("then", [*column(WORDS, 400, 300), menu, *side])
    gone = book.draw("gone", [*column(WORDS, 400, 300), *side])
    assert stood_there_already(then, Box(*menu[3]), gone, Box(40, 200, 160, 222))
    moved = book.draw("moved", [*column(WORDS, 400, 300), *column(("Fichier", "Mon compte", "Stocks"), 40, 200)])
    assert not stood_there_already(then, Box(*menu[3]), moved, Box(40, 240, 160, 262))
    assert not stood_there_already(then, Box(*menu[3]), then, Box(*menu[3]))


def test_words_that_go_on_with_something_unknown_are_others(book: ScreenBook) -> None:
    """EX-7: a neighbour that was known may be read along with it"""
    then = book.draw("then", [*column(WORDS, 400, 300), *column(("Journal", "Format"), 40, 60)])
    target = target_on(then, Box(40, 60, 160, 82))
    place = Box(40, 60, 160, 82)
    more = book.draw("more", [*column(WORDS, 400, 300), ("label", "x", "Journal et fermer", (40, 60, 200, 82))])
    assert words_go_on(then, target, more, place)
    along = book.draw("along", [*column(WORDS, 400, 300), ("label", "x", "Journal Format", (40, 60, 200, 82))])
    assert not words_go_on(then, target, along, place)
    assert not words_go_on(then, target, then, place)
    home = book.draw("home", [*column(WORDS, 400, 300), *column(("Accueil", "Format"), 40, 60)])
    page = book.draw("page", [*column(WORDS, 400, 300), ("label", "x", "Page d’accueil", (40, 60, 200, 82))])
    assert not words_go_on(home, target_on(home, place), page, place), "another name of the same"


def test_a_sentence_of_a_text_that_breaks_elsewhere_asks_nothing_new(book: ScreenBook) -> None:
    """EX-7: but a question of which the text said only a part does"""
    place = (40, 300, 160, 330)
    rest: list[AnyItem] = [*column(WORDS, 600, 60), ("button", "action", "Envoyer", place)]

    def text(*lines: str) -> list[AnyItem]:
        return [("label", "x", line, (40, 60 + 26 * row, 500, 82 + 26 * row)) for row, line in enumerate(lines)]

    then = book.draw(
        "then", [*rest, *text("Le client souhaite recevoir", "une copie de la facture ? Merci de", "votre aide")]
    )
    now = book.draw(
        "now", [*rest, *text("Le client souhaite", "recevoir une copie de la facture ?", "Merci de votre aide")]
    )
    assert other_question(then, Box(*place), now, Box(*place), "button") is None
    other = book.draw(
        "other", [*rest, *text("Le client souhaite", "supprimer une copie de la facture ?", "Merci de votre")]
    )
    assert other_question(then, Box(*place), other, Box(*place), "button") is not None
