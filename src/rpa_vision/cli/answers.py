"""`rpa-vision workflows answer`: say what demonstrations did not: which way at a fork, which rows of a list."""

from __future__ import annotations

from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, print_json


def answer_workflow(
    workflow: Annotated[str, typer.Argument(metavar="WORKFLOW", help="Id or name of a workflow.")],
    step: Annotated[str | None, typer.Argument(metavar="[STEP]", help="The step at which it is asked.")] = None,
    rule: Annotated[
        str | None, typer.Argument(metavar="[RULE]", help="When the step is taken, for instance: amount < 1000.")
    ] = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Show what a workflow asks; with a step and a rule, answer it. The answer makes a new version."""
    from rpa_vision.app import answers, exchange, wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal
    from rpa_vision.errors import UsageError

    store = wiring.existing_data_directory(data)
    document = store.workflows.load(workflow)
    if step is None:
        asked = answers.open_questions(document)
        if json_output:
            told = {edge_id: question.to_json() for edge_id, question in asked.items()}
            print_json({"workflow_id": document.workflow_id, "questions": told})
            return
        for edge_id, question in asked.items():
            typer.echo(f"{edge_id}: {question.question}")
            for candidate in question.candidates:
                typer.echo(f"  fits what was shown: {candidate}")
        if not asked:
            typer.echo(f"{document.workflow_id} asks nothing")
        return
    if rule is None:
        raise UsageError("the rule is missing", remedy=f'Say when {step} is taken, for instance "amount < 1000".')
    with auto_heal(store, quiet=True) as heal:
        importer = exchange.Importer(store, wiring.local_files(), heal.versions, wiring.clock(), heal.manager.on_update)
        result = answers.answer(importer, document, step, rule)
    changed = result.workflow
    left = list(answers.open_questions(changed))
    if json_output:
        print_json({"workflow_id": changed.workflow_id, "version": changed.version, "step": step, "questions": left})
        return
    more = f"; still to be answered: {', '.join(left)}" if left else ""
    typer.echo(f"{changed.workflow_id}: version {changed.version}{more}")
