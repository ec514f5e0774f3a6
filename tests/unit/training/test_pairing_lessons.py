"""What the net that pairs screens is taught: where each element of a page is later, and what is not to be taken."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from pairing.data import Screen, _lesson, _truth

from rpa_vision.execution.locating.pairing.things import KINDS, LOOK, PAINT, Things

BOXES = {"0": [10, 10, 90, 40], "1": [10, 60, 90, 90], "2": [10, 110, 90, 140], "3": [10, 160, 90, 190]}
ABOUT = {rid: {"type": "button", "text": f"Name {rid}", "in_row": False, "in_list": False, "row": ""} for rid in BOXES}


def screen(drift: str, boxes: Mapping[str, list[int]] = BOXES, detected: int | None = None, **facts: Any) -> Screen:
    count = len(boxes)
    things = Things(
        boxes=np.array(list(boxes.values()), np.float32),
        kinds=np.full(count, KINDS.index("button")),
        texts=tuple(f"Name {rid}" for rid in boxes),
        said=tuple(f"name{rid}" for rid in boxes),
        enabled=np.ones(count, np.float32),
        looks=np.ones((count, LOOK), np.float32),
        paint=np.ones((count, PAINT), np.float32),
        line_px=16.0,
        size=(400, 300),
    )
    numbers = {rid: number for number, rid in enumerate(boxes)}
    return Screen(things, count if detected is None else detected, numbers, dict(boxes), {"drift": drift, **facts})


BEFORE = screen("before")


def test_what_is_gone_or_made_another_is_none_of_what_is_there() -> None:
    """EX-7"""
    gone = screen("gone", {rid: box for rid, box in BOXES.items() if rid != "1"}, rid="1")
    alike = screen("look_alike", rid="2")
    assert _truth(ABOUT, BEFORE, gone)["1"][0] is None
    where, counts = _truth(ABOUT, BEFORE, alike)["2"]
    assert where is None
    assert counts > _truth(ABOUT, BEFORE, alike)["0"][1], "what is dangerous counts more"
    assert _truth(ABOUT, BEFORE, alike)["0"][0] == BOXES["0"]


def test_two_that_changed_their_captions_are_each_other() -> None:
    """EX-7: a button is what it says, not where it stands"""
    swapped = screen("swapped", rid="0", **{"with": "3"})
    truth = _truth(ABOUT, BEFORE, swapped)
    assert (truth["0"][0], truth["3"][0]) == (BOXES["3"], BOXES["0"])
    back = _truth(ABOUT, swapped, BEFORE)
    assert (back["0"][0], back["3"][0]) == (BOXES["3"], BOXES["0"])


def test_rows_that_hold_something_else_are_not_asked_about() -> None:
    about = {rid: one | {"in_row": rid == "1"} for rid, one in ABOUT.items()}
    assert set(_truth(about, BEFORE, screen("content"))) == {"0", "2", "3"}


@pytest.mark.parametrize("seed", range(5))
def test_what_nobody_detected_is_answered_by_none(seed: int) -> None:
    """EX-7: whatever is taken for it would be wrong"""
    elsewhere = {rid: [x + 200, y, x2 + 200, y2] for rid, (x, y, x2, y2) in BOXES.items()}
    after = screen("moved", {rid: elsewhere[rid] for rid in BOXES})
    truth = {
        rid: ([300, 220, 380, 250], 1.0) if rid == "1" else one for rid, one in _truth(ABOUT, BEFORE, after).items()
    }
    made = _lesson(BEFORE, after, truth, random.Random(seed))
    assert made is not None
    assert all(answer.any() for answer in made.answers)
    assert any(answer[-1] for answer in made.answers), "the one that is nowhere among what was detected"
