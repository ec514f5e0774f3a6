"""Remake the reader from nothing: draw lines, train, export, calibrate, score, install.

    .venv-train/bin/python training/reader/remake.py [--work build/reader] [--minutes 120] [--share 1] [--install]

Every step is skipped when its result is there, so a run that was stopped goes on where it was. Seeds are fixed: the same
versions of Chromium, Qt, Pango and the typefaces give the same lines. Two hours of processor time on one core, and about
half as much again for the drawing. `--share .01 --minutes 1` rehearses all of it in a few minutes.
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
"""Pango and GTK are bound to the system's Python only."""
WEB_FILES, DESKTOP_ROUNDS, PAGES, FACTORY_ROUNDS = 150, 10, 12, 10
"""Files of lines from generated pages, rounds of desktop pages, pages in each file, rounds of the factory's screens."""
SCREENS = {
    "factory": ("web_screens.py", 150, sys.executable),
    "factoryqt": ("qt_screens.py", 120, sys.executable),
    "factorygtk": ("gtk_screens.py", 40, SYSTEM_PYTHON),
}
"""The factory's training screens of a round: script, how many, which Python."""
HELD_OUT = {
    "web": ("factory/web_screens.py", 60, sys.executable),
    "gtk": ("factory/gtk_screens.py", 20, SYSTEM_PYTHON),
    "qt": ("factory/qt_screens.py", 30, sys.executable),
    "shaded": ("reader/shaded_pages.py", 6, sys.executable),
}
"""The screens to calibrate and to score by."""


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


def scaled(count: int, share: float) -> int:
    """Part of a number, and at least one."""
    return max(1, round(count * share))


def draw(work: Path, share: float) -> None:
    """Files of training lines: generated pages, desktop toolkits, screens of the factory's training kits."""
    shards, faces = work / "shards", work / "faces"
    run(HERE / "fetch_faces.py", "--out", faces)
    pages = scaled(PAGES, 10 * share) if share < 0.1 else PAGES
    files = scaled(WEB_FILES, share)
    run(HERE / "harvest.py", "--out", shards, "--icons", *fetch_icons(work), "--seed", 1, "--files", files,
        "--pages", pages)  # fmt: skip
    for seed in range(1, scaled(DESKTOP_ROUNDS, share) + 1):
        for toolkit, python in (("qt", sys.executable), ("pango", SYSTEM_PYTHON)):
            page = (HERE / "desktop_pages.py", toolkit, "--pages", pages)
            cut(shards / f"{toolkit}-{seed:05d}.npz", seed, *page, "--seed", seed, python=python)
            cut(
                shards / f"faces-{toolkit}-{seed:05d}.npz",
                seed,
                *page,
                "--seed",
                100 + seed,
                "--faces",
                faces,
                python=python,
            )
    for part in range(scaled(FACTORY_ROUNDS, share)):
        for source, (script, count, python) in SCREENS.items():
            screens = scaled(count, 10 * share) if share < 0.1 else count
            made = (ROOT / "training" / "factory" / script, "--count", screens, "--seed", 1000 + part)
            cut(shards / f"{source}-{part:05d}.npz", part, *made, python=python)


def cut(target: Path, seed: int, *drawing: object, python: str) -> None:
    """A file of lines of the pages that a command draws."""
    if not target.exists():
        pages = target.parent.parent / "pages" / target.stem
        run(*drawing, "--out", pages, python=python)
        run(HERE / "cut_pages.py", "--pages", pages, "--out", target, "--seed", seed)
        shutil.rmtree(pages)


def averaged(run_folder: Path) -> list[Path]:
    """The last checkpoints of a training, the final one last: their mean is steadier than any."""
    return [*sorted(run_folder.glob("at-*-minutes.pt"))[-2:], run_folder / "final.pt"]


def held_out(work: Path, name: str, seed: int, share: float) -> list[Path]:
    """Screens of kits, themes and typefaces that no training line shows."""
    folders = []
    for source, (script, count, python) in HELD_OUT.items():
        folder = work / name / source
        if not folder.exists():
            counts = ("--pages" if source == "shaded" else "--count", scaled(count, share))
            which = ("--held-out",) if source == "shaded" else ("--split", "held_out")
            part = folder.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            run(HERE.parent / script, "--out", part, *counts, "--seed", seed, *which, python=python)
            part.rename(folder)
        folders.append(folder)
    return folders


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "reader")
    parser.add_argument("--minutes", type=float, default=120)
    parser.add_argument("--share", type=float, default=1.0, help="part of the lines and screens to draw; for a trial")
    parser.add_argument("--peers", nargs="*", default=["tiny", "tesseract"])
    parser.add_argument("--install", action="store_true", help="put the 8-bit model among the package's resources")
    arguments = parser.parse_args()
    work, share = arguments.work.absolute(), arguments.share
    run(ROOT / "training" / "factory" / "fetch_kits.py")
    draw(work, share)
    if not (work / "run" / "final.pt").exists():
        run(HERE / "train.py", "--shards", work / "shards", "--run", work / "run", "--minutes", arguments.minutes)
    run(HERE / "export.py", *averaged(work / "run"), "--shards", work / "shards", "--out", work / "export")
    for kind in ("fp32", "int8"):
        screens = held_out(work, "calibration", 78, share)
        run(HERE / "calibrate.py", work / "export" / f"{kind}.json", "--screens", *screens)
    readers = [f"{kind}={work / 'export' / kind}.json" for kind in ("fp32", "int8")]
    scores = ROOT / "docs" / "models" / "reader.json" if arguments.install else work / "scores.json"
    run(HERE / "evaluate.py", "--screens", *held_out(work, "test", 77, share), "--readers", *readers, "--peers",
        *arguments.peers, "--out", scores)  # fmt: skip
    if arguments.install:
        run(HERE / "install.py", work / "export" / "int8.json")


if __name__ == "__main__":
    main()
