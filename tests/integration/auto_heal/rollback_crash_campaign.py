"""A regression rolled back with the real versions, killed before every system call. Runs by itself, prints JSON.

As in `state_crash_campaign`, each operation is done again and again on a copy of one data directory. Here a decision of
the supervisor and the files that were learned have to agree: whoever comes next finds the decision not made and the new
version in use, or ends what was begun, and has the old version back to the last byte.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from robot import BAD, OK
from syscall_killer import run_until_call, watch_calls

from rpa_vision.adapters.audit.jsonl_audit import JsonlAudit
from rpa_vision.adapters.auto_heal import PolicyFile, SqliteState
from rpa_vision.adapters.runtime import RandomIds, SystemClock
from rpa_vision.models.document import JsonObject
from rpa_vision.ports.supervision import RunContext
from rpa_vision.system.auto_heal_manager import AutoHealManager
from rpa_vision.testing.auto_heal_fakes import MemoryAlerts, MemoryFailures, MemorySuccesses
from rpa_vision.testing.copied_world import copy_world, fingerprint
from rpa_vision.testing.learned import WORKFLOW_ID, LearnedWorld, open_world

BYSTANDER = "WF_autre"
DONE = b"done"
ROLLED_BACK = [["running", "rollback"], ["rollback", "degraded"]]
OPERATIONS = (
    "a regression rolled back",
    "a rollback taken over that was only decided",
    "a rollback taken over that was half done",
)


class LaterClock(SystemClock):
    """When the lease of a dead owner has ended; or, later still, that of the next."""

    def __init__(self, minutes: int) -> None:
        super().__init__()
        self._later = timedelta(minutes=minutes)

    def now(self) -> datetime:
        return super().now() + self._later


class Robot:
    """A supervisor and what was learned, on one data directory."""

    def __init__(self, root: Path, clock: SystemClock) -> None:
        self.world: LearnedWorld = open_world(root, clock=clock)
        self.trail = JsonlAudit(root / "audit" / "audit.jsonl", clock)
        self.manager = AutoHealManager(
            state=SqliteState(root / "system" / "auto_heal.db"),
            policy=PolicyFile(root / "config" / "auto_heal_policy.json", clock, on_error=lambda message: None),
            audit=self.trail,
            versions=self.world.versions,
            failures=MemoryFailures(),
            successes=MemorySuccesses(),
            alerts=MemoryAlerts(),
            clock=clock,
            ids=RandomIds(),
        )

    def close(self) -> None:
        self.world.close()
        self.trail.close()

    def seen(self) -> JsonObject:
        """What is decided, and what is in use, to the last byte."""
        report = self.manager.get_status_report()["workflows"]
        mine = next((one for one in report if one["workflow_id"] == WORKFLOW_ID), None)
        return {
            "mode": self.manager.get_mode(WORKFLOW_ID).value,
            "history": [[one.from_state.value, one.to_state.value] for one in self.manager.history(WORKFLOW_ID)],
            "undone": mine["version"]["rolled_back"] if mine is not None else [],
            "live": _hashes(self.world.live()),
            "bystander": _hashes(self.world.live(BYSTANDER)),
            "bystander_mode": self.manager.get_mode(BYSTANDER).value,
        }


def _hashes(held: dict[str, bytes]) -> dict[str, str]:
    return {name: hashlib.sha256(data).hexdigest() for name, data in held.items()}


def prepare(root: Path) -> JsonObject:
    """A good version, proven; a worse one, one failure before it is undone. Gives what is live with each."""
    with closing(Robot(root, SystemClock())) as robot:
        robot.world.learn(BYSTANDER)
        robot.manager.on_step_result(BYSTANDER, "s1", BAD)
        robot.world.learn()
        robot.world.succeed(element="first")
        robot.world.versions.snapshot_version(WORKFLOW_ID)
        good = robot.seen()["live"]
        for number in range(60):
            robot.manager.on_step_result(WORKFLOW_ID, f"s{number % 5}", OK)
        robot.world.learn()
        robot.manager.on_update(WORKFLOW_ID)
        robot.manager.on_step_result(WORKFLOW_ID, "s1", BAD)
        return {"good": good, "old": robot.seen()}


def fail(root: Path) -> None:
    """The failure that has the version undone."""
    with closing(Robot(root, SystemClock())) as robot:
        robot.manager.on_step_result(WORKFLOW_ID, "s1", BAD)


def take_over(root: Path, minutes: int = 5) -> None:
    """A run of another robot, minutes later: it ends what it finds begun."""
    with closing(Robot(root, LaterClock(minutes))) as robot:
        version = robot.world.data.workflows.load(WORKFLOW_ID).version
        robot.manager.permit_step(WORKFLOW_ID, "s1", run=RunContext("run_later", version))


def recovered(root: Path) -> JsonObject:
    """What the next robot finds, and what it comes to."""
    with closing(Robot(root, SystemClock())) as robot:
        trail_was_whole, found = robot.trail.verify().ok, robot.manager.get_mode(WORKFLOW_ID).value
    take_over(root, minutes=10)
    with closing(Robot(root, LaterClock(10))) as robot:
        seen = robot.seen()
        permission = robot.manager.permit_step(WORKFLOW_ID, "s1")
        whole = trail_was_whole and robot.trail.verify().ok
        kept = [version.version_id for version in robot.world.versions.list_versions(WORKFLOW_ID)]
        damaged = [one for one in kept if robot.world.versions.verify_version(WORKFLOW_ID, one)]
        return {"found": found, "seen": seen, "whole": whole, "goes_on": permission.allowed, "damaged": damaged}


def problem_of(left: JsonObject, old: JsonObject, new: JsonObject, *, told: bool) -> str | None:
    if not left["whole"]:
        return "the trail is not whole"
    if left["damaged"]:
        return f"damaged: {left['damaged']}"
    if left["seen"] not in (old, new):
        return f"neither old nor new: {left['seen']}"
    if told and left["seen"] != new:
        return "it was told that it is done, and it is not"
    return None if left["goes_on"] else "nobody can go on"


def apart(do: Callable[[], JsonObject | None]) -> JsonObject:
    """Do something in a process of its own: the one that is forked again and again has no threads and no open files."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(reading)
            with os.fdopen(writing, "w") as pipe:
                json.dump(do(), pipe)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        answer = pipe.read()
    _, status = os.waitpid(child, 0)
    assert status == 0, "a process failed by itself"
    found: JsonObject = json.loads(answer) or {}
    return found


def half_done(root: Path) -> bool:
    """A restore has begun: its journal is there."""
    return any(root.rglob("restoring.json"))


States = Iterator[tuple[int, bool]]
"""Before which call, and whether it was told that it is done. What is left is then in the copy."""


def killed(base: Path, copy: Path, act: Callable[[Path], None]) -> States:
    """A process is killed before its first call, the next before its second, and so on."""

    def acting(told: int) -> None:
        act(copy)
        os.write(told, DONE)

    calls, through = 0, False
    while not through:
        copy_world(base, copy)
        told, through = run_until_call(acting, calls)
        yield calls, told == DONE
        calls += 1


def held_up(base: Path, copy: Path, act: Callable[[Path], None]) -> States:
    """One process stands still before each of its calls, and whatever is new on the disk is copied: quicker, and the
    same that a kill would leave."""
    alive, kept, known = copy.with_name("alive"), copy.with_name("kept"), dict[str, int]()

    def look(calls: int) -> None:
        marks = fingerprint(alive)
        if marks not in known:
            known[marks] = calls
            copy_world(alive, kept / str(calls))

    copy_world(base, alive)
    last = watch_calls(lambda told: act(alive), look)
    copy_world(alive, kept / str(last))
    for calls in (*known.values(), last):
        copy_world(kept / str(calls), copy)
        yield calls, calls == last


def campaign(states: States, folder: Path) -> JsonObject:
    """Judge all that is different."""
    old, new = (json.loads((folder / f"{name}.json").read_text()) for name in ("old", "new"))
    wrong: list[str] = []
    last, judged, ended_later = 0, set[tuple[str, bool]](), 0
    for calls, told in states:
        last, left = calls, (fingerprint(folder / "copy"), told)
        if left in judged:
            continue
        judged.add(left)
        found = apart(lambda: recovered(folder / "copy"))
        ended_later += found["found"] == "rollback"
        problem = problem_of(found, old, new, told=told)
        if problem is not None:
            wrong.append(f"before call {calls}: {problem}")
    return {"calls": last, "different": len(judged), "ended_later": ended_later, "wrong": wrong}


def unfinished(base: Path, spare: Path, *, half: bool) -> None:
    """Leave in `spare` what a robot left that was killed after its decision, before or while restoring."""
    for _ in held_up(base, spare, fail):
        if half_done(spare) == half and apart(lambda: {"mode": _mode(spare)})["mode"] == "rollback":
            return
    raise AssertionError("it was never there")


def _mode(root: Path) -> str:
    with closing(Robot(root, SystemClock())) as robot:
        return robot.manager.get_mode(WORKFLOW_ID).value


def main(folder: Path, name: str, way: str) -> None:
    base, copy, spare = folder / "base", folder / "copy", folder / "spare"
    told = apart(lambda: prepare(base))
    copy_world(base, copy)
    apart(lambda: fail(copy))
    new = apart(lambda: recovered(copy))["seen"]
    assert new["live"] == told["good"], "the good version is in use again"
    assert new["history"] == ROLLED_BACK
    (folder / "old.json").write_text(json.dumps(told["old"]))
    (folder / "new.json").write_text(json.dumps(new))
    act = fail
    if name != OPERATIONS[0]:
        unfinished(base, spare, half=name == OPERATIONS[2])
        base, act = spare, take_over
    states = {"killed": killed, "held_up": held_up}[way](base, copy, act)
    sys.stdout.write(json.dumps(campaign(states, folder)))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
