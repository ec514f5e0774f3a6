"""Remake the reader from nothing: draw lines, train, export, calibrate, score, install.

    .venv-train/bin/python training/reader/remake.py [--work build/reader] [--minutes 120] [--web-files 150] …

Every step is skipped when its result is there, so a run that was stopped goes on where it was. Seeds are fixed: the same
versions of Chromium, Qt, Pango and the typefaces give the same lines. Two hours of processor time on one core, and about
half as much again for the drawing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ICONS = ("lucide-static@1.62.0", "bootstrap-icons@1.13.2")
SYSTEM_PYTHON = "/usr/bin/python3"
"""Pango is bound to the system's Python only."""


def run(*command: object, python: str = sys.executable) -> None:
    """One step, in a process of its own."""
    words = [str(word) for word in command]
    print("+", *words, flush=True)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([python, *words], check=True, env=environment, cwd=ROOT)


def fetch_icons(work: Path) -> list[Path]:
    """Drawings that stand beside text, from two packages of icons (ISC and MIT)."""
    folders = []
    for package in ICONS:
        folder = work / "icons" / package.split("@")[0]
        if not folder.exists():
            folder.mkdir(parents=True)
            subprocess.run(["npm", "pack", "--silent", package], check=True, cwd=folder)
            with tarfile.open(next(folder.glob("*.tgz"))) as archive:
                archive.extractall(folder, filter="data")
        folders.append(folder / "package" / "icons")
    return folders


def draw(work: Path, web_files: int, desktop_rounds: int, screens: int) -> None:
    """Files of training lines: generated pages, desktop toolkits, screens of the factory's training kits."""
    shards, faces = work / "shards", work / "faces"
    run(HERE / "fetch_faces.py", "--out", faces)
    run(HERE / "harvest.py", "--out", shards, "--icons", *fetch_icons(work), "--seed", 1, "--files", web_files)
    for seed in range(1, desktop_rounds + 1):
        for toolkit, python in (("qt", sys.executable), ("pango", SYSTEM_PYTHON)):
            draw_desktop(shards / f"{toolkit}-{seed:05d}.npz", toolkit, python, seed)
            draw_desktop(shards / f"faces-{toolkit}-{seed:05d}.npz", toolkit, python, 100 + seed, "--faces", faces)
    for part in range(-(-screens // 100)):
        target = shards / f"factory-{part:05d}.npz"
        if not target.exists():
            pages = work / "screens" / str(part)
            run(ROOT / "training" / "factory" / "web_screens.py", "--out", pages, "--count", 100, "--seed", 1000 + part)
            run(HERE / "cut_pages.py", "--pages", pages, "--out", target, "--seed", part)
            shutil.rmtree(pages)


def draw_desktop(target: Path, toolkit: str, python: str, seed: int, *more: object) -> None:
    """A file of lines of ten pages drawn by a desktop toolkit."""
    if not target.exists():
        pages = target.parent.parent / "pages" / target.stem
        run(HERE / "desktop_pages.py", toolkit, "--out", pages, "--seed", seed, "--pages", 10, *more, python=python)
        run(HERE / "cut_pages.py", "--pages", pages, "--out", target, "--seed", seed)
        shutil.rmtree(pages)


def averaged(run_folder: Path) -> list[Path]:
    """The last checkpoints of a training, the final one last: their mean is steadier than any."""
    return [*sorted(run_folder.glob("at-*-minutes.pt"))[-2:], run_folder / "final.pt"]


def held_out(work: Path, name: str, seed: int, count: int) -> Path:
    """Screens of kits, themes and typefaces that no training line shows."""
    folder = work / name
    if not folder.exists():
        factory = ROOT / "training" / "factory"
        run(
            factory / "web_screens.py", "--out", folder / "web", "--count", count, "--seed", seed, "--split", "held_out"
        )
        run(factory / "qt_screens.py", "--out", folder / "qt", "--count", 20, "--seed", seed, "--split", "held_out")
        run(factory / "tk_screens.py", "--out", folder / "tk", "--count", 6, "--seed", seed)
        run(
            factory / "gtk_screens.py",
            "--out",
            folder / "gtk",
            "--count",
            6,
            "--seed",
            seed,
            "--split",
            "held_out",
            python=SYSTEM_PYTHON,
        )
        run(HERE / "desktop_pages.py", "qt", "--out", folder / "fonts-qt", "--seed", seed, "--pages", 4, "--held-out")
        run(
            HERE / "desktop_pages.py",
            "pango",
            "--out",
            folder / "fonts-pango",
            "--seed",
            seed,
            "--pages",
            4,
            "--held-out",
            python=SYSTEM_PYTHON,
        )
    return folder


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "reader")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--web-files", type=int, default=150)
    parser.add_argument("--desktop-rounds", type=int, default=10)
    parser.add_argument("--screens", type=int, default=1000)
    parser.add_argument("--peers", nargs="*", default=["tiny", "tesseract"])
    parser.add_argument("--install", action="store_true", help="put the 8-bit model among the package's resources")
    arguments = parser.parse_args()
    work = arguments.work.absolute()
    run(ROOT / "training" / "factory" / "fetch_kits.py")
    draw(work, arguments.web_files, arguments.desktop_rounds, arguments.screens)
    run(HERE / "train.py", "--shards", work / "shards", "--run", work / "run", "--minutes", arguments.minutes)
    run(HERE / "export.py", *averaged(work / "run"), "--shards", work / "shards", "--out", work / "export")
    for kind in ("fp32", "int8"):
        run(HERE / "calibrate.py", work / "export" / f"{kind}.json", "--screens", held_out(work, "calibration", 78, 24))
    readers = [f"{kind}={work / 'export' / kind}.json" for kind in ("fp32", "int8")]
    scores = ROOT / "docs" / "models" / "reader.json" if arguments.install else work / "scores.json"
    run(
        HERE / "evaluate.py",
        "--screens",
        held_out(work, "test", 77, 36),
        "--readers",
        *readers,
        "--peers",
        *arguments.peers,
        "--out",
        scores,
    )
    if arguments.install:
        run(HERE / "install.py", work / "export" / "int8.json")


if __name__ == "__main__":
    main()
