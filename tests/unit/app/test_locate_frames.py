"""What is taken by its place has a frame, and not a line that runs through; a button without its colour is disabled."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.execution.healing_profile import HealingProfile
from rpa_vision.execution.locating.own_words import with_own_words
from rpa_vision.execution.locating.paled import is_paled
from rpa_vision.execution.target_resolver import Resolved, TargetResolver, Unresolved
from rpa_vision.graph.targets import target_on
from rpa_vision.models.frame import Pixels
from rpa_vision.models.geometry import Box
from rpa_vision.testing.screens import AnyItem, ScreenBook

NAMES = ("Dupont", "Martin", "Petit", "Roux", "Leroy")
MARK = Box(60, 150, 80, 170)
FIELD = Box(600, 20, 780, 56)
BUTTON = Box(40, 80, 240, 120)
BLUE, GREY, WHITE = (190, 100, 0), (178, 178, 178), (255, 255, 255)


@pytest.fixture
def book() -> ScreenBook:
    return ScreenBook()


def resolve(then: ObservedScreen, box: Box, now: ObservedScreen) -> Resolved | Unresolved:
    """By the strategies alone, as in a run: no whole recorded picture objects."""
    then, now = with_own_words(then), with_own_words(now)
    look = np.ascontiguousarray(then.pixels[box.y1 : box.y2, box.x1 : box.x2])
    return TargetResolver().resolve(target_on(then, box), now, {}, HealingProfile.at_level(0), look)


def page(*without: Box) -> list[AnyItem]:
    """Rows with a box to tick in each, below a bar with a field in it."""
    marks = [MARK.moved(0, 50 * at - 50) for at in range(len(NAMES))]
    items: list[AnyItem] = [("checkbox", "form_input", "", one.bbox) for one in marks if one not in without]
    items += [("label", "x", name, (110, 50 * at + 99, 230, 50 * at + 121)) for at, name in enumerate(NAMES)]
    items += [("label", "x", f"{name}@x.fr", (300, 50 * at + 99, 480, 50 * at + 121)) for at, name in enumerate(NAMES)]
    return [*items, *([] if FIELD in without else [("text_input", "form_input", "", FIELD.bbox)])]


def painted(screen: ObservedScreen, frame: Box | None = None, lines: tuple[int, ...] = ()) -> ObservedScreen:
    """The same screen, with a frame that nobody detected, or lines from one side to the other."""
    pixels = screen.pixels.copy()
    for y in lines:
        pixels[y : y + 2, :] = 120
    if frame is not None:
        pixels[frame.y1 : frame.y2, frame.x1 : frame.x2] = 90
        pixels[frame.y1 + 2 : frame.y2 - 2, frame.x1 + 2 : frame.x2 - 2] = 255
    return replace(screen, pixels=pixels)


@pytest.mark.parametrize(("box", "lines"), [(MARK, (146,)), (MARK, (146, 172)), (FIELD, (54,)), (FIELD, (18, 58))])
def test_a_line_that_runs_through_its_place_is_not_its_frame(
    book: ScreenBook, box: Box, lines: tuple[int, ...]
) -> None:
    """EX-7: the line between two rows is as like the edge of a frame as any, and nothing is left there"""
    then = painted(book.draw("then", page()), box)
    answer = resolve(then, box, painted(book.draw("now", page(box)), None, lines))
    assert isinstance(answer, Unresolved), answer


@pytest.mark.parametrize("box", [MARK, FIELD])
def test_a_frame_that_nobody_detected_is_still_taken_in_its_place(book: ScreenBook, box: Box) -> None:
    """EX-4: with a line through its row or below its bar as well"""
    then = painted(book.draw("then", page()), box, (box.y2 + 4,))
    answer = resolve(then, box, painted(book.draw("now", page(box)), box, (box.y2 + 4,)))
    assert isinstance(answer, Resolved), answer
    assert box.contains(answer.best.element.center)


def button(ink: tuple[int, int, int], ground: tuple[int, int, int], frame: tuple[int, int, int]) -> Pixels:
    """A button with letters on it, between two words that stay."""
    screen = np.full((200, 400, 3), 255, np.uint8)
    screen[40:50, 40:200] = screen[150:160, 40:200] = 20
    screen[80:120, 40:240] = frame
    screen[82:118, 42:238] = ground
    screen[95:105, 60:180:2] = ink
    return screen


@pytest.mark.parametrize("then", [button(BLUE, WHITE, BLUE), button(WHITE, BLUE, BLUE)])
def test_a_button_whose_colour_turned_grey_is_disabled_however_clear_its_letters_are(then: Pixels) -> None:
    """EX-7: dark letters on grey rise and fall as much as blue ones on white"""
    off = button((10, 10, 10), GREY, GREY)
    assert is_paled(then, BUTTON, off, 0, 0, is_button=True)
    assert not is_paled(then, BUTTON, off, 0, 0, may_change=True), "what is chosen loses its colour when another is"


def test_a_button_that_keeps_its_colour_or_never_had_one_is_not_disabled() -> None:
    """EX-4: the pointer is over it, or it is drawn on the page now"""
    then = button(BLUE, WHITE, BLUE)
    assert not is_paled(then, BUTTON, button(BLUE, (235, 235, 235), BLUE), 0, 0, is_button=True), "over it"
    assert not is_paled(then, BUTTON, button((10, 10, 10), WHITE, (10, 10, 10)), 0, 0, is_button=True), "on the page"
    plain = button((10, 10, 10), WHITE, (10, 10, 10))
    hovered = button((0, 0, 0), (238, 238, 238), (10, 10, 10))
    assert not is_paled(plain, BUTTON, hovered, 0, 0, is_button=True), "it had no colour to lose"
