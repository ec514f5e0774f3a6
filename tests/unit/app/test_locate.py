"""`locate` on drawn screens: what looked pale, what nobody read, and what both pictures show of a place."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

BUTTON = (40, 300, 160, 340)


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


def test_what_looked_disabled_when_it_was_pointed_at_is_found_again() -> None:
    """EX-1: only what became disabled since is refused"""
    book = ScreenBook()
    pale, plain = (Item("button", "validate", "Valider", BUTTON, enabled=on) for on in (False, True))
    then_pale, then_plain, now = book.draw("a", [pale]), book.draw("b", [plain]), book.draw("c", [pale])
    again = find_again(TargetResolver(), then_pale, Box(*BUTTON), now)
    assert (again.status, again.point) == ("resolved", Box(*BUTTON).center)
    assert find_again(TargetResolver(), then_plain, Box(*BUTTON), now).point is None


NAMES = ("Patients", "Factures", "Agenda", "Stocks", "Praticien", "Motif", "Montant", "Nouveau")
PAGE: list[AnyItem] = [("label", "x", name, (40, 60 + 40 * i, 140, 82 + 40 * i)) for i, name in enumerate(NAMES)]
PLACE = (200, 180, 300, 202)
ROUND: list[AnyItem] = [("label", "x", "Devis", (320, 180, 400, 202)), ("label", "x", "Bons", (200, 140, 300, 162))]


def locate(then: ObservedScreen, box: tuple[int, int, int, int], now: ObservedScreen) -> Located:
    return find_again(TargetResolver(), then, Box(*box), now)


def unread(screen: ObservedScreen, box: tuple[int, int, int, int]) -> ObservedScreen:
    """The screen as a reader sees it that overlooks what lies in a box."""
    state, blind = screen.state, Box(*box)
    lines = tuple(line for line in state.perception.text_lines if not blind.contains(Box.of(line.bbox).center))
    elements = tuple(element for element in state.ui_elements if not blind.contains(element.center))
    perception = state.perception.model_copy(update={"text_lines": lines})
    return replace(screen, state=state.model_copy(update={"perception": perception, "ui_elements": elements}))


def test_what_nobody_read_is_known_by_its_unchanged_place(book: ScreenBook) -> None:
    """EX-4: neither words nor an element; the picture and all around it are as they were, moved along"""
    then = unread(book.draw("then", [*PAGE, *ROUND, ("icon", "icon", "%#", PLACE)]), PLACE)
    moved = (PLACE[0], PLACE[1] + 30, PLACE[2], PLACE[3] + 30)
    page = [(kind, role, label, (x1, y1 + 30, x2, y2 + 30)) for kind, role, label, (x1, y1, x2, y2) in [*PAGE, *ROUND]]  # type: ignore[misc]
    now = unread(book.draw("now", [*page, ("icon", "icon", "%#", moved)]), moved)
    again = locate(then, PLACE, now)
    assert again.point == Box(*moved).center
    other = unread(book.draw("other", [*page, ("icon", "icon", "@=", moved)]), moved)
    assert locate(then, PLACE, other).point is None
    assert locate(then, PLACE, unread(book.draw("gone", page), moved)).point is None


def test_a_sign_that_is_gone_is_not_the_words_beside_it(book: ScreenBook) -> None:
    """EX-7: the box to tick was read into the line « Dublin », and only the line is left"""
    sign, line = (262, 181, 276, 195), (190, 175, 300, 201)
    words: AnyItem = ("cell", "data_display", "Dublin", line)
    full = book.draw("full", [*PAGE, *ROUND, words, ("checkbox", "form_input", "", sign)])
    then = replace(full, state=full.state.model_copy(update={"ui_elements": full.state.ui_elements[:-1]}))
    gone = book.draw("gone", [*PAGE, *ROUND, words])
    assert locate(then, sign, then).point is not None
    again = locate(then, sign, gone)
    assert again.point is None, again


def test_another_name_in_its_unchanged_place_is_the_target(book: ScreenBook) -> None:
    """EX-5, EX-7: « Nouveau » stood elsewhere too; « Ajouter tout » means something else"""
    then = book.draw("then", [*PAGE, *ROUND, ("button", "create_action", "Ajouter", PLACE)])
    named = book.draw("named", [*PAGE, *ROUND, ("button", "create_action", "Nouveau", PLACE)])
    again = locate(then, PLACE, named)
    assert again.point == Box(*PLACE).center
    assert "means the same" in again.why
    more = book.draw("more", [*PAGE, *ROUND, ("button", "create_action", "Ajouter tout", PLACE)])
    assert locate(then, PLACE, more).point is None


def test_an_unchanged_place_behind_a_new_dialog_is_not_reached(book: ScreenBook) -> None:
    """EX-7: dimmed outlines are the same outlines"""
    items: list[AnyItem] = [*PAGE, *ROUND, ("icon", "icon", "%#", PLACE)]
    then = unread(book.draw("then", items), PLACE)
    dialog: list[AnyItem] = [
        ("dialog", "dialog", "Fermer la session ?", (600, 300, 900, 460)),
        ("label", "x", "Fermer la session ?", (620, 320, 860, 342)),
    ]
    now = unread(book.draw("now", [*items, *dialog]), PLACE)
    assert locate(then, PLACE, now).point is None
    assert locate(now, PLACE, now).point is not None


def misread(screen: ObservedScreen, box: tuple[int, int, int, int], text: str) -> ObservedScreen:
    """The screen as a reader sees it that reads something else in a box."""
    state, where = screen.state, Box(*box)
    lines = tuple(
        line.model_copy(update={"text": text}) if where.contains(Box.of(line.bbox).center) else line
        for line in state.perception.text_lines
    )
    elements = tuple(
        element.model_copy(update={"label": text}) if where.contains(element.center) else element
        for element in state.ui_elements
    )
    perception = state.perception.model_copy(update={"text_lines": lines})
    return replace(screen, state=state.model_copy(update={"perception": perception, "ui_elements": elements}))


def test_words_that_were_read_otherwise_do_not_make_another_thing_of_the_same_picture(book: ScreenBook) -> None:
    """EX-4, EX-7: the same pixels in the same place; one word more beside them is more than was there"""
    items: list[AnyItem] = [*PAGE, *ROUND, ("button", "x", "Caisse", PLACE)]
    then = book.draw("then", items)
    again = locate(then, PLACE, misread(then, PLACE, "Carsso X"))
    assert (again.point, again.strategy) == (Box(*PLACE).center, "same_place")
    beside = (PLACE[2] + 2, PLACE[1], PLACE[2] + 18, PLACE[3])
    more = unread(book.draw("more", [*items, ("label", "x", "et", beside)]), beside)
    assert locate(then, PLACE, misread(more, PLACE, "Carsso X")).point is None


def test_a_box_that_only_looks_like_a_dialog_today_is_not_in_the_way(book: ScreenBook) -> None:
    """EX-7: all it says stood there without it; what comes up says something new, or stood otherwise"""
    button: AnyItem = ("button", "x", "Caisse", PLACE)
    inside: list[AnyItem] = [
        ("label", "x", word, (620, 320 + 30 * i, 760, 342 + 30 * i))
        for i, word in enumerate(("Règlement reçu", "Copie conforme", "Lits libres", "Salles", "Blocs"))
    ]
    box: AnyItem = ("dialog", "dialog", "", (600, 300, 900, 500))
    then = book.draw("then", [*PAGE, *ROUND, button, *inside])
    assert locate(then, PLACE, book.draw("same", [*PAGE, *ROUND, button, box, *inside])).point is not None
    asks: AnyItem = ("label", "x", "Fermer la session ?", (620, 470, 860, 492))
    known: list[AnyItem] = [
        ("label", "x", "Salles", (620, 320, 760, 342)),
        ("label", "x", "Blocs", (620, 350, 760, 372)),
    ]
    assert locate(then, PLACE, book.draw("new", [*PAGE, *ROUND, button, box, *known, asks])).point is None
    mixed: list[AnyItem] = [
        ("label", "x", word, (620 + 40 * (i % 2), 320 + 36 * (4 * i % 5), 860, 342 + 36 * (4 * i % 5)))
        for i, word in enumerate(("Patients", "Lits libres", "Agenda", "Blocs", "Motif"))
    ]
    assert locate(then, PLACE, book.draw("mixed", [*ROUND, button, box, *mixed])).point is None


def test_another_value_in_an_unchanged_place_is_the_same_field(book: ScreenBook) -> None:
    """EX-5, EX-7: nobody saw that it is a field; a word instead of another is not a value"""
    then = book.draw("then", [*PAGE, *ROUND, ("label", "x", "12/03/2026", PLACE)])
    other = book.draw("other", [*PAGE, *ROUND, ("label", "x", "04/11/2027", PLACE)])
    assert locate(then, PLACE, other).point == Box(*PLACE).center
    words = book.draw("words", [*PAGE, *ROUND, ("label", "x", "Caisse", PLACE)])
    assert locate(words, PLACE, book.draw("others", [*PAGE, *ROUND, ("label", "x", "Budget", PLACE)])).point is None


def test_what_is_written_in_a_field_may_change_but_not_go_on(book: ScreenBook) -> None:
    """EX-7: an entry of a bar that was taken for a field: « Général et fermer » is not « Général »"""

    def page(name: str, value: str) -> ObservedScreen:
        return book.draw(name, [*PAGE, *ROUND, Item("text_input", "form_input", "Agenda", PLACE, value=value)])

    then = page("then", "Bilan")
    assert locate(then, PLACE, page("other", "Ventes")).point == Box(*PLACE).center
    assert locate(then, PLACE, page("more", "Bilan clos")).point is None


@pytest.mark.parametrize(
    ("was", "says", "is_it"),
    [
        ("Quitter", "Fermer", True),
        ("Fermer", "Quitter", False),
        ("Delete", "Remove", True),
        ("Retirer", "Supprimer", False),
        ("Fermer", "Ouvrir", False),
    ],
)
def test_a_kindred_name_in_an_otherwise_unchanged_place_is_the_target(
    book: ScreenBook, was: str, says: str, is_it: bool
) -> None:
    """EX-5, EX-7: no synonym, but nothing else on the screen changed; a name that may do more harm is another deed"""
    then = book.draw("then", [*PAGE, *ROUND, ("button", "x", was, PLACE)])
    now = book.draw("now", [*PAGE, *ROUND, ("button", "x", says, PLACE)])
    assert (locate(then, PLACE, now).point is not None) is is_it
    stood: list[AnyItem] = [*PAGE, *ROUND, ("button", "x", says, (500, 400, 600, 422))]
    before = book.draw("before", [*stood, ("button", "x", was, PLACE)])
    assert locate(before, PLACE, book.draw("after", [*stood, ("button", "x", says, PLACE)])).point is None


BAR: list[AnyItem] = [("label", "x", word, (40 + 90 * i, 30, 110 + 90 * i, 52)) for i, word in enumerate("abc")]
SIGN = (880, 30, 902, 52)


def test_a_sign_of_the_bar_keeps_its_corner_while_the_page_is_laid_out_anew(book: ScreenBook) -> None:
    """EX-4: the landmarks of the page say that it went along with them; another sign in its place is not it"""
    beside: AnyItem = ("icon", "icon", "=", (850, 30, 872, 52))
    lower = [(kind, role, label, (x1, y1 + 90, x2, y2 + 90)) for kind, role, label, (x1, y1, x2, y2) in PAGE]  # type: ignore[misc]
    then = unread(book.draw("then", [*PAGE, *BAR, beside, ("icon", "icon", "%", SIGN)]), SIGN)
    now = unread(book.draw("now", [*lower, *BAR, beside, ("icon", "icon", "%", SIGN)]), SIGN)
    again = locate(then, SIGN, now)
    assert (again.point, again.strategy) == (Box(*SIGN).center, "same_place")
    other = unread(book.draw("other", [*lower, *BAR, beside, ("icon", "icon", "#", SIGN)]), SIGN)
    assert locate(then, SIGN, other).point is None
    assert locate(then, SIGN, unread(book.draw("gone", [*lower, *BAR, beside]), SIGN)).point is None


def test_a_box_to_tick_whose_name_was_read_on_one_picture_only_is_still_found(book: ScreenBook) -> None:
    """EX-4: where the name does not help, it is looked for without one"""
    tick = Item("checkbox", "form_input", "", (200, 184, 214, 198))
    caption: AnyItem = ("label", "x", "Rappel", (220, 180, 300, 202))
    then = book.draw("then", [*PAGE, tick, caption])
    now = misread(book.draw("now", [*PAGE, tick, caption]), caption[3], "R°")  # type: ignore[index]
    assert locate(then, tick.bbox, then).point == Box(*tick.bbox).center
    assert locate(then, tick.bbox, now).point == Box(*tick.bbox).center
