"""Noise and roles, as far as neighbours tell (L0-5)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from rpa_vision.capture.session_noise import judge_events
from rpa_vision.models.raw_session import (
    Environment,
    Event,
    LoggedAction,
    RecordedSession,
    ScreenEnvironment,
    Screenshot,
    UserRef,
)
from rpa_vision.models.window import WindowContext

BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def session(*events: Event) -> RecordedSession:
    shots = {name for event in events for name in (event.screenshot_id, event.screenshot_after_id) if name}
    return RecordedSession(
        session_id="s",
        environment=Environment(platform="test", screen=ScreenEnvironment(primary_resolution=(800, 600))),
        user=UserRef(id="p"),
        started_at=BEGAN,
        events=events,
        screenshots=tuple(
            Screenshot(screenshot_id=name, relative_path=f"{name}.png", captured_at=BEGAN) for name in sorted(shots)
        ),
    )


def event(kind: str, t: float = 0.0, app: str = "app", **details: Any) -> Event:
    return Event(t=t, type=kind, window=WindowContext(app_name=app), **details)  # type: ignore[arg-type]


def key(char: str) -> Event:
    return event("key_press", key=char.upper(), char=char) if len(char) == 1 else event("key_press", key=char)


def noisy(*events: Event) -> list[bool]:
    return [judgement.noise_flag for judgement in judge_events(session(*events))]


def test_text_that_was_typed_and_deleted_again_is_noise() -> None:
    """L0-5"""
    typed = [key(char) for char in ("a", "b", "x", "y", "BACKSPACE", "BACKSPACE", "c")]
    assert noisy(*typed) == [False, False, True, True, True, True, False]


def test_deleting_what_was_there_before_is_no_noise() -> None:
    """L0-5"""
    assert noisy(key("BACKSPACE"), key("a")) == [False, False]
    assert noisy(key("a"), event("mouse_click", pos=(1, 1)), key("BACKSPACE")) == [False, False, False]


def test_a_field_that_was_filled_and_emptied_again_is_noise() -> None:
    """L0-5"""
    filled = event("text_input", text="abc", logged=LoggedAction(action="edit", target="name", value="abc"))
    emptied = event("text_input", text="", logged=LoggedAction(action="edit", target="name"))
    other = event("text_input", text="z", logged=LoggedAction(action="edit", target="other", value="z"))
    assert noisy(filled, other, emptied) == [True, False, True]


def test_a_glance_at_another_window_is_noise_and_work_there_is_not() -> None:
    """L0-5"""
    click = event("mouse_click", pos=(5, 5))
    away, back = event("window_change", app="mail"), event("window_change", app="app")
    assert noisy(click, away, event("mouse_move", app="mail"), back, click) == [False, True, True, True, False]
    assert noisy(click, away, event("mouse_click", app="mail", pos=(1, 1)), back) == [False, False, False, False]


def test_a_click_that_changed_nothing_and_is_tried_again_is_missed() -> None:
    """L0-5"""
    missed = event("mouse_click", 1.0, pos=(5, 5), screenshot_id="a", screenshot_after_id="a")
    hit = event("mouse_click", 2.0, pos=(9, 9), screenshot_id="a", screenshot_after_id="b")
    assert noisy(missed, hit) == [True, False]
    assert noisy(missed) == [False]


@pytest.mark.parametrize(
    ("action", "target", "role"),
    [
        ("clickButton", "Valider", "validation"),
        ("clickButton", "Submit", "validation"),
        ("click", "Rechercher", "search"),
        ("editField", "search box", "search"),
        ("editField", "Name", "input"),
        ("goToUrl", "x", "navigation"),
        ("clickLink", "Retour à la liste", "navigation"),
        ("undo", "", "correction"),
        ("click", "B6", None),
    ],
)
def test_what_a_log_calls_a_thing_tells_its_role(action: str, target: str, role: str | None) -> None:
    """L0-5"""
    kind = "text_input" if action == "editField" else "mouse_click"
    (judged,) = judge_events(session(event(kind, logged=LoggedAction(action=action, target=target))))
    assert (judged.semantic_role, judged.noise_flag) == (role, False)
    assert judged.confidence is not None
