"""A line as its reader wants it: paper 0, ink 1, one height."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from rpa_vision.imaging.line_picture import HEIGHT_PX, as_ink, grey_line


def written(ink: tuple[int, int, int], paper: tuple[int, int, int]) -> np.ndarray:
    image = np.full((20, 120, 3), paper, np.uint8)
    cv2.putText(image, "Total", (8, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)
    return image


@pytest.mark.parametrize(
    ("ink", "paper"),
    [
        ((0, 0, 0), (255, 255, 255)),
        ((230, 230, 230), (30, 25, 20)),
        ((255, 255, 255), (200, 90, 20)),
        ((120, 120, 120), (245, 245, 245)),
    ],
    ids=["light", "dark", "white on blue", "disabled"],
)
def test_every_theme_looks_the_same(ink, paper):
    """L2-6"""
    usual = as_ink(grey_line(written((0, 0, 0), (255, 255, 255))))
    other = as_ink(grey_line(written(ink, paper)))
    assert other.shape == usual.shape
    assert np.abs(other - usual).max() < 0.25
    assert other.max() > 0.9
    assert abs(float(np.median(other))) < 0.05


def test_text_that_grey_does_not_show_is_seen_in_its_colour():
    """L2-6"""
    red_on_green = written((0, 0, 200), (0, 102, 0))
    assert np.ptp(cv2.cvtColor(red_on_green, cv2.COLOR_BGR2GRAY)) < 24
    assert as_ink(grey_line(red_on_green)).max() > 0.9


def test_small_text_stays_smaller_than_large():
    small = as_ink(np.full((10, 40), 255, np.uint8))
    assert small.shape[0] == HEIGHT_PX
    assert small.shape[1] == round(40 * 2 * 0.85)
    assert as_ink(np.full((64, 40), 255, np.uint8)).shape[1] == round(40 * 0.5 * 0.85)


@given(arrays.arrays(np.uint8, st.tuples(st.integers(0, 80), st.integers(0, 200))))
def test_any_picture_becomes_bounded_ink(picture):
    ink = as_ink(picture)
    assert ink.shape[0] == HEIGHT_PX
    assert ink.dtype == np.float32
    assert np.isfinite(ink).all()
    assert ink.min() >= -0.6
    assert ink.max() <= 1.2
