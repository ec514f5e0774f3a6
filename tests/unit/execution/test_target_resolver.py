"""Which element is meant, or why we cannot tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import cv2
import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.harm import MAY_DO_HARM, harm_of, is_dangerous
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Neighbour, RecordedPlace, TargetLook, TargetSpec
from rpa_vision.models.ui_element import ActionAffordance, UIElement
from rpa_vision.testing.screens import AnyItem, Item, ScreenBook, moved

BUTTON = (40, 300, 160, 340)
LEVELS = (0, 1, 2)


def resolve(
    target: TargetSpec,
    screen: ObservedScreen,
    values: Mapping[str, str] | None = None,
    *,
    level: int = 0,
    look: Pixels | None = None,
) -> Resolved | Unresolved:
    return TargetResolver().resolve(target, screen, values or {}, HealingProfile.at_level(level), look)


def found(answer: Resolved | Unresolved) -> str:
    assert isinstance(answer, Resolved), answer
    return answer.best.element.label


def why(answer: Resolved | Unresolved) -> str:
    assert isinstance(answer, Unresolved), answer.best
    return answer.why


def buttons(*labels: str) -> list[AnyItem]:
    """Buttons side by side."""
    return [("button", "validate", label, (40 + 150 * i, 300, 170 + 150 * i, 340)) for i, label in enumerate(labels)]


VALIDER = TargetSpec(
    label="Valider",
    type="button",
    role="validate",
    neighbours=(Neighbour(label="Motif", direction="above", offset=(0, 100)),),
)


@pytest.mark.parametrize("level", LEVELS)
def test_the_exact_label_wins(book: ScreenBook, level: int) -> None:
    """EX-4"""
    screen = book.draw("s", buttons("Valider tout", "Valider", "Invalider"))
    answer = resolve(VALIDER, screen, level=level)
    assert found(answer) == "Valider"
    assert isinstance(answer, Resolved)
    assert answer.best.strategy == "som_text_match"
    assert any("says « Valider »" in reason for reason in answer.best.reasons)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("wanted", "there"),
    [
        ("Valider", "Valider tout"),
        ("Valider", "Invalider"),
        ("Valider", "Validée"),
        ("Activer", "Désactiver"),
        ("Se connecter", "Se déconnecter"),
        ("Importer", "Exporter"),
        ("Accepter", "Accepter tout"),
        ("Facture", "Factures"),
        ("Oui", "Non"),
    ],
)
def test_a_label_that_is_nearly_the_same_is_another_button(
    book: ScreenBook, wanted: str, there: str, level: int
) -> None:
    """EX-7: in the same place, of the same kind, with the same look around it, however tolerant the attempt"""
    screen = book.draw("s", [("label", "x", "Motif", (50, 200, 150, 240)), ("button", "validate", there, BUTTON)])
    target = VALIDER.model_copy(update={"label": wanted})
    look = screen.pixels[300:340, 40:160].copy()
    assert why(resolve(target, screen, level=level, look=look)) == "not_found"


@pytest.mark.parametrize(
    ("read", "is_it"), [("Vaiider", True), ("VALIDER", True), ("Valicler", False), ("Volider", False)]
)
def test_only_what_no_reader_can_tell_apart_is_forgiven_in_a_label(book: ScreenBook, read: str, is_it: bool) -> None:
    """EX-4, EX-7"""
    screen = book.draw("s", buttons(read))
    assert isinstance(resolve(VALIDER, screen), Resolved) is is_it


@pytest.mark.parametrize("level", LEVELS)
def test_invoice_numbers_that_differ_by_one_digit_are_never_confused(book: ScreenBook, level: int) -> None:
    """EX-7"""
    numbers = ["FAC-2026-00011", "FAC-2026-00012", "FAC-2026-00112"]
    items: list[AnyItem] = [
        ("link", "navigation", n, (40, 100 + 30 * i, 200, 122 + 30 * i)) for i, n in enumerate(numbers)
    ]
    screen = book.draw("s", items)
    target = TargetSpec(label="${facture}", type="link", role="navigation")
    for number in numbers:
        assert found(resolve(target, screen, {"facture": number}, level=level)) == number
    for number in ("FAC-2026-00013", "FAC-2026-0001", "FAC-2026-000112", "AC-2026-00011"):
        assert why(resolve(target, screen, {"facture": number}, level=level)) == "not_found"
    constant = TargetSpec(label="FAC-2026-00013", type="link")
    assert why(resolve(constant, screen, level=level)) == "not_found"


@pytest.mark.parametrize("level", LEVELS)
def test_a_name_that_was_asked_for_must_be_that_name(book: ScreenBook, level: int) -> None:
    """EX-7"""
    screen = book.draw("s", [("link", "navigation", "Martim Paul", (40, 100, 200, 124))])
    assert (
        why(resolve(TargetSpec(label="${nom}", type="link"), screen, {"nom": "Martin Paul"}, level=level))
        == "not_found"
    )


def test_two_that_fit_as_well_are_ambiguous(book: ScreenBook) -> None:
    """EX-4: doubt is reported"""
    screen = book.draw("s", buttons("Valider", "Valider"))
    answer = resolve(VALIDER.model_copy(update={"neighbours": ()}), screen)
    assert why(answer) == "ambiguous"
    assert isinstance(answer, Unresolved)
    assert len(answer.candidates) == 2


def test_what_stands_around_it_tells_two_apart(book: ScreenBook) -> None:
    """EX-4"""
    items: list[AnyItem] = [
        ("label", "x", "Motif", (50, 200, 150, 240)),
        ("button", "validate", "Valider", BUTTON),
        ("button", "validate", "Valider", (600, 420, 720, 460)),
    ]
    answer = resolve(VALIDER, book.draw("s", items))
    assert isinstance(answer, Resolved)
    assert answer.best.element.bbox == BUTTON
    assert answer.runner_up is not None
    assert answer.best.score - answer.runner_up.score >= 0.08


def test_the_same_words_in_several_rows_are_not_told_apart_by_where_they_are(book: ScreenBook) -> None:
    """EX-7: one row in the demonstrations, two of them now"""
    items: list[AnyItem] = [
        ("label", "x", "Motif", (50, 200, 150, 240)),
        ("button", "validate", "Valider", BUTTON),
        ("button", "validate", "Valider", (40, 350, 160, 390)),
    ]
    answer = resolve(VALIDER, book.draw("s", items))
    assert why(answer) == "ambiguous"
    assert isinstance(answer, Unresolved)
    assert "nothing says which row is meant" in answer.message


def invoices(button: str = "Ouvrir") -> list[AnyItem]:
    items: list[AnyItem] = []
    for index, number in enumerate(("FAC-1", "FAC-11", "FAC-2")):
        y = 100 + 40 * index
        items.append(("cell", "data_display", number, (40, y, 160, y + 24)))
        items.append(Item("icon" if not button else "link", "action", button, (400, y, 480, y + 24)))
    return items


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("number", "top"), [("FAC-1", 100), ("FAC-11", 140), ("FAC-2", 180)])
def test_in_a_list_the_row_must_say_what_was_asked_for(book: ScreenBook, number: str, top: int, level: int) -> None:
    """EX-4, EX-7"""
    target = TargetSpec(label="Ouvrir", type="link", row_contains=("${facture}",))
    answer = resolve(target, book.draw("s", invoices()), {"facture": number}, level=level)
    assert isinstance(answer, Resolved)
    assert answer.best.element.bbox[1] == top


@pytest.mark.parametrize("level", LEVELS)
def test_a_row_that_is_not_there_is_not_replaced_by_another(book: ScreenBook, level: int) -> None:
    """EX-7"""
    target = TargetSpec(label="Ouvrir", type="link", row_contains=("${facture}",))
    answer = resolve(target, book.draw("s", invoices()), {"facture": "FAC-3"}, level=level)
    assert why(answer) == "not_found"
    assert isinstance(answer, Unresolved)
    assert "in the row of « FAC-3 »" in answer.message


def test_a_disabled_target_is_refused(book: ScreenBook) -> None:
    """EX-1"""
    screen = book.draw("s", [Item("button", "validate", "Valider", BUTTON, enabled=False)])
    assert why(resolve(VALIDER, screen)) == "disabled"
    screen = book.draw("t", [Item("button", "validate", "Valider", BUTTON, enabled=True)])
    assert found(resolve(VALIDER, screen)) == "Valider"


@pytest.mark.parametrize("level", LEVELS)
def test_a_covered_target_is_not_found(book: ScreenBook, level: int) -> None:
    """EX-7"""
    items: list[AnyItem] = [
        *buttons("Valider"),
        ("dialog", "dialog", "Attention", (20, 200, 400, 500)),
        ("button", "ok_button", "Fermer", (100, 420, 200, 460)),
    ]
    answer = resolve(VALIDER, book.draw("s", items), level=level)
    assert why(answer) == "not_found"
    assert isinstance(answer, Unresolved)
    assert answer.message.startswith("the button « Valider » is not on the screen")


@pytest.mark.parametrize("level", LEVELS)
def test_what_lies_behind_a_dialog_is_out_of_reach(book: ScreenBook, level: int) -> None:
    """EX-7: it can still be seen, and a click on it would not arrive"""
    items: list[AnyItem] = [*buttons("Valider"), ("dialog", "dialog", "Attention", (500, 100, 900, 280))]
    assert why(resolve(VALIDER, book.draw("s", items), level=level)) == "not_found"


def test_a_heading_that_says_the_same_is_only_the_runner_up(book: ScreenBook) -> None:
    """EX-4"""
    items: list[AnyItem] = [
        ("heading", "title", "Valider", (400, 60, 600, 100)),
        ("label", "x", "Motif", (50, 200, 150, 240)),
        ("button", "validate", "Valider", BUTTON),
    ]
    answer = resolve(VALIDER, book.draw("s", items))
    assert isinstance(answer, Resolved)
    assert answer.best.element.type == "button"
    assert answer.runner_up is not None
    assert answer.runner_up.element.type == "heading"


ICONS: list[AnyItem] = [
    Item("icon", "icon", "", (100, 60, 132, 92)),
    Item("icon", "icon", "", (140, 60, 172, 92)),
    Item("icon", "icon", "", (180, 60, 212, 92)),
    ("label", "x", "Outils", (20, 60, 80, 92)),
]


def toolbar(book: ScreenBook, drawings: str) -> ObservedScreen:
    """A bar of icons without words, each with a drawing of its own."""
    screen = book.draw(f"bar_{drawings}", ICONS)
    pixels = screen.pixels.copy()
    for index, drawing in enumerate(drawings):
        noise = np.random.default_rng(ord(drawing)).integers(0, 255, (28, 28, 3), np.uint8)
        pixels[62:90, 102 + 40 * index : 130 + 40 * index, :3] = noise
    return ObservedScreen(pixels, screen.state, screen.vector)


def look_of(screen: ObservedScreen, nth: int) -> Pixels:
    return screen.pixels[60:92, 100 + 40 * nth : 132 + 40 * nth].copy()


PENCIL = TargetSpec(
    type="icon", role="icon", neighbours=(Neighbour(label="Outils", direction="left", offset=(106, 0)),)
)


def test_a_target_without_words_is_found_by_its_look(book: ScreenBook) -> None:
    """EX-4"""
    bar = toolbar(book, "abc")
    answer = resolve(PENCIL, bar, look=look_of(bar, 1))
    assert isinstance(answer, Resolved)
    assert Box.of(answer.best.element.bbox) == Box(140, 60, 172, 92)


@pytest.mark.parametrize("level", LEVELS)
def test_another_icon_in_its_place_is_not_the_target(book: ScreenBook, level: int) -> None:
    """EX-7: neighbours alone do not make it so, where its look is known"""
    before = toolbar(book, "abc")
    assert why(resolve(PENCIL, toolbar(book, "adc"), level=level, look=look_of(before, 1))) == "not_found"


def test_a_field_without_words_is_found_by_what_stands_around_it(book: ScreenBook) -> None:
    """EX-4: what it holds changes its look"""
    items: list[AnyItem] = [
        ("label", "x", "Montant", (40, 100, 140, 130)),
        Item("text_input", "form_input", "", (160, 100, 300, 130), value="47,50"),
        ("label", "x", "Acompte", (40, 160, 140, 190)),
        Item("text_input", "form_input", "", (160, 160, 300, 190), value="3,10"),
    ]
    screen = book.draw("form", items)
    other = book.draw(
        "other", [*items[:1], Item("text_input", "form_input", "", (160, 100, 300, 130), value="9"), *items[2:]]
    )
    target = TargetSpec(
        type="text_input",
        role="form_input",
        neighbours=(Neighbour(label="Acompte", direction="left", offset=(140, 0)),),
    )
    answer = resolve(target, screen, look=other.pixels[160:190, 160:300].copy())
    assert isinstance(answer, Resolved)
    assert answer.best.element.bbox == (160, 160, 300, 190)
    assert answer.best.strategy == "spatial_anchor"
    everywhere = book.draw("moved", moved(items, dx=200, dy=150))
    answer = resolve(target, everywhere)
    assert isinstance(answer, Resolved)
    assert answer.best.element.bbox == (360, 310, 500, 340)


def test_without_words_look_and_neighbours_nothing_is_found(book: ScreenBook) -> None:
    """EX-7: the right kind of thing is not enough"""
    assert why(resolve(TargetSpec(type="icon", role="icon"), toolbar(book, "abc"))) == "not_found"


def test_the_icon_of_a_row_is_found_by_its_row(book: ScreenBook) -> None:
    """EX-7: all look the same"""
    screen = book.draw("s", invoices(""))
    look = screen.pixels[96:128, 396:484].copy()
    by_row = TargetSpec(type="icon", role="action", row_contains=("${facture}",))
    answer = resolve(by_row, screen, {"facture": "FAC-11"}, look=look)
    assert isinstance(answer, Resolved)
    assert answer.best.element.bbox[1] == 140
    assert why(resolve(TargetSpec(type="icon", role="action"), screen, look=look)) == "ambiguous"


def test_a_target_may_ask_for_more_certainty(book: ScreenBook) -> None:
    """L4-1: min_similarity of the target"""
    screen = book.draw("s", buttons("Vaiider"))
    demanding = VALIDER.model_copy(update={"min_similarity": 0.99})
    assert found(resolve(VALIDER, screen)) == "Vaiider"
    assert why(resolve(demanding, screen)) == "not_found"
    assert found(resolve(demanding, book.draw("t", buttons("Valider")))) == "Valider"


def test_the_same_question_gets_the_same_answer(book: ScreenBook) -> None:
    """P003-7"""
    screen = book.draw("s", buttons("Valider tout", "Valider"))
    assert resolve(VALIDER, screen) == resolve(VALIDER, screen)


def test_a_target_is_looked_for_in_its_part_of_the_screen_which_grows_with_the_attempt(
    book: ScreenBook, caplog: pytest.LogCaptureFixture
) -> None:
    """EX-4, EX-6: the region of interest, clamped to the screen with a log line"""
    screen = book.draw("s", buttons("Valider", "Valider"))
    twins = TargetSpec(label="Valider", type="button", role="validate")
    assert why(resolve(twins, screen)) == "ambiguous"
    left = resolve(twins.model_copy(update={"roi": (0, 250, 180, 400)}), screen)
    assert isinstance(left, Resolved)
    assert left.best.element.bbox[0] == 40
    assert why(resolve(twins.model_copy(update={"roi": (0, 0, 300, 200)}), screen)) == "not_found"
    narrow = twins.model_copy(update={"roi": (0, 250, 100, 400)})
    assert why(resolve(narrow, screen)) == "not_found"
    with caplog.at_level("INFO"):
        wider = resolve(narrow, screen, level=1)
    assert isinstance(wider, Resolved)
    assert "reaches beyond the screen" in caplog.text


def test_a_red_button_that_pays_needs_more_than_an_ordinary_one() -> None:
    """EX-7: one bar for harm, for targets and for ways out alike"""
    affordance = ActionAffordance(clickable_score=0.9, dangerous_action_score=MAY_DO_HARM)
    paying = UIElement(
        element_id="e", type="button", role="action", bbox=(0, 0, 9, 9), center=(4, 4), label="Payer", confidence=1.0,
        action_affordance=affordance,
    )  # fmt: skip
    less = ActionAffordance(clickable_score=0.9, dangerous_action_score=MAY_DO_HARM - 0.01)
    assert is_dangerous(paying)
    assert not is_dangerous(paying.model_copy(update={"action_affordance": less}))
    assert harm_of(paying.model_copy(update={"action_affordance": less})) >= less.dangerous_action_score


@pytest.mark.parametrize("row", ["", " ", "—"])
def test_a_row_text_that_says_nothing_is_said_by_no_row(book: ScreenBook, row: str) -> None:
    """EX-4, EX-7: the value of a variable that may be left out"""
    items: list[AnyItem] = [
        ("cell", "data_display", "FAC-99", (260, 200, 360, 224)),
        ("icon", "icon", "", (600, 200, 620, 224)),
        ("button", "validate", "Valider", (700, 200, 800, 224)),
    ]
    target = TargetSpec(label="Valider", type="button", row_contains=("${number}",))
    screen = book.draw("row", items)
    assert why(resolve(target, screen, {"number": row})) == "not_found"
    assert found(resolve(target, screen, {"number": "FAC-99"})) == "Valider"


def two_icons(book: ScreenBook, *places: tuple[int, int, int, int]) -> tuple[ObservedScreen, Pixels]:
    """Icons of one look and no words, and that look."""
    screen = book.draw("icons", [("icon", "action", "", place) for place in places])
    pixels = screen.pixels.copy()
    for x1, y1, _, _ in places:
        cv2.line(pixels, (x1 + 6, y1 + 6), (x1 + 26, y1 + 26), (20, 20, 20, 255), 2)
        cv2.circle(pixels, (x1 + 16, y1 + 16), 8, (60, 20, 20, 255), 2)
    x1, y1, x2, y2 = places[0]
    return replace(screen, pixels=pixels), pixels[y1:y2, x1:x2].copy()


def test_where_it_was_does_not_decide_between_two_that_look_alike(book: ScreenBook) -> None:
    """EX-4, EX-7: the first icon moved down, and another stands where it was"""
    then, moved_to = (100, 200, 132, 232), (600, 500, 632, 532)
    target = TargetSpec(
        type="icon",
        role="action",
        place=RecordedPlace(bbox=then, screen_resolution=(960, 600)),
        look=TargetLook(image_path="a/b.png", size=(32, 32)),
        fallback_strategy="position",
    )
    screen, look = two_icons(book, moved_to, then)
    answer = resolve(target, screen, look=look)
    assert why(answer) == "ambiguous"
    assert isinstance(answer, Unresolved)
    assert "only where it was tells them apart" in answer.message
    alone, look = two_icons(book, then)
    confirmed = resolve(target, alone, look=look)
    assert isinstance(confirmed, Resolved)
    assert "is about where it was (1.00)" in confirmed.best.reasons
