"""`rpa-vision stop`: the kill switch, from any terminal."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, print_json


def stop(
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="Id of a run; without it, every run that goes on.")
    ] = None,
    reason: Annotated[str, typer.Option("--reason", metavar="WHY", help="Why; kept in the audit trail.")] = "",
    wait: Annotated[
        float, typer.Option("--wait", metavar="SECONDS", min=0.0, max=600.0, help="Wait this long for them to end.")
    ] = 10.0,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """End a run, or all of them, before the next input. Exit code 1 if one still goes on after the wait.

    Without RUN the queue waits too, until `rpa-vision work --release`.
    """
    from rpa_vision.app import wiring, wiring_run
    from rpa_vision.app.stopping import stop_runs
    from rpa_vision.app.wiring_auto_heal import audit_log, person
    from rpa_vision.app.wiring_office import queue_if_any

    store = wiring.existing_data_directory(data)
    with audit_log(store) as audit, queue_if_any(store) as queue:
        done = stop_runs(
            wiring_run.running_runs(store), audit, wiring.clock(), who=person(), reason=reason, run_id=run, wait_s=wait,
            queue=queue,
        )  # fmt: skip
    if json_output:
        print_json(done.to_json())
    elif not done.asked:
        typer.echo(f"No run goes on in {store.paths.root}.")
    else:
        for name in done.ended:
            typer.echo(f"{name}: ended, {done.waited_s:.2f} s after it was told")
        for name in done.still_going:
            typer.echo(f"{name}: sends no more input, and has not ended yet")
    if done.held and not json_output:
        typer.echo(f"No queued run begins on {', '.join(done.held)} until `rpa-vision work --display NAME --release`.")
    if done.still_going:
        raise typer.Exit(EXIT_FAILED)
