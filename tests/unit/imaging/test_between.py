"""What stands between a mark and a text makes the text the name of something else."""

from __future__ import annotations

import numpy as np
import pytest

from rpa_vision.imaging.between import stands_between
from rpa_vision.models.geometry import Box

MARK, TEXT = Box(100, 40, 118, 58), Box(160, 40, 300, 58)


@pytest.mark.parametrize("is_left", [True, False], ids=["mark first", "text first"])
@pytest.mark.parametrize(
    ("first", "last", "between"),
    [(0, 0, False), (130, 150, True), (140, 160, True), (118, 128, False), (158, 160, False)],
    ids=["nothing", "a switch", "a switch right before the text", "the rest of the mark", "the edge of a letter"],
)
def test_what_is_painted_apart_stands_between(is_left: bool, first: int, last: int, between: bool) -> None:
    """EX-7"""
    pixels = np.full((100, 400, 4), 245, np.uint8)
    pixels[44:54, first:last, :3] = 90
    mark, text = MARK, TEXT
    if not is_left:
        pixels = pixels[:, ::-1]
        mark, text = (Box(400 - one.x2, one.y1, 400 - one.x1, one.y2) for one in (MARK, TEXT))
    assert stands_between(np.ascontiguousarray(pixels), mark, text) is between


def test_what_stands_above_has_no_gap_in_a_line() -> None:
    """EX-7"""
    assert not stands_between(np.zeros((100, 400, 4), np.uint8), MARK, Box(100, 10, 200, 30))


@pytest.mark.parametrize(
    ("sign", "between"),
    [((46, 52, 134, 140), False), ((46, 53, 134, 140), True), ((46, 52, 134, 141), True)],
    ids=["so small", "higher", "wider"],
)
def test_a_lone_sign_counts_for_nothing_where_it_may_stand(sign: tuple[int, int, int, int], between: bool) -> None:
    """EX-4: a star after the name of a field; a second one makes it more than a sign"""
    pixels = np.full((100, 400, 4), 245, np.uint8)
    top, bottom, first, last = sign
    pixels[top:bottom, first:last, :3] = 90
    assert stands_between(pixels, MARK, TEXT)
    assert stands_between(pixels, MARK, TEXT, sign_px=6) is between
    pixels[46:52, 150:154, :3] = 90
    assert stands_between(pixels, MARK, TEXT, sign_px=6)
