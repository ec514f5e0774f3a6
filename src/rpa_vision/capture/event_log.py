"""From the lines of an event log to a session: what others wrote down becomes events like ours, without pictures.

The order of the lines is the order of the events; their times only measure pauses. An action is understood by its first
telling word (`clickTextField` is a click). The log's own words are kept with the event. What went into a password field
is not: it becomes a reference, as it does when we record. Of an address only the page is kept.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from rpa_vision.capture.secret_names import SecretNames
from rpa_vision.models.event_log import LogRow
from rpa_vision.models.raw_session import (
    Environment,
    Event,
    EventType,
    LoggedAction,
    RawSession,
    RecordedSession,
    ScreenEnvironment,
    UserRef,
)
from rpa_vision.models.secret_words import names_a_secret, page_of, without_secret_addresses
from rpa_vision.models.window import WindowContext
from rpa_vision.models.wording import folded

PLATFORM = "event_log"
ACTION_WORDS: dict[str, EventType] = {
    **dict.fromkeys(("click", "press", "select", "check", "tick", "choose", "tap", "get", "submit"), "mouse_click"),
    **dict.fromkeys(("edit", "type", "insert", "input", "enter", "set", "write", "fill", "change"), "text_input"),
    **dict.fromkeys(("copy", "paste", "cut", "key", "keypress", "hotkey", "shortcut", "undo"), "key_press"),
    **dict.fromkeys(("open", "go", "goto", "navigate", "switch", "activate", "focus", "close", "window", "wait"),
                    "window_change"),
    "scroll": "mouse_scroll",
    "drag": "mouse_drag",
    **dict.fromkeys(("move", "hover"), "mouse_move"),
}  # fmt: skip
"""Which kind of event an action is, by the first of its words that is here. Any other is a click."""
_CHORDS = {"copy": ("C", ("CTRL",)), "paste": ("V", ("CTRL",)), "cut": ("X", ("CTRL",)), "undo": ("Z", ("CTRL",))}


def words_of_action(action: str) -> list[str]:
    """`clickTextField` and `click_text_field` are click, text, field."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[_\-.]+", " ", action)
    return folded(spaced).split()


def session_of_log(rows: Sequence[LogRow], *, session_id: str, name: str, file: str) -> RecordedSession:
    """The session that a log tells of. There is at least one row."""
    began = min(row.ts for row in rows)
    session = RawSession(
        session_id=session_id,
        environment=Environment(platform=PLATFORM, screen=ScreenEnvironment(primary_resolution=(0, 0))),
        user=UserRef(id="imported"),
        started_at=began,
        context={"name": name, "source": PLATFORM, "file": file},
    )
    windows: dict[str, WindowContext] = {}
    secrets = SecretNames()
    for row in rows:
        window = windows.setdefault(row.app, WindowContext(app_name=row.app))
        session.add_event(_event(row, began, window, secrets))
    session.end(max(row.ts for row in rows))
    return session.snapshot()


def is_log(session: RecordedSession) -> bool:
    """Whether a session was imported from an event log."""
    return any(event.logged is not None for event in session.events)


def _event(row: LogRow, began: datetime, window: WindowContext, secrets: SecretNames) -> Event:
    words = words_of_action(row.action)
    telling = next((word for word in words if word in ACTION_WORDS), None)
    kind = ACTION_WORDS[telling] if telling is not None else "mouse_click"
    is_secret = bool(row.value) and (names_a_secret(row.target) or names_a_secret(row.action))
    value = "" if is_secret else without_secret_addresses(row.value)
    key, modifiers = _CHORDS.get(telling or "", (None, ()))
    if kind == "key_press" and key is None:
        key = value[:32] or None
    return Event(
        t=(row.ts - began).total_seconds(),
        type=kind,
        window=window,
        key=None if is_secret else key,
        modifiers=() if is_secret else modifiers,
        text=value if kind == "text_input" and not is_secret else None,
        secret_ref=secrets.name(row.target, window, None) if is_secret else None,
        logged=LoggedAction(
            action=row.action,
            target=without_secret_addresses(row.target),
            value=value,
            row=row.row,
            url=page_of(row.url),
        ),
    )
