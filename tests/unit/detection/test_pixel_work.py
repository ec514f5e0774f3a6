"""Work that is not done twice gives what doing it again would give."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from edited_screens import edited, edits, first_screen
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.detection.components import TiledLabels, components, joined_parts
from rpa_vision.detection.line_finder import find_ink, find_lines
from rpa_vision.detection.pixel_work import KeptWork, PlainWork
from rpa_vision.detection.regions import find_regions
from rpa_vision.imaging.changed_tiles import changed_tiles, same_bytes
from rpa_vision.models.geometry import Box


def sets_of(labels) -> set[frozenset[int]]:
    flat = labels.ravel()
    return {frozenset(np.flatnonzero(flat == number).tolist()) for number in np.unique(flat[flat > 0])}


@given(seed=st.integers(0, 10_000), density=st.floats(0.05, 0.95), connectivity=st.sampled_from([4, 8]))
@settings(max_examples=40)
def test_parts_labelled_by_tile_are_the_parts_of_the_whole(seed, density, connectivity):
    rng = np.random.default_rng(seed)
    mask = (rng.random((37, 53)) < density).astype(np.uint8)
    parts = joined_parts(TiledLabels(mask, connectivity, (16, 8)))
    whole = PlainWork().parts("any", mask, connectivity=connectivity)
    assert (parts.stats == whole.stats).all()
    assert sets_of(parts.at(Box(0, 0, 53, 37))) == sets_of(components(mask, connectivity=connectivity)[0])
    assert (parts.at(Box(9, 3, 40, 30)) == parts.at(Box(0, 0, 53, 37))[3:30, 9:40]).all()


def test_an_empty_mask_has_no_parts():
    assert len(KeptWork().parts("any", np.zeros((300, 300), np.uint8)).stats) == 1


def test_only_what_differs_is_told_to_have_changed():
    before = np.zeros((300, 600), np.uint8)
    after = before.copy()
    assert changed_tiles(before, after) == []
    after[130:140, 250:260] = 1
    assert changed_tiles(before, after) == [Box(250, 130, 256, 140), Box(256, 130, 260, 140)]


@given(seed=st.integers(0, 50), changes=edits())
@settings(max_examples=30)
def test_boxes_and_lines_of_a_followed_screen_are_those_of_a_first_look(seed, changes):
    """L1-5: exactly, whatever changed."""
    image, work = first_screen(seed), KeptWork()
    for change in (None, *changes):
        image = image.copy() if change is None else edited(image, change)
        work.begin()
        regions = find_regions(image, work)
        assert regions == find_regions(image)
        walls = [region.box for region in regions[:20]]
        assert find_lines(image, walls, work) == find_lines(image, walls)
        followed, fresh = find_ink(image, work), find_ink(image)
        assert all((one == two).all() for one, two in zip(followed, fresh, strict=True))


def test_a_filter_is_not_run_where_nothing_changed():
    work, seen = KeptWork(), []

    def blurred(part):
        seen.append(part.shape[0] * part.shape[1])
        return cv2.blur(part, (3, 3))

    image = np.zeros((600, 800), np.uint8)
    work.filtered("blur", image, (1, 1), blurred)
    again = image.copy()
    again[300, 400] = 255
    result = work.filtered("blur", again, (1, 1), blurred)
    assert seen == [600 * 800, 25]
    assert (result == cv2.blur(again, (3, 3))).all()


def test_the_caller_may_write_into_a_result():
    work, image = KeptWork(), np.zeros((200, 300), np.uint8)
    work.filtered("same", image, (0, 0), lambda part: part.copy())[:] = 9
    assert (work.filtered("same", image, (0, 0), lambda part: part.copy()) == 0).all()


@pytest.mark.parametrize("shape", [(1, 1), (1, 500), (300, 1), (128, 256), (129, 257)])
def test_any_size_can_be_followed(shape):
    image, work = np.full((*shape, 3), 200, np.uint8), KeptWork()
    for value in (200, 10):
        image[:1, :1] = value
        assert find_regions(image, work) == find_regions(image)


def test_what_a_crop_gave_is_forgotten_when_it_is_not_asked_for():
    work, asked = KeptWork(), []
    crop = np.zeros((4, 4, 3), np.uint8)
    for _ in range(3):
        work.begin()
        work.of_crop("sum", crop, None, lambda: asked.append(1))
    assert len(asked) == 1
    work.begin()
    work.begin()
    work.of_crop("sum", crop, None, lambda: asked.append(1))
    assert len(asked) == 2


def test_what_a_place_gave_is_asked_again_only_where_the_picture_changed():
    """PF"""
    work, asked = KeptWork(), []
    picture = np.zeros((300, 400, 3), np.uint8)
    here, there = Box(10, 10, 30, 20), Box(200, 200, 240, 220)

    def look(part):
        asked.append(part.shape)
        return int(part.sum())

    def both(shown):
        work.begin(shown)
        return [work.of_place("sum", shown, box, None, look) for box in (here, there, here)]

    assert both(picture) == [0, 0, 0]
    seen = len(asked)
    changed = picture.copy()
    changed[205, 205] = 1
    assert both(changed) == [0, 3, 0]
    assert len(asked) == seen + 1
    moved = np.roll(changed, 40, axis=1)
    work.begin(moved)
    assert work.of_place("sum", moved, there.moved(40, 0), None, look) == 3
    assert len(asked) == seen + 1  # it is known by its look where it moved
    work.begin(None)
    assert work.of_place("sum", picture, there, None, look) == 0


def test_many_places_at_once_give_what_each_gives():
    """PF: what is asked of one crop may differ by what else is asked about"""
    work, picture = KeptWork(), np.random.default_rng(3).integers(0, 255, (300, 400, 3), np.uint8)
    boxes = [Box(10, 10, 30, 20), Box(10, 10, 30, 20), Box(200, 200, 240, 220), Box(201, 200, 241, 220)]
    about, asked = [1, 2, 1, 1], []

    def look(factor, part):
        asked.append(factor)
        return factor * int(part.sum())

    wanted = PlainWork().of_places("sum", picture, boxes, about, look)
    asked.clear()
    work.begin(picture)
    assert work.of_places("sum", picture, boxes, about, look) == wanted
    assert [work.of_place("sum", picture, box, 1, lambda part: look(1, part)) for box in boxes[2:]] == wanted[2:]
    assert asked == about
    changed = picture.copy()
    changed[15, 15] += 1
    work.begin(changed)
    assert work.of_places("sum", changed, boxes, about, look) == PlainWork().of_places(
        "sum", changed, boxes, about, lambda factor, part: factor * int(part.sum())
    )
    assert asked == [*about, 1, 2]
    other = np.ascontiguousarray(changed[::-1])
    assert work.of_places("sum", other, boxes, about, look) == PlainWork().of_places("sum", other, boxes, about, look)


def test_what_depends_on_two_stages_is_asked_again_where_either_changed():
    """L1-5"""
    work, asked = KeptWork(), []
    here, there = Box(10, 10, 30, 20), Box(200, 200, 240, 220)
    one, two = np.zeros((300, 400), np.uint8), np.zeros((300, 400), np.uint8)

    def ask() -> list[Box]:
        asked.clear()
        work.begin()
        work.filtered("one", one.copy(), (0, 0), np.copy)
        work.filtered("two", two.copy(), (0, 0), np.copy)
        for box in (here, there):
            work.in_box(("one", "two"), box, lambda box=box: asked.append(box))
        return asked

    assert ask() == [here, there]
    assert ask() == []
    one[15, 15] = 1
    assert ask() == [here]
    two[205, 205] = 1
    assert ask() == [there]
    one[100, 100] = two[100, 100] = 1
    assert ask() == []


@given(seed=st.integers(0, 50), changes=edits())
@settings(max_examples=20)
def test_a_filter_over_the_picture_itself_is_that_of_a_first_look(seed, changes):
    """L1-5"""
    image, work = first_screen(seed), KeptWork()
    for number, change in enumerate((None, *changes)):
        image = image.copy() if change is None else edited(image, change)
        work.begin(image)
        if number % 3 == 2:
            continue  # a stage that was left out once does not know what changed then
        blurred = work.filtered("blur", image, (1, 1), lambda part: cv2.blur(part, (3, 3)))
        assert (blurred == cv2.blur(image, (3, 3))).all()


@pytest.mark.parametrize("shape", [(5, 7, 3), (16, 16, 3), (3, 8)])
def test_pictures_are_compared_to_the_last_pixel(shape):
    one = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)
    other = one.copy()
    assert same_bytes(one, other)
    other[-1, -1] += 1
    assert not same_bytes(one, other)
    assert not same_bytes(one[:, 1:], other[:, 1:])
