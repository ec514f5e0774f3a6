"""`rpa-vision bench serve`: a robot at work, with a crowd in front of the dashboard and without."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa_vision.cli.output import EXIT_FAILED, EXIT_OK, JsonOption, progress, tell


def serve(
    seconds: Annotated[
        float, typer.Option(metavar="S", min=1, max=600, help="How long it is watched, at least; a run is ended.")
    ] = 60.0,
    clients: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Open pages of the dashboard.")] = 100,
    listeners: Annotated[int, typer.Option(metavar="N", min=0, max=500, help="Programs that hear all events.")] = 10,
    rate: Annotated[int, typer.Option(metavar="N", min=1, max=1400, help="Questions for the status a second.")] = 1000,
    json_output: JsonOption = False,
) -> None:
    """Let a robot work while many watch it: is a step missed, an answer refused, the robot slower? Needs wrk."""
    from rpa_vision.demo.load.bench import LoadPlan, lines, measure

    with progress("opening the form") as shown:
        report = measure(LoadPlan(seconds, clients, listeners, rate), shown.say)
    tell(report, lines(report), json_output=json_output)
    raise typer.Exit(EXIT_OK if report["ok"] else EXIT_FAILED)
