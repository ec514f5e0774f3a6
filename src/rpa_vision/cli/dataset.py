"""`rpa-vision dataset`: screens with their elements, for training; reviewed by people, measured, and put to use."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from rpa_vision.cli.output import DataOption, JsonOption, note, print_json, progress, table

app = typer.Typer(help="Export, review, train, evaluate and deploy datasets of observed screens.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="NAME", help="Id of a dataset.")]
VersionOption = Annotated[
    str | None, typer.Option("--version", metavar="vNNN", help="Of this version (default: the newest).")
]


class Split(StrEnum):
    """The parts of a dataset."""

    HELD_OUT = "held_out"
    TRAIN = "train"


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
    from rpa_vision.app.heal import moment
    from rpa_vision.errors import UsageError
    from rpa_vision.models.dataset import ExportCriteria

    files = wiring.existing_data_directory(data)
    clock = wiring.clock()
    now = clock.now()
    times = {"since": since and moment(since, now).isoformat(), "until": until and moment(until, now).isoformat()}
    wanted = {
        "min_learning_state": min_state,
        "min_confidence": min_confidence,
        "user_validated": validated,
        "workflows": [files.workflows.load(one).workflow_id for one in workflow or ()],
        "element_types": kind or [],
        **{key: value for key, value in times.items() if value},
    }
    try:
        criteria = ExportCriteria.model_validate_json(json.dumps(wanted))
    except ValueError as error:
        raise UsageError(_first_line(error), remedy="See `rpa-vision dataset export --help`.") from error
    with progress("exporting") as shown:
        result = use_case.export_dataset(
            files, wiring.dataset_store(files), clock, dataset_id=name, criteria=criteria, seed=seed,
            held_out=held_out, on_progress=shown.step,
        )  # fmt: skip
    numbers = result.dataset.statistics
    version = f"v{int(result.dataset.version):03d}"
    if json_output:
        print_json({"dataset_id": name, "version": version, "path": str(files.paths.root / result.path),
                    "statistics": numbers.model_dump(mode="json")})  # fmt: skip
        return
    typer.echo(
        f"{name} {version}: {numbers.total_samples} screens ({numbers.held_out_samples} held out, "
        f"{numbers.confirmed_samples} confirmed), {numbers.elements} elements\n{files.paths.root / result.path}"
    )
    for why, count in numbers.left_out.items():
        note(f"left out: {count} {why}")


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

    files = wiring.existing_data_directory(data)
    store = wiring.dataset_store(files)
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


@app.command("train")
def train(
    name: Name,
    steps: Annotated[int, typer.Option(metavar="N", help="How long.", min=1, max=1_000_000)] = 400,
    seed: Annotated[int, typer.Option(metavar="N", help="Chance.")] = 1,
    base: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Description of the detector to begin with (default: shipped).")
    ] = None,
    version: VersionOption = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Train the detector further on the training part of a dataset. Needs torch."""
    from rpa_vision.app import wiring
    from rpa_vision.app.dataset_work import training_screens
    from rpa_vision.errors import UsageError

    files = wiring.existing_data_directory(data)
    store = wiring.dataset_store(files)
    kept = store.load(name, version)
    trainer = wiring.detector_trainer()
    number = f"v{int(kept.version):03d}"
    screens = training_screens(kept, store.picture, "train")
    if not screens:
        raise UsageError(f"{name} {number} has no samples to train on", remedy="Export more sessions.")
    for file, content in screens.items():
        store.write(name, number, ("training", file), content)
    model = f"steps_{steps}_seed_{seed}"
    out = Path(store.folder(name, number, "models", model))
    folder = Path(store.folder(name, number, "training"))
    with progress("training") as shown:
        description = trainer.train(folder, out, steps=steps, seed=seed, base=base, tell=shown.say)
    if json_output:
        print_json({"dataset_id": name, "version": number, "model": str(description), "screens": len(screens) // 2,
                    "steps": steps})  # fmt: skip
        return
    typer.echo(f"{description}\nMeasure it: rpa-vision dataset evaluate {name} --model {description}")


@app.command("evaluate")
def evaluate(
    name: Name,
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Description of the detector (default: the shipped one).")
    ] = None,
    split: Annotated[Split, typer.Option(help="The part to measure on.")] = Split.HELD_OUT,
    version: VersionOption = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Measure a detector on the part of a dataset that was held out."""
    from dataclasses import asdict

    from rpa_vision.app import wiring
    from rpa_vision.app.dataset_work import evaluate as measure

    files = wiring.existing_data_directory(data)
    store = wiring.dataset_store(files)
    kept = store.load(name, version)
    finder, kinds = wiring.trained_detector(model)
    with progress("looking") as shown:
        scores = measure(finder, kept, store.picture, kinds=kinds, split=split.value, on_progress=shown.step)
    if json_output:
        print_json(asdict(scores))
        return
    typer.echo(
        f"{scores.detector} on {scores.samples} screens: F1 {scores.f1:.3f} (precision {scores.precision:.3f}, "
        f"recall {scores.recall:.3f}), called right {scores.type_accuracy:.3f}"
    )
    for kind, numbers in scores.by_type.items():
        typer.echo(f"  {kind:<14} {numbers['elements']:>5}  recall {numbers['recall']:.3f}")


@app.command("deploy")
def deploy(
    model: Annotated[Path, typer.Argument(metavar="FILE", help="Description of a trained detector (elements.json).")],
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Install a trained detector as the next version, and say how it is put to use."""
    import numpy as np

    from rpa_vision.app import wiring

    files = wiring.existing_data_directory(data)
    given = wiring.local_files()
    finder, _ = wiring.trained_detector(model)
    finder.find(np.full((64, 64, 3), 255, np.uint8))
    weights = _weights(given.read(model, limit=1 << 20))
    content = {
        "elements.json": given.read(model, limit=1 << 20),
        weights: given.read(model.with_name(weights), limit=1 << 30),
    }
    placed = wiring.dataset_store(files).deploy("detector", content)
    path = Path(placed["elements.json"])
    setting = f"RPA_VISION_DETECTOR={path}"
    if json_output:
        print_json({"kind": "detector", "version": path.parent.name, "detector": finder.name, "path": str(path),
                    "setting": setting})  # fmt: skip
        return
    typer.echo(f"{finder.name} is installed as {path.parent.name}. Put it to use with:\n{setting}")


def _weights(description: bytes) -> str:
    """The name of the file beside a description."""
    from rpa_vision.models.ids import checked_id

    return checked_id(str(cast(dict[str, Any], json.loads(description))["file"]), what="model file")


def _lines(answers: str) -> list[str]:
    from rpa_vision.app import wiring

    if answers == "-":
        return sys.stdin.read().splitlines()
    return wiring.local_files().read(Path(answers), limit=64 << 20).decode("utf-8", "replace").splitlines()


def _first_line(error: Exception) -> str:
    problems = getattr(error, "errors", None)
    if problems is None:
        return str(error)
    first = problems(include_url=False, include_input=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
