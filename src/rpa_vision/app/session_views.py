"""A session as people look through it: at a glance, and event by event."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rpa_vision.errors import UnknownIdError
from rpa_vision.models.document import JsonObject
from rpa_vision.models.raw_session import Event, RecordedSession

if TYPE_CHECKING:
    from rpa_vision.app.office import Office

_SHOWN_CHARS = 80


def session_details(office: Office, session_id: str) -> JsonObject:
    """Where and when it was recorded, how many events of which kind, and its episodes."""
    session = _session(office, session_id)
    return {
        "session_id": session.session_id,
        "context": session.context,
        "environment": session.environment.model_dump(mode="json"),
        "user": session.user.model_dump(mode="json"),
        "started_at": session.started_at.isoformat(),
        "ended_at": session.ended_at.isoformat() if session.ended_at is not None else None,
        "events": len(session.events),
        "kinds": dict(Counter(event.type for event in session.events)),
        "noise": sum(event.noise_flag is True for event in session.events),
        "screenshots": [one.screenshot_id for one in session.screenshots],
        "segments": [one.model_dump(mode="json") for one in session.segments],
        "capture": session.capture.model_dump(mode="json") if session.capture is not None else None,
    }


def session_timeline(office: Office, session_id: str, *, offset: int = 0, limit: int = 200) -> JsonObject:
    """Events in order, from `offset` on."""
    session = _session(office, session_id)
    episode = _episodes(session)
    chosen = list(enumerate(session.events))[offset : offset + limit]
    return {
        "session_id": session_id,
        "count": len(session.events),
        "offset": offset,
        "events": [_told(number, event, episode.get(number)) for number, event in chosen],
    }


def screenshot(office: Office, session_id: str, screenshot_id: str) -> bytes:
    """A picture of a session."""
    session = _session(office, session_id)
    if session.screenshot(screenshot_id) is None:
        raise UnknownIdError(f"{session_id} has no picture {screenshot_id!r}", remedy="Look at its timeline.")
    return office.data.sessions.screenshot(session, screenshot_id)


def elements_on(office: Office, session_id: str, screenshot_id: str) -> JsonObject:
    """What was understood of a picture, if it was: its elements with their places."""
    session = _session(office, session_id)
    if session.screenshot(screenshot_id) is None:
        raise UnknownIdError(f"{session_id} has no picture {screenshot_id!r}", remedy="Look at its timeline.")
    try:
        state = office.data.screen_states.load(f"{session_id}.{screenshot_id}"[:128])
    except UnknownIdError:
        return {"screenshot_id": screenshot_id, "understood": False, "elements": []}
    shown = ("element_id", "type", "role", "label", "bbox", "confidence", "interaction_history")
    elements = [one.model_dump(mode="json", include=set(shown)) for one in state.ui_elements]
    return {"screenshot_id": screenshot_id, "understood": True, "elements": elements}


def _session(office: Office, session_id: str) -> RecordedSession:
    return office.data.sessions.load(session_id)


def _episodes(session: RecordedSession) -> dict[int, str]:
    found: dict[int, str] = {}
    for segment in session.segments:
        indices = segment.event_indices or range(segment.start_event_index, segment.end_event_index + 1)
        found.update(dict.fromkeys(indices, segment.segment_id))
    return found


def _told(number: int, event: Event, episode: str | None) -> JsonObject:
    return {
        "number": number,
        "t": event.t,
        "type": event.type,
        "what": _what(event),
        "window": event.window.model_dump(mode="json"),
        "pos": list(event.pos) if event.pos is not None else None,
        "before": event.screenshot_id,
        "after": event.screenshot_after_id,
        "noise": event.noise_flag,
        "role": event.semantic_role,
        "episode": episode,
    }


def _what(event: Event) -> str:
    if event.secret_ref is not None:
        return "•••"
    if event.logged is not None:
        return " ".join(filter(None, (event.logged.action, event.logged.target, event.logged.value)))[:_SHOWN_CHARS]
    keys = "+".join([*event.modifiers, event.key or event.char or ""]).strip("+")
    return (event.text or keys or event.button or "")[:_SHOWN_CHARS]
