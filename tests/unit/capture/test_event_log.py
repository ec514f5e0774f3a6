"""Event logs of others become sessions."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from rpa_vision.capture.event_log import session_of_log, words_of_action
from rpa_vision.models.event_log import LogRow
from rpa_vision.models.raw_session import Event, RecordedSession

BEGAN = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


def imported(*rows: LogRow) -> tuple[Event, ...]:
    return session_of_log(rows, session_id="s", name="log", file="log.csv").events


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        ("clickTextField", "mouse_click"),
        ("click_button", "mouse_click"),
        ("getCell", "mouse_click"),
        ("editField", "text_input"),
        ("insertValue", "text_input"),
        ("paste", "key_press"),
        ("goToUrl", "window_change"),
        ("openFile", "window_change"),
        ("scroll", "mouse_scroll"),
        ("hover", "mouse_move"),
        ("frobnicate", "mouse_click"),
    ],
)
def test_an_action_is_understood_by_its_first_telling_word(action: str, kind: str) -> None:
    """L0-4"""
    (event,) = imported(LogRow(BEGAN, "Web", action, "thing", "x"))
    assert event.type == kind
    assert event.logged is not None
    assert (event.logged.action, event.logged.target, event.window.app_name) == (action, "thing", "Web")


def test_actions_are_split_into_words() -> None:
    assert words_of_action("clickTextField") == ["click", "text", "field"]
    assert words_of_action("form_submit-OK") == ["form", "submit", "ok"]


def test_the_order_of_lines_stays_and_times_count_from_the_earliest() -> None:
    """L0-4: recorders write some lines late"""
    events = imported(LogRow(BEGAN + timedelta(seconds=5), "A", "click"), LogRow(BEGAN, "B", "click"))
    assert [(event.t, event.window.app_name) for event in events] == [(5.0, "A"), (0.0, "B")]


@pytest.mark.parametrize(
    "field",
    ["Password", "userPassword", "Mot de passe", "login_pwd", "code PIN", "PIN", "txtPwd", "Kennwort", "Passwort",
     "Code d’accès",
     "CVC", "accessToken"],
)  # fmt: skip
def test_what_went_into_a_password_field_is_not_kept(field: str) -> None:
    """L0-7"""
    session = session_of_log(
        [LogRow(BEGAN, "Web", "insertValue", field, "hunter2"), LogRow(BEGAN, "Web", "paste", field, "hunter2")],
        session_id="s",
        name="log",
        file="log.csv",
    )
    assert "hunter2" not in session.model_dump_json()
    assert all(event.secret_ref is not None for event in session.events)


def test_an_imported_session_is_a_session_like_any_other() -> None:
    """L0-1, P003-1"""
    session = session_of_log(
        [LogRow(BEGAN, "Web", "click", "Été", "é", "3", "x://y")], session_id="s", name="n", file="f"
    )
    assert RecordedSession.from_json(session.to_json()) == session
    assert session.environment.platform == "event_log"


def test_an_action_that_names_a_secret_keeps_none() -> None:
    """L0-7"""
    (event,) = imported(LogRow(BEGAN, "Web", "typePassword", "", "hunter2"))
    assert "hunter2" not in event.model_dump_json()


def test_of_an_address_only_the_page_is_kept() -> None:
    """L0-7: neither who logs in nor what is handed over with it"""
    address = "https://u:pa55@h.example/a/b?token=abc#code=xyz"
    said = imported(
        LogRow(BEGAN, "Web", "click", "Login", "x", "", address),
        LogRow(BEGAN, "Web", "type", "address", f"see {address}"),
        LogRow(BEGAN, "Web", "navigate", address),
    )
    told = "".join(event.model_dump_json() for event in said)
    assert not any(secret in told for secret in ("pa55", "abc", "xyz"))
    assert [event.logged.url for event in said if event.logged is not None] == ["https://h.example/a/b", "", ""]


def test_an_address_that_holds_no_secret_stays_a_value() -> None:
    """L0-4: a value may be a variable"""
    address = "https://h.example/invoice?id=12"
    (event,) = imported(LogRow(BEGAN, "Web", "type", "address", address))
    assert event.text == address
