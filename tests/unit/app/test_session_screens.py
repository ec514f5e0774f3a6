"""Screens of a session are read once, are the ones that were asked for, and are kept."""

from __future__ import annotations

import numpy as np
import pytest
from office import Office, show_three

from rpa_vision.app.session_screens import SessionScreens
from rpa_vision.errors import ImageError, LearningError, UnknownIdError
from rpa_vision.models.raw_session import RecordedSession


@pytest.fixture
def session(office: Office) -> RecordedSession:
    return office.keep(show_three(office.book))


def screens_of(office: Office, session: RecordedSession, told: list[int] | None = None) -> SessionScreens:
    heard = [] if told is None else told
    return SessionScreens(office.data, office.book.observer, [session], lambda what, done, total: heard.append(done))


@pytest.mark.parametrize("step", [1, -1, 2])
def test_whatever_the_order_each_screen_is_its_own(office: Office, session: RecordedSession, step: int) -> None:
    """L4-2"""
    names = [shot.screenshot_id for shot in session.screenshots][::step]
    told: list[int] = []
    screens = screens_of(office, session, told)
    for name in names:
        seen = screens.observe(session, name)
        assert np.array_equal(seen.pixels[:, :, :3], office.book.pixels[name][:, :, :3])
        assert seen.state.screen_state_id == f"{session.session_id}.{name}"
        assert np.array_equal(seen.vector, office.book[name].vector)
        assert screens.observe(session, name) is seen, "each is read once"
        assert office.data.screen_states.load(seen.state.screen_state_id) == seen.state, "and kept by then"
        assert screens.picture(seen.state.screen_state_id).startswith(b"\x89PNG")
    assert told == list(range(1, len(names) + 1))


def put_in_place_of(office: Office, session: RecordedSession, name: str, content: bytes | None) -> None:
    path = office.data.paths.root / office.data.sessions.screenshot_path(session, name)
    path.unlink()
    if content is not None:
        path.write_bytes(content)


@pytest.mark.parametrize(("content", "error"), [(None, UnknownIdError), (b"no picture", ImageError)])
def test_a_picture_that_is_gone_or_damaged_is_told_when_it_is_asked_for(
    office: Office, session: RecordedSession, content: bytes | None, error: type[Exception]
) -> None:
    """L4-2, issue 5: a session with missing screenshots"""
    names = [shot.screenshot_id for shot in session.screenshots]
    put_in_place_of(office, session, names[1], content)
    screens = screens_of(office, session)
    screens.observe(session, names[0])
    with pytest.raises(error, match=rf"^sessions/.*/{session.session_id}/.*{names[1]}.*\.png\b"):
        screens.observe(session, names[1])
    assert screens.observe(session, names[2]).state.session_id == session.session_id, "the others are there"
    with pytest.raises(LearningError, match="is missing"):
        screens.observe(session, "nobody")
