"""What secret typing leaves readable on the screen is in no picture (L0-7)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rpa_vision.capture.curtain import COVER, Curtain
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Box
from rpa_vision.models.window import WindowContext

TEXT, DOTS, FIELD = Box(40, 60, 100, 72), Box(40, 120, 100, 126), Box(30, 50, 230, 82)


def screen(at_s: float, *marks: tuple[Box, int], paper: int = 255) -> Frame:
    pixels = np.full((256, 320, 4), paper, np.uint8)
    pixels[8:24:2, 8:300] = 40  # something that does not change: a menu
    for box, shade in marks:
        pixels[box.y1 : box.y2 : 2, box.x1 : box.x2] = shade
    return Frame(pixels, at_s - 0.01, at_s)


def is_dots(frame: Frame, box: Box) -> bool:
    return DOTS.padded(2).encloses(box)


def ink(frame: Frame, box: Box) -> set[int]:
    return set(np.unique(frame.pixels[box.y1 : box.y2, box.x1 : box.x2, :3]).tolist())


def test_what_was_drawn_is_covered_while_it_is_typed_and_as_long_as_it_stands():
    """L0-7"""
    curtain, typed = Curtain(is_dots), ((TEXT, 0),)
    cover = curtain.open(screen(1.0), 1.5, None)
    assert ink(curtain.drawn_over(screen(2.0, *typed)), TEXT) <= {COVER, 255}
    cover.close(screen(3.0, *typed))
    assert ink(curtain.drawn_over(screen(9.0, *typed)), TEXT) <= {COVER, 255}
    selected = ((Box(38, 58, 102, 74), 200), (TEXT, 120))
    assert 120 not in ink(curtain.drawn_over(screen(9.5, *selected)), TEXT)


def test_a_picture_from_before_and_an_emptied_field_stay_as_they_are():
    """L0-7"""
    curtain = Curtain(is_dots)
    cover = curtain.open(screen(1.0), 1.5, None)
    early, empty = screen(1.4, (TEXT, 0)), screen(4.0)
    assert curtain.drawn_over(early) is early
    cover.close(screen(3.0, (TEXT, 0)))
    assert curtain.drawn_over(empty) is empty


def test_dots_may_be_seen_but_not_what_an_eye_symbol_makes_of_them():
    """L0-7"""
    curtain = Curtain(is_dots)
    room = DOTS.padded(30, 10)
    cover = curtain.open(screen(1.0), 1.5, room)
    dotted = screen(2.0, (DOTS, 0))
    assert curtain.drawn_over(dotted) is dotted
    cover.close(screen(3.0, (DOTS, 0)))
    shown = Box(DOTS.x1, DOTS.y1 - 4, DOTS.x2 + 20, DOTS.y2 + 4)
    assert 0 not in ink(curtain.drawn_over(screen(4.0, (shown, 0))), shown)


def test_a_picture_tells_what_was_covered():
    """L0-7: so that nobody learns from paint"""
    curtain = Curtain(is_dots)
    curtain.open(screen(1.0), 1.5, FIELD)
    covered = curtain.drawn_over(screen(2.0, (TEXT, 0)))
    assert len(covered.covered) == 1
    assert FIELD.encloses(covered.covered[0])
    assert covered.covered[0].contains(TEXT.center)
    assert screen(2.0).covered == ()


def test_with_a_known_room_nothing_else_is_covered():
    """L0-7"""
    curtain = Curtain(is_dots)
    curtain.open(screen(1.0), 1.5, FIELD)
    elsewhere = Box(100, 200, 200, 220)
    covered = curtain.drawn_over(screen(2.0, (TEXT, 0), (elsewhere, 7)))
    assert ink(covered, TEXT) <= {COVER, 255}
    assert 7 in ink(covered, elsewhere)


def test_another_page_at_that_place_is_not_covered():
    """L0-7"""
    curtain = Curtain(is_dots)
    curtain.open(screen(1.0), 1.5, None).close(screen(3.0, (TEXT, 0)))
    other = screen(4.0, (Box(0, 0, 320, 256), 90), paper=30)
    assert curtain.drawn_over(other) is other
    unchanged_there = screen(5.0, (Box(0, 100, 320, 256), 90), (TEXT, 0))
    assert 0 not in ink(curtain.drawn_over(unchanged_there), TEXT)


def test_another_page_in_that_window_is_not_covered_whatever_stands_beside_the_window():
    """L0-7: two windows side by side"""
    window = WindowContext(title="Connexion", geometry=(0, 30, 240, 256))
    beside = (Box(240, 0, 320, 256), 60)
    curtain = Curtain(is_dots)
    last = replace(screen(3.0, beside, (TEXT, 0)), window=window)
    curtain.open(screen(1.0, beside), 1.5, FIELD.padded(-1)).close(last)
    other = screen(4.0, beside, (Box(0, 40, 60, 90), 120), (Box(60, 200, 90, 240), 120))
    assert curtain.drawn_over(other) is other
    assert 0 not in ink(curtain.drawn_over(screen(5.0, (TEXT, 0))), TEXT)


def test_without_a_picture_from_before_everything_is_covered():
    """L0-7"""
    curtain = Curtain(is_dots)
    curtain.open(None, 1.5, None)
    covered = curtain.drawn_over(screen(2.0, (TEXT, 0)))
    assert ink(covered, Box(0, 0, 320, 256)) == {COVER}


def test_an_eye_symbol_in_a_small_window_opens_no_curtain():
    """L0-7: where the secret is most of what the window shows, its change is no other screen"""
    window = WindowContext(title="Clé", geometry=(20, 30, 320, 120))
    field, secret = Box(36, 70, 304, 96), Box(40, 74, 300, 92)
    label = (Box(36, 40, 60, 56), 20)
    curtain = Curtain(lambda frame, box: frame.ended_s < 5)
    dotted = replace(screen(3.0, label, (Box(44, 80, 280, 86), 0)), window=window)
    curtain.open(replace(screen(1.0, label), window=window), 1.5, field).close(dotted)
    shown = replace(screen(6.0, label, (secret, 0)), window=window)
    assert 0 not in ink(curtain.drawn_over(shown), secret)
