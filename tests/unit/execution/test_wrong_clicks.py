"""Ways to click the wrong thing with a good conscience: another's synonym, an old alias, another case, another name."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import pytest
from run_by_hand import DONE, Robot, edge, press

from rpa_vision.execution.found_otherwise import found_otherwise
from rpa_vision.execution.harm import is_dangerous
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.step_outcome import StepOutcome
from rpa_vision.execution.strategies import text
from rpa_vision.execution.strategies.evidence import Evidence
from rpa_vision.execution.target_resolver import DANGEROUS_SCORE, MIN_SCORE, Resolved, TargetResolver, Unresolved
from rpa_vision.graph.targets import target_on
from rpa_vision.models.action import Action
from rpa_vision.models.execution import ExecutionStatus, FailureKind
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.models.target import TargetLook, TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.models.workflow_graph import WorkflowEdge
from rpa_vision.testing.screens import AnyItem, ScreenBook
from rpa_vision.testing.scripted_desktop import on_click, on_press

CAPTIONS: list[AnyItem] = [
    ("label", "data_display", "Praticien", (40, 120, 160, 144)),
    ("label", "data_display", "Patient", (40, 150, 160, 174)),
    ("label", "data_display", "Montant", (40, 180, 160, 204)),
    ("label", "data_display", "Motif", (40, 210, 160, 234)),
    ("label", "data_display", "Assurance", (300, 120, 420, 144)),
    ("link", "navigation", "Aide", (700, 40, 760, 64)),
]
PLACE: BBox = (40, 300, 160, 340)
VALIDATE: AnyItem = ("button", "validate", "Valider", PLACE)
CANCEL: AnyItem = ("button", "cancel", "Annuler", (180, 300, 300, 340))
COOKIES: list[AnyItem] = [
    ("label", "data_display", "Ce site utilise des cookies", (40, 540, 400, 564)),
    ("button", "validate", "Accepter", (420, 535, 560, 570)),
]


def invoice(number: str = "FAC-12") -> list[AnyItem]:
    return [("heading", "title", f"Facture {number}", (40, 60, 300, 100)), *CAPTIONS, VALIDATE, CANCEL]


def without(items: list[AnyItem], *gone: AnyItem) -> list[AnyItem]:
    return [item for item in items if item not in gone]


def find(target: TargetSpec, book: ScreenBook, name: str, look: Pixels | None = None) -> Resolved | Unresolved:
    """As a run looks for it on the screen it belongs to: more tolerantly each time."""
    for level in (0, 1, 2):
        profile = HealingProfile.at_level(level)
        found = TargetResolver().resolve(target, book[name], {}, profile, look, on_its_screen=True)
        if isinstance(found, Resolved):
            break
    return found


@pytest.fixture
def page() -> ScreenBook:
    book = ScreenBook()
    book.draw("page", invoice(), title="Facture")
    book.draw("done", DONE, title="Liste")
    return book


@pytest.fixture
def validate(page: ScreenBook) -> TargetSpec:
    return target_on(page["page"], Box(*PLACE))


def test_a_synonym_among_things_nobody_knows_is_not_the_target(page: ScreenBook, validate: TargetSpec) -> None:
    """EX-7: « Valider » is gone, and a bar about cookies says « Accepter »"""
    page.draw("now", [*without(invoice(), VALIDATE), *COOKIES], title="Facture")
    assert isinstance(find(validate, page, "now"), Unresolved)


@pytest.mark.parametrize("name", ["Approuver", "Confirmer"])
def test_a_synonym_that_stands_all_alone_is_not_the_target(page: ScreenBook, validate: TargetSpec, name: str) -> None:
    """EX-7: at the other end of the page"""
    page.draw("now", [*without(invoice(), VALIDATE), ("button", "validate", name, (700, 500, 860, 540))])
    assert isinstance(find(validate, page, "now"), Unresolved)


def test_what_was_moved_and_renamed_among_its_own_is_found(page: ScreenBook, validate: TargetSpec) -> None:
    """EX-5: beside « Annuler », which is called otherwise itself"""
    cancel: AnyItem = ("button", "cancel", "Abandonner", (180, 300, 300, 340))
    page.draw(
        "now",
        [*without(invoice(), VALIDATE, CANCEL), cancel, ("button", "validate", "Approuver", (320, 300, 440, 340))],
    )
    found = find(validate, page, "now")
    assert isinstance(found, Resolved), found
    assert found.best.element.label == "Approuver"


def test_an_alias_yields_to_the_label_itself(page: ScreenBook, validate: TargetSpec) -> None:
    """HL-2: what was healed by mistake, words and place, does not win against « Valider » back in its place"""
    page.draw("now", [*without(invoice(), VALIDATE), *COOKIES], title="Facture")
    page.draw("both", [*invoice(), *COOKIES], title="Facture")
    taken = next(one for one in page["now"].state.ui_elements if one.label == "Accepter")
    healed = found_otherwise(validate, taken, page["now"], {})
    assert healed is not None
    found = find(healed.after, page, "both")
    assert not isinstance(found, Resolved) or found.best.element.label == "Valider"


def test_an_alias_counts_where_the_label_stood_beside_it(page: ScreenBook) -> None:
    """HL-2: a person said so while both were there: « Valider » is another's name by now"""
    both: list[AnyItem] = [*invoice(), ("button", "validate", "Approuver", (320, 300, 440, 340))]
    page.draw("both", both, title="Facture")
    target = target_on(page["both"], Box(320, 300, 440, 340))
    renamed = target.model_copy(update={"label": "Valider", "aliases": ("Approuver",)})
    found = find(renamed, page, "both")
    assert isinstance(found, Resolved), found
    assert found.best.element.label == "Approuver"


@pytest.mark.parametrize("signs", [("+", "-"), ("+", "–"), ("<", ">"), ("-", "+")])
def test_signs_that_make_opposites_are_not_icons(page: ScreenBook, signs: tuple[str, str]) -> None:
    """EX-7: « + Dose » is gone, « - Dose » stands in its place; a sign that nobody read is no other"""
    more, less = (("button", "action", f"{sign} Dose", (400, 300, 500, 340)) for sign in signs)
    page.draw("then", [*invoice(), more], title="F")
    page.draw("now", [*invoice(), less], title="F")
    page.draw("unread", [*invoice(), ("button", "action", "Dose", (400, 300, 500, 340))], title="F")
    target = target_on(page["then"], Box(400, 300, 500, 340))
    assert isinstance(find(target, page, "now"), Unresolved)
    assert isinstance(find(target, page, "unread"), Resolved)


@pytest.mark.parametrize(("kind", "said"), [("label", "Supprimer définitivement"), ("button", "Tout supprimer")])
def test_words_alone_make_something_dangerous(kind: str, said: str) -> None:
    """EX-7: whatever was seen of it"""
    box = Box(1, 1, 90, 20)
    element = UIElement(
        element_id="e", type=kind, role="text", bbox=box.bbox, center=box.center, confidence=0.9, label=said
    )
    assert is_dangerous(element)
    assert not is_dangerous(element.model_copy(update={"label": "Liste des pièces"}))


@pytest.mark.parametrize(("label", "is_found"), [("Supprimer", False), ("Trier", True)])
def test_what_deletes_needs_the_higher_score_whatever_it_is_taken_for(
    page: ScreenBook, label: str, is_found: bool
) -> None:
    """EX-7: the bar is the target's as well as the candidate's, which says « Enlever » and looks harmless"""
    page.draw("now", [*CAPTIONS, ("button", "action", "Enlever", PLACE)], title="F")
    taken = next(one for one in page["now"].state.ui_elements if one.label == "Enlever")
    score = (MIN_SCORE + DANGEROUS_SCORE) / 2
    words = (text.NAME, 1.0, lambda search: {taken.element_id: Evidence(score, "says so, nearly")})
    found = TargetResolver(strategies=[words]).resolve(
        TargetSpec(label=label, type="button"), page["now"], {}, HealingProfile.at_level(0)
    )
    assert isinstance(found, Resolved) is is_found, found


def robot(book: ScreenBook, change: Callable[[Robot], None], *, asks: bool = False) -> Robot:
    """The screen changes after everything was decided: while it is written down, or while a person is asked."""

    def meanwhile(one: WorkflowEdge, outcome: StepOutcome) -> None:
        change(made)

    made = Robot(
        book,
        script=[
            *(on_click(name, Box(*PLACE), to="done") for name in ("page", "other")),
            *(on_press(name, "ENTER", to="done") for name in ("page", "other")),
        ],
        **({"objection": meanwhile} if asks else {"before_input": meanwhile}),
    )
    return made


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("keys", [False, True])
def test_another_case_under_the_same_button_is_not_acted_on(
    page: ScreenBook, validate: TargetSpec, asks: bool, keys: bool
) -> None:
    """EX-7: it was decided on FAC-12, and FAC-13 is shown by the time of the input"""
    page.draw("other", invoice("FAC-13"), title="Facture")
    made = robot(page, lambda one: one.desktop.show("other"), asks=asks)
    outcome = made.do(edge(press("ENTER") if keys else Action(type="mouse_click", target=validate)))
    assert made.sent == []
    assert outcome.failure_kind is FailureKind.LOW_CONFIDENCE
    assert "FAC-13" in outcome.message


def test_another_question_in_the_same_box_is_not_answered(page: ScreenBook) -> None:
    """EX-7: « Oui » was decided for « Archiver », the box asks « Supprimer » by now"""

    def asked(question: str) -> list[AnyItem]:
        box: list[AnyItem] = [
            ("dialog", "dialog", "Confirmation", (300, 200, 700, 400)),
            ("label", "data_display", question, (320, 230, 660, 260)),
            ("button", "validate", "Oui", (320, 340, 400, 370)),
            ("button", "cancel", "Non", (420, 340, 500, 370)),
        ]
        return [*invoice(), *box]

    page.draw("page", asked("Archiver ce dossier ?"), title="Facture")
    page.draw("other", asked("Supprimer ce dossier ?"), title="Facture")
    target = target_on(page["page"], Box(320, 340, 400, 370))
    made = robot(page, lambda one: one.desktop.show("other"))
    outcome = made.do(edge(Action(type="mouse_click", target=target)))
    assert made.sent == []
    assert outcome.failure_kind is FailureKind.LOW_CONFIDENCE


def test_a_case_that_came_up_while_the_target_was_looked_for_is_another(page: ScreenBook, validate: TargetSpec) -> None:
    """EX-7: on FAC-12 there is no « Valider »; the next attempt finds it on FAC-13"""
    page.draw("waits", without(invoice(), VALIDATE), title="Facture")
    page.draw("other", invoice("FAC-13"), title="Facture")
    made = Robot(page, start="waits", script=[on_click("other", Box(*PLACE), to="done")])
    made.clock.after(0.3, lambda: made.desktop.show("other"))
    outcome = made.do(edge(Action(type="mouse_click", target=validate)))
    assert made.sent == []
    assert "another case" in outcome.message


@pytest.mark.parametrize(
    ("was", "later"),
    [("10:41:07", "10:41:08"), ("3 messages", "4 messages"), ("", "Prêt"), ("o", "muller-zoe.txt")],
)
def test_what_goes_on_by_itself_is_no_other_case(page: ScreenBook, validate: TargetSpec, was: str, later: str) -> None:
    """EX-5: a clock, a counter, a notice where nothing stood, a name that comes in beside its icon"""
    for name, said in (("page", was), ("other", later)):
        notice: list[AnyItem] = [("label", "data_display", said, (700, 540, 900, 564))] if said else []
        page.draw(name, [*invoice(), *notice], title="Facture")
    made = robot(page, lambda one: one.desktop.show("other"))
    outcome = made.do(edge(Action(type="mouse_click", target=validate)))
    assert made.sent == ["click"]
    assert outcome.status is ExecutionStatus.SUCCESS, outcome.message


@pytest.mark.parametrize(
    ("was", "later", "is_sheet"), [("A9", "A10", True), ("B12", "B13", False), ("N° 4", "N° 5", False)]
)
def test_the_cell_of_a_sheet_is_no_other_case_and_a_bed_is(
    page: ScreenBook, validate: TargetSpec, was: str, later: str, is_sheet: bool
) -> None:
    """EX-5, EX-7: the letters of its columns tell that a sheet moved on; a bed or a number is another case"""
    columns: list[AnyItem] = [
        ("label", "data_display", letter, (600 + 60 * index, 480, 616 + 60 * index, 500))
        for index, letter in enumerate("ABCD" if is_sheet else "")
    ]
    for name, said in (("page", was), ("other", later)):
        place: AnyItem = ("label", "data_display", said, (540, 440, 590, 464))
        page.draw(name, [*invoice(), place, *columns], title="Facture")
    made = robot(page, lambda one: one.desktop.show("other"))
    made.do(edge(Action(type="mouse_click", target=validate)))
    assert (made.sent == ["click"]) is is_sheet


def choice(first: str, second: str) -> list[AnyItem]:
    return [
        *CAPTIONS,
        ("label", "data_display", "Supprimer les pièces", (40, 400, 260, 424)),
        ("radio", "form_input", "", (40, 434, 54, 448)),
        ("label", "data_display", first, (64, 430, 110, 452)),
        ("radio", "form_input", "", (40, 474, 54, 488)),
        ("label", "data_display", second, (64, 470, 110, 492)),
    ]


def rights(first: str, second: str) -> list[AnyItem]:
    """A table of boxes to tick: who may do what."""
    return [
        *CAPTIONS,
        ("label", "data_display", first, (300, 400, 360, 424)),
        ("label", "data_display", second, (400, 400, 460, 424)),
        ("label", "data_display", "Secrétaire", (40, 430, 180, 452)),
        ("checkbox", "form_input", "", (322, 434, 336, 448)),
        ("checkbox", "form_input", "", (422, 434, 436, 448)),
    ]


@pytest.mark.parametrize(
    ("drawn", "names", "place"),
    [
        (choice, ("Oui", "Non"), (40, 434, 54, 448)),
        (choice, ("Oui", "Non"), (40, 474, 54, 488)),
        (rights, ("Lire", "Écrire"), (322, 434, 336, 448)),
        (rights, ("Lire", "Écrire"), (422, 434, 436, 448)),
    ],
)
def test_without_words_it_is_called_by_what_stands_beside_it(
    drawn: Callable[[str, str], list[AnyItem]], names: tuple[str, str], place: BBox
) -> None:
    """EX-7: the names change places; EX-5: new words in the place of an old name are another name"""
    book = ScreenBook()
    one, other = names
    then = book.draw("then", drawn(one, other), title="F")
    book.draw("swapped", drawn(other, one), title="F")
    book.draw("renamed", drawn("Certes", other) if place[:2] in ((40, 434), (322, 434)) else drawn(one, "Certes"))
    look = np.ascontiguousarray(then.pixels[place[1] : place[3], place[0] : place[2]])
    target = target_on(then, Box(*place)).model_copy(update={"look": TargetLook(image_path="x.png", size=(14, 14))})
    assert isinstance(find(target, book, "then", look), Resolved)
    assert isinstance(find(target, book, "swapped", look), Unresolved)
    assert isinstance(find(target, book, "renamed", look), Resolved)


@pytest.mark.parametrize(("share", "is_disabled"), [(0.65, True), (0.45, True), (0.9, False)])
def test_what_is_painted_fainter_than_it_was_is_disabled(share: float, is_disabled: bool) -> None:
    """EX-7: a strong button at a lower opacity, which no rule of contrast tells from a pale one"""
    book = ScreenBook()
    for name, strength in (("then", 1.0), ("now", share)):
        drawn = book.draw(name, [*invoice(), ("label", "data_display", name, (700, 500, 800, 524))], title="F")
        x1, y1, x2, y2 = PLACE
        button = np.full((y2 - y1, x2 - x1, 3), (253, 110, 13), np.uint8)
        cv2.putText(button, "Valider", (20, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (255, 255, 255), 2, cv2.LINE_AA)
        mixed = strength * button + (1 - strength) * drawn.pixels[5, 5, :3]
        drawn.pixels[y1:y2, x1:x2, :3] = mixed.astype(np.uint8)
    look = np.ascontiguousarray(book["then"].pixels[y1:y2, x1:x2])
    target = target_on(book["then"], Box(*PLACE))
    found = find(target, book, "now", look)
    assert (isinstance(found, Unresolved) and found.why == "disabled") is is_disabled, found
    assert isinstance(find(target, book, "then", look), Resolved)
