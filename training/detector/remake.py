"""Make the element detector and its judge from nothing: looks, screens, training, export, scores.

Hours on two cores, and every part can be resumed: screens that exist are not drawn again, training goes on from its
last checkpoint. The rate falls to nothing over the last steps, and the mean of the last checkpoints ships. With
`--install` the result replaces the shipped weights and `docs/models/detector.json`.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from factory.demo_packages import of_split

from detector.averaged import averaged

ROOT = Path(__file__).parents[2]
TRAINING = ROOT / "training"
VISITS = "visits.txt"
"""The pages of packages that were drawn; whoever has the list draws others."""
SYSTEM_PYTHON = "/usr/bin/python3"
"""GTK is only known to the system's own Python."""
TRAIN_SETS = (("web", 3300, 1), ("qt", 1500, 1), ("gtk", 1210, 1))
PROGRAM_SETS = (("qt", 420, 601), ("gtk", 320, 601))
"""Windows as programs have them: editors, open menus, options."""
BOARDS, BOARDS_SEED = 2000, 702
"""Pages as templates have them: charts, figures, introductions, articles."""
DEMO_SETS = (("demo", 1640, "train"), ("demo-held-out", 150, "held_out"))
"""Screens of real pages, each in a folder of its own; the held-out ones are for trying things, not for scores."""
HELD_OUT_SETS = (("web", 120, 48), ("qt", 50, 43), ("gtk", 50, 43), ("tk", 40, 44))
JUDGE_SETS = (("web", 110, 531, "own"), ("web", 150, 532, ""), ("qt", 80, 531, ""), ("gtk", 80, 531, ""))
"""Screens for the judge: looks by chance and trained looks, all of them pages the net never saw."""
JUDGE_BOARDS, JUDGE_BOARDS_SEED = 430, 703
JUDGE_RECORDS, JUDGE_RECORDS_SEED = 420, 704
"""Lists of records and records, where it must tell words that lead somewhere from words that are only in colour."""
JUDGE_PROGRAM_SETS = (("qt", 50, 603), ("gtk", 40, 603))
JUDGE_DEMO, JUDGE_ALONE = 260, 110
"""Screens of real pages for the judge: those that come after the ones the net was shown, and those of packages that
the net never saw at all, so that the judge knows how far to trust it there."""
JUDGE_PACKAGES = (
    "@buingochung.ntu/wogi-admin-template", "bootstrap-admin-dashboard-free", "bootstrap-tabs-x", "bootstrap-treeview",
    "bootswatch", "footable", "vanillajs-datepicker",
)  # fmt: skip
STEPS, COOLDOWN = 94_000, 9_500
SAVE_MINUTES = 4
JUDGE_STEPS = 6_000
JUDGE_SHARES = {"demo": 0.42, "boards": 0.27, "records": 0.09, "programs": 0.06, "": 0.16}
"""What the judge learns from: the share of the screens in folders whose name begins so, the last of all others."""


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--work", type=Path, default=ROOT / "build" / "detector")
    options.add_argument("--steps", type=int, default=STEPS)
    options.add_argument("--cooldown", type=int, default=COOLDOWN)
    options.add_argument("--judge-steps", type=int, default=JUDGE_STEPS)
    options.add_argument("--share", type=float, default=1.0, help="part of the screens to draw; for a trial")
    options.add_argument("--install", action="store_true", help="replace the shipped weights")
    given = options.parse_args()
    screens, held_out, run = given.work / "screens", given.work / "held-out", given.work / "run"
    heard, programs, boards = given.work / "judge", given.work / "programs", given.work / "boards"
    call(sys.executable, TRAINING / "factory" / "fetch_kits.py")
    for toolkit, count, seed in TRAIN_SETS:
        draw(toolkit, screens, round(count * given.share), seed, "train")
    for toolkit, count, seed in PROGRAM_SETS:
        draw(toolkit, programs, max(1, round(count * given.share)), seed, "train", script="programs")
    draw_pages("board", boards, max(1, round(BOARDS * given.share)), BOARDS_SEED)
    for folder, count, split in DEMO_SETS:
        names = [one.name for one in of_split(split) if one.name not in JUDGE_PACKAGES]
        draw_demo_pages(given.work / folder, max(1, round(count * given.share)), split, names)
    for toolkit, count, seed in HELD_OUT_SETS:
        draw(toolkit, held_out, max(1, round(count * given.share)), seed, "held_out")
    for toolkit, count, seed, kit in JUDGE_SETS:
        draw(toolkit, heard / f"{toolkit}{seed}", max(1, round(count * given.share)), seed, "train", kit)
    for toolkit, count, seed in JUDGE_PROGRAM_SETS:
        draw(toolkit, heard / "programs", max(1, round(count * given.share)), seed, "train", script="programs")
    draw_pages("board", heard / "boards", max(1, round(JUDGE_BOARDS * given.share)), JUDGE_BOARDS_SEED)
    draw_pages("records", heard / "records", max(1, round(JUDGE_RECORDS * given.share)), JUDGE_RECORDS_SEED)
    others, alone = heard / "demo", heard / "demo-alone"
    others.mkdir(parents=True, exist_ok=True)
    if not (others / VISITS).exists():
        shutil.copy(given.work / "demo" / VISITS, others)
    names = [one.name for one in of_split("train") if one.name not in JUDGE_PACKAGES]
    draw_demo_pages(others, max(1, round(JUDGE_DEMO * given.share)), "train", names)
    draw_demo_pages(alone, max(1, round(JUDGE_ALONE * given.share)), "train", JUDGE_PACKAGES)
    latest, shown = run / "latest.pt", [screens, programs, boards, given.work / "demo"]
    resume = ("--resume", latest) if latest.exists() else ()
    call(
        sys.executable,
        TRAINING / "detector" / "train.py",
        "--screens",
        *shown,
        "--run",
        run,
        "--steps",
        given.steps,
        "--cooldown",
        given.cooldown,
        "--photos",
        ROOT / "build" / "demo-pages",
        "--save-minutes",
        SAVE_MINUTES,
        *resume,
    )
    finish(
        averaged(run),
        shown,
        sorted(heard.iterdir()),
        held_out,
        given.work / "out",
        judge_steps=given.judge_steps,
        install=given.install,
    )


def finish(
    checkpoint: Path,
    shown: list[Path],
    heard: list[Path],
    held_out: Path,
    out: Path,
    *,
    judge_steps: int,
    install: bool,
) -> None:
    """Export the net, train the judge on what it says, score both as they ship, and put them in place."""
    from export import export

    description = export(checkpoint, out, screens=shown)
    project, here = ROOT / ".venv" / "bin" / "python", TRAINING / "detector"
    said, left = {}, list(heard)
    for begins, share in JUDGE_SHARES.items():
        folders = [folder for folder in left if folder.name.startswith(begins)]
        left = [folder for folder in left if folder not in folders]
        told = out / f"judge-{begins or 'made'}.npz"
        call(project, here / "judge_data.py", "--screens", *folders, "--net", description, "--out", told)
        said[told] = share
    learn = (sys.executable, here / "judge_train.py", "--out", out, "--steps", judge_steps)
    call(*learn, "--data", *said, "--shares", *said.values())
    score = [project, here / "score_all.py", description, "--screens", held_out, "--judge", out / "judge.json"]
    scored = subprocess.run([str(part) for part in score], check=True, capture_output=True, text=True)
    scores = json.loads(scored.stdout)
    description = export(checkpoint, out, scores=scores, screens=shown)
    print(json.dumps(scores, indent=1))
    if install:
        target = ROOT / "src" / "rpa_vision" / "resources" / "detector"
        target.mkdir(parents=True, exist_ok=True)
        for name in ("elements.zip", "elements.json", "judge.onnx", "judge.json"):
            shutil.copy(out / name, target)
        about = json.loads(description.read_text(encoding="utf-8"))
        report = ROOT / "docs" / "models" / "detector.json"
        report.parent.mkdir(parents=True, exist_ok=True)
        report.write_text(
            json.dumps({"training": about["training"], "scores": scores}, indent=1) + "\n", encoding="utf-8"
        )


def draw(toolkit: str, out: Path, count: int, seed: int, split: str, kit: str = "", script: str = "screens") -> None:
    python = SYSTEM_PYTHON if toolkit == "gtk" else sys.executable
    more = () if toolkit == "tk" else ("--split", split, *(("--kit", kit) if kit else ()))
    if len(list(out.glob(f"{toolkit}-*.json"))) < count:
        call(
            python,
            TRAINING / "factory" / f"{toolkit}_{script}.py",
            "--out",
            out,
            "--count",
            count,
            "--seed",
            seed,
            *more,
        )


def draw_pages(pages: str, out: Path, count: int, seed: int) -> None:
    if len(list(out.glob(f"{pages}-*.json"))) < count:
        draw_web = (sys.executable, TRAINING / "factory" / "web_screens.py", "--pages", pages, "--out", out)
        call(*draw_web, "--count", count, "--seed", seed, "--split", "train")


def draw_demo_pages(out: Path, count: int, split: str, packages: Sequence[str]) -> None:
    chosen = [part for name in packages for part in ("--package", name)]
    if len(list(out.glob("demo-*.json"))) < count:
        draw_demo = (sys.executable, TRAINING / "factory" / "demo_pages.py", "--out", out, "--count", count)
        call(*draw_demo, "--split", split, *chosen)


def call(*parts: object) -> None:
    subprocess.run([str(part) for part in parts], check=True)


if __name__ == "__main__":
    main()
