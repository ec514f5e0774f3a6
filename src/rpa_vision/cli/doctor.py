"""`rpa-vision doctor`: can this machine do the work, and how is it mended?"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from rpa_vision.cli.output import EXIT_ENVIRONMENT, DataOption, JsonOption, print_json

if TYPE_CHECKING:
    from rpa_vision.app.doctor import Diagnosis


def doctor(data: DataOption = None, json_output: JsonOption = False) -> None:
    """Check this machine and say how to mend what is amiss. Exit code 2 when something fails; warnings are allowed."""
    from rpa_vision.app.doctor import diagnose
    from rpa_vision.app.wiring_machine import machine_facts

    diagnosis = diagnose(machine_facts(data))
    if json_output:
        print_json(diagnosis.to_json())
    else:
        _show(diagnosis)
    if not diagnosis.ok:
        raise typer.Exit(EXIT_ENVIRONMENT)


def _show(diagnosis: Diagnosis) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    colours = {"ok": "green", "warn": "yellow", "fail": "bold red"}
    shown = Table(box=None, pad_edge=False)
    for column in ("", "check", "found"):
        shown.add_column(column)
    for check in diagnosis.checks:
        found = Text(check.found)
        if check.remedy:
            found.append(f"\n  do: {check.remedy}", style="dim")
        shown.add_row(Text(check.status, style=colours[check.status]), check.name.replace("_", " "), found)
    console = Console()
    console.print(shown)
    failed = sum(check.status == "fail" for check in diagnosis.checks)
    warned = sum(check.status == "warn" for check in diagnosis.checks)
    verdict = f"{failed} to mend" if failed else "this machine can do the work"
    console.print(f"\n{verdict}, {warned} warning{'s' if warned != 1 else ''}", highlight=False)
