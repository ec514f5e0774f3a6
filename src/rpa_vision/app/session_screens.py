"""The understood screens of sessions, each read once, in the order in which they were taken.

While one screen is read, the next ones are unpacked and the one before is fingerprinted and kept: reading remembers
what it read and goes one by one, the rest does not. What comes out is the same, sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.errors import LearningError
from rpa_vision.imaging.codec import decode
from rpa_vision.models.frame import Pixels
from rpa_vision.models.raw_session import RecordedSession, Screenshot
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.storage import DataDirectory

OnProgress = Callable[[str, int, int], None]
"""What is going on, how much is done, how much there is."""
AHEAD: Final = 3
_Key = tuple[str, str]


class SessionScreens:
    """Gives the screens of sessions in any order; asked for as they were taken, they are there sooner."""

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
        self._places: dict[_Key, int] = {
            (session.session_id, shot.screenshot_id): place
            for session in sessions
            for place, shot in enumerate(session.screenshots)
        }
        self._known: dict[_Key, ObservedScreen] = {}
        self._coming: dict[_Key, Future[Future[ObservedScreen]]] = {}
        self._shots: dict[str, tuple[RecordedSession, str]] = {}
        self._reading = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reading")
        self._beside = ThreadPoolExecutor(max_workers=1, thread_name_prefix="beside-reading")

    def observe(self, session: RecordedSession, screenshot_id: str) -> ObservedScreen:
        """The screen of a screenshot; what went wrong with it is raised here, whoever found it."""
        key = (session.session_id, screenshot_id)
        if key not in self._known:
            at = self._places.get(key)
            if at is None:
                raise LearningError(f"session {session.session_id}: screenshot {screenshot_id} is missing")
            for shot in session.screenshots[at : at + 1 + AHEAD]:
                self._begin(session, shot)
            self._known[key] = self._coming.pop(key).result().result()
            self._on_progress("reading screens", len(self._known), len(self._places))
        return self._known[key]

    def picture(self, screen_state_id: str) -> bytes:
        """The picture of a screen that was read, as a PNG file's bytes."""
        return self._data.sessions.screenshot(*self._shots[screen_state_id])

    def _begin(self, session: RecordedSession, shot: Screenshot) -> None:
        key = (session.session_id, shot.screenshot_id)
        if key not in self._known and key not in self._coming:
            self._shots[_named(session, shot)] = (session, shot.screenshot_id)
            picture = self._beside.submit(self._unpacked, session, shot.screenshot_id)
            self._coming[key] = self._reading.submit(self._read, session, shot, picture)

    def _unpacked(self, session: RecordedSession, screenshot_id: str) -> Pixels:
        return decode(self._data.sessions.screenshot(session, screenshot_id))

    def _read(self, session: RecordedSession, shot: Screenshot, picture: Future[Pixels]) -> Future[ObservedScreen]:
        pixels = picture.result()
        state = self._observer.reader.read(
            pixels,
            window=shot.window or _window_of(session, shot.screenshot_id),
            screen_state_id=_named(session, shot),
            timestamp=shot.captured_at,
            screenshot_id=shot.screenshot_id,
            session_id=session.session_id,
            screenshot_path=self._data.sessions.screenshot_path(session, shot.screenshot_id),
        )
        return self._beside.submit(self._kept, state, pixels)

    def _kept(self, state: ScreenState, pixels: Pixels) -> ObservedScreen:
        screen = self._observer.fingerprinted(state, pixels)
        self._data.screen_states.save(state)
        return screen


def _named(session: RecordedSession, shot: Screenshot) -> str:
    return f"{session.session_id}.{shot.screenshot_id}"[:128]


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
