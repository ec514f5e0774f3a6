"""`rpa-vision run --each`: one run for each row of a file, and what became of each."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer

from rpa_vision.cli.output import EXIT_FAILED, note, print_json, table
from rpa_vision.cli.standings import standing_words


def do_each(request: Any, rows: Any, journal: Any, robot: Any, *, file: str, again: bool) -> list[Any]:
    """Run them all, telling each as it ends."""
    from rpa_vision.app.run import run_workflow
    from rpa_vision.app.run_each import run_each

    results: list[Any] = []
    runs = run_each(
        request,
        rows,
        journal,
        robot.tools.clock,
        lambda one: run_workflow(one, robot.tools, robot.hooks, robot.interruption.gate),
        file=file,
        again=again,
        may_go_on=robot.hooks.may_go_on,
    )
    for result in runs:
        results.append(result)
        values = ", ".join(f"{name}={text}" for name, text in result.values.items())
        robot.say(f"row {len(results)} of {len(rows)} (line {result.line}: {values}): {result.status}")
    return results


def tell_each(results: list[Any], ignored: Any, standing: Any, *, json_output: bool, is_news: bool) -> None:
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
