"""Steps that did nothing, and steps that only look like it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from clinic_by_hand import click_step

from rpa_vision.embedding.screen_observer import ObservedScreen
from rpa_vision.graph.demonstration import DemoStep
from rpa_vision.graph.idle_steps import is_idle
from rpa_vision.models.geometry import Point
from rpa_vision.models.ui_element import ElementState
from rpa_vision.testing.screens import ScreenBook

LINK = (40, 60, 240, 90)
NOTHING = (500, 400)


def _missed(screen: ObservedScreen, after: ObservedScreen, at: Point = NOTHING) -> DemoStep:
    return replace(click_step(screen, "Retour"), element=None, point=at, settled=after)


def _underlined(screen: ObservedScreen, left: int, top: int, width: int) -> ObservedScreen:
    pixels = np.array(screen.pixels)
    pixels[top, left : left + width, :3] = 255 - pixels[top, left : left + width, :3]
    return replace(screen, pixels=pixels)


@pytest.fixture
def page(book: ScreenBook) -> ObservedScreen:
    return book.draw("page", [("link", "back", "Retour", LINK), ("label", "x", "Demande", (40, 120, 300, 150))])


def test_a_click_on_nothing_is_idle_though_what_is_pointed_at_next_is_underlined(page: ObservedScreen) -> None:
    """L0-5: the link the person goes to next is underlined while the pointer is on it."""
    assert is_idle(_missed(page, _underlined(page, 45, 88, 170)))


def test_the_underlined_link_may_be_read_after_its_neighbours(book: ScreenBook) -> None:
    """L0-5: the line reaches lower than before."""
    total = ("label", "x", "1 191,23 €", (400, 64, 500, 94))
    page = book.draw("page", [("link", "back", "Retour", LINK), total])
    lower = book.draw("lower", [("link", "back", "← Retour", (40, 70, 240, 130)), total])
    assert is_idle(_missed(page, replace(_underlined(page, 45, 88, 170), state=lower.state)))


def test_the_same_underline_after_a_click_on_an_element_is_no_accident(page: ObservedScreen) -> None:
    """L0-5"""
    assert not is_idle(replace(click_step(page, "Demande"), settled=_underlined(page, 45, 88, 170)))


def test_a_change_where_the_click_went_is_what_it_did(page: ObservedScreen) -> None:
    """L0-5: a control that nobody recognised."""
    assert not is_idle(_missed(page, _underlined(page, NOTHING[0] - 10, NOTHING[1] + 5, 120)))


def test_other_words_elsewhere_are_what_it_did(book: ScreenBook, page: ObservedScreen) -> None:
    """L0-5: a counter that went up is small, and no glow."""
    more = book.draw("more", [("link", "back", "Retour", LINK), ("label", "x", "Demandes", (40, 120, 300, 150))])
    glow = replace(_underlined(page, 45, 88, 170), state=more.state)
    assert not is_idle(_missed(page, glow))


def test_a_tick_far_from_the_click_is_what_it_did(book: ScreenBook) -> None:
    """L0-5: where a whole row may be clicked, its box is ticked at the other end of it"""
    before = book.draw("page", [("checkbox", "form_input", "Retour", (40, 390, 60, 410))])
    (box,) = before.state.ui_elements

    def with_box(checked: bool) -> ObservedScreen:
        known = box.model_copy(update={"state": ElementState(checked=checked)})
        return replace(before, state=before.state.model_copy(update={"ui_elements": (known,)}))

    ticked = replace(with_box(True), pixels=_underlined(before, 44, 400, 60).pixels)
    assert not is_idle(_missed(with_box(False), ticked))
    assert is_idle(_missed(with_box(True), ticked)), "a glow, and the tick was there before"


def test_a_tick_is_no_caret_however_large_the_screen_is() -> None:
    """L0-5, L1-5: on 2560×1600 a tick is a smaller share of the screen than a caret on another"""
    book = ScreenBook(size=(2560, 1600))
    page = book.draw("page", [("checkbox", "form_input", "Urgent", (40, 390, 60, 410)), ("label", "x", "Note", LINK)])
    ticked = _underlined(page, 44, 400, 12)
    assert not is_idle(replace(click_step(page, "Urgent"), settled=ticked))
    assert is_idle(replace(click_step(page, "Urgent"), settled=page)), "nothing came of it"
    assert is_idle(replace(click_step(page, "Note"), settled=_underlined(page, 44, 70, 12))), "a caret in a field"
