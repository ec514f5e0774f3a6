"""What changed between two pictures."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.imaging.diff import changed_beyond, changed_box, changed_boxes, same_pixels
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box

WIDTH, HEIGHT = 200, 150


def screen(width: int = WIDTH, height: int = HEIGHT) -> Pixels:
    return np.full((height, width, 4), 90, np.uint8)


def painted(pixels: Pixels, *boxes: Box, value: int = 200) -> Pixels:
    copy = pixels.copy()
    for box in boxes:
        copy[box.y1 : box.y2, box.x1 : box.x2, :3] = value
    return copy


def boxes_inside(width: int = WIDTH, height: int = HEIGHT) -> st.SearchStrategy[Box]:
    return st.builds(
        lambda x, y, w, h: Box(x, y, min(width, x + w), min(height, y + h)),
        st.integers(0, width - 1),
        st.integers(0, height - 1),
        st.integers(1, 40),
        st.integers(1, 40),
    )


def test_equal_pictures_have_no_changes():
    before = screen()
    assert same_pixels(before, before.copy())
    assert changed_box(before, before.copy()) is None
    assert changed_boxes(before, before.copy()) == []


@given(boxes_inside())
@settings(max_examples=60)
def test_one_painted_box_is_found_exactly(box):
    """L0-2"""
    before = screen()
    after = painted(before, box)
    assert changed_boxes(before, after) == [box]
    assert changed_box(before, after) == box
    assert not same_pixels(before, after)


@given(st.lists(boxes_inside(), min_size=1, max_size=6), st.integers(0, 6))
@settings(max_examples=60)
def test_boxes_cover_every_changed_pixel_and_lie_apart(painted_boxes, join_px):
    before = screen()
    after = painted(before, *painted_boxes)
    found = changed_boxes(before, after, join_px=join_px)
    covered = np.zeros((HEIGHT, WIDTH), bool)
    for box in found:
        covered[box.y1 : box.y2, box.x1 : box.x2] = True
        assert (before[box.y1 : box.y2, box.x1 : box.x2] != after[box.y1 : box.y2, box.x1 : box.x2]).any()
    assert covered[(before != after).any(axis=2)].all()
    outer = changed_box(before, after)
    assert outer is not None
    assert all(outer.encloses(box) for box in found)


def test_changes_a_few_pixels_apart_are_one_box_and_further_ones_are_not():
    before = screen()
    left, near, far = Box(10, 10, 20, 20), Box(24, 10, 30, 20), Box(40, 10, 50, 20)
    assert changed_boxes(before, painted(before, left, near), join_px=4) == [left.union(near)]
    assert changed_boxes(before, painted(before, left, far), join_px=4) == [left, far]


def test_the_unused_byte_does_not_count():
    before = screen()
    after = before.copy()
    after[:, :, 3] = 255
    assert same_pixels(before, after)
    assert changed_boxes(before, after) == []


def test_ignored_regions_hide_only_what_is_in_them():
    before = screen()
    after = painted(before, Box(10, 10, 40, 20))
    assert changed_boxes(before, after, ignored=[Box(0, 0, 60, 60)]) == []
    assert changed_boxes(before, after, ignored=[Box(0, 0, 30, 60)]) == [Box(30, 10, 40, 20)]
    assert changed_boxes(before, after, ignored=[Box(100, 100, 140, 140)]) == [Box(10, 10, 40, 20)]


def test_pictures_of_different_sizes_differ_everywhere():
    assert changed_boxes(screen(), screen(80, 60)) == [Box(0, 0, 80, 60)]
    assert not same_pixels(screen(), screen(80, 60))


def test_crops_that_are_not_contiguous_are_compared_too():
    before = screen()
    after = painted(before, Box(50, 50, 60, 60))
    assert changed_boxes(before[40:100, 40:120], after[40:100, 40:120]) == [Box(10, 10, 20, 20)]


@given(st.lists(boxes_inside(), max_size=5), st.integers(1, 20), st.integers(1, 20), st.booleans())
@settings(max_examples=80)
def test_whether_anything_is_larger_than_a_size_is_what_the_boxes_say(painted_boxes, width, height, ignoring):
    """PF: told sooner, and just the same"""
    before = screen()
    after = painted(before, *painted_boxes)
    ignored = [Box(20, 20, 60, 60)] if ignoring else []
    boxes = changed_boxes(before, after, ignored=ignored)
    larger = any(box.width > width or box.height > height for box in boxes)
    assert changed_beyond(before, after, (width, height), ignored=ignored) == larger
