"""What changed around a target, and what did not: words that go on, boxes upon it, rows, states, dialogs read twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.locating.old_dialogs import without_old_dialogs
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.target import TargetSpec
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

NAMES = ("Patients", "Factures", "Agenda", "Stocks", "Praticien", "Motif", "Montant", "Devis")
PAGE: list[AnyItem] = [("label", "x", name, (40, 60 + 40 * i, 140, 82 + 40 * i)) for i, name in enumerate(NAMES)]
PLACE: BBox = (180, 140, 280, 162)


def resolve(target: TargetSpec, screen: ObservedScreen, *, on_its_screen: bool = False) -> Resolved | Unresolved:
    level = HealingProfile.at_level(2)
    return TargetResolver().resolve(target, screen, {}, level, on_its_screen=on_its_screen)


def read_also(screen: ObservedScreen, text: str, bbox: BBox) -> ObservedScreen:
    """The screen with one more line that was read on it."""
    perception = screen.state.perception
    lines = (*perception.text_lines, TextLine(text=text, bbox=bbox, confidence=0.99))
    state = screen.state.model_copy(update={"perception": perception.model_copy(update={"text_lines": lines})})
    return replace(screen, state=state)


@pytest.mark.parametrize("top", [157, 164])
def test_words_that_go_on_in_a_line_close_below_make_another_target(book: ScreenBook, top: int) -> None:
    """EX-7: « Bristol » became « Bristol / sélection »; the boxes of close lines reach into each other"""
    page = book.draw("then", [*PAGE, ("link", "navigation", "Bristol", PLACE)])
    target = target_on(page, Box(*PLACE))
    answer = resolve(target, read_also(page, "sélection", (180, top, 290, top + 22)))
    assert isinstance(answer, Unresolved)
    assert "goes on with" in answer.message
    assert isinstance(resolve(target, page), Resolved)


def test_a_line_that_made_room_for_another_goes_on_in_it(book: ScreenBook) -> None:
    """EX-7: lines that stand far apart: together they stand where it must be; a line below it alone does not"""
    page = book.draw("then", [*PAGE, ("link", "navigation", "Bristol", PLACE)])
    target = target_on(page, Box(*PLACE))
    higher = book.draw("higher", [*PAGE, ("link", "navigation", "Bristol", (180, 122, 280, 144))])
    answer = resolve(target, read_also(higher, "tout", (180, 160, 240, 182)))
    assert isinstance(answer, Unresolved)
    assert "goes on with" in answer.message
    assert isinstance(resolve(target, read_also(page, "Dublin", (180, 178, 260, 200))), Resolved)


@pytest.mark.parametrize(("says", "is_it"), [("Marie T…", True), ("Marie Taylor", False), ("Marc…", False)])
def test_words_cut_off_elsewhere_are_the_same_words_in_their_place(book: ScreenBook, says: str, is_it: bool) -> None:
    """EX-4, EX-7: « Mari… » has a little more room"""
    page = book.draw("then", [*PAGE, ("button", "x", "Mari…", PLACE)])
    answer = resolve(target_on(page, Box(*PLACE)), book.draw("now", [*PAGE, ("button", "x", says, PLACE)]))
    assert isinstance(answer, Resolved) is is_it, answer


def test_words_that_begin_with_a_no_in_the_line_above_make_another_target(book: ScreenBook) -> None:
    """EX-7: « Bristol » became « Ne pas / Bristol »; where that stood there before, it is a heading"""
    page = book.draw("then", [*PAGE, ("link", "navigation", "Bristol", PLACE)])
    denied: BBox = (180, 116, 280, 138)
    answer = resolve(target_on(page, Box(*PLACE)), read_also(page, "Ne pas", denied))
    assert isinstance(answer, Unresolved)
    assert "begins with" in answer.message
    headed = book.draw("headed", [*PAGE, ("link", "navigation", "Bristol", PLACE), ("label", "x", "Ne pas", denied)])
    assert isinstance(resolve(target_on(headed, Box(*PLACE)), headed), Resolved)


def test_a_sentence_across_the_edge_of_a_field_was_laid_upon_it(book: ScreenBook) -> None:
    """EX-7: a box that nobody recognised as one lies over the field; what a field holds may be long as well"""
    page = book.draw("then", [*PAGE, Item("text_input", "form_input", "", PLACE)])
    target = target_on(page, Box(*PLACE))
    assert isinstance(resolve(target, page), Resolved)
    answer = resolve(target, read_also(page, "Supprimer ce dossier ?", (100, 142, 250, 160)))
    assert isinstance(answer, Unresolved)
    assert "written across its edge" in answer.message
    assert isinstance(resolve(target, read_also(page, "12 rue de la Paix 75002", (190, 142, 340, 160))), Resolved)


def test_the_same_words_elsewhere_are_not_it_while_its_place_is_covered(book: ScreenBook) -> None:
    """EX-7: under a box that dims nothing, the target may still be where it was"""
    search: AnyItem = ("link", "search", "Chercher", (60, 500, 160, 522))
    beside: list[AnyItem] = [
        ("label", "x", word, (60, 440 + 22 * i, 160, 460 + 22 * i)) for i, word in enumerate(("Bilan", "Total"))
    ]
    known: list[AnyItem] = [
        ("label", "x", word, (700, 60 + 40 * i, 800, 82 + 40 * i)) for i, word in enumerate(("Lits", "Salles", "Blocs"))
    ]
    then = book.draw("then", [*PAGE, *beside, *known, search])
    target = target_on(then, Box(*search[3]))  # type: ignore[index]
    other: AnyItem = ("button", "search", "Chercher", (700, 180, 800, 202))
    covered = book.draw("covered", [*PAGE, *known, other])
    answer = resolve(target, covered)
    assert isinstance(answer, Unresolved)
    assert "covered" in answer.message
    assert isinstance(resolve(target, book.draw("moved", [*PAGE, *beside, *known, other])), Resolved)


def test_an_entry_between_the_same_two_entries_is_the_recorded_one(book: ScreenBook) -> None:
    """EX-5: « Messages » stands twice in a menu that has no rows, as it did then; far away there is something else"""
    words = ("Accueil", "Messages", "Ventes", "Achats", "Messages", "Aide", "Plan")
    menu: list[AnyItem] = [("label", "x", word, (40, 60 + 30 * i, 140, 82 + 30 * i)) for i, word in enumerate(words)]
    far: AnyItem = ("label", "x", "Numéro de dossier", (600, 90, 760, 112))
    then = book.draw("then", [*menu, far])
    target = target_on(then, Box(40, 90, 140, 112))
    now = book.draw("now", [*menu, ("label", "x", "Numéro du client", (600, 90, 760, 112))])
    answer = resolve(target, now)
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.bbox[1] == 90
    lists: list[AnyItem] = [("label", "x", "Ouvrir", (40, 60 + 30 * i, 140, 82 + 30 * i)) for i in range(4)]
    data: list[AnyItem] = [
        ("label", "x", f"Dossier de {name}", (600, 60 + 30 * i, 760, 82 + 30 * i)) for i, name in enumerate(NAMES[:4])
    ]
    others: list[AnyItem] = [
        ("label", "x", word, (300, 60 + 30 * i, 400, 82 + 30 * i)) for i, word in enumerate(words[:4])
    ]
    row = target_on(book.draw("rows", [*lists, *others, *data]), Box(40, 90, 140, 112))
    new: list[AnyItem] = [
        ("label", "x", f"Fiche {name}", (600, 60 + 30 * i, 760, 82 + 30 * i)) for i, name in enumerate(NAMES[4:])
    ]
    mixed: list[AnyItem] = [
        ("label", "x", word, (300, 60 + 30 * i, 400, 82 + 30 * i)) for i, word in enumerate(words[3:])
    ]
    assert isinstance(resolve(row, book.draw("others", [*lists, *mixed, *new, *menu[5:]])), Unresolved)


def test_a_state_is_not_the_deed_beside_an_icon(book: ScreenBook) -> None:
    """EX-5, EX-7: « À approuver » is no rival of « Approuver », whatever it is drawn like"""
    validate: AnyItem = ("button", "validate", "Valider", PLACE)
    state: AnyItem = ("button", "primary_action", "À approuver", (400, 300, 500, 322))
    renamed: AnyItem = ("button", "validate", "Approuver", (180, 390, 280, 412))
    target = target_on(book.draw("then", [*PAGE, validate]), Box(*PLACE))
    answer = resolve(target, book.draw("now", [*PAGE, state, renamed]), on_its_screen=True)
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.label == "Approuver"
    assert isinstance(resolve(target, book.draw("gone", [*PAGE, state]), on_its_screen=True), Unresolved)


def test_a_box_that_was_there_is_no_new_dialog_however_it_is_read(book: ScreenBook) -> None:
    """EX-7: each line stands where it stood; one letter was read otherwise, and no number is another"""
    lines = ("Règlement reçu", "Copie conforme", "Facture du mois", "Merci de vérifier")

    def page(name: str, read: tuple[str, ...], kind: str) -> ObservedScreen:
        inside: list[AnyItem] = [
            ("label", "x", word, (420, 320 + 30 * i, 640, 342 + 30 * i)) for i, word in enumerate(read)
        ]
        box = [Item(kind, "x", "", (400, 300, 700, 460))]  # type: ignore[arg-type]
        return book.draw(name, [*PAGE, ("button", "validate", "Valider", PLACE), *box, *inside])

    target = target_on(page("then", lines, "label"), Box(*PLACE))
    misread = ("Reglement recu", "Copie confonne", "Facture du mois", "Merci de verifier")
    assert isinstance(resolve(target, page("now", misread, "dialog")), Resolved)
    new = ("Fermer la session ?", "Tout sera perdu", "Il reste 12 fiches", "Vraiment fermer ?")
    assert isinstance(resolve(target, page("new", new, "dialog")), Unresolved)


def test_only_a_dialog_that_says_nothing_new_in_the_same_order_is_left_out(book: ScreenBook) -> None:
    """EX-7: what comes up says something new, or known words in another arrangement, or a dialog was there before"""
    words = ("Règlement", "Copie", "Lits", "Salles", "Blocs")
    box: AnyItem = ("dialog", "dialog", "", (600, 300, 900, 500))

    def page(name: str, inside: tuple[str, ...], order: tuple[int, ...], *boxes: AnyItem) -> ObservedScreen:
        at = [(620 + 40 * (i % 2), 310 + 36 * i) for i in order]
        lines: list[AnyItem] = [
            ("label", "x", w, (x, y, x + 120, y + 22)) for w, (x, y) in zip(inside, at, strict=True)
        ]
        return book.draw(name, [*PAGE, *boxes, *lines])

    def is_behind(then: ObservedScreen, now: ObservedScreen) -> bool:
        return any(one.metadata.get("behind_dialog") for one in without_old_dialogs(then, now).state.ui_elements)

    in_order, then = (0, 1, 2, 3, 4), page("then", words, (0, 1, 2, 3, 4))
    assert not is_behind(then, page("same", words, in_order, box))
    assert is_behind(then, page("new", (*words[:2], "Fermer", "Oui", "Non"), in_order, box))
    assert is_behind(then, page("mixed", words, (3, 0, 4, 1, 2), box))
    assert is_behind(page("before", words, in_order, box), page("again", words, in_order, box))


def test_words_go_on_also_where_too_little_tells_where_things_are(book: ScreenBook) -> None:
    """EX-7: two landmarks are no constellation; what follows was not there all the same"""
    page = book.draw("then", [*PAGE[:2], ("link", "navigation", "Bristol", PLACE)])
    target = target_on(page, Box(*PLACE))
    assert isinstance(resolve(target, page), Resolved)
    assert isinstance(resolve(target, read_also(page, "sélection", (180, 163, 290, 185))), Unresolved)


def test_what_stands_elsewhere_below_a_question_nobody_knows_is_not_it(book: ScreenBook) -> None:
    """EX-7: a box came up that nobody recognised as one, among things that were there before"""
    place: BBox = (400, 140, 500, 170)
    close: AnyItem = ("button", "close", "Fermer", (160, 380, 260, 410))
    target = target_on(book.draw("then", [*PAGE, ("button", "close", "Fermer", place)]), Box(*place))
    moved = book.draw("moved", [*PAGE, close])
    assert isinstance(resolve(target, moved), Resolved)
    answer = resolve(target, read_also(moved, "Supprimer ce dossier ?", (160, 340, 360, 362)))
    assert isinstance(answer, Unresolved)
    assert "which nobody was seen to do" in answer.message


def test_what_the_dialog_of_a_recognised_screen_asks_was_asked_before(book: ScreenBook) -> None:
    """EX-7: in larger letters its question is broken elsewhere, and its last line is a question nobody knows"""
    place: BBox = (400, 140, 500, 170)
    then: list[AnyItem] = [
        ("dialog", "dialog", "Confirmation", (300, 80, 560, 190)),
        ("heading", "title", "Confirmation", (310, 90, 450, 112)),
        ("button", "close", "Fermer", place),
    ]
    now: list[AnyItem] = [
        ("dialog", "dialog", "Confirmation", (140, 280, 560, 440)),
        ("heading", "title", "Confirmation", (160, 300, 330, 328)),
        ("button", "close", "Fermer", (160, 380, 280, 416)),
    ]
    target = target_on(book.draw("then", [*PAGE, *then]), Box(*place))
    asking = read_also(book.draw("now", [*PAGE, *now]), "Mickaël (397,46 €) ?", (160, 340, 360, 362))
    assert isinstance(resolve(target, asking, on_its_screen=True), Resolved)
    assert isinstance(resolve(target, asking), Unresolved)


def test_an_entry_is_not_heard_beside_its_own_texts(book: ScreenBook) -> None:
    """EX-7: it would count twice among what stands around a button that moved"""
    place: BBox = (700, 60, 800, 90)
    here: BBox = (420, 60, 520, 90)
    heads: list[AnyItem] = [
        ("label", "x", "Actes", (420, 120, 500, 142)),
        ("label", "x", "Tarif", (520, 120, 600, 142)),
    ]
    entry: list[AnyItem] = [
        ("list_item", "x", "Bilan sanguin 96,65 €", (416, 148, 640, 176)),
        ("label", "x", "Bilan sanguin", (420, 150, 520, 172)),
        ("label", "x", "Soins", (540, 150, 600, 172)),
    ]
    then = book.draw("then", [*PAGE, *heads, ("button", "validate", "Valider", place)])
    target = target_on(then, Box(*place))
    moved = book.draw("moved", [*PAGE, *heads, *entry, ("button", "validate", "Valider", here)])
    assert isinstance(resolve(target, moved), Resolved)
    strangers = book.draw("strangers", [*PAGE, heads[0], *entry[1:], ("button", "validate", "Valider", here)])
    assert isinstance(resolve(target, strangers), Unresolved)
