"""A real person-like process on a real X server, recorded (L0-2, L0-6)."""

from __future__ import annotations

import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

from capture_stage import PAINTED_WINDOW, PROGRAMS

from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.imaging.codec import decode

BLUE = 100


def test_each_click_has_the_screen_before_it_and_the_settled_one_after(start, record_person):
    """L0-2: the window is red while the button is down and a new shade of blue afterwards."""
    start(sys.executable, PAINTED_WINDOW, "Bleu", "100", "100", "400", "300", app_name="PaintedWindow")
    steps = [step for index in range(6) for step in (["click", 200 + 20 * index, 200], ["pause", 0.3 + 0.2 * index])]
    recording = record_person(*steps)
    clicks = [event for event in recording.session.events if event.type == "mouse_click"]
    assert [event.pos for event in clicks] == [(200 + 20 * index, 200) for index in range(6)]
    assert all(event.window.title == "Bleu" for event in clicks)
    shades = [
        [int(recording.pixels(shot)[300, 300, 0]) for shot in (event.screenshot_id, event.screenshot_after_id)]
        for event in clicks
    ]
    assert shades == [[BLUE + index, BLUE + index + 1] for index in range(6)]


def test_gestures_and_typed_text_are_told_right(start, record_person):
    """L0-2, L0-6"""
    start("mousepad", "--disable-server", app_name="Mousepad")
    text = "Évaluer « œuvre » 3,50 € à Noël"
    recording = record_person(
        ["click", 400, 300], ["pause", 0.6], ["type", text], ["pause", 0.5], ["press", "CTRL", "A"], ["pause", 0.5],
        ["click", 420, 320, 2], ["pause", 0.6], ["right", 500, 300], ["pause", 0.5], ["press", "ESCAPE"],
        ["drag", 300, 300, 420, 310], ["scroll", 400, 300, 3], ["pause", 0.5],
    )  # fmt: skip
    events = [event for event in recording.session.events if event.type != "mouse_move"]
    assert "".join(event.char or "" for event in events) == text
    others = [(each.type, each.clicks or each.scroll or each.end_pos or each.key) for each in events if not each.char]
    assert others == [
        ("mouse_click", 1), ("key_press", "A"), ("mouse_click", 2), ("mouse_click", 1), ("key_press", "ESCAPE"),
        ("mouse_drag", (420, 310)), ("mouse_scroll", (0, 3)),
    ]  # fmt: skip
    letters = [event for event in events if event.char]
    assert letters[0].screenshot_id is not None
    assert letters[-1].screenshot_after_id is not None
    assert letters[0].screenshot_id != letters[-1].screenshot_after_id
    assert sum(event.screenshot_id is not None for event in letters) <= 2
    assert [event.t for event in events] == sorted(event.t for event in events)
    assert all(event.noise_flag for event in recording.session.events if event.type == "mouse_move")
    capture = recording.session.capture
    assert capture is not None
    assert capture.frames_grabbed > 5
    assert capture.frames_dropped == 0
    assert 0 < capture.grab_ms_median < 100
    assert capture.callback_lag_ms_median < 100
    assert capture.screenshots_written == len(recording.session.screenshots)


def test_a_killed_recorder_loses_at_most_the_last_second(virtual_desktop, start, person, tmp_path, system_clock, wait):
    """L0-2"""
    start(sys.executable, PAINTED_WINDOW, "Bleu", "100", "100", "400", "300", app_name="PaintedWindow")
    recorder = virtual_desktop.run(
        [sys.executable, PROGRAMS / "recording.py", tmp_path / "data"], stdout=subprocess.PIPE
    )
    assert recorder.stdout is not None
    assert recorder.stdout.readline() == b"recording\n"
    person(*(step for index in range(4) for step in (["click", 200 + 20 * index, 200], ["pause", 0.1])))
    person(["type", "été"], ["press", "ENTER"], ["pause", 1.0])
    person(["click", 300, 300])
    recorder.send_signal(signal.SIGKILL)
    killed_at = datetime.now(UTC)
    recorder.wait()
    sessions = FileDataDirectory(Path(tmp_path / "data"), clock=system_clock).sessions
    (summary,) = sessions.list().items
    assert not summary.complete
    session = sessions.load(summary.session_id)
    told = [event.char or event.key or event.pos for event in session.events if event.type != "mouse_move"]
    assert told[:8] == [(200, 200), (220, 200), (240, 200), (260, 200), "é", "t", "é", "ENTER"]
    assert session.started_at < killed_at
    for event in session.events:
        for shot in (event.screenshot_id, event.screenshot_after_id):
            assert shot is None or sessions.screenshot(session, shot)


def test_a_killed_recorder_has_kept_what_a_slow_application_showed_late(
    virtual_desktop, start, person, tmp_path, system_clock
):
    """L0-2: the screen after each click came longer after it than an event waits to be written"""
    start(sys.executable, PROGRAMS / "slow_window.py", "Lent", "1.2", app_name="SlowWindow")
    recorder = virtual_desktop.run(
        [sys.executable, PROGRAMS / "recording.py", tmp_path / "data"], stdout=subprocess.PIPE
    )
    assert recorder.stdout is not None
    assert recorder.stdout.readline() == b"recording\n"
    person(*(step for index in range(3) for step in (["click", 200 + 40 * index, 200], ["pause", 3.0])))
    recorder.send_signal(signal.SIGKILL)
    recorder.wait()
    recorder.stdout.close()
    sessions = FileDataDirectory(Path(tmp_path / "data"), clock=system_clock).sessions
    (summary,) = sessions.list().items
    assert not summary.complete
    session = sessions.load(summary.session_id)
    clicks = [event for event in session.events if event.type == "mouse_click"]
    shades = [
        [int(decode(sessions.screenshot(session, shot))[300, 300, 0]) for shot in shots]
        for event in clicks
        if all(shots := (event.screenshot_id, event.screenshot_after_id))
    ]
    assert shades == [[BLUE + index, BLUE + index + 1] for index in range(3)]
