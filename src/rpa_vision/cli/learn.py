"""`rpa-vision learn`: turn recordings into workflows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rpa_vision.cli.output import DataOption, JsonOption, print_json, progress

if TYPE_CHECKING:
    from rpa_vision.app.learn import LearnResult
    from rpa_vision.app.session_screens import ReadingHelper
    from rpa_vision.models.maturity import Maturity


def learn(
    sessions: Annotated[
        list[str] | None,
        typer.Argument(metavar="SESSION", help="Sessions to learn from (default: those recorded under NAME)."),
    ] = None,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Learn one task, the one most was shown of, and call it so."),
    ] = None,
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="WORKFLOW", help="Refine this workflow, however it is called by now."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Learn every task; each gets a name of its own.")] = False,
    anew: Annotated[bool, typer.Option("--anew", help="Forget what it was learned from before.")] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Learn the tasks that the sessions repeat at least three times."""
    from rpa_vision.app import wiring, wiring_reading
    from rpa_vision.errors import UsageError

    if into is not None and (name is not None or every):
        raise UsageError("--into says which workflow is meant", remedy="Leave out --name and --all.")
    if into is not None:
        refined = wiring.existing_data_directory(data).workflows.load(into)
        name, into = refined.name, refined.workflow_id
    if name is None and not sessions:
        raise UsageError("nothing says what to learn from", remedy="Name sessions, or --name NAME.")
    if every and name is not None:
        raise UsageError("--all gives every task a name of its own", remedy="Leave out --name or --all.")
    with wiring_reading.reading_helper(wiring.data_path(data)) as helper:  # gets ready while the rest is imported
        results, levels = _learned(sessions or (), name, into, anew, data, helper)
    if json_output:
        told = [{**_told(result), "learning_state": known.state} for result, known in zip(results, levels, strict=True)]
        print_json(told[0] if name is not None else {"workflows": told})
        return
    for result, known in zip(results, levels, strict=True):
        _say(result)
        typer.echo(f"  level: {known.state} (rpa-vision workflows maturity {known.workflow_id} says what comes next)")


def _learned(
    sessions: Sequence[str],
    name: str | None,
    into: str | None,
    anew: bool,
    data: Path | None,
    helper: ReadingHelper | None,
) -> tuple[list[LearnResult], list[Maturity]]:
    from rpa_vision.app import learn as use_case
    from rpa_vision.app import wiring, wiring_reading
    from rpa_vision.app.maturity import count_shown
    from rpa_vision.app.wiring_auto_heal import auto_heal

    store = wiring.data_directory(data)
    with auto_heal(store, quiet=True) as heal, progress("learning") as shown:
        tools: dict[str, Any] = {
            "session_ids": sessions,
            "helper": helper,
            "on_progress": shown.step,
            "versions": heal.versions,
            "keep_versions": heal.policy.current().max_versions_to_keep,
            "on_update": heal.manager.on_update,
        }
        observer, clock = wiring_reading.session_observer(), wiring.clock()
        if name is None:
            results = use_case.learn_all(store, observer, clock, **tools)
        else:
            results = [use_case.learn(store, observer, clock, name=name, into=into, anew=anew, **tools)]
        return results, [count_shown(heal.learning, heal.versions, result) for result in results]


def _told(result: LearnResult) -> dict[str, Any]:
    workflow = result.workflow
    return {
        "workflow_id": workflow.workflow_id,
        "name": workflow.name,
        "nodes": len(workflow.nodes),
        "edges": len(workflow.edges),
        "variables": [
            {"name": key, "type": variable.type, "source": variable.source.method,
             "examples": list(variable.example_values)}
            for key, variable in workflow.variables.items()
        ],
        "repetitions": result.repetitions,
        "goes_left_out": result.goes_left_out,
        "torn_pictures": result.torn_pictures,
        "other_tasks": [{"name": name, "repetitions": times} for name, times in result.other_tasks],
        "questions": {edge_id: question.to_json() for edge_id, question in result.questions.items()},
        "duration_s": round(result.duration_s, 3),
    }  # fmt: skip


def _say(result: LearnResult) -> None:
    from rpa_vision.graph.error_nodes import WAYS_OUT_DIFFER

    workflow = result.workflow
    typer.echo(
        f"{workflow.workflow_id} (version {workflow.version}): {len(workflow.edges)} steps over "
        f"{len(workflow.nodes)} screens, seen {result.repetitions} times, learned in {result.duration_s:.1f} s"
    )
    if result.goes_left_out:
        typer.echo(
            f"  ! {result.goes_left_out} more times it was broken off, or went where no other went: not learned from"
        )
    if result.torn_pictures:
        typer.echo(f"  ! {result.torn_pictures} torn pictures: goes that need one were not learned from")
    for name, times in result.other_tasks:
        typer.echo(f"  ! « {name} », shown {times} times, is another task: not learned (--all learns every task)")
    for key, variable in workflow.variables.items():
        examples = ", ".join(str(example) for example in variable.example_values[:3])
        typer.echo(f"  {key} ({variable.subtype or variable.type}, {_SOURCES[variable.source.method]}): {examples}")
    for edge_id, question in result.questions.items():
        typer.echo(f"  ? {edge_id}: {question.question}")
        for candidate in question.candidates:
            typer.echo(f"      perhaps: {candidate}")
        typer.echo("      A run stops there until the workflow says it: put an expression in place of the question.")
    for node in workflow.nodes:
        ways = node.metadata.get(WAYS_OUT_DIFFER)
        if isinstance(ways, list) and not node.recovery_actions:
            typer.echo(f"  ? « {node.label} » was left in different ways: {'; '.join(map(str, ways))}")
            typer.echo("      A run that meets it stops: put the right one into its recovery_actions.")


_SOURCES = {
    "parameter": "given",
    "ui_element_extraction": "read from the screen",
    "system_time": "the day of the run",
    "clipboard": "copied",
}
