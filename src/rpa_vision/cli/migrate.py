"""`rpa-vision workflows migrate`: move what was learned to the space of another encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, note, print_json, progress

if TYPE_CHECKING:
    from rpa_vision.app.migrate import Migration
    from rpa_vision.errors import RpaVisionError


def migrate(
    workflow: Annotated[
        str | None, typer.Argument(metavar="[WORKFLOW]", help="Id or name of a workflow; see --all.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every workflow that lies in another space.")] = False,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Move workflows to the embedding space of the encoder that the settings name."""
    from rpa_vision.app import wiring
    from rpa_vision.app.migrate import migrate_all
    from rpa_vision.app.wiring_auto_heal import auto_heal
    from rpa_vision.errors import UsageError

    if (workflow is None) == (not every):
        raise UsageError("one workflow is moved, or --all", remedy="Give its id or name, or --all and no workflow.")
    store = wiring.existing_data_directory(data)
    if workflow is not None:
        wanted = [store.workflows.load(workflow).workflow_id]
    else:
        listing = store.workflows.list()
        wanted = [item.workflow_id for item in listing.items]
        for bad in listing.unreadable:
            note(f"cannot read {bad.name}: {bad.problem}")
    with auto_heal(store, quiet=True) as heal, progress("moving") as shown:
        tool = wiring.migrator(store, heal, shown.step)
        done, failed = migrate_all(tool, wanted)
    if json_output:
        print_json({"to_space": tool.space.id, **moved_json(done, failed)})
    tell_moved(done, failed, lines=not json_output)
    if failed:
        raise typer.Exit(EXIT_FAILED)


def moved_json(done: Sequence[Migration], failed: Mapping[str, RpaVisionError]) -> dict[str, Any]:
    """What came of moving workflows, for scripts."""
    return {
        "migrated": [
            {
                "workflow_id": one.workflow_id,
                "status": one.status,
                "from_spaces": list(one.from_spaces),
                "version": one.version_id,
                "screens": one.screens,
                "embedded": one.embedded,
            }
            for one in done
        ],
        "failed": [
            {"workflow_id": name, "code": error.code, "problem": str(error), "remedy": error.remedy}
            for name, error in failed.items()
        ],
    }


def tell_moved(done: Sequence[Migration], failed: Mapping[str, RpaVisionError], *, lines: bool = True) -> None:
    """The same for people; without `lines` only what went wrong."""
    for one in done if lines else ():
        what = f"{one.screens} screens, now {one.version_id}" if one.status == "done" else "was there already"
        typer.echo(f"{one.workflow_id} → {one.to_space}: {what}")
    if lines and not done and not failed:
        typer.echo("There is no workflow to move.")
    for error in failed.values():
        note(f"error: {error}\n  do: {error.remedy}")
