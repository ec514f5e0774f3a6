"""`locate` where the page says otherwise: another question, another page, a row that moved, a name that changed places,
a control that became faint."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.own_words import with_own_words
from rpa_vision.execution.locating.paled import is_paled
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.imaging.word_gaps import word_boxes
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

BBox = tuple[int, int, int, int]
YES: BBox = (700, 300, 790, 330)
ABOVE: BBox = (300, 140, 640, 162)
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


def in_dialog(*said: str) -> list[AnyItem]:
    """A dialog with these lines in it, and the buttons at its foot."""
    lines: list[AnyItem] = [("label", "x", one, (300, 140 + 40 * i, 640, 162 + 40 * i)) for i, one in enumerate(said)]
    return [*BAR, *FOOT, ("dialog", "x", "", (260, 120, 830, 360)), *lines, *asking(ASKED)[4:6]]


def test_a_question_that_is_asked_again_is_answered_by_the_button_that_stands_to_it_as_it_stood(
    book: ScreenBook,
) -> None:
    """EX-4: what shines through a dialog is read along with it; the question is the same"""
    then = book.draw("then", in_dialog("Contrat", ASKED))
    again = locate(then, YES, book.draw("now", in_dialog("Contrat", ASKED, "Toute modification doit être validée")))
    assert again.point == Box(*YES).center, again.why
    assert again.strategy == "same_question"


@pytest.mark.parametrize("deed", ["Supprimer", "Geler"])
@pytest.mark.parametrize("draw", [in_dialog, lambda *said: [*asking(said[1]), ("label", "x", said[0], ABOVE)]])
def test_a_sentence_that_closes_many_questions_does_not_make_them_one(
    book: ScreenBook, draw: Callable[..., list[AnyItem]], deed: str
) -> None:
    """EX-7: « Voulez-vous vraiment continuer ? » asks what stands above it"""
    closing = "Voulez-vous vraiment continuer ?"
    then = book.draw("then", draw("Archiver le dossier Dupont", closing))
    assert locate(then, YES, then).point == Box(*YES).center
    again = locate(then, YES, book.draw("now", draw(f"{deed} le dossier Dupont", closing)))
    assert again.point is None, again
    other = book.draw("other", draw("Archiver le dossier Martin", closing))
    assert locate(then, YES, other).point == Box(*YES).center


def test_a_question_behind_a_new_dialog_is_not_answered(book: ScreenBook) -> None:
    """EX-7: it stands to its question as it stood, and cannot be reached"""
    then = book.draw("then", asking(ASKED))
    expired: list[AnyItem] = [
        ("dialog", "x", "Session", (100, 380, 500, 560)),
        ("label", "x", "Votre session a expiré.", (120, 400, 420, 424)),
        ("button", "x", "Se reconnecter", (120, 500, 300, 530)),
    ]
    again = locate(then, YES, book.draw("now", [*asking(ASKED), *expired]))
    assert again.point is None, again


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


def test_in_its_row_a_box_to_tick_is_not_that_of_another_column(book: ScreenBook) -> None:
    """EX-7: the rows were sorted, and « Lecture » and « Suppression » changed places above their columns"""

    def rights(rows: tuple[str, ...], *columns: str) -> list[AnyItem]:
        heads: list[AnyItem] = [
            ("label", "x", name, (280 + 200 * i, 100, 400 + 200 * i, 122)) for i, name in enumerate(columns)
        ]
        names: list[AnyItem] = [
            ("label", "x", name, (40, 160 + 60 * i, 160, 182 + 60 * i)) for i, name in enumerate(rows)
        ]
        marks: list[AnyItem] = [
            ("checkbox", "x", "", (x, y, x + 20, y + 20)) for x in (330, 530) for y in (160, 220, 280)
        ]
        return [*BAR, *heads, *names, *marks, *FOOT]

    rows = ("Dupont", "Martin", "Petit")
    then = book.draw("then", rights(rows, "Lecture", "Suppression"))
    sorted_rows = book.draw("sorted", rights(rows[::-1], "Lecture", "Suppression"))
    assert locate(then, (330, 160, 350, 180), sorted_rows).point == (340, 290)
    both = book.draw("both", rights(rows[::-1], "Suppression", "Lecture"))
    again = locate(then, (330, 160, 350, 180), both)
    assert again.box is None or again.box.x1 >= 500, again


def people(*rows: tuple[str, ...]) -> list[AnyItem]:
    """A list of people with an address; what is done to each stands at the end of the row."""
    items: list[AnyItem] = []
    for index, (name, *deeds) in enumerate(rows):
        y = 100 + 60 * index
        items += [("label", "x", name, (120, y, 290, y + 22)), ("label", "x", f"{name}@x.fr", (320, y, 520, y + 22))]
        items += [("button", "x", deed, (600 + 140 * at, y, 720 + 140 * at, y + 24)) for at, deed in enumerate(deeds)]
    return [*BAR, *items, *FOOT]


FIRST: BBox = (600, 100, 720, 124)


def test_two_neighbours_that_changed_places_are_told_by_their_names(book: ScreenBook) -> None:
    """EX-4: all else is where it was, to the pixel; each bears its name"""
    rest = (("Martin", "Classer"), ("Petit", "Classer"))
    then = book.draw("then", people(("Dupont", "Imprimer", "Classer"), *rest))
    again = locate(then, FIRST, book.draw("now", people(("Dupont", "Classer", "Imprimer"), *rest)))
    assert again.point == (800, 112), again.why
    taken = locate(then, FIRST, book.draw("other", people(("Dupont", "Classer", "Envoyer"), *rest)))
    assert taken.point is None


def test_two_entries_of_a_menu_that_changed_places_are_told_by_their_names(book: ScreenBook) -> None:
    """EX-4: an entry is all that its name says, whatever stands beside it"""

    def menu(*names: str) -> list[AnyItem]:
        entries: list[AnyItem] = [("menu_item", "x", name, entry(i)) for i, name in enumerate(names)]
        page: list[AnyItem] = [
            ("label", "x", f"Texte {word}", (400, 100 + 40 * i, 700, 122 + 40 * i))
            for i, word in enumerate(("un", "deux", "trois", "quatre"))
        ]
        return [*BAR, *entries, *page, *FOOT]

    def entry(index: int) -> BBox:
        return (40, 100 + 40 * index, 240, 132 + 40 * index)

    then = book.draw("then", menu("Achats", "Commandes", "Ventes"))
    again = locate(then, entry(0), book.draw("now", menu("Commandes", "Achats", "Ventes")))
    assert again.point == Box(*entry(1)).center, again.why


@pytest.mark.parametrize("rest", [(), (("Petit", "Bloquer"),)])
def test_what_changed_places_with_that_of_another_row_is_not_followed(
    book: ScreenBook, rest: tuple[tuple[str, str], ...]
) -> None:
    """EX-7: Dupont was activated and Martin blocked: « Activer » is Martin's by now"""
    then = book.draw("then", people(("Dupont", "Activer"), ("Martin", "Bloquer"), *rest))
    again = locate(then, FIRST, book.draw("now", people(("Dupont", "Bloquer"), ("Martin", "Activer"), *rest)))
    assert again.point is None, again
    moved = locate(then, FIRST, book.draw("moved", people(("Martin", "Bloquer"), ("Dupont", "Activer"), *rest)))
    assert moved.point is None or moved.point == (660, 172), moved


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        ("FAC-2026-00012", "FAC-2026-00017"),
        ("Dupont Jean-Pierre", "Dupond Jean-Pierre"),
        ("Activer les notifications", "Désactiver les notifications"),
    ],
)
def test_a_row_of_nearly_the_same_name_is_another_row(book: ScreenBook, was: str, is_now: str) -> None:
    """EX-7: one digit hardly shows in the look of a line, one letter hardly counts"""

    def named(first: str) -> list[AnyItem]:
        rows: list[AnyItem] = []
        for index, name in enumerate((first, "Son des messages", "Mode sombre")):
            y = 100 + 60 * index
            rows += [
                ("label", "x", name, (120, y, 290, y + 22)),
                ("button", "delete_action", "Supprimer", (600, y, 720, y + 24)),
            ]
        return [*BAR, *rows, *FOOT]

    then = book.draw("then", named(was))
    assert locate(then, FIRST, then).point == Box(*FIRST).center
    assert locate(then, FIRST, book.draw("now", named(is_now))).point is None


def test_a_name_that_is_read_otherwise_is_the_same_where_every_part_of_it_is_drawn_as_it_was(book: ScreenBook) -> None:
    """EX-4: a reader took an « n » for an « r »; the picture is the same to the pixel"""
    then = book.draw("then", people(("Dupont", "Relancer"), ("Martin", "Relancer"), ("Petit", "Relancer")))
    perception = then.state.perception
    lines = [
        line.model_copy(update={"text": "Duport"}) if line.text == "Dupont" else line for line in perception.text_lines
    ]
    state = then.state.model_copy(
        update={"perception": perception.model_copy(update={"text_lines": tuple(lines)}), "ui_elements": ()}
    )
    again = locate(then, FIRST, ObservedScreen(then.pixels, state, then.vector))
    assert again.point is not None, again.why
    assert Box(*FIRST).contains(again.point)


def test_a_row_is_another_one_once_what_only_it_said_is_gone(book: ScreenBook) -> None:
    """EX-7: the next invoice of the same client, for the same amount"""

    def invoices(*rows: tuple[str, ...]) -> list[AnyItem]:
        cells: list[AnyItem] = []
        for index, row in enumerate(rows):
            y = 100 + 60 * index
            cells += [("checkbox", "x", "", tick(index))]
            cells += [("label", "x", cell, (120 + 180 * i, y, 270 + 180 * i, y + 22)) for i, cell in enumerate(row)]
        return [*BAR, *cells, *FOOT]

    rest = (("Martin Luc", "80,00 €", "FAC-0010"), ("Petit Rose", "99,00 €", "FAC-0008"))
    first = ("Dupont Anne", "150,00 €", "FAC-0012")
    then = book.draw("then", invoices(first, *rest))
    again = locate(then, tick(0), book.draw("sorted", invoices(*rest, first)))
    assert again.point == Box(*tick(2)).center
    assert "looks" not in again.why, "no look was taken of a box to tick"
    other = book.draw("other", invoices(*rest, ("Dupont Anne", "150,00 €", "FAC-0015")))
    assert locate(then, tick(0), other).point is None


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


def signed(ink: int, ground: int, *, sign: int = 4, moved: int = 0) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A button with nothing but a small sign on it, between two words."""
    screen = np.full((200, 400, 3), 255, np.uint8)
    screen[40:50, 40:200] = screen[150:160, 40:200] = 20
    screen[40:160, 300:302] = 20
    screen[80:124, 60:124] = ground
    screen[100 : 100 + sign, 90 : 90 + sign] = ink
    screen[107 : 107 + sign, 90 : 90 + sign] = ink
    return np.roll(screen, moved, axis=0)


def test_a_small_sign_that_became_paler_on_its_button_is_disabled() -> None:
    """EX-7: of a button without words the ground fills nearly all; its darkest fiftieth is ground still"""
    box, then = Box(60, 80, 124, 124), signed(20, 240)
    assert is_paled(then, box, signed(100, 228), 0, 0)
    assert not is_paled(then, box, signed(10, 228), 0, 0), "only its ground is another: the pointer may be over it"


def test_light_on_dark_that_became_grey_on_light_is_disabled() -> None:
    """EX-7: the levels are reversed, and nearer to each other"""
    box = Box(40, 80, 240, 120)
    assert is_paled(painted(255, 100), box, painted(160, 240), 0, 0)
    assert not is_paled(painted(255, 100), box, painted(20, 230), 0, 0), "as clear as it was"


def test_a_box_that_was_found_a_few_pixels_off_is_compared_where_it_is() -> None:
    """EX-7: a detected box is not drawn to the pixel"""
    box, then = Box(60, 80, 124, 124), signed(20, 240)
    assert is_paled(then, box, signed(100, 228), 2, -3)
    assert is_paled(then, box, signed(100, 228, moved=20), 1, 17)
    assert not is_paled(then, box, signed(20, 240, moved=20), 1, 17)


def test_a_field_that_holds_another_value_is_not_disabled() -> None:
    """EX-7: a short value has less ink than a long one, but is another drawing"""
    box, then = Box(40, 80, 240, 120), painted(20, 250)
    other = painted(250, 250)
    other[97:103, 60:90:3] = 90
    assert not is_paled(then, box, other, 0, 0, may_change=True)
    assert is_paled(then, box, other, 0, 0)  # of a button it would be too little


def test_a_box_larger_than_its_thing_on_flat_ground_hides_no_fading() -> None:
    """EX-7: nothing around says where it went, so it went where it was said to go"""
    then, faint = (np.full((400, 400, 3), 255, np.uint8) for _ in range(2))
    for screen, ink in ((then, 20), (faint, 150)):
        screen[40:50, 40:200] = screen[350:360, 40:200] = 20
        screen[180:220, 40:240] = ink
        screen[195:205, 60:180:2] = 250
    for pad in (0, 1, 2, 4):
        assert is_paled(then, Box(40 - pad, 180 - pad, 240 + pad, 220 + pad), faint, 0, 0)


def one_line(screen: ObservedScreen, text: str, box: Box) -> ObservedScreen:
    """The screen, with nothing read on it but one line."""
    line = screen.state.perception.text_lines[0].model_copy(update={"text": text, "bbox": box.bbox})
    perception = screen.state.perception.model_copy(update={"text_lines": (line,)})
    return ObservedScreen(screen.pixels, screen.state.model_copy(update={"perception": perception}), screen.vector)


def test_a_button_of_two_words_far_apart_is_one_button(book: ScreenBook) -> None:
    """EX-7: « SUPPRIMER   TOUT » is nowhere « SUPPRIMER »"""
    drawn = book.draw("x", [("label", "x", "SUPPRIMER", (40, 20, 150, 42)), ("label", "x", "TOUT", (220, 20, 290, 42))])
    first, last = (Box.of(line.bbox) for line in drawn.state.perception.text_lines)
    whole = first.union(last)
    button = drawn.state.ui_elements[0].model_copy(
        update={
            "type": "button",
            "label": "SUPPRIMER TOUT",
            "bbox": whole.padded(8).bbox,
            "center": whole.center,
        }
    )
    state = drawn.state.model_copy(update={"ui_elements": (button,)})
    told = with_own_words(one_line(ObservedScreen(drawn.pixels, state, drawn.vector), "SUPPRIMER TOUT", whole)).state
    assert [one.label for one in told.ui_elements] == ["SUPPRIMER TOUT"]
    assert [one.text for one in told.perception.text_lines] == ["SUPPRIMER TOUT"]


def test_what_lies_around_two_words_does_not_part_them(book: ScreenBook) -> None:
    """EX-7: of « Tout effacer » in a line of a list nobody says « effacer » alone"""
    screen = book.draw("x", [("list_item", "x", "Tout effacer", (40, 190, 320, 240))])
    pixels = np.full_like(screen.pixels, 255)
    cv2.putText(pixels, "Tout effacer", (100, 220), cv2.FONT_HERSHEY_SIMPLEX, 0.55, (20, 20, 20, 255), 1, cv2.LINE_AA)
    ys, xs = np.nonzero(pixels[:, :, 0] < 200)
    line = Box(int(xs.min()), int(ys.min()), int(xs.max()) + 1, int(ys.max()) + 1)
    _, last = word_boxes(pixels, line, ["Tout", "effacer"]) or (line, line)
    around = screen.state.ui_elements[0]
    within = around.model_copy(
        update={"element_id": "in", "type": "button", "label": "", "bbox": last.padded(4).bbox, "center": last.center}
    )
    state = screen.state.model_copy(update={"ui_elements": (around, within)})
    told = with_own_words(one_line(ObservedScreen(pixels, state, screen.vector), "Tout effacer", line)).state
    assert [one.label for one in told.ui_elements] == ["Tout effacer", ""]


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
