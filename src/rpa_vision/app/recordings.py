"""What is learned from: the recordings of a name, each as far as its pictures are whole.

A torn picture costs the goes that need it, not the whole recording.
"""

from __future__ import annotations

from collections.abc import Sequence

from rpa_vision.errors import ImageError, LearningError, UsageError
from rpa_vision.imaging.codec import picture_size
from rpa_vision.models.raw_session import Event, RecordedSession
from rpa_vision.ports.storage import DataDirectory


def sessions_named(data: DataDirectory, name: str) -> list[str]:
    """The sessions that were recorded under a name, the oldest first; where there is one session only, that one."""
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


def whole_recordings(data: DataDirectory, session_ids: Sequence[str]) -> tuple[list[RecordedSession], int]:
    """The sessions without their torn pictures, and how many these are."""
    loaded = [_without_torn(data, data.sessions.load(session_id)) for session_id in dict.fromkeys(session_ids)]
    return [session for session, _ in loaded], sum(torn for _, torn in loaded)


def _without_torn(data: DataDirectory, session: RecordedSession) -> tuple[RecordedSession, int]:
    """What was done before or after a torn picture counts as not seen. Where no picture is whole the session stays as
    it is, and whoever looks at one says what is wrong."""
    torn = {shot.screenshot_id for shot in session.screenshots if _is_torn(data, session, shot.screenshot_id)}
    if not torn or len(torn) == len(session.screenshots):
        return session, 0
    events = [
        _not_seen(event) if {event.screenshot_id, event.screenshot_after_id} & torn else event
        for event in session.events
    ]
    shots = [shot for shot in session.screenshots if shot.screenshot_id not in torn]
    return session.model_copy(update={"events": tuple(events), "screenshots": tuple(shots)}), len(torn)


def _is_torn(data: DataDirectory, session: RecordedSession, screenshot_id: str) -> bool:
    try:
        picture_size(data.sessions.screenshot(session, screenshot_id))
    except ImageError:
        return True
    return False


def _not_seen(event: Event) -> Event:
    return event.model_copy(update={"screenshot_id": None, "screenshot_after_id": None})
