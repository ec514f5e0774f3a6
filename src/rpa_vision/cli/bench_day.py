"""`rpa-vision bench day`: a whole day recorded, understood, and its tasks done alone on new data."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.output import EXIT_FAILED, EXIT_OK, JsonOption, print_json, progress


def day(
    folder: Annotated[
        Path, typer.Option(metavar="DIR", help="Where recording, truth and what is learned are kept.")
    ] = Path("day-campaign"),
    seed: Annotated[int, typer.Option(metavar="N", help="Which day: other data, order and noise.")] = 1,
    speed: Annotated[float, typer.Option(metavar="X", min=0.2, max=4, help="2 works twice as fast as a person.")] = 2.0,
    small: Annotated[bool, typer.Option("--small", help="The smallest day that shows everything.")] = False,
    alone: Annotated[int, typer.Option(metavar="N", min=0, help="Goes of each task done alone; 0: none.")] = 3,
    again: Annotated[bool, typer.Option("--again", help="Record nothing: score the day that is there.")] = False,
    json_output: JsonOption = False,
) -> None:
    """Record a day of three mixed tasks, learn it, and let it be done alone; the applications' own data judges."""
    from rpa_vision.demo.day.agenda import SMALL, DaySize
    from rpa_vision.demo.day.bench import measure, so_many, whole_day
    from rpa_vision.demo.day.table import table
    from rpa_vision.errors import UsageError

    if again and not (folder / "truth.json").is_file():
        raise UsageError(f"no day was recorded in {folder}", remedy="Leave --again out to record one.")
    with progress("opening the office") as shown:
        if again:
            result = measure(folder, alone=so_many(alone), say=shown.say)
        else:
            size = SMALL if small else DaySize()
            result = whole_day(folder, seed, size, speed=speed, alone=so_many(alone), say=shown.say)
    print_json(result.as_json()) if json_output else typer.echo(table(result))
    raise typer.Exit(EXIT_FAILED if result.verdicts("wrong") else EXIT_OK)
