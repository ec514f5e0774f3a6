"""The reader's lines: what is scored is what is drawn, and what is drawn with is locked and not what is scored."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from rpa_vision.models.geometry import Box

READER = Path(__file__).parents[3] / "training" / "reader"
sys.path.insert(0, str(READER))

from cutting import Word, find, is_as_drawn, labelled  # noqa: E402
from desktop_pages import ALL_WEIGHTS, FAMILIES, HELD_OUT, plan  # noqa: E402


def drawn(*words: tuple[str, int]) -> tuple[np.ndarray, list[Word]]:
    """Words on one line, each at its place, with the boxes a page would tell."""
    image = np.full((60, 420, 3), 250, np.uint8)
    told = []
    for text, x in words:
        cv2.putText(image, text, (x, 38), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
        (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.6, 1)
        told.append(Word(text, x, 20, x + width, 44))
    return image, told


def test_a_line_that_shows_its_words_and_nothing_else_counts():
    """L2-6: the score is of lines whose truth is what can be seen."""
    image, words = drawn(("Valider", 40), ("tout", 104))
    (box, text), *rest = labelled(find(image), words)
    assert (text, rest) == ("Valider tout", [])
    assert is_as_drawn(image, box, words)


@pytest.mark.parametrize("hidden_from", [60, 76])
def test_a_word_that_is_partly_hidden_does_not(hidden_from):
    """L2-6"""
    image, words = drawn(("Valider", 40))
    image[:, hidden_from:] = 250
    assert not is_as_drawn(image, Box(36, 16, 122, 48), words)


def test_nor_does_a_line_with_something_else_in_it():
    """L2-6"""
    image, words = drawn(("Valider", 40), ("autre", 140))
    assert not is_as_drawn(image, Box(36, 16, 200, 48), words[:1])
    assert not is_as_drawn(image, Box(300, 16, 340, 48), words)


def test_faces_kept_for_scoring_are_not_drawn_with():
    """L2-6: what is scored is never trained on."""
    lock = json.loads((READER / "faces.lock.json").read_text(encoding="utf-8"))
    assert len(lock) >= 80
    assert all(about["integrity"].startswith("sha512-") and about["version"] for about in lock.values())
    fetched = {name.replace("-", " ") for name in lock}
    kept = {name.lower() for name in (*HELD_OUT, "Ubuntu", "Oxygen", "Manrope", "Comfortaa")}
    assert not kept & fetched
    assert not kept & {name.lower() for name in FAMILIES}


def test_the_same_seed_plans_the_same_pages_in_many_weights():
    bands = plan(random.Random("qt-1"), 1600, 1000, ("A", "B"), ALL_WEIGHTS)
    assert bands == plan(random.Random("qt-1"), 1600, 1000, ("A", "B"), ALL_WEIGHTS)
    weights = {band.weight for seed in range(20) for band in plan(random.Random(seed), 1600, 1000, ("A",), ALL_WEIGHTS)}
    assert weights == set(ALL_WEIGHTS)


def test_a_box_that_touches_a_place_nobody_is_sure_of_says_nothing():
    """L2-6: words that are partly covered stand beside others, and are found with them."""
    image, words = drawn(("Valider", 40), ("tout", 104))
    half_hidden = Word("?", *(words[1].x1, words[1].y1, words[1].x2 + 200, words[1].y2), cut=True)
    assert [text for _, text in labelled(find(image), words)] == ["Valider tout"]
    assert [text for _, text in labelled(find(image), [words[0], half_hidden])] == [None]
