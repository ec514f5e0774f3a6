"""What people did with the elements of recorded screens."""

from __future__ import annotations

import pytest

from rpa_vision.graph.interactions import Interactions
from rpa_vision.models.raw_session import Event, RecordedSession
from rpa_vision.models.ui_element import InteractionHistory
from rpa_vision.testing.screens import AnyItem, HandMadeSession, ScreenBook

SAVE, HELP = (40, 200, 180, 240), (700, 50, 760, 80)
ITEMS: list[AnyItem] = [("button", "submit", "Enregistrer", SAVE), ("link", "navigation", "Aide", HELP)]
ON_SAVE, ON_HELP, NOWHERE = (60, 220), (720, 60), (500, 500)


@pytest.fixture
def session(book: ScreenBook) -> HandMadeSession:
    for name in ("first", "second", "third"):
        book.draw(name, ITEMS, title="Patients")
    return HandMadeSession(book)


def histories(book: ScreenBook, session: RecordedSession, *asked: str) -> list[dict[str, InteractionHistory | None]]:
    interactions = Interactions()
    told = {name: interactions.told(session, name, book[name].state) for name in asked}
    return [{one.label: one.interaction_history for one in told[name].ui_elements} for name in asked]


def moved_to(pos: tuple[int, int], t: float) -> Event:
    return Event(t=t, type="mouse_move", pos=pos)


def test_a_screen_tells_what_was_clicked_up_to_then_and_on_it(book: ScreenBook, session: HandMadeSession) -> None:
    """L2-5"""
    session.click("first", ON_SAVE)
    session.click("second", NOWHERE)
    session.click("third", ON_SAVE)
    first, second, third = histories(book, session.session(), "first", "second", "third")
    assert first == {"Enregistrer": InteractionHistory(click_count=1), "Aide": None}
    assert second == first
    assert third == {"Enregistrer": InteractionHistory(click_count=2), "Aide": None}


def test_a_screen_that_is_asked_for_late_tells_nothing_of_what_came_after_it(
    book: ScreenBook, session: HandMadeSession
) -> None:
    """L2-5"""
    session.click("second", ON_SAVE)
    clicked = session.session()
    later = clicked.model_copy(update={"events": tuple(one.model_copy(update={"t": 9.0}) for one in clicked.events)})
    second, first = histories(book, later, "second", "first")
    assert second["Enregistrer"] == InteractionHistory(click_count=1)
    assert set(first.values()) == {None}


def test_typing_dragging_and_clicks_nobody_saw_are_no_clicks(book: ScreenBook, session: HandMadeSession) -> None:
    """L2-5"""
    session.type("first", "Dupont")
    session.click(None, ON_SAVE)
    (first,) = histories(book, session.session(), "first")
    assert set(first.values()) == {None}


def test_how_long_the_pointer_lay_on_it_is_told_where_it_was_seen_to_come(
    book: ScreenBook, session: HandMadeSession
) -> None:
    """L2-5"""
    session.click("first", ON_SAVE)
    clicked = session.session()
    click = clicked.events[0].model_copy(update={"t": 5.0})
    way = (moved_to(ON_SAVE, 1.0), moved_to(NOWHERE, 2.0), moved_to((50, 210), 3.8), moved_to(ON_SAVE, 4.4), click)
    (told,) = histories(book, clicked.model_copy(update={"events": way}), "first")
    assert told["Enregistrer"] == InteractionHistory(click_count=1, avg_dwell_time_ms=1200.0)
