"""Layer 0, RawSession: what the person did and what the screen showed, as faithfully as it was captured.

`RawSession` is the builder a recorder adds to; `RecordedSession` is the frozen document it gives.
"""

from __future__ import annotations

import json
from datetime import datetime
from itertools import pairwise
from typing import Any, Final, Literal, Self

from pydantic import AwareDatetime, Field, model_validator

from rpa_vision.models.document import Document, JsonObject, Part
from rpa_vision.models.geometry import BBox, Point, UnitInterval
from rpa_vision.models.ids import Id
from rpa_vision.models.vector_ref import DataPath
from rpa_vision.models.window import WindowContext

SCHEMA_VERSION: Final = "rawsession_v1"

EventType = Literal[
    "mouse_click", "mouse_drag", "mouse_scroll", "mouse_move", "key_press", "text_input", "window_change"
]
SemanticRole = Literal["navigation", "validation", "search", "input", "correction"]
SegmentTrigger = Literal["long_pause", "window_change", "return_to_desktop", "pattern_complete"]

_DETAIL_FIELDS = ("button", "pos", "clicks", "end_pos", "scroll", "key", "char", "text", "modifiers", "secret_ref")


class ScreenEnvironment(Part):
    """The screen of the recording."""

    primary_resolution: Point
    scale: float = 1.0
    monitors: tuple[tuple[int, int, int, int], ...] = ()


class Environment(Part):
    """The machine of the recording."""

    platform: str
    hostname: str = ""
    screen: ScreenEnvironment


class UserRef(Part):
    """Who was watched."""

    id: str
    label: str = ""


class LoggedAction(Part):
    """What an event log says of an event that nobody saw: in its own words."""

    action: str
    target: str = ""
    value: str = ""
    row: str = ""
    url: str = ""


class Event(Part):
    """One thing the person did. The details are flat fields; `data` holding them is accepted on load."""

    t: float = Field(ge=0.0, description="seconds since the session began")
    type: EventType
    window: WindowContext = WindowContext()
    screenshot_id: Id | None = Field(default=None, description="the screen before the event had any effect")
    screenshot_after_id: Id | None = Field(default=None, description="the settled screen after it")

    button: Literal["left", "middle", "right"] | None = None
    pos: Point | None = None
    clicks: int | None = Field(default=None, ge=1)
    end_pos: Point | None = None
    scroll: Point | None = None
    key: str | None = None
    char: str | None = None
    text: str | None = None
    modifiers: tuple[str, ...] = ()
    secret_ref: Id | None = Field(default=None, description="stands for typed text that is a secret; never the text")
    logged: LoggedAction | None = Field(default=None, description="of an imported event: what its log says")

    noise_flag: bool | None = None
    semantic_role: SemanticRole | None = None
    confidence: UnitInterval | None = None

    @model_validator(mode="after")
    def _secrets_are_only_referred_to(self) -> Self:
        if self.secret_ref is not None and (self.char or self.text or (self.key is not None and len(self.key) == 1)):
            raise ValueError("secret_ref: a secret event carries no key, character or text")
        if self.secret_ref is not None and self.logged is not None and self.logged.value:
            raise ValueError("secret_ref: a secret event carries no logged value")
        return self

    @property
    def data(self) -> JsonObject:
        """The details that this type of event has."""
        return {name: value for name in _DETAIL_FIELDS if (value := getattr(self, name)) not in (None, ())}


class Screenshot(Part):
    """A picture of the whole screen, stored beside the session."""

    screenshot_id: Id
    relative_path: DataPath
    captured_at: AwareDatetime
    t: float | None = Field(default=None, ge=0.0, description="seconds since the session began")
    pointer: Point | None = None
    window: WindowContext | None = Field(default=None, description="the window in front when it was taken")
    covered: tuple[BBox, ...] = Field(default=(), description="what was painted over because it may show a secret")


class Segment(Part):
    """An episode: the events of one go at one task."""

    segment_id: Id
    start_event_index: int = Field(ge=0)
    end_event_index: int = Field(ge=0, description="the last event of the segment, included")
    event_indices: tuple[int, ...] | None = Field(
        default=None, description="its events, where others lie between: noise, or another task that interrupted it"
    )
    start_time: AwareDatetime
    end_time: AwareDatetime
    label: str = "workflow_candidate"
    workflow_id: Id | None = None
    confidence: UnitInterval = 1.0
    trigger: SegmentTrigger

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        if self.end_event_index < self.start_event_index:
            raise ValueError("end_event_index: is before start_event_index")
        if self.end_time < self.start_time:
            raise ValueError("end_time: is before start_time")
        if self.event_indices is not None:
            inner = self.event_indices
            if not inner or any(one >= other for one, other in pairwise(inner)):
                raise ValueError("event_indices: are to be given in order, each once")
            if (inner[0], inner[-1]) != (self.start_event_index, self.end_event_index):
                raise ValueError("event_indices: begin and end with the segment")
        return self


class CaptureMetrics(Part):
    """How well the capture went."""

    frames_grabbed: int = Field(default=0, ge=0)
    frames_dropped: int = Field(default=0, ge=0)
    grab_ms_median: float = Field(default=0.0, ge=0.0)
    grab_ms_max: float = Field(default=0.0, ge=0.0)
    callback_lag_ms_median: float = Field(default=0.0, ge=0.0)
    callback_lag_ms_max: float = Field(default=0.0, ge=0.0)
    screenshots_written: int = Field(default=0, ge=0)
    bytes_written: int = Field(default=0, ge=0)


class RecordedSession(Document):
    """A whole session, frozen. Events, screenshots and segments refer to each other without gaps."""

    schema_version: Literal["rawsession_v1"] = SCHEMA_VERSION
    session_id: Id
    agent_version: str = ""
    environment: Environment
    user: UserRef
    context: dict[str, str] = {}
    started_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    events: tuple[Event, ...] = ()
    screenshots: tuple[Screenshot, ...] = ()
    segments: tuple[Segment, ...] = ()
    capture: CaptureMetrics | None = None

    @model_validator(mode="after")
    def _references_exist(self) -> Self:
        shots = {shot.screenshot_id for shot in self.screenshots}
        if len(shots) != len(self.screenshots):
            raise ValueError("screenshots: two screenshots have the same screenshot_id")
        for index, event in enumerate(self.events):
            for name in ("screenshot_id", "screenshot_after_id"):
                wanted = getattr(event, name)
                if wanted is not None and wanted not in shots:
                    raise ValueError(f"events.{index}.{name}: no screenshot has the id {wanted!r}")
        for index, segment in enumerate(self.segments):
            if segment.end_event_index >= len(self.events):
                raise ValueError(f"segments.{index}.end_event_index: the session has {len(self.events)} events")
        return self

    @classmethod
    def _accept(cls, data: JsonObject) -> JsonObject:
        events = data.get("events")
        if not isinstance(events, list):
            return data
        return {**data, "events": [_flat(event) for event in events]}

    def screenshot(self, screenshot_id: str) -> Screenshot | None:
        """The screenshot with that id."""
        return next((shot for shot in self.screenshots if shot.screenshot_id == screenshot_id), None)


def _flat(event: Any) -> Any:
    """An event whose details are nested in `data`, with its details beside the rest."""
    if not isinstance(event, dict) or not isinstance(event.get("data"), dict) or event.keys() & event["data"].keys():
        return event  # where both speak, neither is believed: `data` is then refused as an unknown field
    return {key: value for key, value in event.items() if key != "data"} | event["data"]


class RawSession:
    """A session that is being recorded: add to it, and take a frozen snapshot at any time."""

    def __init__(
        self,
        *,
        session_id: str,
        environment: Environment | JsonObject,
        user: UserRef | JsonObject,
        started_at: datetime,
        agent_version: str = "",
        context: dict[str, str] | None = None,
    ) -> None:
        """The machine and the person may be given as JSON objects."""
        if not isinstance(environment, Environment):
            environment = Environment.model_validate_json(json.dumps(environment))
        if not isinstance(user, UserRef):
            user = UserRef.model_validate_json(json.dumps(user))
        self._head = RecordedSession(
            session_id=session_id,
            environment=environment,
            user=user,
            started_at=started_at,
            agent_version=agent_version,
            context=context or {},
        )
        self._events: list[Event] = []
        self._screenshots: list[Screenshot] = []
        self._segments: tuple[Segment, ...] = ()
        self._ended_at: datetime | None = None
        self._capture: CaptureMetrics | None = None

    @property
    def session_id(self) -> str:
        return self._head.session_id

    @property
    def started_at(self) -> datetime:
        return self._head.started_at

    @property
    def events(self) -> tuple[Event, ...]:
        return tuple(self._events)

    @property
    def screenshots(self) -> tuple[Screenshot, ...]:
        return tuple(self._screenshots)

    def add_event(self, event: Event) -> None:
        """Add what the person did next."""
        self._events.append(event)

    def add_screenshot(self, screenshot: Screenshot) -> None:
        """Add a picture that events may refer to."""
        self._screenshots.append(screenshot)

    def end(self, at: datetime, capture: CaptureMetrics | None = None) -> None:
        """Close the recording."""
        self._ended_at = at
        self._capture = capture

    def snapshot(self) -> RecordedSession:
        """The session as it stands, frozen and checked."""
        values = {name: getattr(self._head, name) for name in type(self._head).model_fields}
        values |= {
            "events": tuple(self._events),
            "screenshots": tuple(self._screenshots),
            "segments": self._segments,
            "ended_at": self._ended_at,
            "capture": self._capture,
        }
        return RecordedSession(**values)

    def to_json(self) -> JsonObject:
        """The snapshot as JSON."""
        return self.snapshot().to_json()

    @classmethod
    def from_json(cls, data: JsonObject | str | bytes, *, where: str = "session") -> RawSession:
        """A builder that goes on where the document stopped."""
        document = RecordedSession.from_json(data, where=where)
        session = cls(
            session_id=document.session_id,
            environment=document.environment,
            user=document.user,
            started_at=document.started_at,
            agent_version=document.agent_version,
            context=document.context,
        )
        session._events.extend(document.events)
        session._screenshots.extend(document.screenshots)
        session._segments = document.segments
        session._ended_at = document.ended_at
        session._capture = document.capture
        return session
