"""`rpa-vision bench`: how well and how fast it sees, on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.output import JsonOption, print_json, progress

app = typer.Typer(help="Measure, on this machine, with spread.", no_args_is_help=True, rich_markup_mode=None)


@app.callback()
def _bench() -> None:
    """Measure, on this machine, with spread."""


@app.command("perception")
def perception(
    screens: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Screens with truth, drawn by training/factory: scores elements and text."),
    ] = None,
    families: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Families of screens of training/encoder: scores encoder and signatures."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few rounds and few screens: minutes instead of an hour.")
    ] = False,
    json_output: JsonOption = False,
) -> None:
    """Score what is seen and read, and how long it takes, beside peers."""
    from rpa_vision.testing.perception_bench import BenchPlan, lines, measure

    with progress("measuring") as shown:
        report = measure(BenchPlan(screens, families, quick), shown.say)
    if json_output:
        print_json(report)
        return
    for line in lines(report):
        typer.echo(line)
