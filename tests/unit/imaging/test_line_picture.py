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


def test_paper_that_is_shaded_from_top_to_bottom_is_made_even():
    """L2-6"""
    even = written((255, 255, 255), (170, 120, 90))
    fall = np.linspace(25, -25, even.shape[0]).astype(np.int16)[:, None, None]
    share = (even.astype(np.int16) - even[0, 0]).max(axis=2, keepdims=True) / 165  # of each pixel that is ink
    shaded = np.clip(even + fall * (1 - share), 0, 255).astype(np.uint8)
    usual, other = as_ink(grey_line(even)), as_ink(grey_line(shaded))
    assert np.abs(other[:, :6]).max() < 0.1
    assert np.abs(other - usual).max() < 0.3
    assert other.max() > 0.9


def test_a_shadow_under_the_letters_is_kept_faint():
    """L2-6: it lies beyond the paper, on the side where no ink is."""
    paper = np.full((20, 120, 3), 150, np.uint8)
    cv2.putText(paper, "Total", (9, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (20, 20, 20), 1, cv2.LINE_AA)
    cv2.putText(paper, "Total", (8, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (255, 255, 255), 1, cv2.LINE_AA)
    ink = as_ink(grey_line(paper))
    assert ink.min() >= -0.21
    assert ink.max() > 0.9


def test_a_frame_beside_the_text_shades_nothing():
    """L2-6"""
    framed = written((0, 0, 0), (255, 255, 255))
    framed[4:, :1] = framed[4:, -1:] = 120  # left and right agree, but the paper between them does not follow
    inside = as_ink(grey_line(framed))[:, 8:-8]
    assert np.abs(inside - as_ink(grey_line(written((0, 0, 0), (255, 255, 255))))[:, 8:-8]).max() < 0.1


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


def test_heavy_capitals_are_ink_though_they_cover_more_than_the_paper():
    """L2-6"""
    heavy = np.full((17, 80), 40, np.uint8)
    heavy[3:14, 4:76] = 230
    for gap in range(10, 76, 10):
        heavy[3:14, gap] = 40
    assert (heavy[3:14, 4:76] == 230).mean() > 0.8
    ink = as_ink(heavy)
    assert ink[0].max() < 0.1
    assert float(np.median(ink[10:22, 10:-10])) > 0.9


@pytest.mark.parametrize("side", ["top", "bottom", "left", "right", "all"])
def test_a_rule_along_a_side_is_wiped_and_the_letters_are_not(side):
    """L2-6"""
    plain = written((0, 0, 0), (255, 255, 255))
    framed = plain.copy()
    places = {"top": np.s_[:1], "bottom": np.s_[-1:], "left": np.s_[:, :1], "right": np.s_[:, -1:]}
    for name, place in places.items():
        if side in (name, "all"):
            framed[place] = 90
    clean, wiped = as_ink(grey_line(plain)), as_ink(grey_line(framed))
    assert np.abs(wiped[6:-6, 8:-8] - clean[6:-6, 8:-8]).max() < 0.3
    assert np.abs(wiped[:2]).max() < 0.3
    assert np.abs(wiped[-2:]).max() < 0.3


def test_another_paper_around_the_paper_is_wiped():
    """L2-6: a badge with words on a page."""
    badge = np.full((22, 126), 255, np.uint8)
    badge[2:-2, 3:-3] = 120
    badge[6:16, 20:24] = badge[6:16, 60:64] = 255
    ink = as_ink(badge)
    assert ink[16, 40] == pytest.approx(0, abs=0.05)
    assert ink[16, int(22 * 1.4 * 0.87)] > 0.7
    assert np.abs(ink[0]).max() < 0.3


def test_a_tight_badge_whose_words_have_the_colour_of_the_page_is_no_heavy_word():
    """L2-6"""
    badge = np.full((22, 30), 255, np.uint8)
    badge[3:-3, 3:-3] = 140
    badge[6:16, 6:9] = badge[6:16, 12:15] = badge[6:16, 20:23] = 255
    ink = as_ink(badge)
    assert abs(float(ink[16, round(10.5 * 1.2364)])) < 0.3
    assert ink[16, round(7.5 * 1.2364)] > 0.6


def test_paper_beyond_a_badge_is_wiped_away_on_all_four_sides():
    """L2-6: above and below as well as left and right, where they cross."""
    plain = written((255, 255, 255), (140, 140, 140))
    badge = plain.copy()
    badge[:2] = badge[-2:] = 255
    badge[:, :3] = badge[:, -3:] = 255
    assert np.abs(as_ink(grey_line(badge)) - as_ink(grey_line(plain))).max() < 0.3


def test_a_letter_as_high_as_the_paper_between_two_rules_is_no_rule():
    """L2-6"""
    ruled = np.full((20, 120, 3), 255, np.uint8)
    ruled[:2] = ruled[-2:] = 60
    cv2.putText(ruled, "Comment", (1, 15), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    assert np.abs(as_ink(grey_line(ruled))[8:24, :8]).max() > 0.8
