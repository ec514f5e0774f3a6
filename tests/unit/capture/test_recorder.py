"""The recorder: threads, order, the hotkey, and failures that are told (L0-1, L0-2, L0-6)."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path

import pytest
from capture_inputs import click, key, picture, typed
from stub_desktop import StubDesktop

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.app.record import record, session_id
from rpa_vision.capture.recorder import Recorder, RecorderSettings, SessionIdentity
from rpa_vision.errors import DesktopError, StorageError, UsageError
from rpa_vision.imaging.codec import decode
from rpa_vision.models.frame import Frame
from rpa_vision.models.geometry import Point
from rpa_vision.models.input import InputEvent
from rpa_vision.models.raw_session import (
    CaptureMetrics,
    Event,
    RawSession,
    RecordedSession,
    Screenshot,
    UserRef,
)
from rpa_vision.ports.storage import SessionStore, SessionWriter
from rpa_vision.testing.manual_clock import ManualClock

WHO = SessionIdentity("sess_test", UserRef(id="ana"), {"training_label": "Test"})
T0 = 1000.0


class NoSecrets:
    def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
        return False


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(monotonic_s=T0)


@pytest.fixture
def desktop() -> StubDesktop:
    return StubDesktop(picture(0, T0 - 0.1))


@pytest.fixture
def data(tmp_path: Path, clock: ManualClock) -> FileDataDirectory:
    return FileDataDirectory(tmp_path / "data", clock=clock)


@pytest.fixture
def recorder(desktop: StubDesktop, data: FileDataDirectory, clock: ManualClock) -> Recorder:
    return Recorder(desktop, data.sessions, NoSecrets(), clock, WHO)  # type: ignore[arg-type]


def shade(data: FileDataDirectory, session: RecordedSession, shot: str | None) -> int:
    assert shot is not None
    return int(decode(data.sessions.screenshot(session, shot))[0, 0, 0])


def do(desktop: StubDesktop, *events: InputEvent) -> None:
    for event in events:
        desktop.hear(event)


def test_what_the_person_does_is_stored_with_the_screen_before_and_after(recorder, desktop, data):
    """L0-2"""
    recorder.start()
    do(desktop, *click(T0 + 1.0))
    desktop.paint(90, T0 + 1.2)
    do(desktop, typed(T0 + 2.0, "é"))
    desktop.paint(120, T0 + 2.1)
    recorder.stop()
    session = data.sessions.load("sess_test")
    clicked, letter = session.events
    assert (clicked.type, clicked.t, clicked.pos, clicked.clicks) == ("mouse_click", 1.0, (100, 100), 1)
    assert (letter.char, letter.t, letter.window.app_name) == ("é", 2.0, "Chromium")
    shades = [
        shade(data, session, shot)
        for event in session.events
        for shot in (event.screenshot_id, event.screenshot_after_id)
    ]
    assert shades == [0, 90, 90, 120]
    assert len(session.screenshots) == 3
    assert session.ended_at is not None
    assert desktop.open == 0


def test_the_same_picture_is_stored_once(recorder, desktop):
    """L0-2"""
    with recorder:
        for index in range(5):
            do(desktop, *click(T0 + 1 + index))
    session = recorder.stop()
    assert len(session.screenshots) == 1
    assert {(event.screenshot_id, event.screenshot_after_id) for event in session.events} == {
        ("shot_0001", "shot_0001")
    }


def test_a_late_aftermath_is_in_the_document(recorder, desktop, data, clock, wait):
    """L0-2"""
    recorder.start()
    do(desktop, *click(T0 + 0.1))
    clock.advance(1.2)
    wait.until(lambda: recorder.progress[0] == 1, what="the click is written before the screen has settled")
    assert data.sessions.load("sess_test").events[0].screenshot_after_id is None
    desktop.paint(77, T0 + 1.3)
    recorder.stop()
    session = data.sessions.load("sess_test")
    assert shade(data, session, session.events[0].screenshot_after_id) == 77


def test_the_stop_hotkey_asks_to_stop_and_is_not_recorded(recorder, desktop):
    """L0-2"""
    recorder.start()
    do(desktop, typed(T0 + 1, "a"), key(T0 + 2, "CTRL"), key(T0 + 2.1, "ALT", "CTRL"))
    do(desktop, key(T0 + 2.2, "END", "CTRL", "ALT"), typed(T0 + 3, "z"))
    assert recorder.stop_requested.wait(5)
    assert [event.char for event in recorder.stop().events] == ["a"]


def test_a_hotkey_that_is_none_is_refused(desktop, data, clock):
    """L0-2"""
    for wrong in ("END", "CTRL+ALT", "CTRL+NOPE", ""):
        with pytest.raises(UsageError):
            Recorder(desktop, data.sessions, NoSecrets(), clock, WHO, settings=RecorderSettings(stop_hotkey=wrong))


def test_the_capture_says_how_well_it_went(recorder, desktop):
    """L0-6"""
    with recorder:
        do(desktop, *click(T0 + 1.0))
        desktop.paint(90, T0 + 1.2)
    capture = recorder.stop().capture
    assert capture is not None
    assert (capture.frames_grabbed, capture.frames_dropped, capture.screenshots_written) == (2, 0, 2)
    assert capture.grab_ms_median == pytest.approx(2.0)
    assert capture.callback_lag_ms_max == pytest.approx(1.0)
    assert capture.bytes_written > 0


def test_without_a_picture_no_session_is_begun(data, clock):
    """L0-2"""
    blind = StubDesktop(None)
    recorder = Recorder(
        blind, data.sessions, NoSecrets(), clock, WHO, settings=RecorderSettings(first_frame_within_s=0.01)
    )
    with pytest.raises(DesktopError):
        recorder.start()
    assert blind.open == 0
    assert data.sessions.list().items == ()


class FullDisk:
    """A store, and the writer of its session, whose disk is full after so many events."""

    def __init__(self, store: SessionStore, room: int) -> None:
        self._store, self._room = store, room
        self._writer: SessionWriter

    def begin(self, session: RawSession) -> SessionWriter:
        self._writer = self._store.begin(session)
        return self

    @property
    def path(self) -> str:
        return self._writer.path

    def add_screenshot(self, screenshot: Screenshot, png: bytes) -> None:
        self._writer.add_screenshot(screenshot, png)

    def add_event(self, event: Event) -> None:
        if not self._room:
            raise StorageError("no space left on the device")
        self._room -= 1
        self._writer.add_event(event)

    def add_aftermath(self, event_number: int, screenshot_id: str) -> None:
        self._writer.add_aftermath(event_number, screenshot_id)

    def end(self, ended_at: datetime, capture: CaptureMetrics) -> RecordedSession:
        return self._writer.end(ended_at, capture)


def test_a_failure_is_told_after_the_session_was_closed(desktop, data, clock):
    """L0-2"""
    recorder = Recorder(desktop, FullDisk(data.sessions, 2), NoSecrets(), clock, WHO)
    recorder.start()
    do(desktop, *(key(T0 + 1 + index, "ENTER") for index in range(5)))
    assert recorder.stop_requested.wait(5)
    with pytest.raises(StorageError, match="no space"):
        recorder.stop()
    session = data.sessions.load("sess_test")
    assert len(session.events) == 2
    assert session.ended_at is not None
    assert desktop.open == 0


def test_a_worker_that_breaks_asks_to_stop_and_says_why(recorder, desktop, data):
    """L0-2"""
    recorder.start()
    nowhere: Point = None  # type: ignore[assignment]
    do(desktop, key(T0 + 1.0, "ENTER"), key(T0 + 2.0, "ENTER"), *click(T0 + 3.0, nowhere))
    assert recorder.stop_requested.wait(5)
    with pytest.raises(TypeError):
        recorder.stop()
    session = data.sessions.load("sess_test")
    assert session.ended_at is not None
    assert [event.key for event in session.events] == ["ENTER"]


def test_record_says_what_was_recorded_and_where(desktop, data, clock):
    """L0-1"""
    stop, counts = threading.Event(), []

    def on_ready() -> None:
        do(desktop, *click(T0 + 1.0), key(T0 + 2.0, "END", "CTRL", "ALT"))

    result = record(
        desktop, data, NoSecrets(), clock, name="Valider une facture", user=UserRef(id="ana"), stop=stop,
        on_ready=on_ready, on_progress=lambda *seen: counts.append(seen),
    )  # fmt: skip
    assert result.session_id == "sess_2025-01-01T00-00-00_valider_une_facture"
    assert (result.events, result.screenshots, result.warnings) == (1, 1, ())
    assert Path(result.path).exists()
    session = data.sessions.load(result.session_id)
    assert session.context == {"training_label": "Valider une facture"}
    assert session.environment.screen.primary_resolution == (96, 64)
    assert stop.is_set()


def test_an_unanswered_question_is_a_warning(desktop, data, clock):
    """L0-7"""

    class Broken:
        def is_secret(self, before: Frame, clicked: Point | None, after: Frame | None) -> bool:
            raise RuntimeError("no model")

    def on_ready() -> None:
        do(desktop, typed(T0 + 1.0, "q"), key(T0 + 2.0, "END", "CTRL", "ALT"))

    result = record(
        desktop, data, Broken(), clock, name="x", user=UserRef(id="ana"), stop=threading.Event(), on_ready=on_ready
    )
    assert len(result.warnings) == 1
    (event,) = data.sessions.load(result.session_id).events
    assert (event.secret_ref, event.key, event.char) == ("secret_1", None, None)


def test_session_ids_say_when_and_what(clock):
    """L0-1"""
    assert session_id("N° d'œuvre", clock.now()) == "sess_2025-01-01T00-00-00_n_d_oeuvre"
