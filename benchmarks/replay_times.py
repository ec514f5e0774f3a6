"""Seconds a step: RPA Vision on its own demonstrations, openadapt-flow on its own, in turns on one machine.

    python benchmarks/replay_times.py [--peer VENV] [--rounds N] [--folder DIR] [--seed N] [--json]

Both replay what they were shown: we the invoice of the demo clinic and the form with twenty-five actions, by pixels and
real input on a virtual desktop of 1920 × 1080; it the triage of its demo app, in the browser it steers itself, where it
finds most targets in the DOM. In each round each of them has its turn, so that the load of the machine is the same for
all. A step is everything from one to the next: look, find, act, see what came of it, write it down. Starting browsers
is left out for everybody. VENV has `benchmarks/openadapt.txt` installed; without one only we are measured. Where
Playwright has no browser of its own, it is lent the one we use.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rpa_vision.app import wiring
from rpa_vision.demo.drift.office import open_office as open_clinic
from rpa_vision.demo.drift.points import DriftPoint
from rpa_vision.demo.replay.__main__ import replay
from rpa_vision.demo.replay.office import open_office as open_form
from rpa_vision.models.execution import RunReport

PEER = "openadapt-flow, its demo app"
_BROWSER_PATHS = {
    "chromium-": ("chrome-linux64/chrome", "chrome-linux/chrome"),
    "chromium_headless_shell-": ("chrome-headless-shell-linux64/chrome-headless-shell", "chrome-linux/headless_shell"),
    "ffmpeg-": (),
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One replay of one of them."""

    who: str
    completed: bool
    steps: int
    seconds: float
    load: float

    @property
    def step_s(self) -> float:
        return self.seconds / self.steps if self.steps else 0.0


Replay = Callable[[int], tuple[bool, int, float]]
"""Replays once, and says whether all was done, in how many steps, in how many seconds."""


def main() -> None:
    """Measure, and print a table."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--peer", type=Path, help="a virtualenv with openadapt-flow")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--folder", type=Path, default=Path("replay-times"), help="what was shown is kept there")
    options.add_argument("--seed", type=int, default=7, help="of the clinic")
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    with ExitStack() as stack:
        players: dict[str, Replay] = {
            "RPA Vision, the demo clinic": stack.enter_context(clinic(given.folder / "clinic", given.seed)),
            "RPA Vision, 25 actions in a form": stack.enter_context(form()),
        }
        if given.peer is not None:
            players[PEER] = peer(given.peer.absolute(), (given.folder / "openadapt").absolute())
        for name, play in players.items():  # each has opened its models and files once before it counts
            _say(f"warming up: {name}")
            play(0)
        turns = [_turn(name, play, number) for number in range(1, given.rounds + 1) for name, play in players.items()]
    if given.json:
        sys.stdout.write(json.dumps([{**asdict(turn), "step_s": turn.step_s} for turn in turns]) + "\n")
    else:
        sys.stdout.write("\n".join(table(turns)) + "\n")


def table(turns: list[Turn]) -> list[str]:
    """Who took how long, medians and spread."""
    lines = [f"{'':34}{'completed':>10}{'steps':>7}{'s a step':>10}{'from':>7}{'to':>7}{'s a run':>9}"]
    for who in dict.fromkeys(turn.who for turn in turns):
        own = [turn for turn in turns if turn.who == who]
        steps = sorted(turn.step_s for turn in own)
        done = f"{sum(turn.completed for turn in own)}/{len(own)}"
        lines.append(
            f"{who:34}{done:>10}{own[0].steps:>7}{median(steps):>10.3f}{steps[0]:>7.3f}{steps[-1]:>7.3f}"
            f"{median(turn.seconds for turn in own):>9.2f}"
        )
    loads = [turn.load for turn in turns]
    return [*lines, f"load of the machine ({os.cpu_count()} cores): {min(loads):.1f} to {max(loads):.1f}"]


@contextmanager
def clinic(folder: Path, seed: int) -> Iterator[Replay]:
    """The demo: one invoice, alone, in the clinic as it was learned. Somebody shows it first, once."""
    with open_clinic(folder, seed, wiring.screen_observer()) as office:
        office.learn(_say)

        def once(number: int) -> tuple[bool, int, float]:
            ran = office.run(DriftPoint(f"round_{number}", "none", {}))
            shutil.rmtree(ran.root, ignore_errors=True)
            return ran.verdict == "completed", *_spent(ran.report)

        yield once


@contextmanager
def form() -> Iterator[Replay]:
    """Twenty-five actions; the page itself says what was done."""
    with tempfile.TemporaryDirectory() as folder, open_form(Path(folder)) as office:

        def once(number: int) -> tuple[bool, int, float]:
            made = replay(office)
            return made.done == len(made.report.steps) and not made.wrong, *_spent(made.report)

        yield once


def peer(venv: Path, folder: Path) -> Replay:
    """openadapt-flow's own demonstration, recorded and compiled by itself, replayed by its own benchmark."""
    folder.mkdir(parents=True, exist_ok=True)
    program = str(venv / "bin" / "openadapt-flow")
    env = {**os.environ, **lent_browser(venv, folder / "browsers")}
    bundle = folder / "bundle"
    if not bundle.is_dir():
        shutil.rmtree(folder / "recording", ignore_errors=True)
        _run([program, "demo-record", "--out", str(folder / "recording")], env)
        _run([program, "compile", str(folder / "recording"), "--out", str(bundle), "--name", "triage"], env)

    def once(number: int) -> tuple[bool, int, float]:
        root = folder / f"round_{number}"
        shutil.rmtree(root, ignore_errors=True)
        _run([program, "bench", str(bundle), "--n", "1", "--run-root", str(root)], env)
        told = json.loads((root / "bench.json").read_text(encoding="utf-8"))["iterations"][0]
        report = json.loads((root / "iter_000" / "report.json").read_text(encoding="utf-8"))
        return bool(told["success"]), len(report["results"]), told["total_ms"] / 1000.0

    return once


def lent_browser(venv: Path, folder: Path) -> Mapping[str, str]:
    """The environment in which Playwright finds a browser: its own where it has one, otherwise ours."""
    asked = _run([str(venv / "bin" / "python"), "-m", "playwright", "install", "--dry-run", "chromium"], os.environ)
    places = [Path(found) for found in re.findall(r"(?m)^\s*Install location:\s*(.+?)\s*$", asked)]
    if all((place / "INSTALLATION_COMPLETE").is_file() for place in places):
        return {}
    ours = shutil.which("chromium") or shutil.which("chromium-browser")
    if ours is None:
        raise SystemExit("there is no browser to lend: install the package chromium")
    for place in places:
        own = folder / place.name
        own.mkdir(parents=True, exist_ok=True)
        (own / "INSTALLATION_COMPLETE").touch()
        for path in next((paths for kind, paths in _BROWSER_PATHS.items() if place.name.startswith(kind)), ()):
            (own / path).parent.mkdir(parents=True, exist_ok=True)
            if not (own / path).exists():
                (own / path).symlink_to(ours)
    return {"PLAYWRIGHT_BROWSERS_PATH": str(folder)}


def _turn(name: str, play: Replay, number: int) -> Turn:
    _say(f"round {number}: {name}")
    completed, steps, seconds = play(number)
    return Turn(name, completed, steps, seconds, os.getloadavg()[0])


def _spent(report: RunReport) -> tuple[int, float]:
    return len(report.steps), report.duration_s


def _run(command: list[str], env: Mapping[str, Any]) -> str:
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: {done.stderr or done.stdout}")
    return done.stdout


def _say(words: str) -> None:
    sys.stderr.write(f"{words}\n")


if __name__ == "__main__":
    main()
