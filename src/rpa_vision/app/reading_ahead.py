"""Reads a session while it is being recorded, so that learning it takes a moment: started and ended by who records.

It is told on its standard input, as a line of JSON, which session. It works when nothing else wants the processor, and
on what is on the disk already; what it has not read when it ends is read by who learns. Each screen it has read is kept
whole or not at all, so it may be killed at any instant.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from pathlib import Path

from rpa_vision.app import wiring, wiring_reading
from rpa_vision.app.session_screens import read_screen
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.ports.runtime import Clock
from rpa_vision.ports.storage import DataDirectory

_EVERY_S = 1.0


def read_ahead(data: DataDirectory, observer: ScreenObserver, clock: Clock, session_id: str) -> None:
    """Read what the session holds, again and again until its recorder is done or dead."""
    read: set[str] = set()
    while data.sessions.is_being_recorded(session_id):
        with suppress(RpaVisionError):
            read_new(data, observer, data.sessions.load(session_id), read)
        clock.sleep(_EVERY_S)


def read_new(data: DataDirectory, observer: ScreenObserver, session: RecordedSession, read: set[str]) -> None:
    """Read the screens that are not among those `read`, and count them to these."""
    for shot in session.screenshots:
        if shot.screenshot_id not in read:
            read.add(shot.screenshot_id)
            with suppress(RpaVisionError):
                read_screen(data, observer, session, shot)


def main(root: str) -> None:
    """Get ready, wait to be told, read."""
    data, observer = wiring.data_directory(Path(root)), wiring_reading.session_observer()
    for session_id in json.loads(sys.stdin.readline() or "[]"):
        read_ahead(data, observer, wiring.clock(), session_id)


if __name__ == "__main__":
    main(sys.argv[1])
