"""One place on two pictures: unchanged, zoomed, in other colours, with more beside it, or gone."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.imaging.same_place import Comparison, compared
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

PLACE = Box(120, 90, 200, 120)
AROUND = {"Facture": (20, 60), "Motif": (20, 112), "Montant": (230, 60), "Agenda": (120, 70), "Stock": (120, 150)}


def page(target: str = "Valider", beside: str = "") -> Pixels:
    image = np.full((240, 400, 3), 245, np.uint8)
    for words, at in {**AROUND, target: (126, 111), beside: (205, 111)}.items():
        cv2.putText(image, words, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5, (30, 30, 30), 1, cv2.LINE_AA)
    return image


def compare(now: Pixels, scale: float = 1.0, dx: float = 0.0, dy: float = 0.0) -> Comparison:
    found = compared(page(), PLACE, now, scale, dx, dy)
    assert found is not None
    return found


@pytest.mark.parametrize("now", [page(), 255 - page(), page() // 2 + 20])
def test_colours_do_not_matter(now: Pixels) -> None:
    """EX-4: another theme, the same outlines"""
    found = compare(now, dx=6.0, dy=-5.0)  # the landmarks are a little off
    assert found.box == PLACE
    assert (found.inside.share(), found.near.share(), found.around.share()) == (1.0, 1.0, 1.0)
    assert found.likeness > 0.99
    assert found.clearness > 0.99
    assert not found.near.new + found.inside.new


def test_a_zoomed_place_is_the_same_place_less_clearly() -> None:
    """EX-4"""
    larger = cv2.resize(page(), None, fx=1.5, fy=1.5, interpolation=cv2.INTER_CUBIC)
    found = compare(np.asarray(larger, np.uint8), 1.5)
    assert max(abs(a - 1.5 * b) for a, b in zip(found.box.bbox, PLACE.bbox, strict=True)) <= 2
    assert found.inside.share() > 0.8
    assert found.around.share() > 0.8


def test_words_that_were_added_beside_it_are_new() -> None:
    """EX-7: « Valider » became « Valider tout »"""
    found = compare(page(beside="tout"))
    assert found.inside.share() == 1.0
    assert found.near.new > 0


@pytest.mark.parametrize("target", ["", "Retour"])
def test_what_is_gone_or_something_else_is_not_the_same(target: str) -> None:
    """EX-7"""
    found = compare(page(target))
    assert found.around.share() > 0.9
    assert found.inside.share() < 0.6


def test_a_place_beyond_the_edge_is_not_compared() -> None:
    """EX-4"""
    assert compared(page(), PLACE, page(), 1.0, 2000.0, 0.0) is None
