"""`rpa-vision desktop`: a virtual desktop for machines without a screen."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Annotated

import typer

from rpa_vision.cli.output import JsonOption, note, print_json


def desktop(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="A program to start on it, after `--`.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Size in pixels.")] = "1920x1080",
    json_output: JsonOption = False,
) -> None:
    """Start a virtual desktop, print its DISPLAY, and keep it until Ctrl-C (or until COMMAND ends)."""
    from rpa_vision.app import wiring
    from rpa_vision.errors import UsageError

    width, _, height = size.partition("x")
    if not (width.isdigit() and height.isdigit() and 320 <= int(width) <= 8192 and 200 <= int(height) <= 8192):
        raise UsageError(f"--size {size!r} is not a size", remedy="Write it as 1920x1080.")
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with wiring.virtual_desktop((int(width), int(height))) as virtual:
        if json_output:
            print_json({"display": virtual.display, "size": [int(width), int(height)]})
        else:
            note(f"virtual desktop on DISPLAY={virtual.display}; Ctrl-C ends it")
            typer.echo(virtual.display)
        try:
            child = virtual.run(command, stdout=sys.stdout.fileno(), stderr=sys.stderr.fileno()) if command else None
        except OSError as error:
            reason = f"{command[0] if command else ''} cannot be started ({error.strerror})"
            raise UsageError(reason, remedy="Check the name of the program; a path must be complete.") from error
        while not stop.wait(0.2):
            if child is not None and child.poll() is not None:
                raise typer.Exit(child.returncode)
