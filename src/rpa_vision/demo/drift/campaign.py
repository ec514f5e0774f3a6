"""A campaign: every point under every seed, in as many parts as it takes.

What was run is written down at once, one line each, so that a campaign that was broken off goes on where it stopped.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from rpa_vision.app import wiring
from rpa_vision.demo.drift.points import DriftPoint
from rpa_vision.demo.drift.verdicts import Ran
from rpa_vision.embedding.screen_observer import ScreenObserver
from rpa_vision.models.execution import RunReport

JOURNAL = "journal.jsonl"
Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class DriftRun:
    """One run after something changed: what it said, and what was true."""

    seed: int
    point: str
    group: str
    subject: str
    verdict: str
    status: str
    reason: str
    effect: bool
    """Whether what was asked for was done, whatever the run said."""
    duration_s: float
    steps: tuple[dict[str, Any], ...]
    report: str


class Office(Protocol):
    """An application on a desktop, and what was learned there."""

    seed: int

    def learn(self, say: Say) -> None:
        """Record and learn, unless that was done before."""

    def run(self, point: DriftPoint) -> Ran:
        """Do one case alone after the application has changed."""


OpenOffice = Callable[[Path, int, ScreenObserver], AbstractContextManager[Office]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run, where, and for how long at most."""

    open_office: OpenOffice
    points: Sequence[DriftPoint]
    seeds: Sequence[int]
    minutes: float | None = None


def run_campaign(folder: Path, plan: Plan, say: Say, done: Say) -> tuple[DriftRun, ...]:
    """Run what is not in the journal of the folder yet; gives all runs of the plan that are."""
    folder.mkdir(parents=True, exist_ok=True)
    clock = wiring.clock()
    end = None if plan.minutes is None else clock.monotonic() + 60.0 * plan.minutes
    observer = wiring.screen_observer()
    for seed in plan.seeds:
        known = {(run.seed, run.point) for run in read_journal(folder)}
        missing = [point for point in plan.points if (seed, point.name) not in known]
        if not missing or _is_over(end, clock.monotonic()):
            continue
        with plan.open_office(folder / f"seed-{seed}", seed, observer) as office:
            office.learn(say)
            for point in missing:
                if _is_over(end, clock.monotonic()):
                    break
                say(f"seed {seed}: {point.name}")
                run = _run(office, point)
                _append(folder, run)
                done(f"{run.verdict:9} seed {seed} {point.name}: {run.status} in {run.duration_s:.1f} s ({run.reason})")
    wanted = {(seed, point.name) for seed in plan.seeds for point in plan.points}
    return tuple(run for run in read_journal(folder) if (run.seed, run.point) in wanted)


def read_journal(folder: Path) -> list[DriftRun]:
    """Every run that was written down; of one that was run again, the last."""
    journal = folder / JOURNAL
    if not journal.exists():
        return []
    lines = journal.read_text(encoding="utf-8").splitlines()
    runs = [_from_json(json.loads(line)) for line in lines if line.strip()]
    return list({(run.seed, run.point): run for run in runs}.values())


def _run(office: Office, point: DriftPoint) -> DriftRun:
    ran = office.run(point)
    if ran.verdict == "completed":
        shutil.rmtree(ran.root, ignore_errors=True)
    return DriftRun(
        seed=office.seed,
        point=point.name,
        group=point.group,
        subject=ran.subject,
        verdict=ran.verdict,
        status=ran.report.status,
        reason=ran.report.reason,
        effect=ran.effect,
        duration_s=ran.report.duration_s,
        steps=_steps(ran.report),
        report=str(ran.page) if ran.verdict != "completed" else "",
    )


def _steps(report: RunReport) -> tuple[dict[str, Any], ...]:
    return tuple(
        {
            "edge": step.edge_id,
            "action": step.action,
            "status": step.status.value,
            "ms": round(step.duration_ms, 1),
            "timing_ms": dict(step.timing_ms),
            "healing_level": step.healing_level,
            "recoveries": [recovery.action for recovery in step.recoveries],
            "strategy": step.strategy,
            "score": step.score,
        }
        for step in report.steps
    )


def _append(folder: Path, run: DriftRun) -> None:
    with (folder / JOURNAL).open("a", encoding="utf-8") as journal:
        journal.write(json.dumps(asdict(run), ensure_ascii=False) + "\n")


def _from_json(body: dict[str, Any]) -> DriftRun:
    return DriftRun(**{**body, "steps": tuple(body["steps"])})


def _is_over(end: float | None, now: float) -> bool:
    return end is not None and now >= end
