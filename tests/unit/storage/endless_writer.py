"""A process that writes until it is killed, and says on its output what it has been told is kept."""

from __future__ import annotations

import sys
from pathlib import Path

from rpa_vision.adapters.runtime import SystemClock
from rpa_vision.adapters.storage import FileDataDirectory
from rpa_vision.models.raw_session import Event, RawSession, RecordedSession, Screenshot
from rpa_vision.models.workflow_graph import Workflow

GOLDEN = Path(__file__).parents[2] / "golden"


def record(data: FileDataDirectory, session_id: str, png: bytes) -> None:
    """One endless session: a picture and an event at a time."""
    clock = SystemClock()
    document = RecordedSession.from_json((GOLDEN / "raw_session.json").read_bytes())
    session = RawSession(
        session_id=session_id, environment=document.environment, user=document.user, started_at=document.started_at
    )
    writer = data.sessions.begin(session)
    number = 0
    while True:
        name = f"shot_{number:06}"
        shot = Screenshot(screenshot_id=name, relative_path=f"shots/{name}.png", captured_at=clock.now())
        writer.add_screenshot(shot, png)
        writer.add_event(Event(t=float(number), type="mouse_click", pos=(number, 0), screenshot_id=name))
        say(number)
        number += 1


def rewrite(data: FileDataDirectory, first: int) -> None:
    """The same workflow and session over and over, each time as another version."""
    workflow = Workflow.from_json((GOLDEN / "workflow.json").read_bytes())
    session = RecordedSession.from_json((GOLDEN / "raw_session_segments.json").read_bytes())
    version = first
    while True:
        data.workflows.save(workflow.model_copy(update={"version": version, "description": "x" * (version % 9000)}))
        data.sessions.save(session.model_copy(update={"agent_version": str(version)}))
        say(version)
        version += 1


def say(number: int) -> None:
    sys.stdout.write(f"{number}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    what, root, argument = sys.argv[1:]
    directory = FileDataDirectory(Path(root), clock=SystemClock())
    if what == "record":
        record(directory, argument, sys.stdin.buffer.read())
    else:
        rewrite(directory, int(argument))
