"""The understood screens of sessions, each read once and kept.

Reading takes nearly all the time of learning. A second reader in a process of its own reads the same screens from the
last to the first, until both meet. A screen is read for itself alone, so it does not matter who read it; who is who
over time is told here, in the order in which screens are asked for. What comes out is the same with and without help.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from rpa_vision.embedding.screen_observer import ObservedScreen, ScreenObserver
from rpa_vision.errors import ImageError, LearningError
from rpa_vision.imaging.codec import decode
from rpa_vision.models.frame import Pixels
from rpa_vision.models.raw_session import RecordedSession, Screenshot
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import Vector
from rpa_vision.ports.storage import DataDirectory

OnProgress = Callable[[str, int, int], None]
"""What is going on, how much is done, how much there is."""
Key = tuple[str, str]
"""Session and screenshot."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadScreen:
    """A screen that was read and fingerprinted, alone."""

    key: Key
    state: ScreenState
    vector: Vector


class ReadingHelper(Protocol):
    """A second reader, in a process of its own, over the same data directory."""

    def begin(self, task: Sequence[str]) -> None:
        """Read the screens of these sessions, the last first."""

    def answers(self) -> Iterator[ReadScreen]:
        """Each screen as it is read."""

    def end(self) -> None:
        """No more are wanted."""


class SessionScreens:
    """Gives the screens of sessions in any order; asked for as they were taken, two readers share the work."""

    def __init__(
        self,
        data: DataDirectory,
        observer: ScreenObserver,
        sessions: Sequence[RecordedSession],
        on_progress: OnProgress,
        helper: ReadingHelper | None = None,
    ) -> None:
        self._data = data
        self._observer = observer
        self._on_progress = on_progress
        self._shots = {
            (session.session_id, shot.screenshot_id): (session, shot)
            for session in sessions
            for shot in session.screenshots
        }
        self._next = dict(zip(self._shots, [*self._shots][1:], strict=False))
        self._known: dict[Key, ObservedScreen] = {}
        self._named = {_named(*shown): key for key, shown in self._shots.items()}
        self._helper = helper
        self._from_the_end: dict[Key, ReadScreen] = {}
        if helper is not None:
            helper.begin([session.session_id for session in sessions])
            threading.Thread(target=self._listen, args=(helper,), name="reading-helper", daemon=True).start()

    def observe(self, session: RecordedSession, screenshot_id: str) -> ObservedScreen:
        """The screen of a screenshot; what is wrong with its picture is raised here."""
        key = (session.session_id, screenshot_id)
        if key not in self._known:
            if key not in self._shots:
                raise LearningError(f"session {session.session_id}: screenshot {screenshot_id} is missing")
            self._known[key] = self._observed(key)
            self._on_progress("reading screens", len(self._known), len(self._shots))
        return self._known[key]

    def picture(self, screen_state_id: str) -> bytes:
        """The picture of a screen that was read, as a PNG file's bytes."""
        session, shot = self._shots[self._named[screen_state_id]]
        return self._data.sessions.screenshot(session, shot.screenshot_id)

    def _observed(self, key: Key) -> ObservedScreen:
        session, shot = self._shots[key]
        pixels = self._pixels(session, shot)
        read = self._from_the_end.pop(key, None) or read_screen(self._data, self._observer, session, shot, pixels)
        if self._helper is not None and self._next.get(key) in self._from_the_end:  # they have met
            self._helper.end()
        state = self._observer.followed(read.state)
        self._data.screen_states.save(state)
        return ObservedScreen(pixels, state, read.vector)

    def _pixels(self, session: RecordedSession, shot: Screenshot) -> Pixels:
        content = self._data.sessions.screenshot(session, shot.screenshot_id)
        try:
            return decode(content)
        except ImageError as error:
            path = self._data.sessions.screenshot_path(session, shot.screenshot_id)
            raise ImageError(f"{path}: {error}", remedy="Put the picture back, or leave the session out.") from error

    def _listen(self, helper: ReadingHelper) -> None:
        for read in helper.answers():
            self._from_the_end[read.key] = read


def read_screen(
    data: DataDirectory, observer: ScreenObserver, session: RecordedSession, shot: Screenshot, pixels: Pixels
) -> ReadScreen:
    """Read and fingerprint one screen."""
    state = observer.reader.read(
        pixels,
        window=shot.window or _window_of(session, shot.screenshot_id),
        screen_state_id=_named(session, shot),
        timestamp=shot.captured_at,
        screenshot_id=shot.screenshot_id,
        session_id=session.session_id,
        screenshot_path=data.sessions.screenshot_path(session, shot.screenshot_id),
    )
    key = (session.session_id, shot.screenshot_id)
    return ReadScreen(key, state, observer.fingerprint(state, pixels))


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
