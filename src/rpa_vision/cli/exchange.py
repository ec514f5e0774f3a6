"""`rpa-vision workflows export` and `import`: workflows as documents that people read, edit and carry elsewhere."""

from __future__ import annotations

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json


class Format(StrEnum):
    """The forms a workflow can be exported in."""

    JSON = "json"
    MD = "md"
    BPMN = "bpmn"


class Lang(StrEnum):
    """The languages of procedures."""

    EN = "en"
    FR = "fr"


LangOption = Annotated[Lang, typer.Option("--lang", help="Language of the words around what the screens say.")]


def export_workflow(
    workflow: Annotated[str, typer.Argument(metavar="WORKFLOW", help="Id or name of a workflow.")],
    form: Annotated[Format, typer.Option("--format", help="json (can be edited and imported), md, or bpmn.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where to write it; - prints it (default: its id here)."),
    ] = None,
    lang: LangOption = Lang.EN,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Write a workflow as JSON, as a Markdown procedure with pictures, or as BPMN 2.0."""
    from rpa_vision.app import exchange, wiring
    from rpa_vision.errors import UsageError

    store = wiring.existing_data_directory(data)
    document = store.workflows.load(workflow)
    if str(out) == "-":
        if json_output:
            raise UsageError("--out - and --json both want stdout", remedy="Give a file, or leave --json out.")
        exported = exchange.export_workflow(store, document, form.value, folder="files", language=lang.value)
        sys.stdout.write(exported.body.decode())
        return
    place = out or Path(f"{document.workflow_id}{exchange.SUFFIXES[form.value]}")
    exported = exchange.export_workflow(store, document, form.value, folder=f"{place.stem}.files", language=lang.value)
    exchange.write_export(wiring.local_files(), exported, place, force=force)
    if json_output:
        beside = [str(place.parent / name) for name in exported.beside]
        print_json(
            {"workflow_id": document.workflow_id, "version": document.version, "format": form.value,
             "path": str(place), "files": beside}
        )  # fmt: skip
        return
    more = f", and {len(exported.beside)} files in {place.stem}.files" if exported.beside else ""
    typer.echo(f"{place}{more}")


def import_workflow(
    file: Annotated[
        Path, typer.Argument(metavar="FILE.json", help="A workflow, as export wrote it or as you edited it.")
    ],
    force: Annotated[
        bool,
        typer.Option("--force", help="Also from another version than the one in use: what was learned since goes."),
    ] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Load an edited workflow back as a new version. Mistakes are named with their lines; nothing is changed then."""
    from rpa_vision.app import exchange, wiring
    from rpa_vision.app.wiring_auto_heal import auto_heal

    store = wiring.data_directory(data)
    with auto_heal(store, quiet=True) as heal:
        importer = exchange.Importer(store, wiring.local_files(), heal.versions, wiring.clock(), heal.manager.on_update)
        result = importer.import_file(file, force=force)
    workflow = result.workflow
    if json_output:
        print_json(
            {"workflow_id": workflow.workflow_id, "name": workflow.name, "status": result.status,
             "version": workflow.version, "learning_state": workflow.learning_state, "files": result.files}
        )  # fmt: skip
        return
    if result.status == "unchanged":
        note("nothing in it differs from what is in use")
    typer.echo(f"{workflow.workflow_id}: {result.status}, version {workflow.version}, {workflow.learning_state}")
