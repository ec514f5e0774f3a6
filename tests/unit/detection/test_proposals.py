"""What a trained detector proposes, put together with boxes, lines and rules."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.detection.proposals import add_found
from rpa_vision.detection.regions import Region
from rpa_vision.detection.scene import Draft, Scene
from rpa_vision.models.geometry import Box
from rpa_vision.models.screen_state import TextLine
from rpa_vision.ports.perception import FoundElement

WHITE, GREY = (255, 255, 255), (200, 200, 200)


def scene(*, regions: list[Box] = (), lines: list[tuple[str, Box]] = ()) -> Scene:
    image = np.full((400, 600, 3), 255, np.uint8)
    drawn = [Region(box, 1.0, WHITE, WHITE, GREY) for box in regions]
    return Scene(image, drawn, [TextLine(text=text, bbox=box.bbox, confidence=0.9) for text, box in lines])


def test_what_only_the_net_saw_is_added_with_the_words_it_holds():
    """L2-1"""
    page = scene(lines=[("Valider", Box(110, 108, 180, 128))])
    [draft] = add_found(page, [], [FoundElement(Box(100, 100, 190, 136), "button", 0.7, enabled=True)])
    assert (draft.kind, draft.label, draft.enabled) == ("button", "Valider", True)
    assert page.lines[0].used


def test_a_found_mark_is_named_by_the_words_beside_it():
    """L2-3"""
    page = scene(lines=[("Se souvenir de moi", Box(124, 98, 240, 118))])
    [draft] = add_found(page, [], [FoundElement(Box(100, 100, 116, 116), "checkbox", 0.7)])
    assert (draft.label, draft.metadata["label_from"]) == ("Se souvenir de moi", "right")


def test_a_found_control_takes_the_edges_the_picture_shows():
    """L2-1"""
    page = scene(regions=[Box(98, 99, 195, 138), Box(0, 0, 600, 400)])
    [draft] = add_found(page, [], [FoundElement(Box(104, 103, 190, 136), "text_input", 0.7)])
    assert draft.box == Box(98, 99, 195, 138)


def test_a_found_link_is_its_line_of_text():
    """L2-1"""
    line = Box(110, 108, 180, 128)
    page = scene(lines=[("Détails", line)])
    [draft] = add_found(page, [], [FoundElement(Box(104, 100, 190, 134), "link", 0.6)])
    assert draft.box == line


def test_one_thing_seen_by_both_stays_one_and_the_surer_names_it():
    """L2-1"""
    known = Draft("text_input", Box(100, 100, 200, 130), 0.5)
    unsure = Draft("button", Box(300, 100, 400, 130), 0.8)
    found = [
        FoundElement(Box(102, 101, 198, 131), "dropdown", 0.9),
        FoundElement(Box(301, 101, 399, 129), "text_input", 0.4),
    ]
    merged = add_found(scene(), [known, unsure], found)
    assert [draft.kind for draft in merged] == ["dropdown", "button"]


def test_a_state_only_the_net_could_tell_is_kept_and_one_that_was_seen_is_not_overruled():
    """L2-3"""
    silent = Draft("checkbox", Box(100, 100, 116, 116), 0.8)
    certain = Draft("checkbox", Box(100, 200, 116, 216), 0.8, checked=False)
    found = [FoundElement(draft.box, "checkbox", 0.9, checked=True) for draft in (silent, certain)]
    merged = add_found(scene(), [silent, certain], found)
    assert [draft.checked for draft in merged] == [True, False]


@pytest.mark.parametrize("kind", ["password_input", "dialog"])
def test_what_rules_know_better_is_not_renamed(kind):
    """L0-7: a secret field stays one whatever it looks like."""
    known = Draft(kind, Box(100, 100, 300, 140), 0.5)
    [draft] = add_found(scene(), [known], [FoundElement(Box(100, 100, 300, 140), "button", 0.99)])
    assert draft.kind == kind


@pytest.mark.parametrize(
    "found",
    [
        FoundElement(Box(10, 10, 200, 150), "dialog", 0.5),
        FoundElement(Box(10, 10, 200, 150), "table", 0.9),
        FoundElement(Box(700, 10, 800, 150), "button", 0.9),
    ],
    ids=["a doubtful dialog", "a table", "outside the picture"],
)
def test_what_cannot_be_used_is_left_out(found):
    """L2-2"""
    assert add_found(scene(), [], [found]) == []


def test_the_picture_on_a_button_is_part_of_it():
    """L2-1"""
    found = [FoundElement(Box(100, 100, 190, 136), "button", 0.7), FoundElement(Box(110, 108, 126, 124), "icon", 0.6)]
    assert [draft.kind for draft in add_found(scene(), [], found)] == ["button"]


def test_the_order_of_proposals_does_not_matter():
    """Deterministic for the same pixels."""
    found = [
        FoundElement(Box(100, 100, 190, 136), "button", 0.7),
        FoundElement(Box(104, 100, 194, 138), "link", 0.7),
        FoundElement(Box(300, 100, 390, 136), "tab", 0.5),
    ]
    one, other = (add_found(scene(), [], list(order)) for order in (found, found[::-1]))
    assert [(draft.kind, draft.box) for draft in one] == [(draft.kind, draft.box) for draft in other]
    assert len(one) == 2
