"""`rpa-vision dataset train`, `evaluate` and `deploy`: models of one's own out of a dataset."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rpa_vision.cli.migrate import moved_json, tell_moved
from rpa_vision.cli.output import EXIT_FAILED, DataOption, JsonOption, note, print_json, progress

if TYPE_CHECKING:
    from rpa_vision.app.dataset import DatasetStore
    from rpa_vision.app.dataset_encoder import EncoderScores
    from rpa_vision.app.dataset_work import DetectorScores
    from rpa_vision.app.migrate import Migration
    from rpa_vision.errors import RpaVisionError
    from rpa_vision.models.dataset import DatasetExport

Name = Annotated[str, typer.Argument(metavar="NAME", help="Id of a dataset.")]
VersionOption = Annotated[
    str | None, typer.Option("--version", metavar="vNNN", help="Of this version (default: the newest).")
]


class Split(StrEnum):
    """The parts of a dataset."""

    HELD_OUT = "held_out"
    TRAIN = "train"


class What(StrEnum):
    """The models of our own that can be trained further."""

    DETECTOR = "detector"
    ENCODER = "encoder"


WhatOption = Annotated[What, typer.Option("--what", help="Which model: what finds elements, or what knows screens.")]


def register(app: typer.Typer) -> None:
    """Put the commands into `rpa-vision dataset`."""
    for name, command in (("train", train), ("evaluate", evaluate), ("deploy", deploy)):
        app.command(name)(command)


def train(
    name: Name,
    what: WhatOption = What.DETECTOR,
    steps: Annotated[int, typer.Option(metavar="N", help="How long.", min=1, max=1_000_000)] = 400,
    seed: Annotated[int, typer.Option(metavar="N", help="Chance.")] = 1,
    base: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Description of the model to begin with (default: shipped).")
    ] = None,
    version: VersionOption = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Train a model further on the training part of a dataset. Needs torch."""
    from rpa_vision.app.dataset_work import training_screens
    from rpa_vision.app.wiring_models import model_trainer
    from rpa_vision.errors import UsageError

    store, kept = _opened(name, version, data)
    trainer = model_trainer()
    number = f"v{int(kept.version):03d}"
    screens = training_screens(kept, store.picture, "train")
    if not screens:
        raise UsageError(f"{name} {number} has no samples to train on", remedy="Export more sessions.")
    for file, content in screens.items():
        store.write(name, number, ("training", file), content)
    model = f"steps_{steps}_seed_{seed}" if what is What.DETECTOR else f"{what}_steps_{steps}_seed_{seed}"
    out, folder = (Path(store.folder(name, number, *below)) for below in (("models", model), ("training",)))
    with progress("training") as shown:
        description = trainer.train(what.value, folder, out, steps=steps, seed=seed, base=base, tell=shown.say)
    if json_output:
        print_json({"dataset_id": name, "version": number, "what": what.value, "model": str(description),
                    "screens": len(screens) // 2, "steps": steps})  # fmt: skip
        return
    typer.echo(f"{description}\nMeasure it: rpa-vision dataset evaluate {name} --model {description}")


def evaluate(
    name: Name,
    model: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Description of the model (default: the shipped one).")
    ] = None,
    what: Annotated[What, typer.Option("--what", help="Which shipped model, without --model.")] = What.DETECTOR,
    split: Annotated[Split, typer.Option(help="The part to measure on.")] = Split.HELD_OUT,
    version: VersionOption = None,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Measure a model on the part of a dataset that was held out."""
    from dataclasses import asdict

    from rpa_vision.app import dataset_encoder, dataset_work
    from rpa_vision.app.wiring_models import model_files, trained_detector, trained_encoder

    store, kept = _opened(name, version, data)
    kind = what.value if model is None else model_files(model)[0]
    scores: DetectorScores | EncoderScores
    with progress("looking") as shown:
        if kind == "encoder":
            scores = dataset_encoder.evaluate_encoder(
                trained_encoder(model), kept, store.picture, split=split.value, on_progress=shown.step
            )
        else:
            finder, kinds = trained_detector(model)
            scores = dataset_work.evaluate(
                finder, kept, store.picture, kinds=kinds, split=split.value, on_progress=shown.step
            )
    if json_output:
        print_json(asdict(scores))
        return
    for line in scores.lines():
        typer.echo(line)


def deploy(
    model: Annotated[
        Path, typer.Argument(metavar="FILE", help="Description of a trained model (elements.json or screens.json).")
    ],
    migrate: Annotated[
        bool, typer.Option("--migrate/--no-migrate", help="Move all workflows to the space of an encoder.")
    ] = True,
    data: DataOption = None,
    json_output: JsonOption = False,
) -> None:
    """Install a trained model as the next version, and say how it is put to use; an encoder takes workflows along."""
    import numpy as np

    from rpa_vision.app import wiring
    from rpa_vision.app.wiring_models import model_files, trained_detector, trained_encoder

    files = wiring.existing_data_directory(data)
    kind, content = model_files(model)
    blank = np.full((64, 64, 3), 255, np.uint8)
    if kind == "detector":
        finder, _ = trained_detector(model)
        finder.find(blank)
        called = finder.name
    else:
        encoder = trained_encoder(model)
        encoder.encode_image(blank)
        called = encoder.space.id
    path = Path(wiring.dataset_store(files).deploy(kind, content)[model.name])
    setting = f"RPA_VISION_{kind.upper()}={path}"
    told = {"kind": kind, "version": path.parent.name, kind: called, "path": str(path), "setting": setting}
    if not json_output:
        typer.echo(f"{called} is installed as {path.parent.name}. Put it to use with:\n{setting}")
    failed = False
    if kind == "encoder" and migrate:
        space, done, problems = _moved(data, path)
        failed = bool(problems)
        told |= {"space": space, **moved_json(done, problems)}
        if not json_output:
            tell_moved(done, problems)
    if json_output:
        print_json(told)
    if failed:
        raise typer.Exit(EXIT_FAILED)


def _moved(data: Path | None, description: Path) -> tuple[str, list[Migration], dict[str, RpaVisionError]]:
    """Every workflow, moved to the space of an encoder that was just installed."""
    from rpa_vision.app import wiring
    from rpa_vision.app.migrate import migrate_all
    from rpa_vision.app.wiring_auto_heal import auto_heal
    from rpa_vision.app.wiring_models import trained_encoder

    files = wiring.existing_data_directory(data)
    listing = files.workflows.list()
    for bad in listing.unreadable:
        note(f"cannot read {bad.name}: {bad.problem}")
    with auto_heal(files, quiet=True) as heal, progress("moving") as shown:
        tool = wiring.migrator(files, heal, shown.step, trained_encoder(description))
        return tool.space.id, *migrate_all(tool, [one.workflow_id for one in listing.items])


def _opened(name: str, version: str | None, data: Path | None) -> tuple[DatasetStore, DatasetExport]:
    from rpa_vision.app import wiring

    store = wiring.dataset_store(wiring.existing_data_directory(data))
    return store, store.load(name, version)
