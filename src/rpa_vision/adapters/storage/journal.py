"""The journal of a recording: one line per screenshot and event, so that a killed recorder loses nothing it had told.

The first line holds the head of the session, each following one a screenshot, an event, or the screenshot after an
event that was told earlier; the last one, when the recorder got that far, says how it ended. A line that is torn or
foreign is passed over; a picture that did not make it to the disk is forgotten together with the references to it,
never with the events that made them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import ValidationError

from rpa_vision.errors import DocumentError
from rpa_vision.models.document import JsonObject, Part
from rpa_vision.models.raw_session import Event, RecordedSession, Screenshot

P = TypeVar("P", bound=Part)
_BODY = ("events", "screenshots")
_REFERENCES = ("screenshot_id", "screenshot_after_id")
_END = ("ended_at", "capture", "segments")


def lines_of(session: RecordedSession) -> Iterator[bytes]:
    """The journal that gives this session again."""
    yield head_line(session)
    yield from (screenshot_line(shot) for shot in session.screenshots)
    yield from (event_line(event) for event in session.events)
    if session.ended_at is not None or session.segments or session.capture is not None:
        yield end_line(session)


def head_line(session: RecordedSession) -> bytes:
    """What is known of a session when it begins."""
    return _line("session", session.model_dump_json(exclude={*_BODY, *_END}))


def screenshot_line(screenshot: Screenshot) -> bytes:
    """One screenshot."""
    return _line("screenshot", screenshot.model_dump_json(exclude_defaults=True))


def event_line(event: Event) -> bytes:
    """One event."""
    return _line("event", event.model_dump_json(exclude_defaults=True))


def aftermath_line(event_number: int, screenshot_id: str) -> bytes:
    """The screenshot after an event that has its line already; events are counted from 0."""
    return _line("aftermath", json.dumps({"event_number": event_number, "screenshot_id": screenshot_id}))


def end_line(session: RecordedSession) -> bytes:
    """What is known of a session only when it has ended."""
    return _line("end", session.model_dump_json(include=set(_END)))


def rebuilt(journal: bytes, *, where: str, has_picture: Callable[[Screenshot], bool]) -> RecordedSession:
    """The session a journal tells of, however it was cut short."""
    head: JsonObject | None = None
    ended: JsonObject = {}
    screenshots: dict[str, JsonObject] = {}
    events: list[JsonObject] = []
    gaps = False
    for line in journal.split(b"\n"):
        kind, content = _parsed(line)
        if kind == "session" and head is None:
            head = content
        elif kind == "screenshot" and (shot := _valid(Screenshot, content)) is not None:
            if has_picture(shot):
                screenshots.setdefault(shot.screenshot_id, content)
        elif kind == "event" and _valid(Event, content) is not None:
            events.append(content)
        elif kind == "aftermath" and not gaps and (number := _event_number(content, len(events))) is not None:
            _put_after(events[number], content["screenshot_id"], screenshots)
        elif kind == "end":
            ended = {name: content[name] for name in _END if name in content}
        elif line.strip():
            gaps = True
    if head is None:
        raise DocumentError(f"{where}: the first line is not the head of a session")
    body = {
        "screenshots": list(screenshots.values()),
        "events": [{key: _kept(key, value, screenshots) for key, value in event.items()} for event in events],
    }
    # Segments count events, as aftermaths do, so they are worth something only when no line is missing; and an ending
    # that does not fit the rest does not take the rest with it.
    without_segments = {name: value for name, value in ended.items() if name != "segments"}
    for ending in (without_segments if gaps else ended, without_segments):
        with suppress(DocumentError):
            return RecordedSession.from_json({**head, **body, **ending}, where=where)
    return RecordedSession.from_json({**head, **body}, where=where)


def _line(kind: str, content: str) -> bytes:
    return f'{{"kind":"{kind}","content":{content}}}'.encode()


def _parsed(line: bytes) -> tuple[str | None, JsonObject]:
    try:
        value: Any = json.loads(line)
    except (ValueError, RecursionError):
        return None, {}
    if not isinstance(value, dict) or not isinstance(value.get("content"), dict):
        return None, {}
    return value.get("kind"), value["content"]


def _valid(kind: type[P], content: JsonObject) -> P | None:
    try:
        return kind.model_validate_json(json.dumps(content))
    except (ValidationError, RecursionError):
        return None


def _event_number(aftermath: JsonObject, events: int) -> int | None:
    """Which event an aftermath belongs to; None where it is no aftermath of a known one."""
    number, screenshot_id = aftermath.get("event_number"), aftermath.get("screenshot_id")
    if not isinstance(number, int) or isinstance(number, bool) or not isinstance(screenshot_id, str):
        return None
    return number if 0 <= number < events else None


def _put_after(event: JsonObject, screenshot_id: str, screenshots: dict[str, JsonObject]) -> None:
    if screenshot_id in screenshots:
        event["screenshot_after_id"] = screenshot_id


def _kept(key: str, value: Any, screenshots: dict[str, JsonObject]) -> Any:
    """A value of an event, unless it refers to a picture that is lost."""
    return None if key in _REFERENCES and value not in screenshots else value
