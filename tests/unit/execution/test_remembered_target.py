"""What was the target before is a witness: it may confirm or cast doubt, and never decides alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from rpa_vision.detection.vlm_choice import MarkChoice
from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.strategies import remembered
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.models.target import Neighbour, TargetSpec
from rpa_vision.models.ui_element import UIElement
from rpa_vision.ports.learning import FoundTarget, RememberedTarget
from rpa_vision.testing.screens import MOMENT, SIZE, AnyItem, ScreenBook

VALIDATE = (40, 300, 160, 340)
ELSEWHERE = (500, 300, 620, 340)
TARGET = TargetSpec(label="Valider", type="button", role="validate")
PAGE: list[AnyItem] = [
    ("heading", "title", "Facture", (40, 60, 240, 100)),
    ("button", "validate", "Valider", VALIDATE),
    ("button", "cancel", "Annuler", (200, 300, 320, 340)),
]


def memory(
    bbox: tuple[int, int, int, int] = VALIDATE, label: str = "Valider", *, stable_id: str = "somebody"
) -> RememberedTarget:
    """Something that was the target there, three times."""
    width, height = SIZE
    share = (bbox[0] / width, bbox[1] / height, bbox[2] / width, bbox[3] / height)
    found = FoundTarget(stable_id, label, "button", "validate", share, "som_text_match", 0.9)
    return RememberedTarget(found, 3, MOMENT, MOMENT)


def resolve(
    screen: ObservedScreen, memories: Sequence[RememberedTarget] = (), target: TargetSpec = TARGET
) -> Resolved | Unresolved:
    return TargetResolver().resolve(target, screen, {}, HealingProfile.at_level(0), memories=memories)


def element_at(screen: ObservedScreen, bbox: tuple[int, int, int, int]) -> UIElement:
    return next(element for element in screen.state.ui_elements if element.bbox == bbox)


@pytest.mark.parametrize("by_id", [True, False])
def test_what_was_the_target_before_speaks_for_it_again(book: ScreenBook, by_id: bool) -> None:
    """EX-4, EX-9"""
    screen = book.draw("s", PAGE)
    weaker = TARGET.model_copy(
        update={"neighbours": (Neighbour(label="Facture", direction="above", offset=(400, 400)),)}
    )
    known = (
        memory((0, 0, 10, 10), stable_id=element_at(screen, VALIDATE).stable_id or "") if by_id else memory(VALIDATE)
    )
    alone, confirmed = resolve(screen, (), weaker), resolve(screen, [known], weaker)
    assert isinstance(alone, Resolved)
    assert isinstance(confirmed, Resolved)
    assert confirmed.best.element == alone.best.element
    assert alone.best.score < confirmed.best.score < 1.0
    assert confirmed.best.by_sight == alone.best.score
    assert "was the target before, 3 times" in confirmed.best.reasons
    assert confirmed.best.strategy == "som_text_match"


def test_without_a_memory_nothing_changes(book: ScreenBook) -> None:
    """EX-9"""
    screen = book.draw("s", PAGE)
    answer = resolve(screen)
    assert isinstance(answer, Resolved)
    assert (answer.best.by_memory, answer.best.by_sight) == (0.0, answer.best.score)
    assert answer == resolve(screen, [memory(ELSEWHERE)]), "nothing is there any more: the memory is silent"


def test_a_memory_does_not_decide_between_two_that_look_alike(book: ScreenBook) -> None:
    """EX-9, AH-3.6: what only the memory tells apart is ambiguous."""
    screen = book.draw("s", [*PAGE, ("button", "validate", "Valider", ELSEWHERE)])
    assert isinstance(resolve(screen), Unresolved)
    answer = resolve(screen, [memory(VALIDATE)])
    assert isinstance(answer, Unresolved)
    assert answer.why == "ambiguous"
    assert "only what is remembered tells them apart" in answer.message


def test_a_memory_that_contradicts_the_label_is_ignored(book: ScreenBook) -> None:
    """EX-9"""
    screen = book.draw("s", PAGE)
    cancel = memory((200, 300, 320, 340), "Annuler", stable_id=element_at(screen, (200, 300, 320, 340)).stable_id or "")
    assert resolve(screen, [cancel]) == resolve(screen)
    nothing = book.draw("gone", [PAGE[0], PAGE[2]])
    answer = resolve(nothing, [cancel])
    assert isinstance(answer, Unresolved)
    assert (answer.why, answer.candidates) == ("not_found", ())


def test_a_memory_alone_finds_nothing(book: ScreenBook) -> None:
    """EX-9: a target without words is still known by its look or place, not by having been there."""
    screen = book.draw("s", PAGE)
    answer = resolve(screen, [memory(VALIDATE)], TargetSpec(type="button"))
    assert isinstance(answer, Unresolved)
    assert answer.why == "not_found"


def test_a_memory_that_means_another_candidate_casts_doubt(book: ScreenBook) -> None:
    """EX-9: where screen and memory disagree, the winner loses, and nobody wins in its place."""
    above = Neighbour(label="Facture", direction="above", offset=(-40, 240))
    screen = book.draw("s", [*PAGE, ("button", "validate", "Valider", ELSEWHERE)])
    target = TARGET.model_copy(update={"neighbours": (above,)})
    assert isinstance(resolve(screen, (), target), Resolved)
    answer = resolve(screen, [memory(ELSEWHERE)], target)
    assert isinstance(answer, Unresolved)
    assert answer.why == "ambiguous"


def test_a_memory_that_fits_two_elements_is_silent(book: ScreenBook) -> None:
    """EX-9"""
    screen = book.draw("s", [*PAGE, ("button", "validate", "Valider", ELSEWHERE)])
    both = [memory(VALIDATE), memory(ELSEWHERE, stable_id="other")]
    assert resolve(screen, both) == resolve(screen)
    assert remembered.NAME == "remembered_target"


class Chooser:
    """Chooses what stands in a place, if it is asked about that."""

    def __init__(self, place: tuple[int, int, int, int]) -> None:
        self._place = place

    def choose(
        self, image: Pixels, candidates: Sequence[UIElement], wanted: Mapping[str, str], *, hidden: Sequence[Box] = ()
    ) -> MarkChoice:
        there = [one.bbox for one in candidates]
        return MarkChoice(there.index(self._place) if self._place in there else None, "somebody", 0.0)


def test_what_only_the_memory_puts_behind_the_others_is_still_asked_about(book: ScreenBook) -> None:
    """EX-9: the first is remembered, the second stands nearly where the title says, the third is as good as these"""
    first, second, third = (40, 300, 160, 340), (300, 300, 420, 340), (560, 300, 680, 340)
    items: list[AnyItem] = [("button", "navigation", "Ouvrir", place) for place in (first, second, third)]
    screen = book.draw("s", [PAGE[0], *items])
    title = Neighbour(label="Facture", direction="above", offset=(260, 240))
    target = TargetSpec(label="Ouvrir", type="button", role="navigation", neighbours=(title,))
    answer = TargetResolver(chooser=Chooser(third)).resolve(
        target, screen, {}, HealingProfile.at_level(0), memories=[memory(first, "Ouvrir")]
    )
    assert isinstance(answer, Resolved), answer.message
    assert answer.best.element.bbox == third
