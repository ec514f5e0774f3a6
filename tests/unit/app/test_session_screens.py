"""Screens of a session are read once, are the ones that were asked for, and are kept."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import pytest
from counting_reader import CountingReader
from office import Office, draw_patients, show_three

from rpa_vision.app.reading_helper import read_from_the_end
from rpa_vision.app.session_screens import ReadScreen, SessionScreens
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import ImageError, LearningError, UnknownIdError
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.testing.screens import HandMadeSession


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


def test_what_was_clicked_is_kept_with_the_screens_of_a_session_that_was_learned(office: Office) -> None:
    """L2-5"""
    session = office.keep(show_three(office.book))
    office.learn()
    kept = {
        name: {one.label: one.interaction_history for one in state.ui_elements}
        for name in ("form", "typed_0", "thanks_2")
        if (state := office.data.screen_states.load(f"{session.session_id}.{name}"))
    }
    clicks = {name: {label: one.click_count for label, one in said.items() if one} for name, said in kept.items()}
    assert clicks["form"] == {"Nom": 3}, "one picture stood for three clicks"
    assert clicks["typed_0"] == {"Nom": 1, "Enregistrer": 1}
    assert clicks["thanks_2"]["Nouveau"] == 3


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


def test_pixels_are_unpacked_again_rather_than_kept(office: Office) -> None:
    """L4-2: the pictures of a day would be gigabytes"""
    names = [f"Patient {number}" for number in range(10)]
    draw_patients(office.book, names)
    made = HandMadeSession(office.book)
    for number in range(len(names)):
        made.click(f"typed_{number}", (100, 210), after=f"thanks_{number}")
    session = office.keep(made)
    screens = screens_of(office, session)
    seen = {shot.screenshot_id: screens.observe(session, shot.screenshot_id) for shot in session.screenshots}
    unpacked = [weakref.ref(screen.pixels) for screen in seen.values()]
    assert len(seen) == 20
    assert sum(pixels() is not None for pixels in unpacked) <= 8
    for name, screen in seen.items():
        assert np.array_equal(screen.pixels[:, :, :3], office.book.pixels[name][:, :, :3])
        assert screen.size == (screen.pixels.shape[1], screen.pixels.shape[0])
    assert screen.pixels is screen.pixels, "the last ones are at hand"


class LastHalf:
    """Has read the last screens, all before anybody asks."""

    def __init__(self, read: Sequence[ReadScreen]) -> None:
        self._read = read
        self.was_heard = threading.Event()
        self.is_ended = False

    def begin(self, task: Sequence[str]) -> None:
        pass

    def answers(self) -> Iterator[ReadScreen]:
        yield from self._read
        self.was_heard.set()

    def end(self) -> None:
        self.is_ended = True


def test_when_both_readers_meet_nothing_is_left_to_read(office: Office, session: RecordedSession) -> None:
    """L4-2, issue 5: what is asked for later only is read on the way, while there are still two"""
    names = [shot.screenshot_id for shot in session.screenshots]
    last = list(islice(read_from_the_end(office.data, office.book.observer, [session]), 3))
    helper, reader = LastHalf(last), CountingReader(office.book.observer.reader)
    observer = ScreenObserver(reader, office.book.embedder)
    screens = SessionScreens(office.data, observer, [session], lambda what, done, total: None, helper)
    assert helper.was_heard.wait(30)
    screens.observe(session, names[0])
    assert reader.asked == names[:1]
    screens.observe(session, names[-1])
    assert reader.asked == names[:-3], "in the order of time, each once"
    assert helper.is_ended
    for name in names:
        screens.observe(session, name)
    assert reader.asked == names[:-3]


def test_a_damaged_picture_that_nobody_asks_for_is_no_trouble(office: Office, session: RecordedSession) -> None:
    """L4-2, issue 5: a session with missing screenshots"""
    names = [shot.screenshot_id for shot in session.screenshots]
    put_in_place_of(office, session, names[1], b"no picture")
    screens = screens_of(office, session)
    assert screens.observe(session, names[-1]).state.screen_state_id == f"{session.session_id}.{names[-1]}"
    with pytest.raises(ImageError):
        screens.observe(session, names[1])
