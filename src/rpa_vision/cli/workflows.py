"""`rpa-vision workflows`: what was learned."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, refuse_misplaced, table

app = typer.Typer(help="List and show learned workflows.")


@app.callback(invoke_without_command=True)
def list_by_default(context: typer.Context, data: DataOption = None, json_output: JsonOption = False) -> None:
    if context.invoked_subcommand is None:
        list_workflows(data, json_output)
    else:
        refuse_misplaced(context, data, json_output)


@app.command("list")
def list_workflows(data: DataOption = None, json_output: JsonOption = False) -> None:
    """List all workflows."""
    from rpa_vision.app import wiring

    listing = wiring.data_directory(data).workflows.list()
    if json_output:
        print_json(
            {
                "workflows": [
                    {
                        "workflow_id": item.workflow_id,
                        "name": item.name,
                        "version": item.version,
                        "learning_state": item.learning_state,
                        "steps": len(item.edges),
                        "variables": sorted(item.variables),
                    }
                    for item in listing.items
                ],
                "unreadable": [{"name": bad.name, "problem": bad.problem} for bad in listing.unreadable],
            }
        )
        return
    rows = [
        [item.workflow_id, item.name, str(item.version), item.learning_state, str(len(item.edges)),
         ", ".join(item.variables)]
        for item in listing.items
    ]  # fmt: skip
    if rows:
        table("Workflows", ["id", "name", "version", "level", "steps", "variables"], rows)
    else:
        typer.echo("No workflow yet. Learn one with: rpa-vision learn --name NAME")
    for bad in listing.unreadable:
        note(f"cannot read {bad.name}: {bad.problem}")


@app.command("show")
def show_workflow(
    workflow: Annotated[str, typer.Argument(metavar="WORKFLOW", help="Id or name of a workflow.")],
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show a workflow as a procedure."""
    from rpa_vision.app import wiring
    from rpa_vision.app.sentences import condition_words as in_words
    from rpa_vision.app.sentences import step_sentence
    from rpa_vision.execution.execution_loop import in_order

    document = wiring.data_directory(data).workflows.load(workflow)
    if json_output:
        print_json(document.to_json())
        return
    actions = [edge.action for edge in document.edges if edge.action is not None]
    secrets = {action.parameters.secret_ref for action in actions if action.parameters.secret_ref is not None}
    typer.echo(f"{document.name} ({document.workflow_id}, version {document.version}, {document.learning_state})")
    for name, variable in document.variables.items():
        examples = ", ".join(str(example) for example in variable.example_values[:3])
        typer.echo(f"  needs {name}: {variable.subtype or variable.type}, such as {examples}")
    for secret in sorted(secrets):
        typer.echo(f"  needs the secret {secret}, in the environment as {wiring.secret_variable(secret)}")
    here = None
    for number, edge in enumerate(in_order(document), start=1):
        node = document.get_node(edge.from_node)
        if node is not None and node.node_id != here:
            here = node.node_id
            typer.echo(f"On the screen « {node.label} »:")
        typer.echo(f"  {number}. {step_sentence(edge)}")
        for condition in edge.post_conditions.conditions if edge.post_conditions is not None else ():
            typer.echo(f"       expects {in_words(condition)}")
