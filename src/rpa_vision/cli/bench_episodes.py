"""`rpa-vision bench episodes`: how well an event log is cut into cases that somebody knows."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from rpa_vision.cli.output import JsonOption, print_json, progress


def episodes(
    log: Annotated[Path, typer.Argument(metavar="LOG.csv", help="An event log, as `sessions import` reads it.")],
    truth: Annotated[
        Path, typer.Option(metavar="FILE", help='True case of each event: [...], {"case": [...]}, or that by log name.')
    ],
    foreign: Annotated[
        float, typer.Option(metavar="SHARE", min=0, max=0.9, help="Mix in so much foreign work (0).")
    ] = 0.0,
    bursts: Annotated[bool, typer.Option("--bursts", help="Foreign work in bursts instead of evenly spread.")] = False,
    seed: Annotated[int, typer.Option(metavar="N", help="Which foreign work.")] = 1,
    json_output: JsonOption = False,
) -> None:
    """Cut a log into episodes and compare with the cases that are true."""
    from rpa_vision.app import wiring
    from rpa_vision.testing.episode_bench import Foreign, measure, read_truth

    rows, _ = wiring.event_logs().read(log)
    cases = read_truth(wiring.local_files().read(truth, limit=64 << 20), log.stem, len(rows))
    with progress("cutting"):
        scores = measure(rows, cases, Foreign(foreign, bursts, seed))
    if json_output:
        print_json({"log": log.name, "events": len(rows), **asdict(scores)})
        return
    typer.echo(
        f"{log.name}: {scores.cases_found} cases of {scores.cases_true}; boundary F1 {scores.boundary_f1:.3f}, within "
        f"one event {scores.boundary_f1_within_one:.3f}; edit distance {scores.led:.3f}"
    )
    if scores.foreign:
        typer.echo(
            f"of {scores.foreign} foreign events {scores.foreign_in_cases} were taken into cases; "
            f"{scores.foreign_episodes} episodes are foreign work"
        )
