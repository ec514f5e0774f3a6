"""`rpa-vision workflows`: what was learned."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa_vision.cli.answers import answer_workflow
from rpa_vision.cli.exchange import Lang, LangOption, export_workflow, import_workflow
from rpa_vision.cli.maturity import approve, maturity, withdraw
from rpa_vision.cli.migrate import migrate
from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, refuse_misplaced, table
from rpa_vision.cli.where import where

app = typer.Typer(help="List, show, export, import and migrate learned workflows.")
app.command("export")(export_workflow)
app.command("import")(import_workflow)
app.command("answer")(answer_workflow)
app.command("migrate")(migrate)
app.command("where")(where)
app.command("maturity")(maturity)
app.command("approve")(approve)
app.command("withdraw")(withdraw)


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
                        "embedding_spaces": item.embedding_spaces and item.embedding_spaces.model_dump(mode="json"),
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
    lang: LangOption = Lang.EN,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show a workflow as a procedure."""
    from rpa_vision.app import wiring
    from rpa_vision.app.procedure import as_text, procedure_of

    document = wiring.data_directory(data).workflows.load(workflow)
    if json_output:
        print_json(document.to_json())
        return
    procedure = procedure_of(document, lang.value)
    for line in as_text(procedure):
        typer.echo(line)
    for secret in procedure.secrets:
        note(f"the secret {secret} is looked for in the environment as {wiring.secret_variable(secret)}")
