"""Learn a workflow from recorded sessions and keep it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.errors import LearningError, RpaVisionError, UnknownIdError, UsageError
from rpa_vision.graph.graph_builder import GraphBuilder, LearnedWorkflow
from rpa_vision.imaging.codec import decode, encode_png
from rpa_vision.learning.versioned_store import VersionedStore
from rpa_vision.models.ids import slug
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.models.window import WindowContext
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import DataDirectory

OnProgress = Callable[[str, int, int], None]
"""What is going on, how much is done, how much there is."""


@dataclass(frozen=True, slots=True)
class LearnResult:
    """The workflow and how it came about."""

    workflow: Workflow
    repetitions: int
    sessions: tuple[str, ...]
    duration_s: float
    version_id: str | None = None
    """The version that holds all of it, where versions are kept."""


def learn(
    data: DataDirectory,
    observer: ScreenObserver,
    clock: Clock,
    *,
    name: str,
    session_ids: Sequence[str] = (),
    on_progress: OnProgress = lambda what, done, total: None,
    versions: VersionedStore | None = None,
    on_update: Callable[[str], None] = lambda workflow_id: None,
) -> LearnResult:
    """Learn the task that the sessions repeat. Without ids: the sessions of that name, or the only one there is.

    With `versions`, what was learned before stays a version that can be had back, and what is learned becomes the next;
    versions beyond those that must be kept go. `on_update` hears of the workflow that was learned.
    """
    began = clock.monotonic()
    sessions = [data.sessions.load(session_id) for session_id in session_ids or _sessions_named(data, name)]
    screens = SessionScreens(data, observer, sessions, on_progress)
    builder = GraphBuilder(screens.observe, observer.embedder.space)
    workflow_id = f"WF_{slug(name, fallback='workflow')}"
    former = _former(data, workflow_id, name)
    learned = builder.build_from_sessions(
        sessions,
        workflow_id=workflow_id,
        name=name,
        now=clock.now(),
        version=_next_version(data, workflow_id, versions),
    )
    learned = _with_what_people_decided(learned, former)
    used = tuple(session.session_id for session in sessions)
    version_id = keep(data, learned, versions, reason=f"learned from {', '.join(used)}")
    on_update(workflow_id)
    if versions is not None:
        with suppress(RpaVisionError):  # what was learned is kept; old versions can go the next time
            versions.cleanup_old_versions(workflow_id)
    workflow = learned.workflow if version_id is None else data.workflows.load(workflow_id)
    return LearnResult(workflow, learned.repetitions, used, clock.monotonic() - began, version_id)


def keep(
    data: DataDirectory, learned: LearnedWorkflow, versions: VersionedStore | None = None, *, reason: str
) -> str | None:
    """Put a workflow that was learned, or learned anew, in its place, and give the version that holds it.

    A crash at any instant leaves the former one whole, live or at least as a version, or the new one.
    """
    if versions is None:
        _put(data, learned)
        return None

    def put(number: int) -> None:
        _put(data, replace(learned, workflow=learned.workflow.model_copy(update={"version": number})))

    return versions.update(learned.workflow.workflow_id, put, reason=reason)


class SessionScreens:
    """The understood screens of sessions, each read once."""

    def __init__(
        self,
        data: DataDirectory,
        observer: ScreenObserver,
        sessions: Sequence[RecordedSession],
        on_progress: OnProgress,
    ) -> None:
        self._data = data
        self._observer = observer
        self._on_progress = on_progress
        self._total = sum(len(session.screenshots) for session in sessions)
        self._known: dict[tuple[str, str], ObservedScreen] = {}

    def observe(self, session: RecordedSession, screenshot_id: str) -> ObservedScreen:
        """The screen of a screenshot."""
        key = (session.session_id, screenshot_id)
        if key not in self._known:
            self._known[key] = self._read(session, screenshot_id)
            self._on_progress("reading screens", len(self._known), self._total)
        return self._known[key]

    def _read(self, session: RecordedSession, screenshot_id: str) -> ObservedScreen:
        shot = session.screenshot(screenshot_id)
        if shot is None:
            raise LearningError(f"session {session.session_id}: screenshot {screenshot_id} is missing")
        screen = self._observer.observe(
            decode(self._data.sessions.screenshot(session, screenshot_id)),
            window=shot.window or _window_of(session, screenshot_id),
            screen_state_id=f"{session.session_id}.{screenshot_id}"[:128],
            timestamp=shot.captured_at,
            screenshot_id=screenshot_id,
            session_id=session.session_id,
            screenshot_path=self._data.sessions.screenshot_path(session, screenshot_id),
        )
        self._data.screen_states.save(screen.state)
        return screen


def _window_of(session: RecordedSession, screenshot_id: str) -> WindowContext:
    """The window of a screenshot that does not name its own: that of the event it was taken before, or after."""
    for event in session.events:
        if event.screenshot_id == screenshot_id:
            return event.window
    for index, event in enumerate(session.events):
        if event.screenshot_after_id == screenshot_id:
            following = session.events[index + 1 : index + 2]
            return following[0].window if following else event.window
    return WindowContext()


def _sessions_named(data: DataDirectory, name: str) -> list[str]:
    listing = data.sessions.list()
    named = [summary.session_id for summary in reversed(listing.items) if summary.name == name]
    if named:
        return named
    if not listing.items:
        raise LearningError("there is no recorded session", remedy="Record one with `rpa-vision record --name NAME`.")
    if len(listing.items) > 1:
        names = ", ".join(sorted({repr(summary.name) for summary in listing.items}))
        raise UsageError(
            f"no session was recorded under the name {name!r}",
            remedy=f"Name the sessions to learn from, or use one of: {names}.",
        )
    return [listing.items[0].session_id]


def _former(data: DataDirectory, workflow_id: str, name: str) -> Workflow | None:
    """The workflow that is learned anew, if there is one. Another name is another workflow, whatever the id."""
    try:
        former = data.workflows.load(workflow_id)
    except UnknownIdError:
        return None
    if former.name != name:
        raise UsageError(
            f"the workflow {workflow_id} is called {former.name!r}, not {name!r}",
            remedy="Choose a name that differs more from it.",
        )
    return former


def _with_what_people_decided(learned: LearnedWorkflow, former: Workflow | None) -> LearnedWorkflow:
    """Learning again changes how things are found, never what people allowed."""
    if former is None:
        return learned
    kept = {
        "safety_rules": former.safety_rules,
        "execution_policy": former.execution_policy,
        "created_at": former.created_at,
    }
    return replace(learned, workflow=learned.workflow.model_copy(update=kept))


def _next_version(data: DataDirectory, workflow_id: str, versions: VersionedStore | None) -> int:
    if versions is not None:
        return versions.next_number(workflow_id)
    try:
        return data.workflows.load(workflow_id).version + 1
    except UnknownIdError:
        return 1


def _put(data: DataDirectory, learned: LearnedWorkflow) -> None:
    """First what the workflow refers to, then the workflow: a crash in between leaves the old one whole."""
    for vector_id, vector in learned.vectors.items():
        data.vectors.save(vector_id, vector)
    for path, pixels in learned.pictures.items():
        data.pictures.save(path, encode_png(pixels))
    data.workflows.save(learned.workflow)
