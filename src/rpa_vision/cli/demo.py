"""`rpa-vision demo`: see the idea work, from nothing to five invoices done alone."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, print_json, progress


def demo(
    invoices: Annotated[
        int, typer.Option(min=3, max=10, metavar="N", help="Invoices demonstrated, and as many done alone.")
    ] = 5,
    seed: Annotated[int, typer.Option(metavar="N", help="Which invoices, and how the person moves.")] = 7,
    virtual: Annotated[
        bool, typer.Option("--virtual", help="Use a virtual desktop even if there is a display.")
    ] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """A person validates invoices, RPA Vision watches, learns, and validates others alone."""
    from rpa_vision.demo.first_light import DemoSettings, show

    settings = DemoSettings(demonstrated=invoices, alone=invoices, seed=seed, data=data, force_virtual=virtual)
    with progress("starting") as shown:
        result = show(settings, shown.say, shown.done, shown.step)
    if json_output:
        print_json(result.summary())
    else:
        typer.echo(
            f"\n{len(result.demonstrated)} invoices demonstrated, {result.completed} validated alone, "
            f"{result.halted} halted, {result.wrong} wrong, in {result.duration_s:.0f} s."
        )
        truth = "exactly those and no other" if result.truth_ok else "NOT what was asked for"
        typer.echo(f"The clinic's own database says: {truth}.")
        typer.echo("A young workflow may not run alone: each run was authorised by this demo, and its report says so.")
        typer.echo(f"Report: {result.report}")
        typer.echo(f"Look closer: {_command()} workflows show {result.workflow.workflow_id} --data {_shown(data)}")
    if not (result.truth_ok and result.halted == 0 and result.wrong == 0):
        raise typer.Exit(EXIT_FAILED)


def _command() -> str:
    """How this program is called where it was: whoever comes from `make demo` has not activated the virtualenv."""
    called, name = sys.argv[0], "rpa-vision"
    return called if Path(called).name == name and "VIRTUAL_ENV" not in os.environ else name


def _shown(data: Path | None) -> str:
    from rpa_vision.app.wiring import data_path

    return str(data_path(data))
