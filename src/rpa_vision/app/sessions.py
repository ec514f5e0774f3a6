"""Sessions: take over event logs of other recorders, and cut sessions into episodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rpa_vision.app.record import session_id
from rpa_vision.app.session_screens import OnProgress, SessionScreens
from rpa_vision.capture.event_log import session_of_log
from rpa_vision.capture.segmentation import Segmentation, segment
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import UsageError
from rpa_vision.graph.episodes.oracle import RoutineOracle
from rpa_vision.models.event_log import LogRow
from rpa_vision.ports.storage import DataDirectory


class EventLogs(Protocol):
    """Event logs given by a person, anywhere on the disk."""

    def read(self, path: Path) -> tuple[list[LogRow], tuple[str, ...]]:
        """The rows, and the columns nobody knows."""


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What was taken over."""

    session_id: str
    name: str
    events: int
    secrets: int
    ignored_columns: tuple[str, ...]


def import_log(data: DataDirectory, logs: EventLogs, path: Path, *, name: str | None = None) -> ImportResult:
    """Make a session of an event log. Either the whole log is taken over, or nothing."""
    rows, ignored = logs.read(path)
    called = name or path.stem
    session = session_of_log(
        rows, session_id=session_id(called, min(row.ts for row in rows)), name=called, file=path.name
    )
    known = {summary.session_id for summary in data.sessions.list().items}
    if session.session_id in known:
        raise UsageError(
            f"the session {session.session_id} is there already",
            remedy="The log was imported before; give another --name to import it again.",
        )
    data.sessions.save(session)
    secrets = sum(event.secret_ref is not None for event in session.events)
    return ImportResult(session.session_id, called, len(session.events), secrets, ignored)


def segment_log(logs: EventLogs, path: Path) -> Segmentation:
    """Cut an event log into episodes without keeping anything of it."""
    rows, _ = logs.read(path)
    return segment(session_of_log(rows, session_id="log", name=path.stem, file=path.name), RoutineOracle())


def segment_session(
    data: DataDirectory,
    wanted: str,
    new_observer: Callable[[], ScreenObserver] | None,
    on_progress: OnProgress = lambda what, done, total: None,
) -> Segmentation:
    """Cut a session into episodes and keep them with it. With an observer its screens are read, which takes longer."""
    session = data.sessions.load(wanted)
    if new_observer is not None and session.screenshots:
        screens = SessionScreens(data, new_observer(), [session], on_progress)
        result = segment(session, RoutineOracle(screens.observe))
    else:
        result = segment(session, RoutineOracle())
    data.sessions.save(result.session)
    return result


def as_json(result: Segmentation) -> dict[str, Any]:
    """What scripts read: one entry per event, and the segments."""
    events_of = Counter(result.segment_of)
    return {
        "session_id": result.session.session_id,
        "segment": list(result.segment_of),
        "routine": list(result.routine_of),
        "segments": [
            {
                **found.model_dump(mode="json"),
                "events": events_of[found.segment_id],
                "complete": found.segment_id not in result.incomplete,
                "variant": result.variants.get(found.segment_id),
            }
            for found in result.session.segments
        ],
        "events": [
            {"noise": event.noise_flag, "role": event.semantic_role, "confidence": event.confidence}
            for event in result.session.events
        ],
    }
