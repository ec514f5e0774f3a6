"""A day under the eyes of the observer: which goes it recognises, how soon, and what that costs.

Two of the three tasks of the day are known to it; the third, and the noise, are unrelated work. The person's diary says
what was done when.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from rpa_vision.app import wiring
from rpa_vision.demo.day.agenda import SMALL, Agenda, DaySize, plan_day
from rpa_vision.demo.day.bench import record
from rpa_vision.demo.day.office import DayError, open_office, show
from rpa_vision.demo.day.truth import DayTruth
from rpa_vision.demo.day.understanding import understood

Say = Callable[[str], None]
KNOWN = ("claims", "journal")
"""The tasks whose workflows the observer knows."""
QUICK = DaySize(slips=1, claims=2, journal=1, expiries=0, interruptions=0, broken_off=0)
_PACES = (2.0, 1.0, 0.6)
_OTHER_DATA = 500
_SLACK_S = 0.6
_START_TIMEOUT_S = 60.0
_STOP_TIMEOUT_S = 60.0


@dataclass(slots=True)
class Watcher:
    """A running observer and what it said."""

    process: subprocess.Popen[str]
    events: list[dict[str, Any]] = field(default_factory=list)

    def cpu_s(self) -> float:
        """Seconds of one core it has used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / float(os.sysconf("SC_CLK_TCK"))


def watched_day(
    folder: Path, *, seed: int, size: DaySize, speed: float, idle_s: float, say: Say = lambda text: None
) -> dict[str, Any]:
    """Learn from one day, then watch another, and give what was measured."""
    known = _known_workflows(folder, seed, say)
    agenda = plan_day(seed + _OTHER_DATA, size)
    clock = wiring.clock()
    with tempfile.TemporaryDirectory(prefix="rpa-vision-watched-") as desk:
        data = Path(desk) / "data"
        shutil.copytree(folder / "learned", data, ignore=shutil.ignore_patterns("sessions", "screen_states"))
        for unknown in [one for one in (data / "workflows").iterdir() if one.name not in known]:
            shutil.rmtree(unknown)
        with open_office(Path(desk) / "office", seed + _OTHER_DATA) as office, observing(office.env, data) as watcher:
            before = _bytes_in(data)
            say("an idle screen")
            began_s, began_cpu = clock.monotonic(), watcher.cpu_s()
            clock.sleep(idle_s)
            idle = (watcher.cpu_s() - began_cpu) / (clock.monotonic() - began_s)
            say(f"a day of {len(agenda.goes)} goes")
            began_s, began_cpu = clock.monotonic(), watcher.cpu_s()
            diary = show(office, agenda, Path(desk), speed=speed)
            busy_s = clock.monotonic() - began_s
            busy = (watcher.cpu_s() - began_cpu) / busy_s
        grown = _bytes_in(data) - before
    report = score(agenda, diary, watcher.events, known)
    return report | {
        "seed": seed,
        "goes": len(agenda.goes),
        "day_s": round(busy_s, 1),
        "idle_cpu": round(idle, 4),
        "busy_cpu": round(busy, 4),
        "bytes_per_hour": round(max(0, grown) / busy_s * 3600.0),
    }


def score(agenda: Agenda, diary: str, events: Sequence[Mapping[str, Any]], known: Mapping[str, str]) -> dict[str, Any]:
    """Lay what the observer said beside the diary. `known` gives the task of each workflow it knows."""
    entries = [json.loads(line) for line in diary.splitlines()]
    steps: dict[str, list[dict[str, Any]]] = {}
    for entry in entries:
        if entry["go"] is not None and entry["kind"] == "step":
            steps.setdefault(entry["go"], []).append(entry)
    meant = {go.name for go in agenda.goes if go.task in known.values() and not go.is_broken_off and go.name in steps}
    seen: dict[str, int] = {}
    said = right = completed = 0
    similarities: list[float] = []
    for event in events:
        if event["kind"] not in ("recognised", "completed"):
            continue
        go = _go_at(steps, datetime.fromisoformat(event["at"]).timestamp())
        is_right = go is not None and agenda.go(go).task == known.get(event["workflow_id"])
        if event["kind"] == "recognised":
            said += 1
            right += is_right
            if is_right and go is not None and go not in seen:
                at = datetime.fromisoformat(event["at"]).timestamp()
                seen[go] = sum(entry["from"] <= at + _SLACK_S for entry in steps[go])
        elif is_right and go in meant:
            completed += 1
            similarities.append(event["similarity"])
    delays = sorted(seen[go] for go in seen)
    return {
        "recognised": said,
        "precision": round(right / said, 3) if said else None,
        "recall": round(len(seen.keys() & meant) / len(meant), 3) if meant else None,
        "delay_steps": {"median": delays[len(delays) // 2], "longest": delays[-1]} if delays else None,
        "completed": completed,
        "known_goes": len(meant),
        "similarity": round(sum(similarities) / len(similarities), 3) if similarities else None,
        "different": sum(event["kind"] == "different" for event in events),
        "episodes": sum(event["kind"] == "episode" for event in events),
    }


def lines(report: Mapping[str, Any]) -> Iterator[str]:
    """The report for people."""
    delay = report["delay_steps"] or {"median": None, "longest": None}
    yield f"a day of {report['goes']} goes in {report['day_s']} s, {report['known_goes']} of workflows it knows"
    yield f"recognised {report['recognised']}: precision {report['precision']}, recall {report['recall']}"
    yield f"recognised after {delay['median']} steps (median), {delay['longest']} at the latest"
    yield f"seen to their end {report['completed']}, {report['similarity']} as learned; {report['different']} otherwise"
    yield f"episodes {report['episodes']}"
    yield f"of one core: idle {report['idle_cpu']:.1%}, busy {report['busy_cpu']:.1%}"
    yield f"written to disk: {report['bytes_per_hour'] / 1e6:.2f} MB an hour"


@contextmanager
def observing(env: Mapping[str, str], data: Path, *options: str) -> Iterator[Watcher]:
    """Observe while inside; what was said is there once outside."""
    command = [sys.executable, "-m", "rpa_vision", "observe", "--data", str(data), "--json", *options]
    process = subprocess.Popen(
        command, env=dict(env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1
    )
    watcher = Watcher(process)
    assert process.stdout is not None
    assert process.stderr is not None
    said = process.stdout

    def read() -> None:
        for line in said:
            watcher.events.append(json.loads(line))

    reader = threading.Thread(target=read, daemon=True)
    try:
        reader.start()
        first = process.stderr.readline()
        while first and not first.startswith("observing"):
            first = process.stderr.readline()
        if not first:
            raise DayError("the observer did not start")
        yield watcher
        process.send_signal(signal.SIGINT)
        process.wait(_STOP_TIMEOUT_S)
        reader.join(_STOP_TIMEOUT_S)
        if process.returncode != 0:
            raise DayError(f"the observer ended with {process.returncode}: {process.stderr.read()[-500:]}")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()


def _known_workflows(folder: Path, seed: int, say: Say) -> dict[str, str]:
    """The tasks of the learned workflows, by their ids. Where they are not there yet, a day is recorded and learned
    from; on a busy machine screens come too late for that: then another one is recorded, more slowly."""
    lacking = ""
    for speed in (None, *_PACES):
        if speed is not None:
            say(f"recording a day to learn from, at {speed:g} times a person's pace")
            _clear(folder)
            record(folder, seed, SMALL, speed)
        if not (folder / "truth.json").is_file():
            continue
        truth = DayTruth.from_json((folder / "truth.json").read_text(encoding="utf-8"))
        if not (folder / "learned").is_dir():
            say("learning from it")
            shutil.copytree(folder / "data", folder / "learned")
            command = ["learn", "--all", truth.session_id, "--data", str(folder / "learned")]
            ended = subprocess.run(
                [sys.executable, "-m", "rpa_vision", *command], capture_output=True, text=True, check=False
            )
            lacking = ended.stderr.strip()[-500:]
        tasks, _ = understood(truth, list(wiring.data_directory(folder / "learned").workflows.list().items))
        known = {one.workflow_id: one.task for one in tasks if one.workflow_id is not None and one.task in KNOWN}
        if set(known.values()) == set(KNOWN):
            return known
    raise DayError(f"{' and '.join(KNOWN)} were not both learned: {lacking}")


def _clear(folder: Path) -> None:
    """Take away a day that taught too little; whatever else is in the folder is not ours."""
    for name in ("data", "learned"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in ("agenda.json", "diary.jsonl", "truth.json", "afterwards.json"):
        (folder / name).unlink(missing_ok=True)


def _go_at(steps: Mapping[str, Sequence[Mapping[str, Any]]], at: float) -> str | None:
    """The go in one of whose steps the moment lies, or just after it."""
    near = [
        (min(abs(at - entry["from"]), abs(at - entry["to"])) if not entry["from"] <= at <= entry["to"] else 0.0, go)
        for go, entries in steps.items()
        for entry in entries
        if entry["from"] - _SLACK_S <= at <= entry["to"] + _SLACK_S
    ]
    return min(near)[1] if near else None


def _bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def quick_size(*, quick: bool) -> DaySize:
    """How much of a day is watched."""
    return QUICK if quick else replace(SMALL, slips=3, claims=6, journal=4, expiries=0)
