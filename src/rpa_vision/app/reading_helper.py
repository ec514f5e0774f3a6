"""The second reader of learning: `python -m rpa_vision.app.reading_helper DATA`, started and ended by who learns.

It is told on its standard input, as a line of JSON, which sessions of the data directory; it reads their screens from
the last to the first and says each on its standard output. What cannot be read is left to the first reader, which says
what is wrong.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from rpa_vision.app import wiring, wiring_reading
from rpa_vision.app.session_screens import ReadScreen, read_screen
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.errors import RpaVisionError
from rpa_vision.models.raw_session import RecordedSession
from rpa_vision.ports.storage import DataDirectory


def read_from_the_end(
    data: DataDirectory, observer: ScreenObserver, sessions: Sequence[RecordedSession]
) -> Iterator[ReadScreen]:
    """The screens of sessions, the last first."""
    for session in reversed(sessions):
        for shot in reversed(session.screenshots):
            with suppress(RpaVisionError):
                yield read_screen(data, observer, session, shot)


def main(root: str) -> None:
    """Get ready, wait to be told, read."""
    data, observer = wiring.data_directory(Path(root)), wiring_reading.session_observer()
    told = sys.stdin.readline()
    sessions = [data.sessions.load(session_id) for session_id in json.loads(told or "[]")]
    for read in read_from_the_end(data, observer, sessions):
        pickle.dump(read, sys.stdout.buffer, protocol=pickle.HIGHEST_PROTOCOL)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])
