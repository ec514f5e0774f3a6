"""Make the net that pairs screens from nothing: looks, families, reading, training, export.

An hour or two on two free cores, and every part can be resumed: pictures that exist are not drawn or read again. With
`--install` the result replaces the shipped weights.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
PROJECT = ROOT / ".venv" / "bin" / "python"
INSTALLED = ROOT / "src" / "rpa_vision" / "resources" / "pairing"
FAMILIES, SEED, MINUTES = 190, 81, 60
FEWEST = 10
"""Families, for a trial: fewer teach nothing."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", type=Path, default=ROOT / "build" / "pairing")
    options.add_argument("--share", type=float, default=1.0, help="part of the families and of the time; for a trial")
    options.add_argument("--install", action="store_true", help="replace the shipped weights")
    given = options.parse_args()
    folder, run = given.work / "families", given.work / "run"
    call(sys.executable, ROOT / "training" / "factory" / "fetch_kits.py")
    families = max(FEWEST, round(FAMILIES * given.share))
    call(sys.executable, HERE / "families.py", "--out", folder, "--families", families, "--seed", SEED, "--go-on")
    call(PROJECT, HERE / "read.py", folder)
    call(sys.executable, HERE / "train.py", folder, "--run", run, "--minutes", MINUTES * given.share)
    call(sys.executable, HERE / "export.py", run / "latest.pt", "--out", given.work / "out")
    if given.install:
        INSTALLED.mkdir(parents=True, exist_ok=True)
        for name in ("pairs.onnx", "pairs.json"):
            shutil.copyfile(given.work / "out" / name, INSTALLED / name)


def call(*command: object) -> None:
    print("\n$", *(str(one) for one in command), flush=True)
    subprocess.run([str(one) for one in command], check=True)


if __name__ == "__main__":
    main()
