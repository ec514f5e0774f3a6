"""The day as a measurement: record it, learn from it, compare with the truth, and work alone on new data."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from rpa_vision.app import wiring
from rpa_vision.demo.day.agenda import DaySize, Turn, plan_day, unshown_cents
from rpa_vision.demo.day.alone import AloneRun, work_alone
from rpa_vision.demo.day.office import DayError, open_office, record_day, show
from rpa_vision.demo.day.truth import DayTruth, tell
from rpa_vision.demo.day.understanding import TRUE_VARIABLES, TaskUnderstood, understood
from rpa_vision.models.workflow_graph import Workflow
from rpa_vision.testing.segmentation_scores import Scores, boundaries, score

Say = Callable[[str], None]
_OTHER_DATA = 1000
"""Added to the seed of a day: the data of the runs alone."""


@dataclass(frozen=True, slots=True)
class DayResult:
    """Everything that was measured."""

    seed: int
    events: int
    noise_share: float
    goes: int
    workflows: int
    foreign_workflows: tuple[str, ...]
    tasks: tuple[TaskUnderstood, ...]
    episodes: Scores | None
    near_boundary_f1: float | None
    """Boundaries that are at most one event off count as found."""
    runs: tuple[AloneRun, ...]
    learn_s: float
    problem: str = ""

    @property
    def boundary_f1(self) -> float | None:
        """Of the boundaries between goes, to the event."""
        return None if self.episodes is None else f1(self.episodes.boundary_precision, self.episodes.boundary_recall)

    @property
    def variable_recall(self) -> float:
        true = sum(len(TRUE_VARIABLES[task.task]) for task in self.tasks)
        return sum(len(task.variables) for task in self.tasks) / true if true else 0.0

    @property
    def variable_precision(self) -> float:
        found = sum(len(task.variables) for task in self.tasks)
        claimed = found + sum(len(task.extra_variables) for task in self.tasks)
        return found / claimed if claimed else 0.0

    @property
    def steps(self) -> tuple[int, int, int]:
        """Found, true, and steps that are none."""
        return (
            sum(task.steps_found for task in self.tasks),
            sum(task.steps_true for task in self.tasks),
            sum(task.steps_foreign for task in self.tasks),
        )

    def verdicts(self, verdict: str, task: str | None = None) -> int:
        """How many runs came to that."""
        return sum(run.verdict == verdict and task in (None, run.task) for run in self.runs)

    def as_json(self) -> dict[str, Any]:
        """What scripts read."""
        found, true, foreign = self.steps
        return {
            "seed": self.seed,
            "events": self.events,
            "noise_share": round(self.noise_share, 3),
            "goes": self.goes,
            "workflows": self.workflows,
            "exactly_the_tasks": not self.foreign_workflows and all(task.workflow_id for task in self.tasks),
            "foreign_workflows": list(self.foreign_workflows),
            "boundary_f1": None if self.boundary_f1 is None else round(self.boundary_f1, 3),
            "boundary_f1_within_one": None if self.near_boundary_f1 is None else round(self.near_boundary_f1, 3),
            "episodes": asdict(self.episodes) if self.episodes is not None else None,
            "variable_precision": round(self.variable_precision, 3),
            "variable_recall": round(self.variable_recall, 3),
            "steps": {"found": found, "true": true, "foreign": foreign},
            "tasks": [{**asdict(task), "is_right": task.is_right} for task in self.tasks],
            "alone": {verdict: self.verdicts(verdict) for verdict in ("completed", "halted", "wrong")},
            "runs": [asdict(run) for run in self.runs],
            "learn_s": round(self.learn_s, 1),
            "problem": self.problem,
        }


def whole_day(
    folder: Path, seed: int, size: DaySize, *, speed: float, alone: DaySize | None, say: Say = lambda text: None
) -> DayResult:
    """Record, learn, score, and work alone: what a benchmark of the day calls."""
    say(f"recording the day of seed {seed}")
    truth = record(folder, seed, size, speed)
    say(f"recorded {truth.session_id}: {len(truth.events)} events, {truth.noise_share:.0%} noise")
    return measure(folder, alone=alone, say=say)


def record(folder: Path, seed: int, size: DaySize, speed: float) -> DayTruth:
    """Record a day into `folder`: the data directory `data`, and what is true of it beside it."""
    agenda = plan_day(seed, size)
    data, files, clock = folder / "data", wiring.image_files(), wiring.clock()
    began = clock.monotonic()
    with tempfile.TemporaryDirectory(prefix="rpa-vision-day-") as desk, open_office(Path(desk), seed) as office:
        session_id, diary = record_day(office, agenda, data, folder, speed=speed)
        after = {"journal": office.written(), "clinic": office.clinic.truth()}
    session = wiring.data_directory(data).sessions.load(session_id)
    truth = tell(session, agenda, diary)
    files.write(folder / "truth.json", truth.to_json().encode())
    duration = {"duration_s": round(clock.monotonic() - began, 1)}
    files.write(folder / "afterwards.json", json.dumps(after | duration, ensure_ascii=False).encode())
    return truth


def measure(folder: Path, *, alone: DaySize | None, say: Say = lambda text: None) -> DayResult:
    """Learn from the day in `folder`, in a copy of its data; then, where asked, let what was learned do new goes."""
    truth = DayTruth.from_json((folder / "truth.json").read_text(encoding="utf-8"))
    learned = folder / "learned"
    shutil.rmtree(learned, ignore_errors=True)
    shutil.copytree(folder / "data", learned)
    say("learning")
    clock = wiring.clock()
    began = clock.monotonic()
    code, output, problems = _command("learn", "--all", truth.session_id, data=learned)
    learn_s = clock.monotonic() - began
    problem = "" if code == 0 else problems[-600:]
    say(f"learned in {learn_s:.0f} s" if code == 0 else f"learning failed: {problem}")
    workflows = list(wiring.data_directory(learned).workflows.list().items)
    tasks, foreign = understood(truth, workflows)
    say("cutting the day into episodes")
    code, output, problems = _command("sessions", "segment", truth.session_id, data=learned)
    episodes, near = _episodes(truth, output) if code == 0 else (None, None)
    runs = _alone(truth, learned, tasks, workflows, alone, say) if alone is not None and workflows else []
    return DayResult(
        seed=truth.agenda.seed,
        events=len(truth.events),
        noise_share=truth.noise_share,
        goes=len(truth.agenda.goes),
        workflows=len(workflows),
        foreign_workflows=tuple(foreign),
        tasks=tuple(tasks),
        episodes=episodes,
        near_boundary_f1=near,
        runs=tuple(runs),
        learn_s=learn_s,
        problem=problem,
    )


def so_many(count: int) -> DaySize | None:
    """So many goes of each task to be done alone; of the claims twice as many, as there are two ways."""
    if count == 0:
        return None
    return DaySize(slips=count, claims=2 * count, journal=count, expiries=count // 2, interruptions=0, broken_off=0)


def f1(precision: float, recall: float) -> float:
    """The harmonic mean of both."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _episodes(truth: DayTruth, output: dict[str, Any]) -> tuple[Scores, float]:
    """Compare goes with segments. Signing in again belongs to the go it interrupted or to none: it is not asked."""
    asked = [event.kind != "recovery" for event in truth.events]

    def pick(values: Sequence[Any]) -> list[Any]:
        return [value for value, is_asked in zip(values, asked, strict=True) if is_asked]

    cases, segments = pick(truth.cases()), pick(output["segment"])
    scores = score(cases, pick(truth.tasks()), segments, pick(output["routine"]))
    true, found = boundaries(cases), boundaries(segments)
    hit = sum(any(abs(one - other) <= 1 for other in found) for one in true)
    right = sum(any(abs(one - other) <= 1 for other in true) for one in found)
    return scores, f1(right / len(found) if found else 1.0, hit / len(true) if true else 1.0)


def _alone(
    truth: DayTruth,
    learned: Path,
    tasks: Sequence[TaskUnderstood],
    workflows: Sequence[Workflow],
    size: DaySize,
    say: Say,
) -> list[AloneRun]:
    seed = truth.agenda.seed + _OTHER_DATA
    wanted = {task.task for task in tasks}
    first = next(task for task in ("claims", "journal", "slips") if task in wanted)
    agenda = plan_day(
        seed, replace(size, **{first: getattr(size, first) + 1}), unshown_cents=unshown_cents(truth.agenda)
    )
    # A person does one, and the others are done alone, mixed: each begins where the one before ended, as in a day.
    shown = next(go for go in agenda.goes if go.task == first and not go.expires_at)
    mixed = [agenda.go(turn.go) for turn in agenda.turns]
    goes = [go for go in mixed if go.task in wanted and go != shown]
    by_id = {workflow.workflow_id: workflow for workflow in workflows}
    known = {task.task: (by_id[task.workflow_id], task.variables) for task in tasks if task.workflow_id is not None}

    def on_run(run: AloneRun) -> None:
        say(f"alone: {run.task} {run.subject}: {run.verdict} ({run.status}, {run.duration_s:.0f} s) {run.reason[:160]}")

    with tempfile.TemporaryDirectory(prefix="rpa-vision-day-") as desk, open_office(Path(desk), seed) as office:
        show(office, replace(agenda, noise_share=0.0, turns=(Turn(shown.name),)), Path(desk))
        return work_alone(office, learned, goes, known, on_run)


def _command(*arguments: str, data: Path) -> tuple[int, dict[str, Any], str]:
    """A command of `rpa-vision`: exit code, the last JSON line it printed, and what it complained about."""
    command = [sys.executable, "-m", "rpa_vision", *arguments, "--data", str(data), "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = ended.stdout.strip().splitlines()
    try:
        return ended.returncode, json.loads(lines[-1]) if lines else {}, ended.stderr
    except ValueError as error:
        raise DayError(f"`rpa-vision {arguments[0]}` printed no JSON: {lines[-1][:200]}") from error
