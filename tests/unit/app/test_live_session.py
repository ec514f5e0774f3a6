"""A session that is understood while it is recorded."""

from __future__ import annotations

from datetime import UTC, datetime

from office import AGAIN, FIELD, SEND, draw_patients

from rpa_vision.app.live_session import FIELD_QUIET_S, QUIET_S, LiveSession
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.geometry import Box
from rpa_vision.models.raw_session import CaptureMetrics, RawSession
from rpa_vision.testing.screens import HandMadeSession


def live_of(made: HandMadeSession, office, *, until: int | None = None) -> LiveSession:
    """What a recorder would have written by now."""
    session = made.session()
    raw = RawSession(
        session_id="sess_live", environment=session.environment, user=session.user, started_at=session.started_at
    )
    live = LiveSession(raw)
    for shot in session.screenshots:
        live.add_screenshot(shot, encode_png(office.book.pixels[shot.screenshot_id]))
    for event in session.events[:until]:
        live.add_event(event)
    return live


def registered(office) -> HandMadeSession:
    draw_patients(office.book, ("Dupont",))
    made = HandMadeSession(office.book, "sess_hand")
    made.click("form", Box(*FIELD).center)
    made.type("form", "Dupont")
    made.click("typed_0", Box(*SEND).center)
    made.click("thanks_0", Box(*AGAIN).center, after="form")
    return made


def test_what_is_over_is_given_once_and_the_last_thing_waits_until_it_is_quiet(office):
    """L4-12"""
    made = registered(office)
    live, last_t = live_of(made, office), made.session().events[-1].t
    steps = live.take(last_t + 0.1, office.book.observer)
    assert [step.kind for step in steps] == ["text_input", "mouse_click"]
    assert steps[0].text == "Dupont"
    assert live.take(last_t + 0.2, office.book.observer) == []
    [last] = live.take(last_t + QUIET_S, office.book.observer)
    assert last.element.label == "Nouveau"
    assert live.latest_t is None


def test_a_click_into_a_field_waits_for_what_is_typed_there(office):
    """L4-12"""
    made = registered(office)
    live, clicked_t = live_of(made, office, until=1), made.session().events[0].t
    assert live.take(clicked_t + QUIET_S + 1.0, office.book.observer) == []
    for event in made.session().events[1:]:
        live.add_event(event)
    steps = live.take(made.session().events[-1].t + FIELD_QUIET_S, office.book.observer)
    assert [step.kind for step in steps] == ["text_input", "mouse_click", "mouse_click"]


def test_at_the_end_everything_is_given(office):
    """L4-12"""
    live = live_of(registered(office), office)
    assert len(live.take(0.0, office.book.observer, all_of_it=True)) == 3
    ended = live.end(datetime(2026, 11, 16, tzinfo=UTC), CaptureMetrics())
    assert ended.session_id == "sess_live"
    assert live.path == "memory"


def test_an_event_whose_picture_is_gone_was_not_seen(office):
    """L4-12: no step is made up from a screen that is not there."""
    made = registered(office)
    live = live_of(made, office)
    first = made.session().events[0]
    live._shots.pop(first.screenshot_id)
    steps = live.take(1000.0, office.book.observer, all_of_it=True)
    assert not steps[0].was_seen
