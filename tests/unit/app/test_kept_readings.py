"""What was read of a picture is kept beside it, and read again only where it could be otherwise."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from counting_reader import CountingReader
from office import Office, show_three

from rpa_vision.adapters.perception.reader_identity import reader_identity
from rpa_vision.adapters.runtime.helper_process import HelperProcess
from rpa_vision.adapters.storage.paths import day_of
from rpa_vision.app.reading_ahead import read_new
from rpa_vision.app.session_screens import SessionScreens
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.graph.interactions import Interactions
from rpa_vision.imaging.codec import encode_png
from rpa_vision.models.raw_session import CaptureMetrics, RawSession, RecordedSession
from rpa_vision.models.screen_state import ScreenState
from rpa_vision.models.window import WindowContext


@pytest.fixture
def session(office: Office) -> RecordedSession:
    return office.keep(show_three(office.book))


def names_of(session: RecordedSession) -> list[str]:
    return [shot.screenshot_id for shot in session.screenshots]


def observer_called(office: Office, read_by: str | None) -> tuple[ScreenObserver, CountingReader]:
    reader = CountingReader(office.book.observer.reader)
    observer = ScreenObserver(reader, office.book.embedder)
    observer.read_by = read_by
    return observer, reader


def read_all(
    office: Office, session: RecordedSession, read_by: str | None = "this reader"
) -> tuple[list[str], dict[str, tuple[ScreenState, bytes, tuple[int, int]]]]:
    """Which screens a fresh process would read, and what it then knows of each."""
    observer, reader = observer_called(office, read_by)
    screens = SessionScreens(office.data, observer, [session], lambda what, done, total: None)
    seen = {name: screens.observe(session, name) for name in names_of(session)}
    return reader.asked, {name: (one.state, one.vector.tobytes(), one.size) for name, one in seen.items()}


def kept_file(office: Office, session: RecordedSession, name: str) -> Path:
    journal = office.data.paths.session_journal(day_of(session.started_at), session.session_id)
    return journal.parent / "read" / f"{name}.json"


def test_what_was_read_once_is_known_to_the_next_process(office: Office, session: RecordedSession) -> None:
    """L4-2, issue 5: learning again, or after more demonstrations, reads only what is new; to the last bit the same"""
    asked, seen = read_all(office, session)
    assert asked == names_of(session)
    again, known = read_all(office, session)
    assert again == []
    assert known == seen


def test_another_reader_reads_for_itself(office: Office, session: RecordedSession) -> None:
    """L4-2: and one that has no name keeps nothing"""
    assert read_all(office, session, None)[0] == names_of(session)
    assert not kept_file(office, session, names_of(session)[0]).exists()
    read_all(office, session)
    assert read_all(office, session, "another reader")[0] == names_of(session)
    assert read_all(office, session, "another reader")[0] == []


def spoil(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


@pytest.mark.parametrize(
    "change",
    [
        lambda data: b"",
        lambda data: data[: len(data) // 2],
        lambda data: b"\x00" * len(data),
        lambda data: data.replace(b'"read_of":"', b'"read_of":"0'),
        lambda data: data.replace(b'"read_by"', b'"read_with"'),
    ],
)
def test_what_does_not_fit_is_read_again(
    office: Office, session: RecordedSession, change: Callable[[bytes], bytes]
) -> None:
    """L4-2, issue 5: a file that was cut short, of another program, of another picture"""
    _, seen = read_all(office, session)
    name = names_of(session)[1]
    spoil(kept_file(office, session, name), change)
    asked, known = read_all(office, session)
    assert asked == [name]
    assert known == seen
    assert read_all(office, session)[0] == []


def test_a_picture_that_was_changed_is_read_again(office: Office, session: RecordedSession) -> None:
    """L4-2"""
    read_all(office, session)
    first, second = names_of(session)[:2]
    root = office.data.paths.root
    (root / office.data.sessions.screenshot_path(session, first)).write_bytes(
        (root / office.data.sessions.screenshot_path(session, second)).read_bytes()
    )
    assert read_all(office, session)[0] == [first]


def test_a_screen_of_another_window_is_read_again(office: Office, session: RecordedSession) -> None:
    """L4-2: while it is recorded, not everything is known yet"""
    read_all(office, session)
    first, *others = session.screenshots
    told = first.model_copy(update={"window": WindowContext(title="Patients", app_name="other")})
    later = session.model_copy(update={"screenshots": (told, *others)})
    assert read_all(office, later)[0] == [first.screenshot_id]


def test_where_nothing_can_be_kept_it_is_read_all_the_same(office: Office, session: RecordedSession) -> None:
    """L4-2: a cache is never in the way"""
    kept_file(office, session, "any").parent.write_bytes(b"no folder")
    asked, seen = read_all(office, session)
    assert asked == names_of(session)
    assert read_all(office, session) == (asked, seen)


def test_reading_ahead_reads_each_screen_once_and_minds_no_damage(office: Office, session: RecordedSession) -> None:
    """Issue 5: what is read while recording is what learning would read"""
    broken, *others = names_of(session)
    path = office.data.paths.root / office.data.sessions.screenshot_path(session, broken)
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    observer, reader = observer_called(office, "this reader")
    read: set[str] = set()
    for _ in range(2):
        read_new(office.data, observer, session, read)
    assert reader.asked == others
    path.write_bytes(whole)
    assert read_all(office, session)[0] == [broken]


def waits_for(is_so: Callable[[], bool]) -> bool:
    until = time.monotonic() + 60
    while not is_so() and time.monotonic() < until:
        time.sleep(0.05)
    return is_so()


def test_a_process_of_its_own_reads_while_it_is_recorded_and_ends_with_it(office: Office) -> None:
    """Issue 5: from what is on the disk already, until nobody records any more"""
    made = show_three(office.book).session()
    raw = RawSession(
        session_id=made.session_id, environment=made.environment, user=made.user, started_at=made.started_at
    )
    writer = office.data.sessions.begin(raw)
    with HelperProcess("rpa_vision.app.reading_ahead", str(office.data.paths.root)) as ahead:
        ahead.begin([made.session_id])
        for taken in (made.screenshots[:-1], made.screenshots[-1:]):
            for shot in taken:
                writer.add_screenshot(shot, encode_png(office.book.pixels[shot.screenshot_id]))
            kept = kept_file(office, made, taken[-1].screenshot_id)
            assert waits_for(kept.is_file), "it is read soon after it was taken"
        writer.end(made.started_at, CaptureMetrics())
        assert list(ahead.answers()) == [], "it has ended by itself"


def test_who_stands_back_asks_for_nothing_that_others_want(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 5: reading ahead never slows the recorder, nor the person's own work"""
    (tmp_path / "says_its_place.py").write_text(
        "import os, pickle, sys\n"
        "kind = os.sched_getscheduler(0) if hasattr(os, 'SCHED_IDLE') else None\n"
        "pickle.dump((os.nice(0), kind), sys.stdout.buffer)\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    with HelperProcess("says_its_place", stands_back=True) as helper:
        (place,) = helper.answers()
    assert place == (19, getattr(os, "SCHED_IDLE", None))


def test_the_word_for_a_reader_changes_with_all_that_decides(tmp_path: Path) -> None:
    """L4-2: settings, and the files that they name"""
    model = tmp_path / "model.json"
    model.write_text("one")
    settings = ("RPA_VISION_READER", "RPA_VISION_ENCODER")
    plain = reader_identity({}, settings)
    assert plain == reader_identity({"RPA_VISION_DATA": "elsewhere"}, settings)
    given = reader_identity({"RPA_VISION_ENCODER": str(model)}, settings)
    model.write_text("another")
    words = {plain, given, reader_identity({"RPA_VISION_ENCODER": str(model)}, settings)}
    words.add(reader_identity({"RPA_VISION_READER": "ink"}, settings))
    assert len(words) == 4


def test_a_fingerprint_is_kept_to_the_last_bit(office: Office, session: RecordedSession) -> None:
    """L4-2: vectors are compared, so that a rounded one would be another"""
    _, seen = read_all(office, session)
    clicks = Interactions()  # a reading is of one screen alone; what was done with it is told afterwards
    for name, (state, vector, size) in seen.items():
        kept = office.data.readings.load(session, name)
        assert kept is not None
        assert kept.vector.tobytes() == vector
        assert kept.vector.dtype == np.float32
        assert (kept.size, clicks.told(session, name, kept.state)) == (size, state)
