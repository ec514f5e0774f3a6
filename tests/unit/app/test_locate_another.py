"""`locate` refuses what only looks or sounds like it: another question, another kind, a twin, an empty place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rpa_vision.detection.roles import role_of
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.locating import by_pairing
from rpa_vision.execution.locating.admission import admit
from rpa_vision.execution.locating.caption_verdicts import neighbour_has_changed
from rpa_vision.execution.locating.captions import caption_of
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.other_sentence import other_sentence
from rpa_vision.execution.locating.sought import Sought
from rpa_vision.execution.target_resolver import TargetResolver
from rpa_vision.imaging.painted import is_painted
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

BBox = tuple[int, int, int, int]
REST: list[AnyItem] = [
    ("label", "x", word, (700, 60 + 40 * row, 820, 82 + 40 * row))
    for row, word in enumerate(("Agenda", "Patient", "Ordonnance", "Courrier", "Facture"))
]
YES, NO = (460, 330, 560, 360), (300, 330, 400, 360)


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


def locate(then: ObservedScreen, box: BBox, now: ObservedScreen) -> Located:
    return find_again(TargetResolver(), then, Box(*box), now)


def asking(*lines: str, yes: str = "Continuer", no: str = "Annuler") -> list[AnyItem]:
    """Two buttons below some lines, in a box that nobody took for a dialog."""
    said: list[AnyItem] = [
        ("label", "x", line, (300, 240 + 30 * row, 300 + 9 * len(line), 262 + 30 * row))
        for row, line in enumerate(lines)
    ]
    return [*REST, *said, ("button", role_of("button", no), no, NO), ("button", "validate", yes, YES)]


KEPT = "Veuillez vérifier les pièces jointes"


@pytest.mark.parametrize(
    ("then", "now", "status"),
    [
        ("Geler le budget du semestre", "Geler le budget du semestre", "resolved"),
        ("Geler le budget du semestre", "Renouveler toute cette ordonnance", "not_found"),
        ("Enregistrer Petoumnerie cols", "Enregistrer Veve cet appe", "not_found"),
        ("Geler le budget du semestre", "Geler le budgef du semestre", "resolved"),
    ],
    ids=["the same", "another, its question mark covered", "another, badly read", "a letter read otherwise"],
)
def test_beside_a_way_out_any_sentence_above_counts(book: ScreenBook, then: str, now: str, status: str) -> None:
    """EX-7: a question mark may be covered or not be read"""
    before, after = (book.draw(name, asking(line, KEPT)) for name, line in (("then", then), ("now", now)))
    assert locate(before, YES, after).status == status


def test_without_a_way_out_what_stands_above_may_change(book: ScreenBook) -> None:
    """EX-4: a page is filled anew"""
    lines = "Geler le budget du semestre", "Renouveler toute cette ordonnance"
    then, now = (book.draw(f"page{at}", asking(line, KEPT, no="Modifier")) for at, line in enumerate(lines))
    assert locate(then, YES, now).status == "resolved"
    then, now = (book.draw(f"dialog{at}", asking(line)) for at, line in enumerate(lines))
    assert other_sentence(then, Box(*YES), now, Box(*YES)) == lines[1]
    assert other_sentence(then, Box(*YES), then, Box(*YES)) is None


def test_only_a_sentence_of_the_dialog_that_another_came_for_counts(book: ScreenBook) -> None:
    """EX-4: none far above it, no single word, and none that came besides what was said"""

    def says(name: str, items: list[AnyItem]) -> ObservedScreen:
        return book.draw(name, items)

    def over(text: str) -> AnyItem:
        return ("label", "x", text, (300, 20, 300 + 9 * len(text), 42))

    far = [
        says(f"far{at}", [*asking(KEPT), over(text)])
        for at, text in enumerate(("Une phrase d'hier", "Deux de plus ici"))
    ]
    word = [says(f"word{at}", asking(text, KEPT)) for at, text in enumerate(("Budget", "Ordonnance"))]
    more = [says("more0", asking(KEPT)), says("more1", asking(KEPT, "Les pages sont trop longues"))]
    for then, now in (far, word, more):
        assert other_sentence(then, Box(*YES), now, Box(*YES)) is None


def test_what_stands_between_the_fields_of_a_form_and_its_buttons_is_no_question(book: ScreenBook) -> None:
    """EX-4: it says something else of every record"""
    lines = "Patient suivi par Durand depuis mars", "Allergie connue à la pénicilline"
    field: AnyItem = ("text_input", "form_input", "Nom", (300, 200, 560, 228))
    then, now = (book.draw(f"form{at}", [field, *asking(line, no="Annuler")]) for at, line in enumerate(lines))
    assert locate(then, YES, now).status == "resolved"


def test_a_field_is_no_box_to_tick_of_its_name(book: ScreenBook) -> None:
    """EX-7: both are inputs of a form, and neither is ever the other"""
    then = book.draw("then", [*REST, ("text_input", "form_input", "Livraison", (40, 300, 300, 330))])
    now = book.draw("now", [*REST, ("radio", "form_input", "Livraison", (40, 300, 60, 320))])
    answer = locate(then, (40, 300, 300, 330), now)
    assert answer.status == "not_found"
    assert "is a radio, not the text_input of that name" in answer.why


def menu(*names: str) -> list[AnyItem]:
    return [("menu_item", "navigation", name, (40 + 110 * at, 8, 140 + 110 * at, 36)) for at, name in enumerate(names)]


def test_an_entry_of_a_menu_that_became_the_button_of_a_question_is_another(book: ScreenBook) -> None:
    """EX-7: « Tâches » below « Supprimer définitivement ce dossier ? »"""
    then = book.draw("then", [*REST, *menu("Fichier", "Tâches", "Aide")])
    over: list[AnyItem] = [
        ("label", "x", "Supprimer définitivement ce dossier ?", (60, 60, 380, 84)),
        ("button", "validate", "Tâches", (300, 140, 400, 170)),
    ]
    now = book.draw("now", [*REST, *menu("Fichier"), *over])
    assert locate(then, (150, 8, 250, 36), now).status == "not_found"
    assert objection(then, (150, 8, 250, 36), now, (300, 140, 400, 170)) == (
        "it answers « Supprimer définitivement ce dossier ? », which it was not seen to do"
    )


def objection(then: ObservedScreen, box: BBox, now: ObservedScreen, place: BBox) -> str | None:
    """What speaks against a place that the net named."""
    there = Box(*place)
    return admit(
        Sought(then, Box(*box), now), Located("resolved", there, there.center, 0.95, by_pairing.NAME, None, "")
    )


def test_captions_above_two_fields_that_changed_places_are_seen_with_a_note_below(book: ScreenBook) -> None:
    """EX-7: what stands below may be its name or a note; what stands above has changed places with another"""

    def form(*names: str) -> list[AnyItem]:
        items: list[AnyItem] = [*REST]
        for at, name in enumerate(names):
            items += [
                ("label", "x", name, (40, 200 + 110 * at, 160, 222 + 110 * at)),
                ("dropdown", "form_input", "", (40, 228 + 110 * at, 300, 258 + 110 * at)),
                ("label", "x", f"Une note {'ab'[at] * 9}", (40, 264 + 110 * at, 240, 286 + 110 * at)),
            ]
        return items

    then = book.draw("then", form("Service", "Identifiant"))
    box = (40, 228, 300, 258)
    assert locate(then, box, book.draw("same", form("Service", "Identifiant"))).status == "resolved"
    swapped = book.draw("swapped", form("Identifiant", "Service"))
    assert caption_of(then, Box(*box), "field") is None, "a note as near as the name"
    assert not neighbour_has_changed(then, Box(*box), then, Box(*box), "field")
    assert neighbour_has_changed(then, Box(*box), swapped, Box(*box), "field")
    assert objection(then, box, swapped, box) is not None


def test_of_two_of_a_name_the_one_that_looks_like_neither_is_not_taken(book: ScreenBook) -> None:
    """EX-7: « Notifications ▾ » and « Notifications » changed places, and no reader tells them apart"""
    names = ("Accueil", "Notifications", "Notifications", "Aide")
    then, now = (book.draw(name, [*REST, *menu(*names)]) for name in ("then", "now"))
    first, second = ((40 + 110 * at, 8, 140 + 110 * at, 36) for at in (1, 2))
    before, after = (with_arrow(screen, at) for screen, at in ((then, first), (now, second)))
    assert locate(before, first, with_arrow(now, first)).status == "resolved"
    assert locate(before, first, after).status == "not_found"


def test_what_got_another_name_in_its_place_looks_otherwise(book: ScreenBook) -> None:
    """EX-4: and one of its old name further on is no reason against it"""
    then = with_arrow(book.draw("then", [*REST, *menu("Accueil", "Réglages", "Aide", "Réglages")]), (150, 8, 250, 36))
    now = book.draw("now", [*REST, *menu("Accueil", "Paramètres", "Aide", "Réglages")])
    now = with_arrow(now, (370, 8, 470, 36))
    assert objection(then, (150, 8, 250, 36), now, (150, 8, 250, 36)) is None


def with_arrow(screen: ObservedScreen, at: BBox) -> ObservedScreen:
    """The same, with a sign in it that was not read and fills half of it."""
    pixels = screen.pixels.copy()
    for row in range(10):
        pixels[at[1] + 8 + row, at[2] - 60 + 3 * row : at[2] - 3 * row, :3] = 20
        pixels[at[1] + 8 + row, at[0] + 4 : at[0] + 30 : 3, :3] = 20
    return replace(screen, pixels=pixels)


def test_a_mark_that_a_detector_only_expects_is_not_taken(book: ScreenBook) -> None:
    """EX-7: every other line has one"""
    box = (40, 300, 76, 320)
    items: list[AnyItem] = [*REST, ("toggle", "form_input", "", box)]
    then, now = (book.draw(name, items) for name in ("then", "now"))
    assert locate(then, box, now).status == "resolved"
    pixels = now.pixels.copy()
    pixels[295:325, 35:81] = pixels[290, 30]
    assert locate(then, box, replace(now, pixels=pixels)).status == "not_found"


def drawn(*squares: Box) -> np.ndarray:
    pixels = np.full((60, 120, 4), 250, np.uint8)
    for one in squares:
        pixels[one.y1 : one.y2, one.x1 : one.x2, :3] = 120
    return pixels


MARK = Box(40, 20, 80, 44)


@pytest.mark.parametrize(
    ("squares", "painted"),
    [
        ([MARK], True),
        ([Box(40, 20, 80, 21), Box(40, 43, 80, 44), Box(40, 20, 41, 44), Box(79, 20, 80, 44)], True),
        ([], False),
        ([Box(40, 44, 80, 60)], False),
        ([Box(0, 20, 42, 44)], False),
    ],
    ids=["a switch", "an empty box", "nothing", "the top of the next one", "the end of the one before"],
)
def test_what_only_reaches_in_from_beside_is_nothing(squares: list[Box], painted: bool) -> None:
    """EX-7: a detector sees a mark where every other line has one"""
    assert is_painted(drawn(*squares), MARK) is painted
