"""Who finds a target again on a changed screen: `benchmarks/relocate` of a checkout, asked as one command.

The pairs are rendered from UI kits by `benchmarks/relocate/render_pairs.py`; its `score.py` does the counting, in a
process of its own, because benchmarks are not part of the package.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rpa_vision.errors import EnvironmentMissingError, RpaVisionError
from rpa_vision.testing.perception_bench import CHECKOUT

SCORE = CHECKOUT / "benchmarks" / "relocate" / "score.py"
PARTS = ("right", "refused", "wrong")


class RelocateBenchError(RpaVisionError):
    """The pairs could not be scored."""

    code = "bench.relocate_failed"
    default_remedy = "Look at the last line; render pairs with benchmarks/relocate/render_pairs.py."


@dataclass(frozen=True, slots=True)
class RelocatePlan:
    """Which pairs, how many of them, and whom besides us."""

    pairs: Path
    limit: int | None = None
    only_read: bool = False
    rivals: bool = True
    answers: tuple[str, ...] = ()
    """NAME=FILE: what another tool has answered elsewhere."""


def measure(plan: RelocatePlan) -> dict[str, Any]:
    """Score the pairs; what `score.py --json` says."""
    if not SCORE.exists():
        raise EnvironmentMissingError(
            "benchmarks/relocate is part of a checkout, not of the installed package", remedy="Run it in a checkout."
        )
    if not (plan.pairs / "pairs.jsonl").exists():
        raise EnvironmentMissingError(
            f"there are no pairs in {plan.pairs}",
            remedy="Render some: python benchmarks/relocate/render_pairs.py --help.",
        )
    command = [sys.executable, str(SCORE), str(plan.pairs), "--json"]
    command += ["--limit", str(plan.limit)] if plan.limit is not None else []
    command += ["--only-read"] if plan.only_read else []
    command += [] if plan.rivals else ["--no-rivals"]
    for given in plan.answers:
        command += ["--answers", given]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise RelocateBenchError(f"scoring failed: {(ended.stderr.strip().splitlines() or ['no word why'])[-1]}")
    told: dict[str, Any] = json.loads(ended.stdout.strip().splitlines()[-1])
    return told


def lines(told: dict[str, Any]) -> list[str]:
    """Right, refused and wrong in per cent, by drift and method, for people."""
    methods = list(told["counts"])
    drifts = list(dict.fromkeys(drift for counts in told["counts"].values() for drift in counts))
    shown = ["right / refused / wrong, in per cent", f"{'':12}" + "".join(f"{method:>24}" for method in methods)]
    for drift in [*drifts, "all"]:
        cells = []
        for method in methods:
            counts = told["counts"][method]
            one = {part: _sum(counts, drift, part) for part in PARTS}
            total = max(1, sum(one.values()))
            cells.append(" / ".join(f"{100 * one[part] / total:.1f}" for part in PARTS))
        shown.append(f"{drift:12}" + "".join(f"{cell:>24}" for cell in cells))
    for name, ours in told.get("beside", {}).items():
        asked = sum(ours.values())
        theirs = " / ".join(f"{100 * _sum(told['counts'][name], 'all', part) / asked:.1f}" for part in PARTS)
        our = " / ".join(f"{100 * ours.get(part, 0) / asked:.1f}" for part in PARTS)
        shown.append(f"on the {asked} pairs {name} was asked about: {theirs}; rpa-vision: {our}")
    return [*shown, f"find the target: {told['resolve_ms']} ms", *(f"wrong: {one}" for one in told["wrong"])]


def _sum(counts: dict[str, dict[str, int]], drift: str, part: str) -> int:
    return sum(one.get(part, 0) for name, one in counts.items() if drift in ("all", name))
