"""`rpa-vision run --each`: one run for each row of a file, and what became of each."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from typing import Any

import typer

from rpa_vision.cli.output import EXIT_FAILED, note, print_json, table
from rpa_vision.cli.standings import standing_words


def do_each(request: Any, rows: Any, journal: Any, robot: Any, *, file: str, again: bool) -> list[Any]:
    """Run them all, telling each as it ends."""
    from rpa_vision.app.run import run_workflow
    from rpa_vision.app.run_each import run_each
    from rpa_vision.app.stop_ears import StopEars
    from rpa_vision.app.stopping import stopped_as_one
    from rpa_vision.app.wiring_guidance import attention_settings

    tools, gate, results = robot.tools, robot.interruption.gate, list[Any]()
    runs = run_each(
        request,
        rows,
        journal,
        tools.clock,
        lambda one: run_workflow(one, tools, robot.hooks, gate),
        file=file,
        again=again,
        may_go_on=lambda: gate.is_open and robot.hooks.may_go_on(),
    )
    ears = StopEars(tools.desktop.ears, attention_settings().stop_key)
    with (
        stopped_as_one(tools.running, tools.ids.new("rows"), request.workflow.workflow_id, tools.clock, gate),
        ears.guarding(gate) if request.mode == "auto" else nullcontext(),
    ):
        for result in runs:
            results.append(result)
            values = ", ".join(f"{name}={text}" for name, text in result.values.items())
            robot.say(f"row {len(results)} of {len(rows)} (line {result.line}: {values}): {result.status}")
    return results


def tell_each(
    results: list[Any], ignored: Any, standing: Any, learned: Any, *, json_output: bool, is_news: bool
) -> None:
    """Print the outcome of all rows. Exit code 1 if any did not complete."""
    counted = Counter(result.status for result in results)
    complete = sum(result.is_complete for result in results)
    if json_output:
        print_json(
            {
                "rows": [
                    {
                        "line": result.line,
                        "values": result.values,
                        "status": result.status,
                        "reason": result.reason,
                        "run_id": result.run_id,
                        "report": result.report,
                        "duration_s": result.duration_s,
                    }
                    for result in results
                ],
                "complete": complete,
                "incomplete": len(results) - complete,
                "statuses": dict(counted),
                "ignored_columns": list(ignored),
                "supervisor": {**standing.to_json(), "changed": is_news},
                "perception": learned.to_json(),
            }
        )
    else:
        cells = [
            [str(result.line), ", ".join(result.values.values()), result.status, result.reason] for result in results
        ]
        table("Rows", ["line", "values", "status", "reason"], cells)
        typer.echo(f"{complete} of {len(results)} rows are complete")
        if ignored:
            note(f"columns that are no variable of the workflow: {', '.join(ignored)}")
        if is_news or not standing.runs:
            typer.echo(standing_words(standing, is_news=is_news))
    if complete != len(results):
        raise typer.Exit(EXIT_FAILED)
