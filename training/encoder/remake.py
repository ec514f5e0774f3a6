"""Make the screen encoder from nothing: looks, families, training, export, calibration, scores.

An hour or two on two free cores, and every part can be resumed: screens that exist are not drawn or read again. With
`--install` the result replaces the shipped weights, the calibration of their space and `docs/models/encoder.json`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TRAINING = ROOT / "training"
PROJECT = ROOT / ".venv" / "bin" / "python"
APPS, SEED = 67, 71
FIRST, HARDER = ("none", "theme", "zoom", "all"), ("near", "redrawn")
WIDE = (
    (21, 75, ("--changes", *FIRST, *HARDER)),
    (22, 77, ("--centred", "--changes", "none", "zoom", "all", *HARDER)),
)
"""In windows of a desktop's width: how many applications, their seed, how they are drawn."""
HELD_OUT_APPS, HELD_OUT_SEED = 100, 72
SINGLES, SINGLES_SEED = 1500, 3
STEPS = (1975, 920)
"""First on screens in themes and zooms, then also on those at twice their size, in high contrast, in wide windows."""
SECOND = ("--rate", 1e-3, "--apps", 6, "--alone", 10)
CALIBRATED_FAMILIES = 150
INSTALLED = ROOT / "src" / "rpa_vision" / "resources" / "encoder"
REPORT = ROOT / "docs" / "models" / "encoder.json"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", type=Path, default=ROOT / "build" / "encoder")
    options.add_argument("--steps", type=int, default=sum(STEPS))
    options.add_argument("--share", type=float, default=1.0, help="part of the screens to draw; for a trial")
    options.add_argument("--install", action="store_true", help="replace the shipped weights")
    given = options.parse_args()
    train, harder, held_out, singles = (given.work / name for name in ("train", "harder", "held-out", "singles"))
    call(sys.executable, TRAINING / "factory" / "fetch_kits.py")
    apps = max(1, round(APPS * given.share))
    draw(train, apps, SEED, "--changes", *FIRST)
    draw(harder, apps, SEED, "--changes", *HARDER)
    for wide, seed, how in WIDE:
        draw(harder, max(1, round(wide * given.share)), seed, "--wide", *how)
    draw(held_out, max(1, round(HELD_OUT_APPS * given.share)), HELD_OUT_SEED, "--split", "held_out")
    web = TRAINING / "factory" / "web_screens.py"
    call(sys.executable, web, "--out", singles, "--count", round(SINGLES * given.share), "--seed", SINGLES_SEED)
    first, then = given.work / "maps", given.work / "maps-harder"
    for folder, out, name in ((train, first, "apps"), (singles, first, "singles"), (harder, then, "harder")):
        call(sys.executable, TRAINING / "encoder" / "maps.py", folder, "--out", out, "--name", name)
    run, steps = given.work / "run", [max(1, round(leg * given.steps / sum(STEPS))) for leg in STEPS]
    learn(run, steps[0], first)
    learn(run, steps[1], first, then, "--resume", run / "latest.pt", "--seed", 2, *SECOND)
    finish(run / "latest.pt", train, held_out, given.work / "out", install=given.install)


def finish(checkpoint: Path, train: Path, held_out: Path, out: Path, *, install: bool) -> None:
    """Export, put in place, calibrate on training looks, score on held-out ones."""
    call(sys.executable, TRAINING / "encoder" / "export.py", checkpoint, "--out", out)
    read = TRAINING / "encoder" / "read_families.py"
    call(PROJECT, read, train, "--families", CALIBRATED_FAMILIES)
    call(PROJECT, read, held_out)
    put = ()
    if install:
        INSTALLED.mkdir(parents=True, exist_ok=True)
        for name in ("screens.onnx", "screens.json"):
            shutil.copy(out / name, INSTALLED)
        put = ("--install",)
    call(PROJECT, TRAINING / "encoder" / "calibrate.py", train, "--model", out / "screens.json", *put)
    if install:
        about = json.loads((out / "screens.json").read_text(encoding="utf-8"))
        REPORT.write_text(json.dumps({"training": about["training"]}, indent=1) + "\n", encoding="utf-8")
        for encoder in ("hashed", "embedded"):
            call(PROJECT, TRAINING / "encoder" / "evaluate.py", held_out, "--encoder", encoder, "--write")


def draw(out: Path, apps: int, seed: int, *how: str) -> None:
    script = TRAINING / "encoder" / "render_families.py"
    call(sys.executable, script, "--out", out, "--apps", apps, "--seed", seed, *how)


def learn(run: Path, steps: int, *how: object) -> None:
    call(sys.executable, TRAINING / "encoder" / "train.py", "--run", run, "--steps", steps, "--maps", *how)


def call(*parts: object) -> None:
    subprocess.run([str(part) for part in parts], check=True)


if __name__ == "__main__":
    main()
