"""`rpa-vision dataset`: screens with their elements, for training; reviewed by people, measured, and put to use."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.dataset_models import Name, VersionOption, register
from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, progress, table

app = typer.Typer(help="Export, review, train, evaluate and deploy datasets of observed screens.", no_args_is_help=True)

register(app)


@app.command("list")
def list_datasets(data: DataOption = None, json_output: JsonOption = False) -> None:
    """List the datasets and their versions."""
    from rpa_vision.app import wiring

    store = wiring.dataset_store(wiring.existing_data_directory(data))
    kept = [store.load(name, version) for name in store.names() for version in store.versions(name)]
    if json_output:
        print_json(
            {
                "datasets": [
                    {
                        "dataset_id": one.dataset_id,
                        "version": f"v{int(one.version):03d}",
                        "created_at": one.created_at.isoformat(),
                        "samples": one.statistics.total_samples,
                        "elements": one.statistics.elements,
                        "confirmed": one.statistics.confirmed_samples,
                    }
                    for one in kept
                ]
            }
        )
        return
    rows = [
        [one.dataset_id, f"v{int(one.version):03d}", str(one.statistics.total_samples), str(one.statistics.elements),
         str(one.statistics.confirmed_samples)]
        for one in kept
    ]  # fmt: skip
    if rows:
        table("Datasets", ["id", "version", "screens", "elements", "confirmed"], rows)
    else:
        typer.echo("No dataset yet. Make one with: rpa-vision dataset export NAME")


@app.command("export")
def export(
    name: Name,
    workflow: Annotated[
        list[str] | None, typer.Option("--workflow", metavar="ID", help="Of this workflow only; may be repeated.")
    ] = None,
    min_state: Annotated[str, typer.Option(metavar="STATE", help="Of workflows at least so mature.")] = "OBSERVATION",
    min_confidence: Annotated[
        float, typer.Option(metavar="P", help="Leave out less sure elements.", min=0, max=1)
    ] = 0.5,
    validated: Annotated[bool, typer.Option("--validated", help="Only screens a person has confirmed.")] = False,
    kind: Annotated[
        list[str] | None, typer.Option("--type", metavar="TYPE", help="Only elements of this type; may be repeated.")
    ] = None,
    since: Annotated[str | None, typer.Option(metavar="WHEN", help="Seen since then.")] = None,
    until: Annotated[str | None, typer.Option(metavar="WHEN", help="Seen until then.")] = None,
    held_out: Annotated[float, typer.Option(metavar="SHARE", help="How much is held out.", min=0, max=0.9)] = 0.2,
    seed: Annotated[int, typer.Option(metavar="N", help="Which sessions are held out.")] = 1,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Take the screens that meet the criteria into the next version of a dataset."""
    from rpa_vision.app import dataset as use_case
    from rpa_vision.app import wiring

    files = wiring.existing_data_directory(data)
    clock = wiring.clock()
    criteria = use_case.criteria_of(
        files, clock.now(), workflows=workflow or (), min_state=min_state, min_confidence=min_confidence,
        validated=validated, element_types=kind or (), since=since, until=until,
    )  # fmt: skip
    with progress("exporting") as shown:
        result = use_case.export_dataset(
            files, wiring.dataset_store(files), clock, dataset_id=name, criteria=criteria, seed=seed,
            held_out=held_out, on_progress=shown.step,
        )  # fmt: skip
    numbers = result.dataset.statistics
    version = f"v{int(result.dataset.version):03d}"
    if json_output:
        print_json({"dataset_id": name, "version": version, "path": str(files.paths.root / result.path),
                    "statistics": numbers.model_dump(mode="json"), "remark": result.remark})  # fmt: skip
        return
    share = numbers.held_out_samples / max(numbers.total_samples, 1)
    typer.echo(
        f"{name} {version}: {numbers.total_samples} screens ({numbers.held_out_samples} held out: {share:.0%}, "
        f"{numbers.confirmed_samples} confirmed), {numbers.elements} elements\n{files.paths.root / result.path}"
    )
    if result.remark is not None:
        note(result.remark)
    for why, count in numbers.left_out.items():
        note(f"left out: {count} {why}")


@app.command("screens")
def screens(
    name: Name,
    like: Annotated[
        Path | None, typer.Option(metavar="IMAGE", help="Only the screens that are most like this picture.")
    ] = None,
    limit: Annotated[int, typer.Option(metavar="N", help="List at most so many.", min=1)] = 10,
    version: VersionOption = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Look over the screens of a dataset: which are alike, a map of them, and which are like a picture."""
    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_models import dataset_screens
    from rpa_vision.cli.where import read_picture
    from rpa_vision.models.window import WindowContext

    files = wiring.existing_data_directory(data)
    store = wiring.dataset_store(files)
    kept = store.load(name, version)
    picture = None if like is None else read_picture(like)
    with progress("looking") as shown:
        known = dataset_screens(files, shown.step)
        known.take_in(kept, store.picture)
    if picture is not None:
        seen = wiring.screen_observer().observe(
            picture, window=WindowContext(), screen_state_id="picture", timestamp=wiring.clock().now()
        )
        alike = [(one.sample_id, round(one.similarity, 4)) for one in known.like(seen.state, picture, limit)]
        if json_output:
            print_json({"like": [{"sample_id": one, "similarity": similarity} for one, similarity in alike]})
            return
        for one, similarity in alike:
            typer.echo(f"{similarity:.3f}  {one}")
        return
    told = known.overview()
    if json_output:
        groups = [{"typical": group.typical, "samples": list(group.samples)} for group in told.groups]
        print_json({"groups": groups, "map": told.places, "embedded": told.embedded})
        return
    typer.echo(f"{len(told.places)} screens, {len(told.groups)} different ones")
    for group in told.groups[:limit]:
        typer.echo(f"{len(group.samples):>5}  {group.typical}")


@app.command("review")
def review(
    name: Name,
    answers: Annotated[
        str | None, typer.Option(metavar="FILE", help="What people say, one JSON object per line; - reads from stdin.")
    ] = None,
    accept: Annotated[
        list[str] | None, typer.Option("--accept", metavar="ID", help="Accept a whole screen; may be repeated.")
    ] = None,
    reject: Annotated[
        list[str] | None, typer.Option("--reject", metavar="ID", help="Reject a whole screen; may be repeated.")
    ] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", help="List at most so many.", min=1)] = None,
    version: VersionOption = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """List the labels to be reviewed, or take over what people say of them."""
    from rpa_vision.app import wiring
    from rpa_vision.app.dataset_work import read_answers, to_review
    from rpa_vision.app.wiring_auto_heal import person

    store = wiring.dataset_store(wiring.existing_data_directory(data))
    kept = store.load(name, version)
    given = [json.dumps({"screen_state_id": one, "verdict": "accept"}) for one in accept or ()]
    given += [json.dumps({"screen_state_id": one, "verdict": "reject"}) for one in reject or ()]
    if answers is not None:
        given += _lines(answers)
    if given:
        taken = read_answers(given, kept, reviewer=person(), now=wiring.clock().now())
        store.add_reviews(taken)
        left = len(to_review(kept, store.reviews()))
        if json_output:
            print_json({"taken": len(taken), "left": left})
        else:
            typer.echo(f"{len(taken)} answers taken, {left} labels left")
        return
    for one in to_review(kept, store.reviews())[:limit]:
        print_json(one)


def _lines(answers: str) -> list[str]:
    from rpa_vision.app import wiring

    if answers == "-":
        return sys.stdin.read().splitlines()
    return wiring.local_files().read(Path(answers), limit=64 << 20).decode("utf-8", "replace").splitlines()
