"""Where nobody else found it: what a net says of both screens, if it is sure both ways and the gate admits it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.locating import by_pairing
from rpa_vision.execution.locating.admission import admit
from rpa_vision.execution.locating.finding import find_again
from rpa_vision.execution.locating.located import Located
from rpa_vision.execution.locating.pairing.features import OF_A_PAIR, OF_EACH, OF_TWO, features
from rpa_vision.execution.locating.pairing.things import KINDS, MOST, UNKNOWN, things_of
from rpa_vision.execution.locating.pairing.told import tell
from rpa_vision.execution.locating.sought import Sought
from rpa_vision.execution.target_resolver import TargetResolver, Unresolved
from rpa_vision.models.geometry import BBox, Box
from rpa_vision.ports.perception import Vector
from rpa_vision.testing.screens import AnyItem, ScreenBook

WORDS = ("Patient", "Praticien", "Motif", "Facture", "Montant", "Remise")


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


class Says:
    """A pairer that says one thing of one thing, as surely as it is told to, each way."""

    name = "says"

    def __init__(self, then: ObservedScreen, box: BBox, now: ObservedScreen, there: BBox, *, sure: Sequence[float]):
        before, numbers = things_of(then, [Box(*box)])
        after, answers = things_of(now, [Box(*there)])
        assert answers[0] < len(things_of(now)[0]), "the net can only say what was seen"
        self._ways = [(numbers[0], answers[0], sure[0]), (answers[0], numbers[0], sure[1])]
        self._sizes = (len(before), len(after))

    def pair(self, then: Vector, now: Vector, within_then: Vector, within_now: Vector, across: Vector) -> Vector:
        row, column, sure = self._ways.pop(0)
        scores = np.full((len(then), len(now) + 1), -30.0, np.float32)
        scores[:, -1] = 0.0
        scores[row, column] = math.log(sure / (1 - sure))
        return scores


class Breaks:
    """A pairer nobody should have asked."""

    name = "breaks"

    def pair(self, then: Vector, now: Vector, within_then: Vector, within_now: Vector, across: Vector) -> Vector:
        raise AssertionError("the others had found it")


def laid_out(at: Sequence[BBox], kind: str = "button", said: str = "") -> list[AnyItem]:
    """Words in two columns, and something beside each of some of them."""
    words: list[AnyItem] = [
        ("label", "x", word, (40 + 420 * (row % 2), 60 + 90 * (row // 2), 180 + 420 * (row % 2), 84 + 90 * (row // 2)))
        for row, word in enumerate(WORDS)
    ]
    return words + [(kind, "form_input" if kind == "text_input" else "icon", said, box) for box in at]


def other_words(at: Sequence[BBox], kind: str = "button", said: str = "") -> list[AnyItem]:
    """The same words, stacked: no shift takes the one page to the other."""
    words: list[AnyItem] = [
        ("label", "x", word, (340, 40 + 70 * row, 480, 64 + 70 * row)) for row, word in enumerate(reversed(WORDS))
    ]
    return words + [(kind, "form_input" if kind == "text_input" else "icon", said, box) for box in at]


def asked(book: ScreenBook, kind: str, was: str, says: str, sure: Sequence[float]) -> Located:
    """One of three alike, on a page where no line says which of them it is."""
    box, there = (700, 400, 730, 430), (60, 300, 90, 330)
    then = book.draw("then", laid_out([box, (700, 520, 730, 550), (900, 400, 930, 430)], kind, was))
    now = book.draw("now", other_words([there, (60, 420, 90, 450), (900, 560, 930, 590)], kind, says))
    assert find_again(TargetResolver(), then, Box(*box), now).point is None, "the others must not find it"
    return find_again(TargetResolver(), then, Box(*box), now, Says(then, box, now, there, sure=sure))


def test_what_the_net_is_sure_of_both_ways_is_found(book: ScreenBook) -> None:
    """EX-4: another layout, and something that nothing but the whole page tells"""
    found = asked(book, "text_input", "", "", (0.99, 0.98))
    assert (found.status, found.strategy, found.point) == ("resolved", by_pairing.NAME, (75, 315)), found.why
    assert found.score == pytest.approx(0.98, abs=0.002)


@pytest.mark.parametrize("sure", [(0.85, 0.99), (0.99, 0.85), (0.99, 0.02)])
def test_what_it_is_not_sure_of_one_way_is_not_taken(book: ScreenBook, sure: tuple[float, float]) -> None:
    """EX-7: asked back, it names another: a sibling moved up"""
    assert asked(book, "text_input", "", "", sure).point is None


def test_words_that_mean_something_else_are_not_taken_however_sure_it_is(book: ScreenBook) -> None:
    """EX-7: a net knows how pages are laid out, not what a deed means"""
    assert asked(book, "button", "Valider", "Supprimer", (0.999, 0.999)).point is None


def test_what_the_others_found_is_not_asked_of_the_net(book: ScreenBook) -> None:
    """EX-4"""
    box = (700, 400, 800, 430)
    then = book.draw("then", laid_out([box], "button", "Valider"))
    assert find_again(TargetResolver(), then, Box(*box), then, Breaks()).point is not None


def test_what_one_place_shares_with_another_of_the_same_box_is_one_share(book: ScreenBook) -> None:
    box = (700, 400, 730, 430)
    then = book.draw("then", laid_out([box]))
    told = tell(Says(then, box, then, box, sure=(0.9, 0.8)), then, Box(*box), then)
    assert told is not None
    assert (told.box, round(told.share, 2), round(told.back, 2)) == (Box(*box), 0.9, 0.8)


def test_a_screen_without_anything_tells_nothing(book: ScreenBook) -> None:
    box = (700, 400, 730, 430)
    then, empty = book.draw("then", laid_out([box])), book.draw("empty", [])
    assert tell(Breaks(), then, Box(*box), empty) is None


def test_a_box_that_nobody_detected_is_a_thing_of_its_own(book: ScreenBook) -> None:
    then = book.draw("then", laid_out([(700, 400, 730, 430)]))
    all_things, _ = things_of(then)
    things, numbers = things_of(then, [Box(500, 500, 540, 520)])
    assert numbers == [len(all_things)]
    assert KINDS[things.kinds[numbers[0]]] == UNKNOWN
    assert things.box(numbers[0]) == Box(500, 500, 540, 520)


def test_a_full_screen_is_told_by_its_largest_things(book: ScreenBook) -> None:
    """AH: memory stays flat, whatever is on the screen"""
    crowd: list[AnyItem] = [
        ("icon", "icon", "", (4 + 20 * (one % 40), 4 + 20 * (one // 40), 20 + 20 * (one % 40), 20 + 20 * (one // 40)))
        for one in range(MOST + 80)
    ]
    assert len(things_of(book.draw("crowd", crowd))[0]) == MOST


def test_features_have_the_sizes_that_the_net_was_made_for(book: ScreenBook) -> None:
    then, now = book.draw("then", laid_out([])), book.draw("now", other_words([(60, 300, 90, 330)]))
    one, two = things_of(then)[0], things_of(now)[0]
    told = features(one, two)
    n, m = len(one), len(two)
    assert told.then.shape == (n, OF_EACH)
    assert told.within_now.shape == (m, m, OF_TWO)
    assert told.across.shape == (n, m, OF_A_PAIR)
    assert all(np.isfinite(part).all() for part in (told.then, told.now, told.within_then, told.across))


PLACE, THERE = (700, 400, 800, 430), (60, 560, 160, 590)


def named(book: ScreenBook, then: AnyItem, *now: AnyItem, sure: float = 0.97) -> Located | None:
    """What the net says, and what is made of it, whatever the others would have found."""
    before = book.draw("before", [*laid_out([]), then])
    after = book.draw("after", [*other_words([]), *now])
    says = Says(before, then[3], after, now[0][3], sure=(sure, sure))
    return next(by_pairing.by_pairing(says, Sought(before, Box(*then[3]), after)), None)


def button(said: str, box: BBox = PLACE) -> AnyItem:
    return ("button", "action", said, box)


def test_what_says_what_it_said_or_means_the_same_may_be_it(book: ScreenBook) -> None:
    """EX-5"""
    assert named(book, button("Historique"), button("Historique", THERE)) is not None
    assert named(book, button("Valider"), button("Approuver", THERE)) is not None


@pytest.mark.parametrize(
    ("was", "says"),
    [
        ("Historique", ""),
        ("", "Historique"),
        ("Historique", "Dossiers"),
        ("OK", "OK"),
        ("Supprimer", "Ne pas supprimer"),
    ],
)
def test_other_words_or_none_or_too_few_are_not_it(book: ScreenBook, was: str, says: str) -> None:
    """EX-7: a net knows how pages are laid out, not what a deed means; « OK » is said in many places"""
    assert named(book, button(was), button(says, THERE), sure=0.999) is None


def test_words_that_go_on_in_the_next_line_are_not_it(book: ScreenBook) -> None:
    """EX-7: « Historique / complet »"""
    x, y = THERE[0], THERE[1]
    line: AnyItem = ("label", "x", "Historique", (x, y, x + 110, y + 20))
    rest: AnyItem = ("label", "x", "complet", (x, y + 21, x + 80, y + 41))
    assert named(book, ("label", "x", "Historique", (700, 400, 810, 420)), line) is not None
    assert named(book, ("label", "x", "Historique", (700, 400, 810, 420)), line, rest) is None


def test_a_field_is_a_field_then_and_now(book: ScreenBook) -> None:
    """EX-7: what is typed must not go into a button"""
    field: AnyItem = ("text_input", "form_input", "", PLACE)
    assert named(book, field, ("text_input", "form_input", "", THERE)) is not None
    assert named(book, field, button("Supprimer le dossier", THERE), sure=0.999) is None


class Tied(TargetResolver):
    """Never knows which of two it is."""

    def resolve(self, *asked: Any, **more: Any) -> Unresolved:
        return Unresolved("ambiguous", "it could be two things", (), HealingProfile.at_level(0))


def test_a_tie_is_told_and_not_settled_by_the_net(book: ScreenBook) -> None:
    """EX-4: of two of one name nothing says which, and who knows no words is not asked"""
    then = book.draw("then", [*laid_out([]), button("Historique")])
    now = book.draw("now", [*other_words([]), button("Historique", THERE), button("Historique", (900, 560, 1000, 590))])
    assert find_again(Tied(), then, Box(*PLACE), now, Breaks()).status == "ambiguous"


def test_what_lies_behind_a_dialog_that_was_not_there_is_not_admitted(book: ScreenBook) -> None:
    """EX-7: a click beside a dialog closes it, or does nothing"""
    then = book.draw("then", laid_out([PLACE], "text_input"))
    now = book.draw(
        "now", [*other_words([THERE], "text_input"), ("dialog", "dialog", "Question", (400, 200, 800, 500))]
    )
    found = Located("resolved", Box(*THERE), Box(*THERE).center, 0.99, by_pairing.NAME, None, "")
    assert admit(Sought(then, Box(*PLACE), now), found) is not None


def test_a_screen_too_full_to_be_told_whole_is_not_told(book: ScreenBook) -> None:
    """EX-7: what is left out may be what rivals it"""
    crowd: list[AnyItem] = [
        ("icon", "icon", "", (4 + 20 * (one % 40), 4 + 20 * (one // 40), 20 + 20 * (one % 40), 20 + 20 * (one // 40)))
        for one in range(MOST + 1)
    ]
    full = book.draw("full", crowd)
    assert tell(Breaks(), full, Box(*crowd[0][3]), full) is None
