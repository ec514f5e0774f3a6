"""Sessions: take over event logs of other recorders, cut sessions into episodes, delete them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rpa_vision.app.dataset import DatasetStore
from rpa_vision.app.record import session_id
from rpa_vision.app.session_screens import OnProgress, SessionScreens
from rpa_vision.capture.discretion import DeniedWindows
from rpa_vision.capture.event_log import session_of_log
from rpa_vision.capture.segmentation import Segmentation, segment
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import BeingRecordedError, InvalidIdError, RpaVisionError, UnknownIdError, UsageError
from rpa_vision.graph.episodes.oracle import RoutineOracle
from rpa_vision.models.document import JsonObject
from rpa_vision.models.event_log import LogRow
from rpa_vision.models.window import WindowContext
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.audit import AuditLog
from rpa_vision.ports.storage import DataDirectory

_USUALLY = DeniedWindows()


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
    left_out: int = 0
    """Lines of windows that are not looked at."""


def import_log(
    data: DataDirectory,
    logs: EventLogs,
    path: Path,
    *,
    name: str | None = None,
    denied: DeniedWindows = _USUALLY,
) -> ImportResult:
    """Make a session of an event log. Either the whole log is taken over, or nothing; but for windows that are not
    looked at."""
    read, ignored = logs.read(path)
    rows = [row for row in read if not denied.deny(WindowContext(app_name=row.app))]
    if not rows:
        raise UsageError(
            f"{path.name}: tells only of windows that are not looked at",
            remedy="The list of these is kept with the data; docs/privacy.md describes it.",
        )
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
    return ImportResult(session.session_id, called, len(session.events), secrets, ignored, len(read) - len(rows))


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
    if not data.sessions.has(wanted):
        raise UnknownIdError(f"the session {wanted!r} was deleted meanwhile", remedy="Nothing of it was kept.")
    data.sessions.save(result.session)
    return result


@dataclass(frozen=True, slots=True)
class DeletedSession:
    """What was deleted, who learned from it, and who keeps copies."""

    session_id: str
    screens: int
    """How many screens were understood of it and are forgotten too."""
    workflows: tuple[str, ...]
    """Learned from it, by id; they stay."""
    datasets: tuple[str, ...]
    """Versions that keep copies of its pictures."""

    def to_json(self) -> dict[str, Any]:
        """What scripts read."""
        return {
            "session_id": self.session_id,
            "deleted": True,
            "screens": self.screens,
            "workflows": list(self.workflows),
            "datasets": list(self.datasets),
        }


def delete_session(
    data: DataDirectory, datasets: DatasetStore, audit: AuditLog, session_id: str, *, who: str, reason: str = ""
) -> DeletedSession:
    """Delete a recording for good: its events, its pictures, and what was understood of them.

    What was learned from it stays, with pictures of its own, and so do the datasets that were made of it. The audit
    trail keeps that it was there. When this is cut off it can be done again, for the session goes last.
    """
    is_there = data.sessions.has(session_id)
    if not is_there and not _understood(data, session_id):
        data.sessions.load(session_id)  # tells which there are
    if data.sessions.is_being_recorded(session_id):
        raise BeingRecordedError(f"{session_id} is being recorded")
    learned = tuple(one.workflow_id for one in data.workflows.list().items if session_id in _recordings(one))
    copied = datasets_of(datasets, session_id)
    told: JsonObject = {"who": who, "reason": reason, "workflows": list(learned), "datasets": list(copied)}
    audit.append("session_deleted", {"session_id": session_id, **told})
    screens = _forget_screens(data, session_id)
    if is_there:
        data.sessions.delete(session_id)
        screens += _forget_screens(data, session_id)  # what a learner understood meanwhile
    return DeletedSession(session_id, screens, learned, copied)


def datasets_of(datasets: DatasetStore, session_id: str) -> tuple[str, ...]:
    """The versions of datasets that keep copies of a session's pictures; one that cannot be read may do so too."""
    versions = [(name, version) for name in datasets.names() for version in datasets.versions(name)]
    return tuple(f"{name} {version}" for name, version in versions if _holds(datasets, name, version, session_id))


def _holds(datasets: DatasetStore, name: str, version: str, session_id: str) -> bool:
    try:
        return any(sample.session_id == session_id for sample in datasets.load(name, version).samples)
    except RpaVisionError:
        return True


def _understood(data: DataDirectory, session_id: str) -> list[str]:
    return [one for one in data.screen_states.ids() if one.rpartition(".")[0] == session_id]


def _forget_screens(data: DataDirectory, session_id: str) -> int:
    understood = _understood(data, session_id)
    for screen_state_id in understood:
        data.screen_states.delete(screen_state_id)
    return len(understood)


@dataclass(frozen=True, slots=True)
class LearnedFrom:
    """The recordings a workflow was learned from: those that are there, and those that were deleted."""

    there: tuple[str, ...]
    gone: tuple[str, ...]


def learned_from(data: DataDirectory, workflow: Workflow) -> LearnedFrom:
    """Which recordings a workflow was learned from."""
    known = dict.fromkeys(_recordings(workflow))
    there = tuple(one for one in known if _is_there(data, one))
    return LearnedFrom(there, tuple(one for one in known if one not in there))


def _is_there(data: DataDirectory, session_id: str) -> bool:
    try:
        return data.sessions.has(session_id)
    except InvalidIdError:  # somebody wrote the document by hand
        return False


def _recordings(workflow: Workflow) -> list[str]:
    known = workflow.metadata.get("sessions")
    return [str(one) for one in known] if isinstance(known, list) else []


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
