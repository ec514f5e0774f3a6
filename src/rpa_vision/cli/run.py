"""`rpa-vision run`: let a workflow be done."""

from __future__ import annotations

import signal
import threading
from enum import StrEnum
from typing import Annotated, Any

import typer

from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, print_json, progress


class Mode(StrEnum):
    """Who acts."""

    AUTO = "auto"
    ASSIST = "assist"
    SHADOW = "shadow"


def run(
    workflow: Annotated[str, typer.Argument(metavar="WORKFLOW", help="Id or name of a learned workflow.")],
    param: Annotated[
        list[str] | None, typer.Option("--param", metavar="K=V", help="Value of a variable; may be repeated.")
    ] = None,
    mode: Annotated[
        Mode, typer.Option(help="auto: the robot acts. assist: you act, it guides. shadow: it only watches.")
    ] = Mode.ASSIST,
    authorise: Annotated[
        str | None,
        typer.Option("--authorise", metavar="WHY", help="Let a young workflow run alone this once; audited."),
    ] = None,
    screen_timeout: Annotated[
        float,
        typer.Option("--screen-timeout", metavar="SECONDS", min=0.5, max=600.0, help="Wait this long for a screen."),
    ] = 10.0,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Run a workflow. Exit code 0: every step verified; 1: halted, failed or blocked; 2: wrong use or environment."""
    from rpa_vision.app import wiring
    from rpa_vision.app.run import RunHooks, RunRequest, checked_values, run_workflow
    from rpa_vision.app.wiring_auto_heal import auto_heal
    from rpa_vision.errors import UsageError

    if authorise is not None and not authorise.strip():
        raise UsageError("--authorise needs a reason", remedy='Say why, as in --authorise "first supervised trial".')
    store = wiring.data_directory(data)
    document = store.workflows.load(workflow)
    parameters = wiring.parse_parameters(param or [])
    checked_values(document, parameters)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    screen = wiring.desktop()
    try:
        request = RunRequest(document, parameters, mode.value, authorise, screen_timeout)
        with auto_heal(store) as heal, progress(f"{document.name}: looking at the screen") as shown:
            tools = wiring.run_tools(store, screen, document, heal)
            verb = "you:" if mode is Mode.ASSIST else "doing:"
            hooks = RunHooks(
                on_begin=lambda edge, sentence: shown.say(f"{verb} {sentence}"),
                may_go_on=lambda: not stop.is_set(),
            )
            report, path = run_workflow(request, tools, hooks)
    finally:
        screen.close()
    if json_output:
        print_json(run_json(report, path))
    else:
        typer.echo(f"{report.status}: {report.reason} ({len(report.steps)} steps, {report.duration_s:.1f} s)\n{path}")
    if report.status != "success":
        raise typer.Exit(EXIT_FAILED)


def run_json(report: Any, path: str) -> dict[str, Any]:
    """The report as scripts read it."""
    return {
        "run_id": report.run_id,
        "status": report.status,
        "reason": report.reason,
        "steps": [
            {
                "edge_id": step.edge_id,
                "action": step.action,
                "strategy": step.strategy,
                "score": step.score,
                "healing_level": step.healing_level,
                "duration_ms": step.duration_ms,
                "verified": step.verified,
            }
            for step in report.steps
        ],
        "duration_s": report.duration_s,
        "report": path,
    }
