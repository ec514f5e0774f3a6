"""`rpa-vision run`: let a workflow be done."""

from __future__ import annotations

import signal
import threading
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, print_json, progress
from rpa_vision.cli.run_each import do_each, tell_each
from rpa_vision.cli.standings import standing_words


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
    from_here: Annotated[
        bool, typer.Option("--from-here", help="Begin with the step that is due on the screen shown now.")
    ] = False,
    each: Annotated[
        Path | None, typer.Option("--each", metavar="FILE", help="Run it once for each row of a CSV or XLSX file.")
    ] = None,
    again: Annotated[
        bool, typer.Option("--again", help="With --each: also the rows that were begun or done before.")
    ] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Run a workflow. Exit code 0: every step verified; 1: halted, failed or blocked; 2: wrong use or environment."""
    from rpa_vision.app import wiring
    from rpa_vision.app.run import RunHooks, RunRequest, checked_values, run_workflow
    from rpa_vision.app.run_each import PlannedRow, planned_rows
    from rpa_vision.app.standing import standing
    from rpa_vision.app.wiring_auto_heal import auto_heal
    from rpa_vision.errors import UsageError

    if authorise is not None and not authorise.strip():
        raise UsageError("--authorise needs a reason", remedy='Say why, as in --authorise "first supervised trial".')
    store = wiring.existing_data_directory(data)
    document = store.workflows.load(workflow)
    parameters = wiring.parse_parameters(param or [])
    if each is None:
        if again:
            raise UsageError("--again means nothing without --each", remedy="Leave it out; a run is always a new run.")
        checked_values(document, parameters)
        rows, ignored = list[PlannedRow](), tuple[str, ...]()
    else:
        if from_here:
            raise UsageError("--from-here and --each exclude each other", remedy="Give one of them.")
        rows, ignored = planned_rows(document, wiring.row_files().read(each), parameters, each.name)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    screen = wiring.desktop()
    try:
        request = RunRequest(document, parameters, mode.value, authorise, screen_timeout, from_here=from_here)
        with (
            progress(f"{document.name}: looking at the screen") as shown,
            auto_heal(store, tell=None if json_output else shown.done) as heal,
        ):
            before = standing(heal, document.workflow_id)
            tools = wiring.run_tools(store, screen, document, heal)
            verb = "you:" if mode is Mode.ASSIST else "doing:"
            hooks = RunHooks(
                on_begin=lambda edge, sentence: shown.say(f"{verb} {sentence}"),
                may_go_on=lambda: not stop.is_set(),
            )
            if each is not None:
                journal = wiring.batch_journal(store, document, each)
                results = do_each(request, rows, journal, tools, hooks, shown.done, again=again)
            else:
                report, path = run_workflow(request, tools, hooks)
            after = standing(heal, document.workflow_id)
    finally:
        screen.close()
    if each is not None:
        tell_each(results, ignored, after, json_output=json_output, is_news=after != before)
        return
    if json_output:
        print_json({**run_json(report, path), "supervisor": {**after.to_json(), "changed": after != before}})
    else:
        count = f"{len(report.steps)} step{'' if len(report.steps) == 1 else 's'}"
        typer.echo(f"{report.status}: {report.reason} ({count}, {report.duration_s:.1f} s)\n{path}")
        if _is_elsewhere(report) and not from_here:
            typer.echo("  do: show the screen it begins on; or, to go on from the one that is shown, add --from-here")
        if after != before or not after.runs:
            typer.echo(standing_words(after, is_news=after != before))
    if report.status != "success":
        raise typer.Exit(EXIT_FAILED)


def _is_elsewhere(report: Any) -> bool:
    """Whether the run stopped before its first step, on another screen of the workflow."""
    return report.status == "halted" and len(report.steps) == 1 and "was expected, but this is" in report.reason


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
                "note": step.note,
                "extracted": step.extracted,
                "recoveries": [way.model_dump(mode="json") for way in step.recoveries],
            }
            for step in report.steps
        ],
        "values": report.values,
        "duration_s": report.duration_s,
        "report": path,
    }
