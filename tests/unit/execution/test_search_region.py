"""A target that says where it lies is looked for there and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from run_by_hand import Robot, edge

from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.obstacles import obstacle
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.models.action import Action
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.target import Landmark, Neighbour, RecordedPlace, TargetSpec
from rpa_vision.models.ui_element import ElementType
from rpa_vision.testing.screens import AnyItem, ScreenBook

STRICT = HealingProfile.at_level(0)
UPPER, LOWER = (300, 100, 400, 130), (300, 400, 400, 430)
TWO: list[AnyItem] = [
    ("label", "data_display", "Facture", (40, 100, 140, 130)),
    ("button", "navigation", "Ouvrir", UPPER),
    ("label", "data_display", "Devis", (40, 400, 140, 430)),
    ("button", "navigation", "Ouvrir", LOWER),
]


def found(
    book: ScreenBook,
    target: TargetSpec,
    items: list[AnyItem] = TWO,
    values: dict[str, str] | None = None,
    *,
    on_its_screen: bool = False,
) -> object:
    screen = book.draw("page", items)
    answer = TargetResolver().resolve(target, screen, values or {}, STRICT, on_its_screen=on_its_screen)
    return answer.best.element.bbox if isinstance(answer, Resolved) else answer.why


def test_without_a_place_two_of_a_name_are_a_tie(book: ScreenBook) -> None:
    """EX-4, EX-7"""
    assert found(book, TargetSpec(label="Ouvrir", type="button")) == "ambiguous"


def test_a_region_is_honoured_in_runs(book: ScreenBook) -> None:
    """EX-4: ROI"""
    target = TargetSpec(label="Ouvrir", type="button", roi=(200, 350, 500, 480))
    assert found(book, target) == LOWER
    step = edge(action=Action(type="mouse_click", target=target))
    assert obstacle(Robot(book, edges=[step]).workflow) is None


@pytest.mark.parametrize(("label", "place"), [("Facture", UPPER), ("Devis", LOWER), ("Avoir", "not_found")])
def test_a_target_stands_beside_its_anchor_or_nowhere(book: ScreenBook, label: str, place: object) -> None:
    """EX-4: spatial anchor"""
    anchor = Neighbour(label=label, direction="left", offset=(260, 0))
    assert found(book, TargetSpec(label="Ouvrir", type="button", anchor=anchor)) == place


def test_what_is_farther_from_the_anchor_than_was_written_is_something_else(book: ScreenBook) -> None:
    """EX-4, EX-7"""
    anchor = Neighbour(label="Facture", direction="left", offset=(60, 0))
    assert found(book, TargetSpec(label="Ouvrir", type="button", anchor=anchor)) == "not_found"


@pytest.mark.parametrize(("title", "place"), [("Nouveau devis", LOWER), ("Autre chose", "not_found")])
def test_a_target_lies_in_its_container_or_nowhere(book: ScreenBook, title: str, place: object) -> None:
    """EX-4: container"""
    items = [
        ("dialog", "dialog", "", (200, 340, 600, 480)),
        ("heading", "title", "Nouveau devis", (220, 350, 380, 372)),
        *TWO,
    ]
    target = TargetSpec(label="Ouvrir", type="button", container=title)
    assert found(book, target, items) == place


def test_the_values_of_the_run_are_put_into_what_says_where(book: ScreenBook) -> None:
    """EX-4, L4-3"""
    target = TargetSpec(
        label="Ouvrir", type="button", anchor=Neighbour(label="${what}", direction="left", offset=(260, 0))
    )
    for what, place in (("Facture", UPPER), ("Devis", LOWER), ("Avoir", "not_found")):
        assert found(book, target, values={"what": what}) == place


def test_two_containers_of_a_title_contain_nothing(book: ScreenBook) -> None:
    """EX-4, EX-7: which of them is meant, nobody says"""
    tables = [("table", "data_display", "Lignes", Box(*one).padded(30).bbox) for one in (UPPER, LOWER)]
    target = TargetSpec(label="Ouvrir", type="button", container="Lignes")
    assert found(book, target, [*tables, *TWO]) == "not_found"


INNER, OUTER = (600, 200, 700, 230), (600, 500, 700, 530)
ABOVE_A_TABLE: list[AnyItem] = [
    ("table", "data_display", "", (220, 150, 780, 300)),
    ("button", "navigation", "Ouvrir", INNER),
    ("button", "navigation", "Ouvrir", OUTER),
]


def test_the_title_of_a_dialog_is_not_that_of_the_table_below_it(book: ScreenBook) -> None:
    """EX-4, EX-7: container; the dialog holds two of the name"""
    items = [
        ("dialog", "dialog", "", (200, 100, 800, 560)),
        ("heading", "title", "Nouveau devis", (220, 110, 380, 132)),
        *ABOVE_A_TABLE,
    ]
    assert found(book, TargetSpec(label="Ouvrir", type="button", container="Nouveau devis"), items) == "ambiguous"


@pytest.mark.parametrize("dialog", [True, False], ids=["in a dialog", "on the page"])
def test_a_text_right_above_a_table_is_its_title(book: ScreenBook, dialog: bool) -> None:
    """EX-4: container"""
    around: list[AnyItem] = [
        ("dialog", "dialog", "", (200, 60, 800, 560)),
        ("heading", "title", "Nouveau devis", (220, 70, 380, 92)),
    ]
    items = [*(around if dialog else []), ("label", "data_display", "Lignes", (220, 126, 300, 146)), *ABOVE_A_TABLE]
    assert found(book, TargetSpec(label="Ouvrir", type="button", container="Lignes"), items) == INNER


@pytest.mark.parametrize("kind", ["cell", "label", "heading"])
def test_what_stands_in_a_table_is_the_title_of_none(book: ScreenBook, kind: ElementType) -> None:
    """EX-4, EX-7: container; nor of the table that follows"""
    items: list[AnyItem] = [
        ("table", "data_display", "", (20, 100, 400, 300)),
        (kind, "data_display", "Clients", (30, 110, 100, 130)),
        (kind, "data_display", "Factures", (30, 276, 100, 296)),
        ("button", "navigation", "Ouvrir", (200, 200, 300, 230)),
        ("table", "data_display", "", (20, 304, 400, 500)),
        ("button", "navigation", "Ouvrir", (200, 400, 300, 430)),
    ]
    for title in ("Clients", "Factures"):
        assert found(book, TargetSpec(label="Ouvrir", type="button", container=title), items) == "not_found"


LINES: list[AnyItem] = [
    ("cell", "data_display", "FAC-12", (40, 200, 140, 224)),
    ("button", "validate", "Valider", (700, 200, 800, 224)),
    ("cell", "data_display", "FAC-13", (40, 240, 140, 264)),
    ("button", "validate", "Valider", (700, 240, 800, 264)),
]


@pytest.mark.parametrize(
    "where",
    [
        {"roi": (650, 150, 900, 400)},
        {"anchor": Neighbour(label="FAC-13", direction="left", offset=(660, 0))},
    ],
    ids=["roi", "anchor"],
)
def test_a_row_is_known_by_what_it_says_outside_the_region_too(book: ScreenBook, where: dict[str, object]) -> None:
    """EX-4, EX-7: rows"""
    target = TargetSpec(label="Valider", type="button", row_contains=("FAC-13",)).model_copy(update=where)
    assert found(book, target, LINES) == (700, 240, 800, 264)
    other = target.model_copy(update={"row_contains": ("FAC-14",)})
    assert found(book, other, LINES) == "not_found"


NAMES = ["Achats", "Ventes", "Stocks", "Clients", "Agenda", "Paie"]


def names(x: int = 40) -> list[AnyItem]:
    return [("label", "data_display", name, (x, 60 + 60 * at, x + 100, 84 + 60 * at)) for at, name in enumerate(NAMES)]


def recorded(place: tuple[int, int, int, int], **where: object) -> TargetSpec:
    """A button beside six texts, with nothing else of its name."""
    marks = tuple(Landmark(label=item[2], type="label", bbox=item[3]) for item in names() if isinstance(item, tuple))
    was = RecordedPlace(bbox=place, screen_resolution=(960, 600))
    return TargetSpec(label="Ouvrir", type="button", place=was, landmarks=marks).model_copy(update=where)


@pytest.mark.parametrize(
    "where",
    [
        {"roi": (180, 60, 500, 500)},
        {"anchor": Neighbour(label="Clients", direction="left", offset=(160, 0))},
    ],
    ids=["roi", "anchor"],
)
def test_what_moved_within_its_region_is_found_by_what_stands_around_it(
    book: ScreenBook, where: dict[str, object]
) -> None:
    """EX-4: the landmarks are those of the whole screen"""
    items: list[AnyItem] = [*names(), ("button", "navigation", "Ouvrir", (200, 240, 300, 264))]
    assert found(book, recorded((200, 300, 300, 324), **where), items, on_its_screen=True) == (200, 240, 300, 264)


def test_a_region_does_not_make_the_target_of_what_is_less_like_it(book: ScreenBook) -> None:
    """EX-4, EX-7: the landmarks say that the target lies outside the region"""
    there: tuple[int, int, int, int] = (200, 300, 300, 324)
    items: list[AnyItem] = [
        *names(),
        ("button", "navigation", "Ouvrir", there),
        ("button", "navigation", "Ouvrir", (200, 120, 300, 144)),
    ]
    assert found(book, recorded(there), items, on_its_screen=True) == there
    assert found(book, recorded(there, roi=(180, 280, 320, 340)), items, on_its_screen=True) == there
    assert found(book, recorded(there, roi=(180, 100, 320, 160)), items, on_its_screen=True) == "ambiguous"


def test_words_that_were_only_read_are_held_to_the_region_too(book: ScreenBook) -> None:
    """EX-4: what no element was seen for"""
    screen = book.draw("page", [("heading", "title", "Factures", (40, 40, 200, 70))])
    line = TextLine(text="Ouvrir", bbox=UPPER, confidence=0.99)
    seen = screen.state.perception.model_copy(update={"text_lines": (*screen.state.perception.text_lines, line)})
    screen = replace(screen, state=screen.state.model_copy(update={"perception": seen}))
    for roi, why in (((200, 50, 500, 200), None), ((200, 350, 500, 480), "not_found")):
        target = TargetSpec(label="Ouvrir", type="label", roi=roi)
        answer = TargetResolver().resolve(target, screen, {}, STRICT)
        assert (answer.why if isinstance(answer, Unresolved) else None) == why
