"""Goes laid beside each other: trunk, ways, and what is left out."""

from __future__ import annotations

from dataclasses import replace

from clinic_by_hand import click_step, middle

from rpa_vision.graph.demonstration import DemoStep, element_at
from rpa_vision.graph.outline import Fork, outline_of
from rpa_vision.graph.rule_induction import Observation, induce_rule
from rpa_vision.models.branch_rule import BranchRule
from rpa_vision.testing.screens import AnyItem, ScreenBook

PLACES = {name: (40 + 110 * at, 60, 130 + 110 * at, 90) for at, name in enumerate("ABCDEF")}


class Deeds:
    """Clicks on buttons A to F, each of which leads to another screen."""

    def __init__(self, book: ScreenBook) -> None:
        items: list[AnyItem] = [("button", "submit", name, box) for name, box in PLACES.items()]
        self.screen = book.draw("buttons", items)
        self.other = book.draw("other", [*items, ("label", "x", "Fait", (40, 200, 400, 400))])
        self._done = 0

    def go(self, names: str) -> list[tuple[int, DemoStep]]:
        """A lower case letter is a scroll, which changes nothing."""
        return [(ord(name), self._step(name)) for name in names]

    def _step(self, name: str) -> DemoStep:
        self._done += 1
        if name.islower():
            scroll = replace(click_step(self.screen, "A"), kind="scroll", element=None, scroll=(0, 1))
            return replace(scroll, events=(self._done, self._done))
        step = click_step(self.screen, name, after=self.other)
        return replace(step, events=(self._done, self._done), settled=self.other)


def test_what_was_done_twice_once_and_what_changed_nothing_make_no_way(book: ScreenBook) -> None:
    """L0-5, L4-2"""
    deeds = Deeds(book)
    found = outline_of([deeds.go(names) for names in ("ABCDE", "AsBCDE", "ABBCBCDE", "ABCsssDE", "ABsCDE")])
    assert found is not None
    assert found.items == (0, 1, 2, 3, 4)
    assert (found.repetitions, found.left_out) == (5, 0)


def test_ways_part_and_meet_again(book: ScreenBook) -> None:
    """L4-4"""
    deeds = Deeds(book)
    found = outline_of([deeds.go(names) for names in ("ABCE", "ABDE", "ABCE", "ABDE", "ABCE", "AE")])
    assert found is not None
    first, second, fork, last = found.items
    assert isinstance(fork, Fork)
    assert sorted(way.cases for way in fork.ways) == [(0, 2, 4), (1, 3)]
    assert (first, second, last) == (0, 1, 4)
    assert found.left_out == 1  # one go shows no way


def test_one_go_that_ends_early_was_broken_off(book: ScreenBook) -> None:
    """P003-16"""
    deeds = Deeds(book)
    found = outline_of([deeds.go(names) for names in ("ABCDE", "ABC", "ABCDE", "ABCDE")])
    assert found is not None
    assert (found.items, found.goes) == ((0, 1, 2, 3, 4), (0, 2, 3))


def test_a_way_is_a_way_however_many_went_another(book: ScreenBook) -> None:
    """L4-4: three of thirty-one invoices that were passed on were passed on for a reason"""
    deeds = Deeds(book)
    found = outline_of([deeds.go("ABDE" if at in (4, 11, 25) else "ABCE") for at in range(31)])
    assert found is not None
    assert (found.repetitions, found.left_out) == (31, 0)
    fork = found.items[2]
    assert isinstance(fork, Fork)
    assert sorted(len(way.cases) for way in fork.ways) == [3, 28]


def test_few_goes_that_end_early_among_many_were_broken_off(book: ScreenBook) -> None:
    """P003-16: two of thirty show no shorter task"""
    deeds = Deeds(book)
    found = outline_of([deeds.go("AB" if at in (4, 11) else "ABCDE") for at in range(30)])
    assert found is not None
    assert (found.items, found.left_out) == ((0, 1, 2, 3, 4), 2)


def test_another_button_in_place_of_the_usual_one_is_a_way_though_it_was_shown_once(book: ScreenBook) -> None:
    """L4-4: a fork, so that it is asked about; a step left out, or one that is done elsewhere too, is none"""
    deeds = Deeds(book)
    for odd, is_a_way in (("ABDE", True), ("ABE", False), ("ABDED", False)):
        found = outline_of([deeds.go(odd if at == 3 else "ABCE") for at in range(8)])
        assert found is not None
        assert any(isinstance(item, Fork) for item in found.items) is is_a_way, odd
        assert found.left_out == (0 if is_a_way else 1)


def test_right_beside_the_words_of_a_button_is_on_it(book: ScreenBook) -> None:
    """L2-1: what can be clicked is larger than its words; between two things it is neither"""
    items: list[AnyItem] = [("menu_item", "navigation", "Factures", (100, 40, 180, 56))]
    page = book.draw("menu", [*items, ("menu_item", "navigation", "Accueil", (188, 40, 260, 56))])
    elements = page.state.ui_elements
    above = element_at(elements, (140, 36))
    assert above is not None
    assert above.label == "Factures"
    assert element_at(elements, (184, 48)) is None
    assert element_at(elements, middle((400, 300, 420, 320))) is None


def test_a_threshold_is_shorter_than_a_list_of_values() -> None:
    """L4-4"""
    shown = [("a", 120), ("b", 80), ("c", 1500), ("d", 2000), ("a", 300), ("c", 1800), ("b", 990), ("d", 1100)]
    seen = [
        Observation("send" if amount >= 1000 else "approve", {"amount": amount, "reason": reason})
        for reason, amount in shown
    ]
    answer = induce_rule(seen)
    assert isinstance(answer, BranchRule)
    assert answer.expression == "variables.amount < 1000"
