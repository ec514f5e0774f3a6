"""`rpa-vision undo`: take the last actions of a run back."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, print_json


def undo(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="Id of a run; without it, the one that acted last.")
    ] = None,
    steps: Annotated[int, typer.Option("--steps", metavar="N", min=1, max=3, help="So many actions back.")] = 1,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Take the last actions of a run back: text, toggles, selections, scrolling, window switches, navigation.

    Nothing is done where the screen is no longer as the action left it. Exit code 1 where one cannot be taken back.
    """
    from rpa_vision.app import wiring, wiring_run
    from rpa_vision.app.undo import undo_run
    from rpa_vision.app.wiring_auto_heal import audit_log, person

    store = wiring.existing_data_directory(data)
    screen = wiring.desktop()
    try:
        with audit_log(store) as audit:
            log, undone = undo_run(
                wiring_run.undo_logs(store),
                wiring_run.undoer(screen),
                audit,
                person(),
                run_id=run,
                steps=steps,
                is_running=lambda run_id: any(one.run_id == run_id for one in wiring_run.running_runs(store).all()),
            )
    finally:
        screen.close()
    if json_output:
        left = len(log.entries)
        print_json({"run_id": log.run_id, "undone": [one.to_json() for one in undone], "left": left})
    for one in undone if not json_output else ():
        typer.echo(f"{'undone' if one.done else 'not undone'}: {one.what} ({one.message})")
    if not undone and not json_output:
        typer.echo(f"{log.run_id}: nothing is left to be undone")
    if not all(one.done for one in undone):
        raise typer.Exit(EXIT_FAILED)
