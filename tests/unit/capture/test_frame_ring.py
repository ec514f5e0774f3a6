"""The last seconds of the screen."""

from __future__ import annotations

import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rpa_vision.capture.frame_ring import FrameRing
from rpa_vision.models.frame import Frame


def frame(ended_s: float, value: int, size: tuple[int, int] = (30, 20), spot: int = 0) -> Frame:
    pixels = np.zeros((size[1], size[0], 4), np.uint8)
    pixels[spot % size[1], spot % size[0], :3] = value
    pixels.flags.writeable = False
    return Frame(pixels, ended_s - 0.002, ended_s, pointer=(value, value))


def look(found: Frame | None) -> tuple[float, int] | None:
    return None if found is None else (found.ended_s, int(found.pixels[..., 0].max()))


def test_an_empty_ring_has_no_frames():
    ring = FrameRing()
    assert ring.latest() is None
    assert ring.before(5.0) is None
    assert ring.since(0.0) == []


def test_the_frame_before_a_moment_is_the_last_whose_grab_had_ended():
    """L0-2"""
    ring = FrameRing()
    for moment, value in ((1.0, 10), (2.0, 20), (3.0, 30)):
        ring.push(frame(moment, value))
    assert look(ring.before(2.5)) == (2.0, 20)
    assert look(ring.before(2.0)) == (1.0, 10)
    assert look(ring.before(9.0)) == (3.0, 30)
    assert ring.before(1.0) is None


@pytest.mark.parametrize(
    ("painted_s", "is_behind"), [(2.1, True), (2.39, True), (2.45, False), (2.6, False), (None, False)]
)
def test_frames_are_behind_when_what_was_painted_long_before_came_after(painted_s: float | None, is_behind: bool):
    """L0-2: the machine was too busy to look; what was painted just before is not what the person acted on"""
    ring = FrameRing()
    ring.push(page(2.0, 20))
    assert not ring.was_behind(2.5), "nothing is known yet"
    ring.push(replace(page(2.7, 200), painted_s=painted_s))
    ring.push(replace(page(2.8, 90), painted_s=2.75))
    assert ring.was_behind(2.5) is is_behind
    assert not ring.was_behind(2.79)
    assert not ring.was_behind(9.0)


@pytest.mark.parametrize("late", ["a caret", "a tinted row"])
def test_what_is_small_or_pale_may_come_late(late: str):
    """L0-2: what answers to the pointer does not make it another screen"""
    ring = FrameRing()
    ring.push(page(2.0, 200))
    pixels = page(2.7, 200).pixels.copy()
    if late == "a caret":
        pixels[10:26, 40] = 0
    else:
        pixels[40:80, :, :3] -= 15
    ring.push(Frame(pixels, 2.698, 2.7, painted_s=2.1))
    assert not ring.was_behind(2.5)


def page(ended_s: float, shade: int) -> Frame:
    return Frame(np.full((200, 300, 4), shade, np.uint8), ended_s - 0.002, ended_s)


def test_a_frame_stays_current_until_the_next_one():
    """L0-2: an idle screen sends no frames, and an old frame is still the right one."""
    ring = FrameRing(depth_s=2.0, min_frames=1)
    ring.push(frame(1.0, 10))
    ring.push(frame(500.0, 20))
    assert look(ring.before(499.0)) == (1.0, 10)
    ring.push(frame(501.0, 30))
    assert look(ring.before(499.5)) == (1.0, 10)


def test_old_frames_keep_pixels_pointer_and_times():
    ring = FrameRing()
    pushed = [frame(float(number), number, spot=number) for number in range(1, 8)]
    for each in pushed:
        ring.push(each)
    for got, put in zip(ring.since(0.0), pushed, strict=True):
        assert np.array_equal(got.pixels, put.pixels)
        assert (got.began_s, got.ended_s, got.pointer) == (put.began_s, put.ended_s, put.pointer)
        assert not got.pixels.flags.writeable
    assert ring.latest() is pushed[-1]


def test_it_forgets_what_is_older_than_its_depth():
    ring = FrameRing(depth_s=2.0, min_frames=3)
    for number in range(200):
        ring.push(frame(number * 0.1, number % 250 + 1))
    held = ring.since(0.0)
    assert held[0].ended_s <= 19.9 - 2.0
    assert len(held) <= 23
    assert ring.statistics().dropped == 0


def test_it_keeps_a_few_frames_however_old():
    ring = FrameRing(depth_s=2.0, min_frames=5)
    for number in range(20):
        ring.push(frame(number * 100.0, number + 1))
    assert ring.statistics().held >= 5


def test_memory_is_bounded_and_what_it_costs_is_counted():
    """L0-6"""
    size = (100, 100)
    one = 100 * 100 * 4
    ring = FrameRing(depth_s=60.0, max_bytes=5 * one)
    for number in range(50):
        pixels = np.full((100, 100, 4), number * 5, np.uint8)
        ring.push(Frame(pixels, number * 0.03, number * 0.03 + 0.002))
    statistics = ring.statistics()
    assert statistics.bytes_held <= 5 * one
    assert statistics.frames == 50
    assert statistics.held == 5
    assert statistics.dropped == 45
    assert statistics.longest_grab_s == pytest.approx(0.002)
    assert ring.latest() is not None
    assert ring.latest().width == size[0]


def test_small_changes_cost_little_memory():
    ring = FrameRing(depth_s=60.0)
    for number in range(60):
        ring.push(frame(number * 0.03, number + 1, size=(400, 300)))
    assert ring.statistics().held == 60
    assert ring.statistics().bytes_held < 2 * 400 * 300 * 4


def test_a_change_of_resolution_is_survived():
    ring = FrameRing()
    ring.push(frame(1.0, 10, size=(30, 20)))
    ring.push(frame(2.0, 20, size=(60, 40)))
    ring.push(frame(3.0, 30, size=(30, 20)))
    assert [each.pixels.shape[:2] for each in ring.since(0.0)] == [(20, 30), (40, 60), (20, 30)]
    assert look(ring.before(2.0)) == (1.0, 10)


def test_frames_out_of_order_are_refused():
    ring = FrameRing()
    ring.push(frame(2.0, 1))
    with pytest.raises(ValueError, match="order"):
        ring.push(frame(1.0, 2))


@given(
    st.lists(st.tuples(st.floats(0.001, 3.0), st.integers(0, 255), st.integers(0, 19)), min_size=1, max_size=40),
    st.lists(st.floats(-1.0, 60.0), min_size=1, max_size=10),
)
@settings(max_examples=80)
def test_it_answers_as_a_list_of_all_frames_would_within_its_depth(steps, moments):
    """L0-2"""
    ring, pushed, now_s = FrameRing(depth_s=2.0, min_frames=2), [], 0.0
    for wait_s, value, spot in steps:
        now_s += wait_s
        pushed.append(frame(now_s, value, spot=spot))
        ring.push(pushed[-1])
    for moment in moments:
        expected = next((each for each in reversed(pushed) if each.ended_s < moment), None)
        if moment >= now_s - 2.0:
            found = ring.before(moment)
            assert look(found) == look(expected)
            if found is not None and expected is not None:
                assert np.array_equal(found.pixels, expected.pixels)


def test_it_may_be_asked_while_frames_come():
    ring, wrong = FrameRing(depth_s=0.5, min_frames=2), []
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            found = ring.before(10_000.0)
            if found is not None and int(found.pixels[..., 0].max()) != found.pointer[0]:
                wrong.append(found)
            wrong.extend(each for each in ring.since(0.0) if int(each.pixels[..., 0].max()) != each.pointer[0])

    thread = threading.Thread(target=ask)
    thread.start()
    for number in range(1, 400):
        ring.push(frame(number * 0.03, number % 200 + 1, spot=number))
    done.set()
    thread.join()
    assert wrong == []
