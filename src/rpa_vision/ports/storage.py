"""Where things are kept. Every write is whole or not at all, every read is checked, every id is an id.

A document that is torn or foreign raises a DocumentError for itself and never hides the others: listings go on and
say which ones they could not read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rpa_vision.models.execution import RunReport
from rpa_vision.models.kept_reading import KeptReading
from rpa_vision.models.raw_session import CaptureMetrics, Event, RawSession, RecordedSession, Screenshot
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.workflow_graph import Workflow

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A document that is there and cannot be read."""

    name: str
    problem: str


@dataclass(frozen=True, slots=True)
class Listing(Generic[T_co]):
    """What could be read, and what could not."""

    items: tuple[T_co, ...]
    unreadable: tuple[Unreadable, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A session at a glance. `complete` is false when the recorder did not end it."""

    session_id: str
    name: str
    started_at: datetime
    events: int
    screenshots: int
    complete: bool
    path: str


class SessionWriter(Protocol):
    """Appends to a session while it is recorded. What was added a second ago survives `kill -9`."""

    @property
    def path(self) -> str:
        """Where the session is kept."""

    def add_screenshot(self, screenshot: Screenshot, png: bytes) -> None:
        """Keep a picture, then its entry."""

    def add_event(self, event: Event) -> None:
        """Keep an event; the screenshots it refers to are there already."""

    def add_aftermath(self, event_number: int, screenshot_id: str) -> None:
        """Keep the screen after an event that was added already, the first being number 0; both are there."""

    def end(self, ended_at: datetime, capture: CaptureMetrics) -> RecordedSession:
        """Close the session and write the whole document."""


class SessionKeeper(Protocol):
    """Takes what is being recorded."""

    def begin(self, session: RawSession) -> SessionWriter:
        """Start keeping a new session."""


class SessionStore(SessionKeeper, Protocol):
    """Recorded sessions."""

    def save(self, session: RecordedSession) -> None:
        """Replace the document of a session (its pictures stay)."""

    def load(self, session_id: str) -> RecordedSession:
        """Read a session, also one whose recorder was killed."""

    def list(self) -> Listing[SessionSummary]:
        """All sessions, the newest first."""

    def has(self, session_id: str) -> bool:
        """Whether there is a session of that id."""

    def is_being_recorded(self, session_id: str) -> bool:
        """Whether a recorder that lives still adds to it."""

    def delete(self, session_id: str) -> None:
        """Remove a session with its pictures, for good; BeingRecordedError while it is being recorded."""

    def screenshot(self, session: RecordedSession, screenshot_id: str) -> bytes:
        """The picture, as a PNG file's bytes."""

    def screenshot_path(self, session: RecordedSession, screenshot_id: str) -> str:
        """Where the picture lies, relative to the data directory."""


class ReadingStore(Protocol):
    """What was read of the pictures of sessions, so that it need not be read twice. It may forget, and is never in the
    way: nothing is raised here."""

    def load(self, session: RecordedSession, screenshot_id: str) -> KeptReading | None:
        """What was kept; whether it still holds is for the caller to say."""

    def save(self, session: RecordedSession, screenshot_id: str, reading: KeptReading) -> None:
        """Keep it, where that can be done."""


class ScreenStateStore(Protocol):
    """Understood screens."""

    def save(self, state: ScreenState) -> None:
        """Keep a screen."""

    def load(self, screen_state_id: str) -> ScreenState:
        """Read a screen."""

    def ids(self) -> list[str]:
        """All screens, the oldest day first."""

    def delete(self, screen_state_id: str) -> None:
        """Forget a screen; one that is not there is forgotten already."""


class VectorStore(Protocol):
    """Vectors on disk: the truth behind every index."""

    def save(self, vector_id: str, vector: NDArray[np.float32]) -> None:
        """Keep a vector under its data-relative path."""

    def load(self, vector_id: str, *, dimensions: int) -> NDArray[np.float32]:
        """Read a vector and check its dimensions."""


class PictureStore(Protocol):
    """Pictures that documents refer to by a data-relative path."""

    def save(self, path: str, png: bytes) -> None:
        """Keep a picture."""

    def load(self, path: str) -> bytes:
        """Read a picture."""


class WorkflowStore(Protocol):
    """Learned workflows."""

    def save(self, workflow: Workflow) -> None:
        """Keep a workflow. What it refers to must be there already."""

    def load(self, workflow_id: str) -> Workflow:
        """Read a workflow by id, or by its name when only one has it."""

    def list(self) -> Listing[Workflow]:
        """All workflows."""


class RunStore(Protocol):
    """What came of runs: report.json, report.html and pictures, one folder each."""

    def save_picture(self, run_id: str, name: str, picture: bytes) -> str:
        """Keep a picture of a run (`name` ends in .png or .jpg) and give its data-relative path."""

    def save(self, report: RunReport, html: str) -> str:
        """Keep the report and give the absolute path of its HTML."""

    def load(self, run_id: str) -> RunReport:
        """Read a report."""

    def picture(self, run_id: str, name: str) -> bytes:
        """A picture of a run, also while the run goes on."""

    def list(self) -> Listing[RunReport]:
        """All reports, the newest first."""


class DataDirectory(Protocol):
    """Everything that is kept, in one place."""

    @property
    def sessions(self) -> SessionStore: ...
    @property
    def readings(self) -> ReadingStore: ...
    @property
    def screen_states(self) -> ScreenStateStore: ...
    @property
    def workflows(self) -> WorkflowStore: ...
    @property
    def vectors(self) -> VectorStore: ...
    @property
    def pictures(self) -> PictureStore: ...
    @property
    def runs(self) -> RunStore: ...


Metadata = Mapping[str, str | int | float | bool | None]
