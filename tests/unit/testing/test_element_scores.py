"""How found elements are scored against the truth."""

from __future__ import annotations

import pytest

from rpa_vision.models.geometry import Box
from rpa_vision.testing.element_scores import ElementScore, Seen
from rpa_vision.testing.perception_bench import chance


def true(kind, box, **more):
    return {"box": list(box), "type": kind, "checked": None, **more}


def scored(truth, found):
    score = ElementScore()
    score.add(truth, found)
    return score.summary()


PLACE = (100, 100, 200, 140)


def test_what_is_found_exactly_scores_one():
    """L2-1"""
    told = scored([true("button", PLACE)], [Seen(Box(*PLACE), "button")])
    assert (told["click_f1"], told["f1_at_50"], told["type_accuracy"]) == (1.0, 1.0, 1.0)


def test_a_click_needs_the_middle_not_the_edges():
    told = scored([true("menu_item", PLACE)], [Seen(Box(140, 110, 160, 130), "menu_item")])
    assert (told["click_f1"], told["f1_at_50"]) == (1.0, 0.0)


def test_a_box_more_than_four_times_as_large_hits_nothing():
    assert scored([true("button", PLACE)], [Seen(Box(0, 0, 300, 240), "button")])["click_f1"] == 0.0


def test_two_found_for_one_count_once():
    told = scored([true("button", PLACE)], [Seen(Box(*PLACE), "button"), Seen(Box(105, 100, 195, 140), "link")])
    assert (told["click_recall"], told["click_precision"]) == (1.0, 0.5)


def test_a_wrong_name_is_a_wrong_type_and_a_hit_all_the_same():
    told = scored([true("radio", PLACE)], [Seen(Box(*PLACE), "checkbox")])
    assert (told["click_f1"], told["type_accuracy"]) == (1.0, 0.0)


@pytest.mark.parametrize("kind", ["button", "decoration"])
def test_what_is_covered_counts_neither_for_nor_against(kind):
    told = scored([true(kind, PLACE, covered=True)], [Seen(Box(*PLACE), "button")])
    assert (told["elements"], told["found"], told["click_f1"]) == (0, 0, None)


def test_a_password_field_is_a_text_field():
    assert scored([true("password_input", PLACE)], [Seen(Box(*PLACE), "text_input")])["type_accuracy"] == 1.0


def test_the_state_of_a_mark_is_scored_where_it_is_known():
    truth = [true("checkbox", PLACE, checked=True)]
    assert scored(truth, [Seen(Box(*PLACE), "checkbox", checked=False)])["checked_accuracy"] == 0.0


def test_what_chance_does_to_a_score_lies_around_it():
    singles = []
    for number in range(20):
        single = ElementScore()
        single.add([true("button", PLACE)], [Seen(Box(*PLACE), "button")] if number % 4 else [])
        singles.append(single)
    low, high = chance(singles)["click_f1"]
    assert low < 2 * 15 / 35 < high
