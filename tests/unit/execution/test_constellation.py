"""Where a target must be, by what else stood on the recorded screen: zoomed, scrolled, moved, and with twins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.strategies.constellation import sky_of
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.targets import target_on
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.target import TargetSpec
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook

NAMES = ("Patients", "Factures", "Agenda", "Stocks", "Praticien", "Motif", "Montant", "Échéance")
LABELS: list[AnyItem] = [("label", "x", name, (40, 60 + 40 * i, 140, 82 + 40 * i)) for i, name in enumerate(NAMES)]
FIELDS: list[AnyItem] = [
    Item("text_input", "form_input", "", (180, 58 + 40 * i, 340, 84 + 40 * i)) for i in range(len(NAMES))
]
TWINS: list[AnyItem] = [
    ("button", "validate", "Valider", (400, 140, 500, 170)),
    ("button", "validate", "Valider", (640, 300, 740, 330)),
]
PAGE = [*LABELS, *TWINS]


def zoomed(items: list[AnyItem], scale: float, dx: int = 0, dy: int = 0) -> list[AnyItem]:
    made: list[AnyItem] = []
    for item in items:
        one = item if isinstance(item, Item) else Item(*item)
        x1, y1, x2, y2 = (round(value * scale) for value in one.bbox)
        made.append(Item(one.type, one.role, one.label, (x1 + dx, y1 + dy, x2 + dx, y2 + dy), value=one.value))
    return made


def resolve(target: TargetSpec, screen: ObservedScreen, level: int = 0) -> Resolved | Unresolved:
    return TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(level))


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(("scale", "dx", "dy"), [(1.0, 0, 0), (0.8, 30, 20), (1.25, -20, 10), (1.0, 120, 80)])
def test_a_twin_is_told_from_the_target_at_any_zoom(
    book: ScreenBook, which: int, scale: float, dx: int, dy: int
) -> None:
    """EX-4, EX-5: only the constellation can tell the two"""
    target = target_on(book.draw("then", PAGE), Box(*TWINS[which][3]))  # type: ignore[index]
    now = book.draw("now", zoomed(PAGE, scale, dx, dy))
    answer = resolve(target, now)
    assert isinstance(answer, Resolved), answer
    expected = zoomed(TWINS, scale, dx, dy)[which].bbox  # type: ignore[union-attr]
    assert answer.best.element.bbox == expected
    assert any("landmarks say" in reason for reason in answer.best.reasons)
    assert isinstance(resolve(target.model_copy(update={"landmarks": ()}), now), Unresolved)


def test_the_twin_that_is_left_is_not_the_target(book: ScreenBook) -> None:
    """EX-7: the target is gone, its twin is still there"""
    target = target_on(book.draw("then", PAGE), Box(*TWINS[0][3]))  # type: ignore[index]
    answer = resolve(target, book.draw("now", [*LABELS, TWINS[1]]), 2)
    assert isinstance(answer, Unresolved)
    assert "where another of that name stood" in answer.message


@pytest.mark.parametrize("scale", [1.0, 0.8, 1.2])
def test_a_field_without_a_name_is_found_where_the_landmarks_say(book: ScreenBook, scale: float) -> None:
    """EX-4"""
    then = book.draw("then", [*LABELS, *FIELDS])
    target = target_on(then, Box(*FIELDS[4].bbox))  # type: ignore[union-attr]
    answer = resolve(target, book.draw("now", zoomed([*LABELS, *FIELDS], scale, 10, 5)))
    assert isinstance(answer, Resolved)
    assert answer.best.element.bbox == zoomed(FIELDS, scale, 10, 5)[4].bbox  # type: ignore[union-attr]
    assert answer.best.strategy == "constellation"


@pytest.mark.parametrize(("wanted", "now"), [("Valider", "Approuver"), ("Enregistrer", "Save"), ("Search", "Chercher")])
def test_other_words_that_mean_the_same_are_taken_where_the_target_must_be(
    book: ScreenBook, wanted: str, now: str
) -> None:
    """EX-5 (semantic): from the first healing attempt on"""
    place = (400, 140, 500, 170)
    target = target_on(book.draw("then", [*LABELS, ("button", "action", wanted, place)]), Box(*place))
    renamed = book.draw("now", [*LABELS, ("button", "action", now, place)])
    assert isinstance(resolve(target, renamed, 0), Unresolved)
    answer = resolve(target, renamed, 1)
    assert isinstance(answer, Resolved)
    assert f"means « {wanted} »" in " ".join(answer.best.reasons)
    elsewhere = book.draw("far", [*LABELS, ("button", "action", now, (700, 500, 800, 530))])
    assert isinstance(resolve(target, elsewhere, 2), Unresolved)


def test_other_words_never_make_it_worse(book: ScreenBook) -> None:
    """EX-5, EX-7: « Payer » may mean « Régler », and moves money all the same"""
    place = (400, 140, 500, 170)
    target = target_on(book.draw("then", [*LABELS, ("button", "action", "Régler", place)]), Box(*place))
    worse = resolve(target, book.draw("now", [*LABELS, ("button", "submit", "Payer", place)]), 2)
    assert isinstance(worse, Unresolved)
    harmful = target_on(book.draw("harm", [*LABELS, ("button", "submit", "Payer", place)]), Box(*place))
    milder = resolve(harmful, book.draw("mild", [*LABELS, ("button", "submit", "Régler", place)]), 2)
    assert isinstance(milder, Resolved)


def test_other_words_that_stood_beside_it_then_are_not_it_now(book: ScreenBook) -> None:
    """EX-7: « Approuver » was there all along"""
    place, beside = (400, 140, 500, 170), (400, 180, 500, 210)
    items: list[AnyItem] = [
        *LABELS,
        ("button", "action", "Valider", place),
        ("button", "action", "Approuver", beside),
    ]
    target = target_on(book.draw("then", items), Box(*place))
    now = book.draw("now", [*LABELS, ("button", "action", "Approuver", place)])
    assert isinstance(resolve(target, now, 2), Unresolved)


@pytest.mark.parametrize("there", ["Valider tout", "Ne pas valider", "Invalider", "Annuler"])
def test_a_look_alike_in_the_very_place_is_refused(book: ScreenBook, there: str) -> None:
    """EX-7"""
    place = (400, 140, 500, 170)
    target = target_on(book.draw("then", [*LABELS, ("button", "action", "Valider", place)]), Box(*place))
    now = book.draw("now", [*LABELS, ("button", "action", there, place)])
    for level in (0, 1, 2):
        assert isinstance(resolve(target, now, level), Unresolved)


@pytest.mark.parametrize(
    ("below", "is_it"), [(None, True), (("tout", 13), False), (("Praticien", 13), True), (("tout", 30), True)]
)
def test_a_word_that_came_up_in_the_middle_below_it_goes_on_with_it(
    book: ScreenBook, below: tuple[str, int] | None, is_it: bool
) -> None:
    """EX-7: « 22 / tout », in lines set widely"""
    day, line = (400, 140, 440, 170), (410, 147, 430, 163)
    then: list[AnyItem] = [*LABELS, ("label", "x", "Jour", day)]
    target = target_on(book.draw("then", then), Box(*day))
    screen = book.draw("now", then)
    lines = [TextLine(text="Jour", bbox=line, confidence=0.9)]
    if below is not None:
        text, gap = below
        lines.append(TextLine(text=text, bbox=(405, line[3] + gap, 435, line[3] + gap + 16), confidence=0.9))
    perception = screen.state.perception.model_copy(update={"text_lines": tuple(lines)})
    now = replace(screen, state=screen.state.model_copy(update={"perception": perception}))
    assert isinstance(resolve(target, now), Resolved) is is_it


def test_what_stands_elsewhere_among_strangers_is_not_the_target(book: ScreenBook) -> None:
    """EX-7: its place is covered by a box that dims nothing, with a control of the same name"""
    place = (400, 140, 500, 170)
    target = target_on(book.draw("then", [*LABELS, ("button", "action", "Valider", place)]), Box(*place))
    strangers: list[AnyItem] = [
        *LABELS,
        ("label", "x", "Le dossier sera transmis", (600, 380, 860, 400)),
        ("label", "x", "sans retour possible", (600, 405, 860, 425)),
        ("button", "action", "Valider", (620, 440, 720, 470)),
    ]
    answer = resolve(target, book.draw("now", strangers), 2)
    assert isinstance(answer, Unresolved)
    moved: list[AnyItem] = [*LABELS, ("button", "action", "Valider", (160, 380, 260, 410))]
    assert isinstance(resolve(target, book.draw("moved", moved)), Resolved)


def test_a_caption_is_not_the_field_it_names(book: ScreenBook) -> None:
    """EX-7: the field is gone, its name is still there"""
    field = Item("text_input", "form_input", "Remise", (400, 140, 560, 170))
    caption: AnyItem = ("label", "x", "Remise", (300, 145, 380, 165))
    target = target_on(book.draw("then", [*LABELS, caption, field]), Box(*field.bbox))
    answer = resolve(target, book.draw("now", [*LABELS, caption]), 2)
    assert isinstance(answer, Unresolved)
    assert "not the text_input of that name" in answer.message


def test_in_a_table_the_row_must_be_the_recorded_one(book: ScreenBook) -> None:
    """EX-7"""
    rows: list[AnyItem] = []
    for index, name in enumerate(("Durand", "Petit", "Moreau")):
        y = 100 + 40 * index
        rows += [("cell", "x", name, (400, y, 500, y + 22)), ("button", "action", "Ouvrir", (700, y, 780, y + 22))]
    then = book.draw("then", [*LABELS, *rows])
    target = target_on(then, Box(700, 140, 780, 162))
    answer = resolve(target, then)
    assert isinstance(answer, Resolved)
    assert answer.best.element.bbox[1] == 140
    other = [*LABELS, *rows[:2], ("cell", "x", "Autre", (400, 140, 500, 162)), *rows[3:]]
    assert isinstance(resolve(target, book.draw("other", other), 2), Unresolved)


def test_landmarks_are_bounded_and_too_few_say_nothing(book: ScreenBook) -> None:
    """L4-1"""
    many: list[AnyItem] = [
        ("label", "x", f"Mot {a}{b}", (10 + 45 * a, 60 + 24 * b, 50 + 45 * a, 80 + 24 * b))
        for a in range(20)
        for b in range(20)
    ]
    assert len(target_on(book.draw("many", many), Box(*many[0][3])).landmarks) == 64  # type: ignore[index]
    few = book.draw("few", [("button", "action", "Valider", (400, 140, 500, 170)), LABELS[0]])
    target = target_on(few, Box(400, 140, 500, 170))
    assert sky_of(target, "Valider", few.state.ui_elements) is None
    assert isinstance(resolve(target, few), Resolved)


def test_an_icon_is_known_by_its_outlines_in_any_colours(book: ScreenBook) -> None:
    """EX-4: dark on light, then light on dark"""
    icon = Item("icon", "icon", "", (500, 200, 532, 232))
    drawn = np.kron(np.random.default_rng(3).integers(0, 2, (7, 7)), np.ones((4, 4))).astype(np.uint8)
    then, now = book.draw("then", [*LABELS, icon]), book.draw("now", zoomed([*LABELS, icon], 1.0, 40, 20))
    before, after = then.pixels.copy(), now.pixels.copy()
    before[202:230, 502:530, :3] = (40 + 200 * drawn)[:, :, None]
    after[222:250, 542:570, :3] = (240 - 200 * drawn)[:, :, None]
    target = target_on(ObservedScreen(before, then.state, then.vector), Box(*icon.bbox))
    look = before[200:232, 500:532]
    screen = ObservedScreen(after, now.state, now.vector)
    answer = TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(0), look)
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.bbox == (540, 220, 572, 252)
    assert answer.best.strategy == "element_look"
    other = after.copy()
    other[222:250, 542:570, :3] = (240 - 200 * np.rot90(drawn))[:, :, None]
    screen = ObservedScreen(other, now.state, now.vector)
    assert isinstance(TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(2), look), Unresolved)


@pytest.mark.parametrize("box", ["dialog", "image"])
def test_a_recorded_box_that_asks_about_another_case_is_still_the_recorded_one(book: ScreenBook, box: str) -> None:
    """EX-5, EX-7: « Valider la facture de Hugo ? » today, of somebody else tomorrow; another question is another box"""

    def asking(name: str, title: str, question: str) -> ObservedScreen:
        items: list[AnyItem] = [
            *LABELS,
            Item(box, "x", "", (300, 200, 800, 460)),  # type: ignore[arg-type]
            ("heading", "title", title, (320, 220, 560, 250)),
            ("label", "x", question, (320, 280, 760, 310)),
            ("button", "action", "Confirmer", (640, 400, 760, 430)),
        ]
        return book.draw(name, items)

    target = target_on(asking("then", "Validation", "Valider la facture de Anne ?"), Box(640, 400, 760, 430))
    now = asking("now", "Validation", "Valider la facture de Hugo (712,12 €) ?")
    for level in (0, 1, 2):
        assert isinstance(resolve(target, now, level), Resolved)
    strange = asking("strange", "Suppression", "Supprimer définitivement ce dossier ?")
    assert isinstance(resolve(target, strange, 2), Unresolved)
    if box == "dialog":
        same_title = asking("same_title", "Validation", "Supprimer définitivement la facture de Anne ?")
        assert isinstance(resolve(target, same_title, 2), Unresolved)


LINK = (400, 140, 520, 160)


def linked(label: str, place: tuple[int, int, int, int] = LINK, kind: str = "link") -> list[AnyItem]:
    return [*LABELS, (kind, "navigation", label, place)]  # type: ignore[list-item]


@pytest.mark.parametrize(("was", "now"), [("× Dupont", "× Martin"), ("← Juin", "→ Août")])
def test_one_of_its_likes_in_its_place_is_not_that_link(book: ScreenBook, was: str, now: str) -> None:
    """EX-7: another name to be taken out, the other way"""
    target = target_on(book.draw("then", linked(was)), Box(*LINK))
    assert isinstance(resolve(target, book.draw("now", linked(now)), 1), Unresolved)


@pytest.mark.parametrize("arrow", ["", "← "])
def test_a_link_that_only_leads_somewhere_may_be_called_anything_in_its_very_place(
    book: ScreenBook, arrow: str
) -> None:
    """EX-5 (semantic, spatial): « Retour à la liste » became « Toutes les factures »"""
    target = target_on(book.draw("then", linked(f"{arrow}Retour à la liste")), Box(*LINK))
    now = book.draw("now", linked(f"{arrow}Toutes les factures"))
    assert isinstance(resolve(target, now, 0), Unresolved)
    answer = resolve(target, now, 1)
    assert isinstance(answer, Resolved)
    assert "in the very place of" in " ".join(answer.best.reasons)


@pytest.mark.parametrize(
    ("there", "place", "kind"),
    [
        ("Supprimer", LINK, "link"),
        ("Se déconnecter", LINK, "link"),
        ("Patients", LINK, "link"),
        ("Retour", LINK, "link"),
        ("Pay now", LINK, "link"),
        ("Factory reset", LINK, "link"),
        ("Clôturer l’exercice", LINK, "link"),
        ("Fusionner les factures", LINK, "link"),
        ("FAC-2026-00012", LINK, "link"),
        ("Toutes les factures", LINK, "button"),
        ("Toutes les factures", (400, 300, 520, 320), "link"),
    ],
)
def test_what_names_a_deed_was_there_before_or_stands_elsewhere_is_not_that_link(
    book: ScreenBook, there: str, place: tuple[int, int, int, int], kind: str
) -> None:
    """EX-7"""
    target = target_on(book.draw("then", linked("Retour à la liste")), Box(*LINK))
    assert isinstance(resolve(target, book.draw("now", linked(there, place, kind)), 2), Unresolved)


def test_a_button_is_never_called_anything(book: ScreenBook) -> None:
    """EX-7: what a button does, its words say"""
    target = target_on(book.draw("then", linked("Imprimer", kind="button")), Box(*LINK))
    assert isinstance(resolve(target, book.draw("now", linked("Toutes les factures", kind="button")), 2), Unresolved)


def test_the_caption_of_a_field_is_neither_its_twin_nor_its_rival(book: ScreenBook) -> None:
    """EX-5 (spatial): the field moved aside because the button beside it got a shorter name"""
    caption: AnyItem = ("label", "x", "Rechercher une facture", (400, 100, 600, 120))
    field = Item("text_input", "search", "Rechercher une facture", (400, 124, 620, 154))
    moved_caption: AnyItem = ("label", "x", "Rechercher une facture", (440, 100, 640, 120))
    moved_field = Item("text_input", "search", "Rechercher une facture", (440, 124, 660, 154))
    target = target_on(book.draw("then", [*LABELS, caption, field]), Box(*field.bbox))
    answer = resolve(target, book.draw("now", [*LABELS, moved_caption, moved_field]))
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.bbox == moved_field.bbox


def on_screen(target: TargetSpec, screen: ObservedScreen, level: int = 1) -> Resolved | Unresolved:
    return TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(level), on_its_screen=True)


VALIDATE: AnyItem = ("button", "validate", "Valider", (200, 100, 300, 130))


def test_the_only_control_that_means_the_same_is_it_wherever_it_moved_on_its_own_screen(book: ScreenBook) -> None:
    """EX-5 (semantic and spatial at once): moved and renamed, on a screen that was recognised"""
    target = target_on(book.draw("then", [*LABELS, VALIDATE]), Box(*VALIDATE[3]))  # type: ignore[index]
    renamed: AnyItem = ("button", "validate", "Approuver", (700, 500, 800, 530))
    now = book.draw("now", [*LABELS, renamed])
    assert isinstance(on_screen(target, now, 0), Unresolved), "not before healing"
    answer = on_screen(target, now)
    assert isinstance(answer, Resolved)
    assert answer.best.element.label == "Approuver"
    assert isinstance(resolve(target, now, 2), Unresolved), "nobody says that this is its screen"


@pytest.mark.parametrize(
    "others",
    [
        [
            ("button", "validate", "Approuver", (700, 500, 800, 530)),
            ("button", "validate", "Accepter", (700, 540, 800, 570)),
        ],
        [("button", "submit", "Approuver", (700, 500, 800, 530))],
        [("link", "validate", "Approuver", (700, 500, 800, 530))],
        [("button", "validate", "Approuver tout", (700, 500, 800, 530))],
        [("button", "validate", "Approuver plus tard", (700, 500, 800, 530))],
        [("label", "x", "À approuver", (700, 500, 800, 530))],
        [],
    ],
)
def test_two_of_one_meaning_another_kind_or_more_words_are_not_it(book: ScreenBook, others: list[AnyItem]) -> None:
    """EX-7: refused, also on its own screen and as tolerantly as ever"""
    target = target_on(book.draw("then", [*LABELS, VALIDATE]), Box(*VALIDATE[3]))  # type: ignore[index]
    assert isinstance(on_screen(target, book.draw("now", [*LABELS, *others]), 2), Unresolved)


def test_what_stood_beside_another_of_its_meaning_is_not_told_by_meaning(book: ScreenBook) -> None:
    """EX-7: « Valider » and « Confirmer » stood side by side; which of them « Approuver » is, nobody knows"""
    beside: AnyItem = ("button", "validate", "Confirmer", (320, 100, 420, 130))
    target = target_on(book.draw("then", [*LABELS, VALIDATE, beside]), Box(*VALIDATE[3]))  # type: ignore[index]
    now = book.draw("now", [*LABELS, ("button", "validate", "Approuver", (700, 500, 800, 530))])
    assert isinstance(on_screen(target, now, 2), Unresolved)


def test_what_a_field_holds_is_not_the_row_of_that_name(book: ScreenBook) -> None:
    """EX-7: the number typed into the search field is no link"""
    row: AnyItem = ("link", "navigation", "FAC-2026-00012", (400, 300, 540, 320))
    field = Item("text_input", "search", "Rechercher", (400, 124, 620, 154), value="FAC-2026-00012")
    target = TargetSpec(label="${n}", type="link", role="navigation")
    values = {"n": "FAC-2026-00012"}
    screen = book.draw("now", [*LABELS, field, row])
    answer = TargetResolver().resolve(target, screen, values, HealingProfile.at_level(0))
    assert isinstance(answer, Resolved)
    assert answer.best.element.bbox == row[3]  # type: ignore[index]
    without = book.draw("without", [*LABELS, field])
    assert isinstance(TargetResolver().resolve(target, without, values, HealingProfile.at_level(2)), Unresolved)


DIALOG = (300, 240, 620, 420)
YES_AT = (500, 370, 600, 400)


def asked(
    yes: str, title: str, no: str, *, page_dx: int = 0, place: tuple[int, int, int, int] = YES_AT
) -> list[AnyItem]:
    """A page with a dialog in its middle, which stays there wherever the page goes."""
    return [
        *zoomed(LABELS, 1.0, page_dx),
        ("dialog", "dialog", title, DIALOG),
        ("label", "x", title, (320, 260, 520, 280)),
        ("button", "cancel", no, (400, 370, 480, 400)),
        ("button", "validate", yes, place),
    ]


def test_in_a_dialog_whose_words_are_all_other_its_corner_tells(book: ScreenBook) -> None:
    """EX-5 (semantic), EX-7: the page moved, the dialog did not, and no word of it is the same"""
    target = target_on(book.draw("then", asked("Confirmer", "Confirmer la validation", "Annuler")), Box(*YES_AT))
    moved = book.draw("now", asked("Oui, approuver", "Demande", "Non", page_dx=90))
    answer = on_screen(target, moved)
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.label == "Oui, approuver"
    other = asked("Oui, approuver", "Demande", "Non", page_dx=90, place=(320, 300, 420, 330))
    assert isinstance(on_screen(target, book.draw("elsewhere", other), 2), Unresolved)


@pytest.mark.parametrize("now", [(180, 58, 760, 500), (180, 58, 420, 300)])
def test_an_area_that_grew_or_shrank_with_its_window_is_still_it(
    book: ScreenBook, now: tuple[int, int, int, int]
) -> None:
    """EX-4: where it begins tells, not its middle"""
    then: list[AnyItem] = [*LABELS, Item("textarea", "form_input", "", (180, 58, 520, 400))]
    target = target_on(book.draw("then", then), Box(180, 58, 520, 400))
    answer = resolve(target, book.draw("now", [*LABELS, Item("textarea", "form_input", "", now)]))
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.bbox == now
    lower: list[AnyItem] = [*LABELS, Item("textarea", "form_input", "", (180, 258, 520, 500))]
    assert isinstance(resolve(target, book.draw("lower", lower), 2), Unresolved)


def test_an_icon_of_a_bar_keeps_its_distance_from_the_right_edge(book: ScreenBook) -> None:
    """EX-4: the window is wider, the words stay at the left, the icons at the right"""
    then_icon, now_icon = Item("icon", "icon", "", (760, 20, 792, 52)), Item("icon", "icon", "", (920, 20, 952, 52))
    drawn = np.kron(np.random.default_rng(3).integers(0, 2, (7, 7)), np.ones((4, 4))).astype(np.uint8)
    then, now = book.draw("then", [*LABELS, then_icon]), book.draw("now", [*LABELS, now_icon])
    before = then.pixels[:, :800].copy()
    after = np.concatenate([now.pixels, now.pixels[:, : max(0, 960 - now.pixels.shape[1])]], axis=1)[:, :960].copy()
    before[22:50, 762:790, :3] = (40 + 200 * drawn)[:, :, None]
    after[22:50, 922:950, :3] = (40 + 200 * drawn)[:, :, None]
    target = target_on(ObservedScreen(before, then.state, then.vector), Box(*then_icon.bbox))
    target = target.model_copy(update={"look_is_unique": False})
    look = before[20:52, 760:792]
    screen = ObservedScreen(after, now.state, now.vector)
    answer = TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(0), look)
    assert isinstance(answer, Resolved), answer
    assert answer.best.element.bbox == now_icon.bbox
    assert any("from the right edge" in reason for reason in answer.best.reasons)
    after[22:50, 922:950, :3] = (40 + 200 * np.rot90(drawn))[:, :, None]
    screen = ObservedScreen(after, now.state, now.vector)
    assert isinstance(TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(2), look), Unresolved)


@pytest.mark.parametrize(
    ("then", "now"),
    [("2 Outils", "2. Outils"), ("Accueil", "QPage d’accueil"), ("Télécharger", "ORécupérer"), ("Outils", "X Outils")],
)
def test_an_icon_read_as_a_letter_does_not_hide_the_words(book: ScreenBook, then: str, now: str) -> None:
    """EX-5: apart from the words or grown together with them, where the target must be and nowhere else"""
    place, away = (400, 140, 520, 170), (700, 500, 820, 530)
    target = target_on(book.draw("then", [*LABELS, ("menu_item", "navigation", then, place)]), Box(*place))
    answer = resolve(target, book.draw("now", [*LABELS, ("menu_item", "navigation", now, place)]), 1)
    assert isinstance(answer, Resolved), answer
    moved = book.draw("moved", [*LABELS, ("menu_item", "navigation", now, away)])
    assert isinstance(resolve(target, moved, 1), Unresolved)


def test_what_was_read_but_not_seen_as_an_element_may_mean_the_same(book: ScreenBook) -> None:
    """EX-5: other words, in its place, where no element was seen"""
    place = (400, 140, 520, 170)
    target = target_on(book.draw("then", [*LABELS, ("menu_item", "navigation", "Paramètres", place)]), Box(*place))
    blank = book.draw("now", LABELS)

    def saying(text: str, bbox: tuple[int, int, int, int] = place) -> ObservedScreen:
        lines = (*blank.state.perception.text_lines, TextLine(text=text, bbox=bbox, confidence=0.99))
        perception = blank.state.perception.model_copy(update={"text_lines": lines})
        return replace(blank, state=blank.state.model_copy(update={"perception": perception}))

    assert isinstance(resolve(target, saying("Réglages"), 1), Resolved)
    assert isinstance(resolve(target, saying("Réglages"), 0), Unresolved)
    assert isinstance(resolve(target, saying("Réglages", (700, 500, 820, 530)), 1), Unresolved)
    assert isinstance(resolve(target, saying("Supprimer"), 1), Unresolved)


def test_something_of_quite_another_kind_is_no_twin(book: ScreenBook) -> None:
    """EX-4: the icon in a button, taken for a box to tick of that name"""
    button: AnyItem = ("button", "action", "Verrouiller", (420, 140, 520, 170))
    tick: AnyItem = ("checkbox", "form_input", "Verrouiller", (396, 148, 408, 160))
    target = target_on(book.draw("then", [*LABELS, button, tick]), Box(420, 140, 520, 170))
    nearer: AnyItem = ("button", "action", "Verrouiller", (402, 140, 492, 170))
    answer = resolve(target, book.draw("now", [*LABELS, nearer]), 1)
    assert isinstance(answer, Resolved), answer


def test_a_box_that_was_there_all_along_is_no_dialog_today(book: ScreenBook) -> None:
    """EX-7: it says what it said then, where it said it; one that says anything else lies in the way"""
    inner: list[AnyItem] = [
        ("label", "x", name, (620, 220 + 40 * i, 760, 242 + 40 * i)) for i, name in enumerate(("Nom", "Ville", "Pays"))
    ]
    button: AnyItem = ("button", "action", "Consulter", (400, 140, 500, 170))
    frame: AnyItem = ("dialog", "dialog", "", (600, 200, 800, 360))
    target = target_on(book.draw("then", [*LABELS, button, *inner]), Box(400, 140, 500, 170))
    answer = resolve(target, book.draw("now", [*LABELS, button, frame, *inner]))
    assert isinstance(answer, Resolved), answer
    asks: AnyItem = ("label", "x", "Supprimer ce dossier ?", (620, 210, 790, 232))
    other = resolve(target, book.draw("other", [*LABELS, button, frame, asks]))
    assert isinstance(other, Unresolved)
    assert "behind a dialog" in other.message


def test_a_link_that_was_read_together_with_its_neighbours_is_not_called_anything(book: ScreenBook) -> None:
    """EX-7: « Brouillons » became « Brouillons tout » in a line that was read as one word"""
    target = target_on(book.draw("then", linked("BrouillonsAvis")), Box(*LINK))
    assert isinstance(resolve(target, book.draw("now", linked("Brouillons toutAvis")), 2), Unresolved)
