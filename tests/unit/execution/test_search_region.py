"""A target that says where it lies is looked for there and nowhere else; a place decides a tie if it was shown."""

from __future__ import annotations

import pytest
from run_by_hand import Robot, edge

from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.obstacles import obstacle
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.models.action import Action
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Landmark, Neighbour, RecordedPlace, SelectionPolicy, TargetSpec
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
    **how: object,
) -> object:
    screen = book.draw("page", items)
    answer = TargetResolver().resolve(target, screen, values or {}, STRICT, **how)  # type: ignore[arg-type]
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


def by_place(policy: SelectionPolicy, place: tuple[int, int, int, int], label: str = "Ouvrir") -> TargetSpec:
    """As a demonstration showed it, on a screen laid out otherwise: the twin stood below."""
    return TargetSpec(
        label=label,
        type="button",
        selection_policy=policy,
        place=RecordedPlace(bbox=place, screen_resolution=(800, 600)),
        landmarks=(Landmark(label=label, type="button", bbox=(500, 300, 600, 330)),),
    )


def test_the_first_of_a_name_is_taken_where_it_was_shown_to_be_the_first(book: ScreenBook) -> None:
    """EX-4, Settled: selection_policy"""
    assert found(book, by_place("first", (500, 200, 600, 230))) == UPPER
    assert found(book, by_place("last", (500, 400, 600, 430))) == LOWER


@pytest.mark.parametrize(
    "target",
    [
        TargetSpec(label="Ouvrir", type="button", selection_policy="first"),
        by_place("last", (500, 200, 600, 230)),
        by_place("first", (500, 400, 600, 430)),
    ],
    ids=["never shown", "shown first", "shown last"],
)
def test_a_place_that_was_not_shown_settles_nothing(book: ScreenBook, target: TargetSpec) -> None:
    """EX-7, Settled: selection_policy"""
    assert found(book, target) == "ambiguous"


def test_where_harm_may_come_of_it_or_ambiguity_is_refused_no_place_settles_a_tie(book: ScreenBook) -> None:
    """EX-7, AH-3.5"""
    deleting = [item if item[2] != "Ouvrir" else (*item[:2], "Supprimer", item[3]) for item in TWO]
    assert found(book, by_place("first", (500, 200, 600, 230), "Supprimer"), deleting) == "ambiguous"
    strict = StepThresholds(
        min_confidence=0.72, min_margin=0.08, learning_enabled=False, hard_constraints_required=False,
        ambiguity_refused=True, policy_digest="",
    )  # fmt: skip
    assert found(book, by_place("first", (500, 200, 600, 230)), terms=strict) == "ambiguous"


def test_a_first_that_cannot_be_meant_is_not_replaced_by_the_second(book: ScreenBook) -> None:
    """EX-7: the first of the name lies behind a dialog"""
    items = [
        *TWO,
        ("button", "navigation", "Ouvrir", (420, 400, 520, 430)),
        ("dialog", "dialog", "Devis", (20, 380, 600, 480)),
    ]
    answer = TargetResolver().resolve(by_place("first", (500, 200, 600, 230)), book.draw("page", items), {}, STRICT)
    assert isinstance(answer, Unresolved)
