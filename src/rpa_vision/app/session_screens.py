"""The understood screens of sessions, each read once and kept.

Reading takes nearly all the time of learning. A second reader in a process of its own reads the same screens from the
last to the first, until both meet. A screen is read for itself alone, so it does not matter who read it; who is who
over time is told here, in the order in which screens are asked for. What comes out is the same with and without help.
Pixels are not kept: whoever compares two screens has them unpacked again, the last few are still at hand.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import blake2b
from typing import Final, Protocol

from rpa_vision.embedding.screen_observer import ObservedScreen, RecordedScreen, ScreenObserver
from rpa_vision.errors import ImageError, LearningError, RpaVisionError, UnknownIdError
from rpa_vision.graph.interactions import Interactions
from rpa_vision.imaging.codec import decode
from rpa_vision.models.frame import Pixels
from rpa_vision.models.kept_reading import KeptReading, packed
from rpa_vision.models.raw_session import RecordedSession, Screenshot
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.window import WindowContext
from rpa_vision.ports.perception import Vector
from rpa_vision.ports.storage import DataDirectory

OnProgress = Callable[[str, int, int], None]
"""What is going on, how much is done, how much there is."""
Key = tuple[str, str]
"""Session and screenshot."""
_AT_HAND: Final = 8
"""Screens whose pixels stay unpacked."""


@dataclass(frozen=True, slots=True, eq=False)
class ReadScreen:
    """A screen that was read and fingerprinted, alone."""

    key: Key
    size: tuple[int, int]
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
        self._place = {key: place for place, key in enumerate(self._shots)}
        self._ahead = deque(self._shots)
        self._known: dict[Key, ObservedScreen] = {}
        self._interactions = Interactions()
        self._named = {_named(*shown): key for key, shown in self._shots.items()}
        self._pixels = lru_cache(_AT_HAND)(self._unpacked)
        self._helper = helper
        self._read: dict[Key, ReadScreen] = {}
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
        self._read_up_to(key)
        read = self._read.pop(key, None) or self._read_alone(key)
        state = self._interactions.told(self._shots[key][0], key[1], self._observer.followed(read.state))
        self._keep(key[0], state)
        return RecordedScreen(partial(self._pixels, key), read.size, state, read.vector)

    def _keep(self, session_id: str, state: ScreenState) -> None:
        """Whoever deletes a session forgets its screens afterwards; one that is kept later still goes here."""
        self._data.screen_states.save(state)
        if not self._data.sessions.has(session_id):
            self._data.screen_states.delete(state.screen_state_id)
            raise UnknownIdError(f"the session {session_id!r} was deleted meanwhile", remedy="Leave it out.")

    def _read_up_to(self, key: Key) -> None:
        """Read what was taken up to then, also what is asked for later only: of that nothing is left when both readers
        meet. What cannot be read is nobody's trouble until it is asked for."""
        while self._ahead and self._place[self._ahead[0]] <= self._place[key]:
            one = self._ahead.popleft()
            if one not in self._read:
                with suppress(RpaVisionError):
                    self._read[one] = self._read_alone(one)
            elif self._helper is not None:  # they have met
                self._helper.end()
                self._helper = None

    def _read_alone(self, key: Key) -> ReadScreen:
        return read_screen(self._data, self._observer, *self._shots[key], partial(self._pixels, key))

    def _unpacked(self, key: Key) -> Pixels:
        session, shot = self._shots[key]
        content = self._data.sessions.screenshot(session, shot.screenshot_id)
        try:
            return decode(content)
        except ImageError as error:
            path = self._data.sessions.screenshot_path(session, shot.screenshot_id)
            raise ImageError(f"{path}: {error}", remedy="Put the picture back, or leave the session out.") from error

    def _listen(self, helper: ReadingHelper) -> None:
        for read in helper.answers():
            self._read[read.key] = read


def read_screen(
    data: DataDirectory,
    observer: ScreenObserver,
    session: RecordedSession,
    shot: Screenshot,
    unpack: Callable[[], Pixels] | None = None,
) -> ReadScreen:
    """Read and fingerprint one screen, unless the same was done before. `unpack` gives its pixels, if nobody else."""
    key = (session.session_id, shot.screenshot_id)
    window = shot.window or _window_of(session, shot.screenshot_id)
    path = data.sessions.screenshot_path(*_of(session, shot))
    content = data.sessions.screenshot(*_of(session, shot))
    told = "\n".join((_named(session, shot), path, shot.captured_at.isoformat(), window.model_dump_json()))
    read_of = blake2b(told.encode() + content, digest_size=16).hexdigest()
    kept = data.readings.load(*_of(session, shot)) if observer.read_by is not None else None
    if kept is not None and (kept.read_by, kept.read_of) == (observer.read_by, read_of):
        return ReadScreen(key, kept.size, kept.state, kept.vector)
    pixels = unpack() if unpack is not None else decode(content)
    state = observer.reader.read(
        pixels,
        window=window,
        screen_state_id=_named(session, shot),
        timestamp=shot.captured_at,
        screenshot_id=shot.screenshot_id,
        session_id=session.session_id,
        screenshot_path=path,
    )
    read = ReadScreen(key, (int(pixels.shape[1]), int(pixels.shape[0])), state, observer.fingerprint(state, pixels))
    if observer.read_by is not None:
        reading = KeptReading(
            read_by=observer.read_by, read_of=read_of, size=read.size, state=state, fingerprint=packed(read.vector)
        )
        data.readings.save(*_of(session, shot), reading)
    return read


def _of(session: RecordedSession, shot: Screenshot) -> tuple[RecordedSession, str]:
    return session, shot.screenshot_id


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
