"""The caret behind a text."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rpa_vision.imaging.caret import without_caret
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box


def written(text: str, *, dark: bool = False) -> tuple[Pixels, Box]:
    paper, ink = (45, 230) if dark else (255, 20)
    image = np.full((60, 400, 3), paper, np.uint8)
    (width, _), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.6, 1)
    cv2.putText(image, text, (20, 38), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (ink, ink, ink), 1, cv2.LINE_AA)
    return image, Box(18, 18, 20 + width + 4, 46)


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("wide", [1, 2])
def test_the_caret_is_taken_away_and_the_text_stays(dark: bool, wide: int) -> None:
    """L4-15"""
    image, line = written("gnumeric", dark=dark)
    with_caret = image.copy()
    with_caret[17:47, line.x2 - 4 : line.x2 - 4 + wide] = 230 if dark else 20
    assert np.array_equal(without_caret(with_caret, line), image)


@pytest.mark.parametrize("dark", [False, True])
def test_a_caret_reaches_as_low_as_the_tail_of_a_letter(dark: bool) -> None:
    """L4-15"""
    image, line = written("nicolas-lacroix.gnumeric", dark=dark)
    lowest = int(np.flatnonzero((image != image[0, 0]).any(axis=(1, 2)))[-1])
    with_caret = image.copy()
    with_caret[17 : lowest + 1, line.x2 - 4] = 230 if dark else 20
    assert np.array_equal(without_caret(with_caret, line), image)


WRITTEN = (
    "gnumeric", "facture", "libell", "Montant (H.T.)", "1 l", "d", "nomad", "noop", "[a]", "(a)", "col", "cool", "X1",
    "a]", "2001", "CO1", "sj",
    "nicorosse.gnumeriJ", "paroissienne-mais-ouvertel", "un mot sans grande suite)", "un mot sans grande suite]",
    "note[",
)  # fmt: skip


@pytest.mark.parametrize("text", WRITTEN)
def test_letters_are_no_caret(text: str) -> None:
    """L4-15"""
    image, line = written(text)
    assert without_caret(image, line) is image


def test_nothing_is_taken_from_an_empty_or_cut_off_line() -> None:
    """L4-15"""
    empty = np.full((40, 60, 3), 255, np.uint8)
    assert without_caret(empty, Box(5, 5, 50, 30)) is empty
    assert without_caret(empty, Box(100, 100, 150, 130)) is empty
    lone = empty.copy()
    lone[4:34, 20] = 0
    assert without_caret(lone, Box(5, 5, 50, 30)) is lone
