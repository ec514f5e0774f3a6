"""A target that says where it lies is looked for there and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest
from run_by_hand import Robot, edge

from rpa_vision.app.sayings import in_french
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.obstacles import obstacle
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.models.action import Action
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.models.target import Direction, Landmark, Neighbour, RecordedPlace, TargetSpec
from rpa_vision.models.ui_element import ElementType
from rpa_vision.models.window import WindowContext
from rpa_vision.testing.screens import AnyItem, ScreenBook

STRICT = HealingProfile.at_level(0)
UPPER, LOWER = (300, 100, 400, 130), (300, 400, 400, 430)
TWO: list[AnyItem] = [
    ("label", "data_display", "Facture", (40, 100, 140, 130)),
    ("button", "navigation", "Ouvrir", UPPER),
    ("label", "data_display", "Devis", (40, 400, 140, 430)),
    ("button", "navigation", "Ouvrir", LOWER),
]


def resolved(book: ScreenBook, target: TargetSpec, items: list[AnyItem], window: WindowContext | None = None) -> object:
    """Where it is, or why it is not taken, in words."""
    screen = book.draw("page", items)
    if window is not None:
        screen = replace(screen, state=screen.state.model_copy(update={"window": window}))
    answer = TargetResolver().resolve(target, screen, {}, STRICT)
    return answer.best.element.bbox if isinstance(answer, Resolved) else answer.message


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


@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize(
    ("offset", "far", "is_it"),
    [(60, 60, True), (60, 90, True), (60, 91, False), (60, 170, False), (2, 20, True), (2, 21, False)],
)
def test_what_is_farther_from_the_anchor_than_was_written_is_something_else(
    book: ScreenBook, offset: int, far: int, is_it: bool, level: int
) -> None:
    """EX-4, EX-7: by half as far again, or by a line where it was written to be close by, however long one looks"""
    items: list[AnyItem] = [
        ("label", "data_display", "Facture", (400, 100, 440, 120)),
        ("button", "navigation", "Ouvrir", (400, 100 + far, 440, 120 + far)),
    ]
    anchor = Neighbour(label="Facture", direction="above", offset=(0, offset))
    target, screen = TargetSpec(label="Ouvrir", type="button", anchor=anchor), book.draw("page", items)
    answer = TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(level))
    assert isinstance(answer, Resolved) is is_it


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


def test_the_words_that_a_table_bears_title_no_other(book: ScreenBook) -> None:
    """EX-4: container; two tables begin right below the text, and one of them is called so"""
    items: list[AnyItem] = [
        ("label", "data_display", "Lignes", (250, 60, 320, 80)),
        ("table", "data_display", "Lignes", (250, 90, 450, 200)),
        ("table", "data_display", "", (250, 90, 900, 450)),
        *TWO,
    ]
    assert found(book, TargetSpec(label="Ouvrir", type="button", container="Lignes"), items) == UPPER


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


FIELD = (160, 90, 860, 122)
CAPTION = (40, 98, 100, 114)
DIALOG_OF_ITS_OWN: list[AnyItem] = [
    ("label", "title", "Save As", (440, 20, 520, 34)),
    ("label", "caption", "Name:", CAPTION),
    ("text_input", "text_entry", "Name", FIELD),
    ("button", "submit", "Save", (760, 500, 860, 530)),
]
NAME = TargetSpec(label="Name", type="text_input")


def beside(label: str, direction: Direction = "left", far: int = 440) -> Neighbour:
    across = direction in ("left", "right")
    return Neighbour(label=label, direction=direction, offset=(far, 0) if across else (0, far))


def test_a_field_stands_beside_its_own_caption(book: ScreenBook) -> None:
    """EX-4: spatial anchor"""
    assert resolved(book, NAME.model_copy(update={"anchor": beside("Name:")}), DIALOG_OF_ITS_OWN) == FIELD


def test_of_two_fields_of_a_name_the_caption_tells_only_what_stands_beside_it(book: ScreenBook) -> None:
    """EX-4, EX-7: a caption at its left is none above it; two with a caption at their left are a tie"""
    second = (160, 290, 860, 322)
    items: list[AnyItem] = [
        *DIALOG_OF_ITS_OWN,
        ("label", "caption", "Name:", (160, 266, 220, 282)),
        ("text_input", "text_entry", "Name", second),
    ]
    above = NAME.model_copy(update={"anchor": beside("Name", "above", 30)})
    assert found(book, above, items) == second
    assert found(book, NAME.model_copy(update={"anchor": beside("Name")}), items) == FIELD
    items[-2] = ("label", "caption", "Name:", (40, 298, 100, 314))
    assert found(book, NAME.model_copy(update={"anchor": beside("Name")}), items) == "ambiguous"


@pytest.mark.parametrize("direction", ["left", "right", "above", "below"])
def test_a_target_is_never_its_own_anchor(book: ScreenBook, direction: Direction) -> None:
    """EX-4, EX-7: nor are its words, read a second time, nor another button of its name"""
    items: list[AnyItem] = [
        ("button", "submit", "Save", (400, 300, 500, 330)),
        ("label", "data_display", "Save", (404, 304, 440, 320)),
        ("button", "submit", "Save", (200, 300, 300, 330)),
    ]
    target = TargetSpec(label="Save", type="button", anchor=beside("Save", direction, 200), roi=(380, 0, 960, 600))
    assert found(book, target, items[:2]) == "not_found"
    assert found(book, target, [items[0], items[2]]) == "not_found"


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ({"container": "Nirvana"}, "the container « Nirvana » is not on the screen"),
        ({"container": "Lignes"}, "several containers are called « Lignes »"),
        ({"container": "Ailleurs"}, "nothing of it lies in the container « Ailleurs »"),
        ({"roi": (0, 400, 300, 500)}, "nothing of it lies in the region (0, 400, 300, 500)"),
        ({"roi": (5000, 0, 5100, 50)}, "the region (5000, 0, 5100, 50) is not on the screen"),
        ({"anchor": beside("Nobody")}, "the anchor « Nobody » is not on the screen"),
        (
            {"anchor": beside("Name:", "right")},
            "nothing of it has the anchor « Name: » to its right, or none so near as was written",
        ),
    ],
)
def test_a_target_that_is_plainly_there_is_told_to_lie_elsewhere(
    book: ScreenBook, where: dict[str, object], why: str
) -> None:
    """EX-4, UX-1, UX-6: what is wrong is the region, and which"""
    tables: list[AnyItem] = [
        ("table", "data_display", title, (20, at, 420, at + 60))
        for title, at in (("Lignes", 200), ("Lignes", 280), ("Ailleurs", 360))
    ]
    told = resolved(book, NAME.model_copy(update=where), [*DIALOG_OF_ITS_OWN, *tables])
    assert told == f"the text_input « Name » is not where it must lie: {why}"
    assert "n'est pas là où il doit être : " in in_french(str(told))
    assert not {"the", "is", "not", "nothing", "to"} & set(in_french(str(told)).split())


def test_what_is_nowhere_is_not_said_to_lie_elsewhere(book: ScreenBook) -> None:
    """EX-7, UX-1"""
    target = TargetSpec(label="Zut", type="text_input", container="Nirvana")
    assert resolved(book, target, DIALOG_OF_ITS_OWN) == "the text_input « Zut » is not on the screen"


WINDOW = WindowContext(title="Save As", geometry=(20, 40, 940, 580))


def test_a_dialog_that_is_a_window_of_its_own_is_a_container_by_its_title(book: ScreenBook) -> None:
    """EX-4: container; what is beside the window is not in it"""
    inside = NAME.model_copy(update={"container": "Save as"})
    assert resolved(book, inside, DIALOG_OF_ITS_OWN, WINDOW) == FIELD
    small = WINDOW.model_copy(update={"geometry": (20, 200, 940, 580)})
    assert "nothing of it lies in the container « Save as »" in str(resolved(book, inside, DIALOG_OF_ITS_OWN, small))
    for other in (WINDOW.model_copy(update={"title": "Save"}), WINDOW.model_copy(update={"geometry": None})):
        assert "the container « Save as » is not" in str(resolved(book, inside, DIALOG_OF_ITS_OWN, other))


def test_a_window_is_no_container_where_something_in_it_bears_its_title(book: ScreenBook) -> None:
    """EX-4, EX-7: the table of that title is meant, seen or not"""
    inside = NAME.model_copy(update={"container": "Save As"})
    table: list[AnyItem] = [*DIALOG_OF_ITS_OWN, ("table", "data_display", "Save As", (40, 300, 500, 400))]
    assert "nothing of it lies in the container" in str(resolved(book, inside, table, WINDOW))
    heading: list[AnyItem] = [*DIALOG_OF_ITS_OWN, ("heading", "title", "Save As", (40, 300, 200, 330))]
    assert "the container « Save As » is not on the screen" in str(resolved(book, inside, heading, WINDOW))
    button: list[AnyItem] = [*DIALOG_OF_ITS_OWN, ("button", "submit", "Save As", (600, 500, 700, 530))]
    assert resolved(book, inside, button, WINDOW) == FIELD


@pytest.mark.parametrize("where", [{"container": "${what}"}, {"anchor": beside("${what}")}])
def test_an_empty_value_says_no_place(book: ScreenBook, where: dict[str, object]) -> None:
    """EX-4, EX-7: no name is not the name of what has none"""
    items: list[AnyItem] = [("dialog", "dialog", "", (20, 40, 940, 580)), *DIALOG_OF_ITS_OWN]
    items.append(("image", "image", "", (40, 90, 60, 122)))
    assert found(book, NAME.model_copy(update=where), items, {"what": ""}) == "not_found"
