"""The first or the last of a name is taken only where that was shown, is as it was, and harms nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.target_resolver import Resolved, TargetResolver
from rpa_vision.models.auto_heal import StepThresholds
from rpa_vision.models.geometry import BBox
from rpa_vision.models.target import Landmark, RecordedPlace, SelectionPolicy, TargetSpec
from rpa_vision.models.ui_element import ElementType
from rpa_vision.testing.screens import AnyItem, ScreenBook

STRICT = HealingProfile.at_level(0)
UPPER, LOWER = (300, 100, 400, 130), (300, 400, 400, 430)
RESULTS: AnyItem = ("heading", "title", "Résultats", (40, 40, 200, 70))
FOOT: AnyItem = ("label", "data_display", "Fin de la liste", (40, 500, 200, 520))


def two(label: str = "Ouvrir", kind: ElementType = "button", role: str = "navigation") -> list[AnyItem]:
    return [RESULTS, (kind, role, label, UPPER), (kind, role, label, LOWER), FOOT]


def shown(
    policy: SelectionPolicy,
    *,
    label: str = "Ouvrir",
    kind: ElementType = "button",
    more: tuple[Landmark, ...] = (),
    as_first: bool | None = None,
    others: int = 1,
) -> TargetSpec:
    """As a demonstration showed it on a screen laid out otherwise: a title above, those of the name, a text below."""
    places: list[BBox] = [(500, 200 + 100 * number, 600, 230 + 100 * number) for number in range(1 + others)]
    own = places.pop(0 if (policy == "first" if as_first is None else as_first) else -1)
    return TargetSpec(
        label=label,
        type=kind,
        selection_policy=policy,
        place=RecordedPlace(bbox=own, screen_resolution=(960, 600)),
        landmarks=(
            Landmark(label="Résultats", type="heading", bbox=(500, 90, 660, 120)),
            Landmark(label="Fin de la liste", type="label", bbox=(500, 560, 660, 580)),
            *(Landmark(label=label, type=kind, bbox=place) for place in places),
            *more,
        ),
    )


def found(book: ScreenBook, target: TargetSpec, items: list[AnyItem], terms: StepThresholds | None = None) -> object:
    answer = TargetResolver().resolve(target, book.draw("page", items), {}, STRICT, terms=terms)
    return answer.best.element.bbox if isinstance(answer, Resolved) else answer.why


@pytest.mark.parametrize(("policy", "place"), [("first", UPPER), ("last", LOWER)])
def test_the_first_or_the_last_of_a_name_is_taken_where_it_was_shown(
    book: ScreenBook, policy: SelectionPolicy, place: BBox
) -> None:
    """EX-4, Settled: selection_policy"""
    assert found(book, shown(policy), two()) == place


@pytest.mark.parametrize(
    "target",
    [
        TargetSpec(label="Ouvrir", type="button", selection_policy="first"),
        shown("last", as_first=True),
        shown("first", as_first=False),
        shown("first", others=0),
    ],
    ids=["never shown", "shown first", "shown last", "shown alone"],
)
def test_a_place_that_was_not_shown_settles_nothing(book: ScreenBook, target: TargetSpec) -> None:
    """EX-7, Settled: selection_policy"""
    assert found(book, target, two()) == "ambiguous"


@pytest.mark.parametrize("kind", ["text_input", "dropdown", "checkbox"])
def test_the_caption_of_a_field_is_no_other_of_its_name(book: ScreenBook, kind: ElementType) -> None:
    """EX-7: one field below its caption, when it was recorded"""
    caption = Landmark(label="Motif", type="label", bbox=(500, 170, 560, 192))
    assert found(book, shown("last", label="Motif", kind=kind, others=0, more=(caption,)), two("Motif", kind)) == (
        "ambiguous"
    )


@pytest.mark.parametrize("role", ["action", "submit", "navigation"])
@pytest.mark.parametrize(
    "label",
    [
        "Supprimer",
        "Payer",
        "Envoyer",
        "Valider",
        "Rembourser",
        "Transférer",
        "Virement",
        "Vider",
        "Annuler",
        "Merge",
        "Continuer le paiement",
    ],
)
def test_the_order_never_decides_between_things_with_consequences(book: ScreenBook, label: str, role: str) -> None:
    """EX-7, AH-3.5"""
    assert found(book, shown("first", label=label), two(label, role=role)) == "ambiguous"


def test_one_of_them_that_has_consequences_keeps_all_from_being_settled(book: ScreenBook) -> None:
    """EX-7: the second was seen to submit something"""
    items: list[AnyItem] = [
        RESULTS,
        ("button", "navigation", "Ouvrir", UPPER),
        ("button", "submit", "Ouvrir", LOWER),
        FOOT,
    ]
    assert found(book, shown("first"), items) == "ambiguous"


def test_where_ambiguity_is_refused_the_order_settles_nothing(book: ScreenBook) -> None:
    """EX-7, AH-3.5"""
    strict = StepThresholds(
        min_confidence=0.72, min_margin=0.08, learning_enabled=False, hard_constraints_required=False,
        ambiguity_refused=True, policy_digest="",
    )  # fmt: skip
    assert found(book, shown("first"), two(), strict) == "ambiguous"


def test_a_row_is_told_by_what_it_says_and_never_by_its_order(book: ScreenBook) -> None:
    """EX-7: FAC-1 stood in the first row, and stands in the second today"""
    rows = tuple(
        Landmark(label=f"FAC-{number}", type="cell", bbox=(40, 100 + 100 * number, 140, 130 + 100 * number))
        for number in (1, 2)
    )
    items: list[AnyItem] = [
        *two(),
        ("cell", "data_display", "FAC-9", (40, 100, 140, 130)),
        ("cell", "data_display", "FAC-1", (40, 400, 140, 430)),
    ]
    assert found(book, shown("first", more=rows), items) == "ambiguous"
    assert found(book, shown("first"), items) == "ambiguous", "in rows today only"
    assert found(book, shown("first", more=rows), two()) == "ambiguous", "in rows when it was recorded"


def test_the_rows_of_a_table_that_say_nothing_else_are_rows(book: ScreenBook) -> None:
    """EX-7: nothing stands beside them, so that nothing tells which of them is the row that was shown"""
    screen = book.draw("page", two())
    in_rows = tuple(
        one.model_copy(update={"metadata": {**one.metadata, "table": 0, "row": one.bbox[1]}})
        if one.label == "Ouvrir"
        else one
        for one in screen.state.ui_elements
    )
    rows = replace(screen, state=screen.state.model_copy(update={"ui_elements": in_rows}))
    assert isinstance(TargetResolver().resolve(shown("first"), screen, {}, STRICT), Resolved)
    assert not isinstance(TargetResolver().resolve(shown("first"), rows, {}, STRICT), Resolved)


def test_a_text_that_changed_sides_with_them_keeps_the_order_from_deciding(book: ScreenBook) -> None:
    """EX-7: « Durand » stood above the first, and stands above the second today"""
    durand = Landmark(label="Durand", type="label", bbox=(500, 150, 600, 180))
    above: AnyItem = ("label", "data_display", "Durand", (300, 75, 400, 95))
    assert found(book, shown("first", more=(durand,)), [*two(), above]) == UPPER
    between: AnyItem = ("label", "data_display", "Durand", (300, 360, 400, 390))
    assert found(book, shown("first", more=(durand,)), [*two(), between]) == "ambiguous"


@pytest.mark.parametrize(("policy", "gone"), [("first", RESULTS), ("last", FOOT)])
def test_what_may_be_scrolled_away_is_not_replaced_by_what_is_shown(
    book: ScreenBook, policy: SelectionPolicy, gone: AnyItem
) -> None:
    """EX-7: the text before the first, or after the last, is gone, and one of the name may be gone with it"""
    assert found(book, shown(policy), [item for item in two() if item != gone]) == "ambiguous"


@pytest.mark.parametrize("kind", ["button", "link", "label"])
@pytest.mark.parametrize("where", [(300, 75, 400, 95), (300, 200, 400, 230)], ids=["first", "between"])
def test_more_of_the_name_than_were_shown_are_in_no_known_order(
    book: ScreenBook, kind: ElementType, where: BBox
) -> None:
    """EX-7: whatever they are drawn as today"""
    items: list[AnyItem] = [*two()[:-1], (kind, "navigation", "Ouvrir", where)]
    assert found(book, shown("first"), two()[:-1]) == UPPER
    assert found(book, shown("first"), items) == "ambiguous"


def test_a_first_that_cannot_be_meant_is_not_replaced_by_the_second(book: ScreenBook) -> None:
    """EX-7: the first of the name lies behind a dialog that shows the two others"""
    third: AnyItem = ("button", "navigation", "Ouvrir", (300, 450, 400, 480))
    dialog: AnyItem = ("dialog", "dialog", "Devis", (250, 380, 600, 490))
    target = shown("first", others=2)
    assert found(book, target, [*two(), third]) == UPPER
    assert found(book, target, [RESULTS, two()[1], dialog, two()[2], third, FOOT]) == "ambiguous"
