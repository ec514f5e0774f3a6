"""`rpa-vision learn`: turn recordings into a workflow."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, print_json, progress


def learn(
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the workflow is called.")],
    sessions: Annotated[
        list[str] | None,
        typer.Argument(metavar="SESSION", help="Sessions to learn from (default: those recorded under NAME)."),
    ] = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Learn the task that the sessions repeat at least three times."""
    from rpa_vision.app import learn as use_case
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal

    store = wiring.data_directory(data)
    with auto_heal(store, quiet=True) as heal, progress("learning") as shown:
        result = use_case.learn(
            store,
            wiring.screen_observer(),
            wiring.clock(),
            name=name,
            session_ids=sessions or (),
            on_progress=shown.step,
            versions=heal.versions,
            on_update=heal.manager.on_update,
        )
    workflow = result.workflow
    variables = [
        {"name": key, "type": variable.type, "examples": list(variable.example_values)}
        for key, variable in workflow.variables.items()
    ]
    if json_output:
        print_json(
            {
                "workflow_id": workflow.workflow_id,
                "nodes": len(workflow.nodes),
                "edges": len(workflow.edges),
                "variables": variables,
                "repetitions": result.repetitions,
                "duration_s": round(result.duration_s, 3),
            }
        )
        return
    typer.echo(
        f"{workflow.workflow_id} (version {workflow.version}): {len(workflow.edges)} steps over "
        f"{len(workflow.nodes)} screens, seen {result.repetitions} times, learned in {result.duration_s:.1f} s"
    )
    for key, variable in workflow.variables.items():
        examples = ", ".join(str(example) for example in variable.example_values[:3])
        typer.echo(f"  {key} ({variable.subtype or variable.type}): {examples}")
