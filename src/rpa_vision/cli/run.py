"""`rpa-vision run`: let a workflow be done."""

from __future__ import annotations

import signal
import threading
from contextlib import ExitStack
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rpa_vision.cli.heal_questions import TerminalVoice
from rpa_vision.cli.maturity import level_words
from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, print_json, progress
from rpa_vision.cli.person import TerminalPerson, is_there
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
        bool, typer.Option("--again", help="With --each: also rows that were begun and may be half done; look first.")
    ] = False,
    batch: Annotated[
        str | None,
        typer.Option("--batch", metavar="NAME", help="With --each: under which name the list is remembered."),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="You are there: where it does not know what is meant, it asks you.")
    ] = False,
    ask_timeout: Annotated[
        float,
        typer.Option("--ask-timeout", metavar="SECONDS", min=1.0, max=3000.0, help="Wait this long for an answer."),
    ] = 300.0,
    on_screen: Annotated[
        bool, typer.Option("--on-screen", help="Ask before steps by a bubble on the screen, not in the terminal.")
    ] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Run a workflow. Exit code 0: every step verified; 1: halted, failed or blocked; 2: wrong use or environment."""
    from rpa_vision.app import wiring, wiring_guidance
    from rpa_vision.app.run import RunHooks, RunRequest, checked_values, keep_heals, run_workflow
    from rpa_vision.app.run_each import PlannedRow, planned_rows
    from rpa_vision.app.standing import standing
    from rpa_vision.app.wiring_auto_heal import auto_heal, person
    from rpa_vision.errors import UsageError

    if authorise is not None and not authorise.strip():
        raise UsageError("--authorise needs a reason", remedy='Say why, as in --authorise "first supervised trial".')
    store = wiring.existing_data_directory(data)
    document = store.workflows.load(workflow)
    parameters = wiring.parse_parameters(param or [])
    if each is None:
        if again or batch is not None:
            given = "--again" if again else "--batch"
            raise UsageError(f"{given} means nothing without --each", remedy="Leave it out; a run is always a new run.")
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
        request = RunRequest(
            document,
            parameters,
            mode.value,
            authorise,
            screen_timeout,
            from_here=from_here,
            asks=ask,
            ask_timeout_s=ask_timeout,
            keeps_heals=each is None,
        )
        with (
            progress(f"{document.name}: looking at the screen") as shown,
            ExitStack() as bubbles,
            auto_heal(store, tell=None if json_output else shown.done) as heal,
        ):
            before = standing(heal, document.workflow_id)
            tools = wiring.run_tools(store, screen, document, heal)
            asked = wiring_guidance.screen_person(screen) if on_screen else None
            if asked is not None:
                bubbles.callback(asked.overlay.close)
                tools = replace(tools, beside=wiring_guidance.beside(screen, asked=asked))
            verb = "you:" if mode is Mode.ASSIST else "doing:"
            hooks = RunHooks(
                on_begin=lambda edge, sentence: shown.say(f"{verb} {sentence}"),
                may_go_on=lambda: not stop.is_set(),
                person=asked or (TerminalPerson(shown.done) if is_there() and not json_output else None),
                on_question=TerminalVoice(heal.questions, person(), shown.done).ask,
            )
            level = heal.learning.level(document)
            if each is not None:
                journal = wiring.batch_journal(store, document, batch or each.name)
                file = "" if batch is not None else str(each.resolve())
                results = do_each(request, rows, journal, tools, hooks, shown.done, file=file, again=again)
                keep_heals(document.workflow_id, tools)
            else:
                report, path = run_workflow(request, tools, hooks)
            after = standing(heal, document.workflow_id)
            now_at = heal.learning.maturity(document.workflow_id)
    finally:
        screen.close()
    if each is None:
        wiring.notify(f"{document.name}: {report.status}", report.reason, urgent=report.status != "success")
    else:
        complete = sum(result.is_complete for result in results)
        wiring.notify(document.name, f"{complete} of {len(results)} rows are complete", urgent=complete < len(results))
    if each is not None:
        tell_each(results, ignored, after, json_output=json_output, is_news=after != before)
        return
    if json_output:
        autonomy = {"state": now_at.state, "changed": now_at.state != level}
        supervisor = {**after.to_json(), "changed": after != before}
        print_json({**run_json(report, path), "supervisor": supervisor, "autonomy": autonomy})
    else:
        count = f"{len(report.steps)} step{'' if len(report.steps) == 1 else 's'}"
        typer.echo(f"{report.status}: {report.reason} ({count}, {report.duration_s:.1f} s)\n{path}")
        if _is_elsewhere(report) and not from_here:
            typer.echo("  do: show the screen it begins on; or, to go on from the one that is shown, add --from-here")
        if after != before or not after.runs:
            typer.echo(standing_words(after, is_news=after != before))
        if now_at.state != level:
            typer.echo(level_words(now_at, level))
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
