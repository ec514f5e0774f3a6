"""`rpa-vision record`: watch a person work and keep what was seen and done."""

from __future__ import annotations

import getpass
import signal
import sys
import threading
from contextlib import ExitStack
from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json


def record(
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the task is called.")],
    stop_after: Annotated[
        float | None, typer.Option("--stop-after", metavar="S", min=0.1, help="Stop by itself after S seconds.")
    ] = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Record a session. Stop with Ctrl-C, SIGTERM or the hotkey Ctrl+Alt+End."""
    from rpa_vision.app import record as use_case
    from rpa_vision.app import wiring, wiring_reading
    from rpa_vision.app.deny_list import denied_words
    from rpa_vision.capture.discretion import USUALLY_DENIED, DeniedWindows, DiscreetDesktop
    from rpa_vision.models.raw_session import UserRef

    store = wiring.data_directory(data)
    screen = wiring.desktop()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    timer = threading.Timer(stop_after, stop.set) if stop_after is not None else None

    def ready() -> None:
        note("recording")
        if sys.stderr.isatty():
            note("● everything on this screen is being recorded; stop with Ctrl-C or Ctrl+Alt+End")
        if timer is not None:
            timer.daemon = True
            timer.start()

    def progress(events: int, screenshots: int) -> None:
        if sys.stderr.isatty():
            sys.stderr.write(f"\r● recording: {events} events, {screenshots} screenshots ")
            sys.stderr.flush()

    def begun(session_id: str) -> None:
        reader = helpers.enter_context(wiring_reading.reading_ahead(wiring.data_path(data)))
        if reader is not None:
            reader.begin([session_id])

    helpers = ExitStack()
    try:
        denied = DeniedWindows((*USUALLY_DENIED, *denied_words(store)))
        result = use_case.record(
            DiscreetDesktop(screen, denied, wiring.clock()),
            store,
            wiring.secret_fields(),
            wiring.clock(),
            name=name,
            user=UserRef(id=_user()),
            stop=stop,
            on_ready=ready,
            on_begun=begun,
            on_progress=progress,
        )
    finally:
        helpers.close()
        if timer is not None:
            timer.cancel()
        screen.close()
    if sys.stderr.isatty():
        note("")  # the line of progress ends here
    for warning in result.warnings:
        note(warning)
    if json_output:
        print_json(
            {
                "session_id": result.session_id,
                "events": result.events,
                "screenshots": result.screenshots,
                "path": result.path,
            }
        )
    else:
        typer.echo(f"{result.session_id}: {result.events} events, {result.screenshots} screenshots in {result.path}")


def _user() -> str:
    """Who is recorded; a container may run as a number without a name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
